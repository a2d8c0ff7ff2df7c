"""Trial of a user's templates: each is rendered wherever it is used, with editions of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from itertools import product

import jinja2

from digest.core.subscribers.opinions import Opinion
from digest.errors import RenderError
from digest.model import Edition, Frequency, Schedule
from digest.render.account_page import (
    FollowSummary,
    ManagePage,
    PauseView,
    SavedPaperView,
    render_manage_page,
)
from digest.render.delivery.epub import render_epub
from digest.render.delivery.epub_mail import render_cover_text
from digest.render.delivery.mail import MailLinks, make_mail_variables, render_mail
from digest.render.delivery.markdown import render_markdown
from digest.render.editions.edition_view import make_edition_view
from digest.render.editions.layout import ViewLimits
from digest.render.editions.sample import make_sample_edition, make_sample_editions
from digest.render.editions.summary import find_first_title, list_counts, make_subject_texts
from digest.render.environment import fill, require_xml
from digest.render.locale_bundle import LocaleBundle
from digest.render.old_names import REPLACEMENTS, OldName, find_unused_blocks
from digest.render.own_templates import UserEnvironment
from digest.render.paper_page import PaperPageView, render_paper_page
from digest.render.papers.links import Link
from digest.render.publishing import static_pages
from digest.render.publishing.digest_feed import DigestFeed, make_digest_feed, make_paper_entry
from digest.render.publishing.feeds import FEED_FORMATS, NO_FEED_LINKS, FeedLinks
from digest.render.publishing.folder_overview import (
    make_digest_overview,
    make_public_feed_group,
    render_index_page,
)
from digest.render.publishing.opml import OpmlFeed, render_opml
from digest.render.publishing.web_pages import Button, NoticePage, render_edition_page, render_notice_page
from digest.render.template_trial.public_pages import (
    try_collections,
    try_persons,
    try_public_notices,
    try_public_pages,
    try_searches,
    try_signups,
)

_SAMPLE_URL = "https://example.org/editions/sample"
_SAMPLE_MAIL_LINKS = MailLinks(unsubscribe=_SAMPLE_URL, page=_SAMPLE_URL, manage=_SAMPLE_URL)
_SAMPLE_FEED_LINKS = FeedLinks(self=_SAMPLE_URL, current=_SAMPLE_URL, older=_SAMPLE_URL, newer=_SAMPLE_URL)
_TEMPLATE_SUFFIXES = {".html", ".txt", ".xml", ".md", ".xhtml", ".opf", ".ncx", ".css"}
_SAMPLE_LINKS = (Link(label="Sample", href=_SAMPLE_URL, type="application/atom+xml"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateTrial:
    """The result of a trial.

    Attributes:
        errors: one message for each broken template, with file and line.
        unused: one message for each of the user's files that nothing uses, and for each block, with a similar name
            that may be meant or what took its place.
        old_names: names of an earlier release in the user's templates, in the order of files and lines.
    """

    errors: tuple[str, ...]
    unused: tuple[str, ...]
    old_names: tuple[OldName, ...] = ()


def try_templates(
    make_bundle: Callable[[str], LocaleBundle], languages: Iterable[str], now: datetime
) -> TemplateTrial:
    """Try every template in several languages.

    Args:
        make_bundle: returns the templates in a language; broken ones must raise an error.
        languages: the languages to try.
        now: the time of the sample editions.
    """
    errors: dict[str, str] = {}
    # A trial that failed twice in the same way is not repeated, because it may be slow.
    skipped: set[object] = set()
    old_names: set[OldName] = set()
    environment: jinja2.Environment | None = None
    for language in languages:
        try:
            locale_bundle = make_bundle(language)
        except RenderError as error:  # from a broken catalogue
            errors.setdefault(str(error), "")
            continue
        environment = locale_bundle.environment
        for description, trial in _list_trials(locale_bundle, now):
            try:
                if trial.func not in skipped:
                    trial()
            except RenderError as error:
                if str(error) in errors:
                    skipped.add(trial.func)
                errors.setdefault(str(error), f" ({description}, language {language})")
        if isinstance(environment, UserEnvironment):
            old_names.update(environment.list_old_names())
    unused = _find_unused(environment) if isinstance(environment, UserEnvironment) and not errors else ()
    return TemplateTrial(
        errors=tuple(text + context for text, context in errors.items()),
        unused=tuple(unused),
        old_names=tuple(sorted(old_names)),
    )


def _list_trials(locale_bundle: LocaleBundle, now: datetime) -> Iterator[tuple[str, partial[None]]]:
    """Yield each trial: what it renders, in words, and the function that renders it."""
    yield from (("a small page", partial(try_template, locale_bundle, now)) for try_template in _PAGE_TRIALS)
    for (description, edition), try_template in product(make_sample_editions(now).items(), _EDITION_TRIALS):
        yield description, partial(try_template, locale_bundle, edition)


# --- documents of editions ------------------------------------------------------------------------


def _try_mail(locale_bundle: LocaleBundle, edition: Edition) -> None:
    for mail_links in (MailLinks(), _SAMPLE_MAIL_LINKS):
        render_mail(locale_bundle.environment, edition, locale_bundle.branding, mail_links)


def _try_text(locale_bundle: LocaleBundle, edition: Edition) -> None:
    """Try the text part separately, because ``_try_mail`` does not reach it if the HTML part is broken."""
    view = make_edition_view(
        edition, locale_bundle.branding, ViewLimits(edition.abstracts, len(edition.items), 2)
    )
    fill(
        locale_bundle.environment,
        "mail/edition.txt",
        make_mail_variables(view, locale_bundle.branding, "Sample", _SAMPLE_MAIL_LINKS),
    )


def _try_subject(locale_bundle: LocaleBundle, edition: Edition) -> None:
    """Try the subject separately, because the shipped one is not rendered for mails."""
    locale = locale_bundle.branding.locale
    subject_texts = make_subject_texts(
        edition, list_counts(edition, locale), find_first_title(edition), locale
    )
    fill(locale_bundle.environment, "mail/subject.txt", subject_texts._asdict())


def _try_markdown(locale_bundle: LocaleBundle, edition: Edition) -> None:
    render_markdown(locale_bundle.environment, edition, locale_bundle.branding)


def _try_epub(locale_bundle: LocaleBundle, edition: Edition) -> None:
    for mail_links in (MailLinks(), _SAMPLE_MAIL_LINKS):
        render_epub(locale_bundle.environment, edition, locale_bundle.branding, mail_links)
        render_cover_text(locale_bundle.environment, edition, locale_bundle.branding, mail_links)


def _try_feeds(locale_bundle: LocaleBundle, edition: Edition) -> None:
    for by_edition, pages in product((False, True), ({}, {edition.id: _SAMPLE_URL})):
        feed = DigestFeed(
            branding=locale_bundle.branding,
            digest="sample",
            title=edition.title,
            editions=(edition,),
            by_edition=by_edition,
            pages=pages,
        )
        document = make_digest_feed(locale_bundle.environment, feed)
        for links, name in product((NO_FEED_LINKS, _SAMPLE_FEED_LINKS), ("rss", "atom")):
            content = FEED_FORMATS[name].render(locale_bundle.environment, replace(document, links=links))
            require_xml(f"feeds/{name}.xml", content)
    for item in edition.items[:10]:  # as in public feeds
        make_paper_entry(
            locale_bundle.environment, locale_bundle.branding, item, edition.composed_at, is_personal=False
        )


def _try_page(locale_bundle: LocaleBundle, edition: Edition) -> None:
    render_edition_page(locale_bundle.environment, edition, locale_bundle.branding, ())
    render_edition_page(
        locale_bundle.environment, edition, locale_bundle.branding, _SAMPLE_LINKS, _SAMPLE_URL
    )


def _try_static_page(locale_bundle: LocaleBundle, edition: Edition) -> None:
    link = _SAMPLE_LINKS[0]
    navigation = static_pages.PageNavigation(older=link, newer=link, up=link, home=link)
    page = static_pages.render_static_edition(
        locale_bundle.environment, edition, locale_bundle.branding, _SAMPLE_LINKS, navigation
    )
    static_pages.replace_navigation(
        locale_bundle.environment, locale_bundle.branding, page, replace(navigation, older=None, newer=None)
    )
    day_edition = static_pages.make_day_edition(edition, locale_bundle.branding, "days/sample.html")
    static_pages.render_day_page(
        locale_bundle.environment,
        locale_bundle.branding,
        edition.composed_at.date(),
        (day_edition,),
        navigation,
    )


def _try_paper(locale_bundle: LocaleBundle, edition: Edition) -> None:
    for number, item in enumerate(edition.items[:10], start=1):
        opinions = frozenset(Opinion) if number == 1 else frozenset()
        page_view = PaperPageView(
            edition=edition,
            number=number,
            item=item,
            follows=(("sample", 1.0), ("another", 1.1)),
            opinions=opinions,
            persons=(("Ada Lovelace", None), ("王偉", True), ("Wei Wang", False)) if number == 1 else (),
            first=Opinion.SAVED if number == 2 else None,
        )
        render_paper_page(locale_bundle.environment, locale_bundle.branding, page_view, _SAMPLE_LINKS[0])


_EDITION_TRIALS = (
    _try_mail,
    _try_text,
    _try_subject,
    _try_markdown,
    _try_epub,
    _try_feeds,
    _try_page,
    _try_static_page,
    _try_paper,
    try_public_pages,
)


# --- other pages ----------------------------------------------------------------------------------


def _try_notices(locale_bundle: LocaleBundle, _now: datetime) -> None:
    button = Button(label="Sample", action="sample")
    for shown_button, aside in ((None, ""), (button, ""), (button, "A sample")):
        notice = NoticePage(
            title="A sample", lines=("One.", "Two."), links=_SAMPLE_LINKS, button=shown_button, aside=aside
        )
        render_notice_page(locale_bundle.environment, locale_bundle.branding, notice)


def _try_manage_page(locale_bundle: LocaleBundle, now: datetime) -> None:
    paper = make_sample_edition(now).items[0].paper
    page = ManagePage(
        title="Sample",
        destination="me@example.org",
        other_count=2,
        zone="UTC",
        follows=tuple(
            FollowSummary(
                text="sample", is_exclusion=is_exclusion, is_alert=is_alert, learned_factor=learned_factor
            )
            for is_exclusion, is_alert, learned_factor in (
                (False, False, 1.0),
                (False, True, 1.1),
                (True, False, 1.0),
            )
        ),
        schedule=Schedule(frequency=Frequency.DAILY, at="07:30", days=tuple(range(5))),
        limit=25,
        pause=PauseView(now, with_backlog=True),
        feeds=_SAMPLE_LINKS,
        feed_version=1,
        saved_papers=(SavedPaperView(paper, now),),
        bibtex_path="sample",
        unsubscribe_path="sample",
    )
    bare_page = replace(
        page, other_count=0, follows=(), pause=None, feeds=(), feed_version=0, saved_papers=()
    )
    for variant in (page, bare_page, replace(page, pause=PauseView(None, with_backlog=False))):
        render_manage_page(locale_bundle.environment, locale_bundle.branding, variant)


def _try_lists(locale_bundle: LocaleBundle, now: datetime) -> None:
    """Try the overview with and without content, the archive, and the list of feeds."""
    editions = tuple(make_sample_editions(now).values())
    locale = locale_bundle.branding.locale
    overviews = (
        make_digest_overview("sample", "Sample", editions, feeds=True, folder="mail", locale=locale),
        make_digest_overview("empty", "Empty", (), feeds=False, folder=None, locale=locale),
    )
    feed_groups = [
        make_public_feed_group(title, [("cs.DC", "category", "cs.DC")]) for title in ("", "By category")
    ]
    for shown_overviews, shown_groups in (((), ()), (overviews, feed_groups)):
        render_index_page(locale_bundle.environment, locale_bundle.branding, shown_overviews, shown_groups)
    digests = tuple(
        static_pages.ArchiveDigest(title="Sample", editions=7, last=_SAMPLE_LINKS[0], ended=is_ended)
        for is_ended in (False, True)
    )
    for days, shown_digests in (({}, ()), ({now.date(): ("Sample",)}, digests)):
        static_pages.render_archive_page(
            locale_bundle.environment, locale_bundle.branding, days, shown_digests
        )
    for feeds in ((), (OpmlFeed("Sample", _SAMPLE_URL),)):
        require_xml("feeds/opml.xml", render_opml(locale_bundle.environment, locale_bundle.branding, feeds))


_PAGE_TRIALS = (
    _try_notices,
    _try_manage_page,
    _try_lists,
    try_public_notices,
    try_persons,
    try_searches,
    try_signups,
    try_collections,
)


# --- unused files ---------------------------------------------------------------------------------


def _find_unused(environment: UserEnvironment) -> Iterator[str]:
    """Yield a message for each of the user's templates that nothing uses: misspelt names have no other effect."""
    assert environment.shipped.loader is not None
    shipped_names = environment.shipped.loader.list_templates()
    for file in sorted(environment.folder.rglob("*.*")):
        name = file.relative_to(environment.folder).as_posix()
        if file.suffix in _TEMPLATE_SUFFIXES and name not in environment.used_names:
            similar_names = [] if name in shipped_names else get_close_matches(name, shipped_names, 1)
            if name in REPLACEMENTS:
                yield f"{name} is not used: {REPLACEMENTS[name]}"
            else:
                yield f"{name} is not used{f'; did you mean {similar_names[0]}?' if similar_names else ''}"
    for name in sorted(environment.used_names):
        yield from find_unused_blocks(name, environment, partial(_get_source, environment))


def _get_source(environment: UserEnvironment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]
