"""Trying a user's templates: each that is filled in anywhere, with editions of every shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from itertools import product
from xml.parsers.expat import ExpatError, ParserCreate

import jinja2

from digest.core.subscribers.opinions import Opinion
from digest.errors import RenderError
from digest.model import Edition, Frequency, Schedule
from digest.render.account_page import Keepsake, ManagePage, Pausing, Wish, manage_page
from digest.render.delivery.mail import Doors, rendered, variables_of
from digest.render.delivery.markdown import markdown
from digest.render.editions.edition_view import Shape, contents
from digest.render.editions.sample import sample_edition, sample_editions
from digest.render.environment import fill
from digest.render.locale_bundle import Tongue
from digest.render.own_templates import OwnEnvironment
from digest.render.paper_page import PaperPage, paper_page
from digest.render.papers.links import Link
from digest.render.publishing import static_pages
from digest.render.publishing.digest_feed import Feed, digest_channel, paper_entry
from digest.render.publishing.feeds import FORMS, NOWHERE, Links
from digest.render.publishing.folder_overview import index_page, opening, shelf
from digest.render.publishing.opml import Listed, opml
from digest.render.publishing.web_pages import Button, Notice, edition_page, notice_page

_ADDRESS = "https://example.org/editions/sample"
_DOORS = Doors(unsubscribe=_ADDRESS, page=_ADDRESS, manage=_ADDRESS)
_BESIDE = Links(self=_ADDRESS, current=_ADDRESS, older=_ADDRESS, newer=_ADDRESS)
_ENDINGS = {".html", ".txt", ".xml", ".md"}
_LINKS = (Link(label="Sample", href=_ADDRESS, type="application/atom+xml"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What trying templates came to.

    Attributes:
        wrong: what is wrong with each that is broken, with file and line.
        unused: files of the user's that nothing uses, each with what else it may be meant to be called.
    """

    wrong: tuple[str, ...]
    unused: tuple[str, ...]


def tried(make: Callable[[str], Tongue], languages: Iterable[str], now: datetime) -> Trial:
    """Try every template in several languages.

    Args:
        make: gives the templates in a language; what is broken of them is an error.
        languages: to try.
        now: the time of the editions that they are tried with.
    """
    wrong: dict[str, str] = {}
    left: set[object] = set()  # what fails again in the same way need not be tried any more: it may be slow
    environment: jinja2.Environment | None = None
    for language in languages:
        try:
            tongue = make(language)
        except RenderError as error:  # a catalogue
            wrong.setdefault(str(error), "")
            continue
        environment = tongue.environment
        for what, trial in _each(tongue, now):
            try:
                if trial.func not in left:
                    trial()
            except RenderError as error:
                if str(error) in wrong:
                    left.add(trial.func)
                wrong.setdefault(str(error), f" ({what}, language {language})")
    unused = _unused(environment) if isinstance(environment, OwnEnvironment) and not wrong else ()
    return Trial(wrong=tuple(text + where for text, where in wrong.items()), unused=tuple(unused))


def _each(tongue: Tongue, now: datetime) -> Iterator[tuple[str, partial[None]]]:
    """What is made, in words, and what makes it."""
    yield from (("a small page", partial(make, tongue, now)) for make in _PAGES)
    for (what, edition), make in product(sample_editions(now).items(), _TELLING):
        yield what, partial(make, tongue, edition)


# --- what tells of an edition ---------------------------------------------------------------------


def _mail(tongue: Tongue, edition: Edition) -> None:
    for doors in (Doors(), _DOORS):
        rendered(tongue.environment, edition, tongue.masthead, doors)


def _text(tongue: Tongue, edition: Edition) -> None:
    """As ``_mail``, which does not come to it where the HTML is broken."""
    shown = contents(edition, tongue.masthead, Shape(abstract=300, full=len(edition.items), lines=2))
    fill(tongue.environment, "mail/edition.txt", variables_of(shown, tongue.masthead, "Sample", _DOORS))


def _markdown(tongue: Tongue, edition: Edition) -> None:
    markdown(tongue.environment, edition, tongue.masthead)


def _feeds(tongue: Tongue, edition: Edition) -> None:
    for by_edition, pages in product((False, True), ({}, {edition.id: _ADDRESS})):
        feed = Feed(
            masthead=tongue.masthead,
            digest="sample",
            title=edition.title,
            editions=(edition,),
            by_edition=by_edition,
            pages=pages,
        )
        channel = digest_channel(tongue.environment, feed)
        for links, name in product((NOWHERE, _BESIDE), ("rss", "atom")):
            made = FORMS[name].render(tongue.environment, replace(channel, links=links))
            _demand_xml(f"feeds/{name}.xml", made)
    for item in edition.items[:10]:  # as a feed has it that is nobody's
        paper_entry(tongue.environment, tongue.masthead, item, edition.composed_at, personal=False)


def _page(tongue: Tongue, edition: Edition) -> None:
    edition_page(tongue.environment, edition, tongue.masthead, ())
    edition_page(tongue.environment, edition, tongue.masthead, _LINKS, _ADDRESS)


def _static_page(tongue: Tongue, edition: Edition) -> None:
    link = _LINKS[0]
    turn = static_pages.Turn(older=link, newer=link, up=link, home=link)
    page = static_pages.edition_page(tongue.environment, edition, tongue.masthead, _LINKS, turn)
    static_pages.turned(tongue.environment, tongue.masthead, page, replace(turn, older=None, newer=None))
    part = static_pages.part(edition, tongue.masthead, "days/sample.html")
    static_pages.day_page(tongue.environment, tongue.masthead, edition.composed_at.date(), (part,), turn)


def _paper(tongue: Tongue, edition: Edition) -> None:
    for number, item in enumerate(edition.items[:10], start=1):
        said = frozenset(Opinion) if number == 1 else frozenset()
        told = PaperPage(
            edition=edition,
            number=number,
            item=item,
            follows=(("sample", 1.0), ("another", 1.1)),
            said=said,
            persons=(("Ada Lovelace", None), ("王偉", True), ("Wei Wang", False)) if number == 1 else (),
        )
        paper_page(tongue.environment, tongue.masthead, told, _LINKS[0])


_TELLING = (_mail, _text, _markdown, _feeds, _page, _static_page, _paper)


def _demand_xml(template: str, content: bytes) -> None:
    """Make sure that a program can read it.

    Raises:
        RenderError: it is no XML.
    """
    try:
        ParserCreate().Parse(content, True)  # noqa: FBT003 - the last piece
    except ExpatError as error:
        raise RenderError(f"what the template {template} makes is no XML: {error}") from error


# --- what tells of none ---------------------------------------------------------------------------


def _notices(tongue: Tongue, _now: datetime) -> None:
    button = Button(label="Sample", action="sample")
    for shown, aside in ((None, ""), (button, ""), (button, "A sample")):
        notice = Notice(title="A sample", lines=("One.", "Two."), links=_LINKS, button=shown, aside=aside)
        notice_page(tongue.environment, tongue.masthead, notice)


def _manage(tongue: Tongue, now: datetime) -> None:
    paper = sample_edition(now).items[0].paper
    page = ManagePage(
        title="Sample",
        where="me@example.org",
        others=2,
        zone="UTC",
        wishes=tuple(
            Wish(text="sample", exclude=exclude, alert=alert, learned=learned)
            for exclude, alert, learned in ((False, False, 1.0), (False, True, 1.1), (True, False, 1.0))
        ),
        schedule=Schedule(frequency=Frequency.DAILY, at="07:30", days=tuple(range(5))),
        limit=25,
        pausing=Pausing(now, with_all=True),
        feeds=_LINKS,
        feed_version=1,
        keepsakes=(Keepsake(paper, now),),
        bibtex="sample",
        stop="sample",
    )
    bare = replace(page, others=0, wishes=(), pausing=None, feeds=(), feed_version=0, keepsakes=())
    for one in (page, bare, replace(page, pausing=Pausing(None, with_all=False))):
        manage_page(tongue.environment, tongue.masthead, one)


def _lists(tongue: Tongue, now: datetime) -> None:
    """The overview of all, with and without anything in it, the archive, and the list of feeds."""
    editions = tuple(sample_editions(now).values())
    locale = tongue.masthead.locale
    shelves = (
        shelf("sample", "Sample", editions, feeds=True, folder="mail", locale=locale),
        shelf("empty", "Empty", (), feeds=False, folder=None, locale=locale),
    )
    openings = [opening(title, [("cs.DC", "category", "cs.DC")]) for title in ("", "By category")]
    for some, opened in (((), ()), (shelves, openings)):
        index_page(tongue.environment, tongue.masthead, some, opened)
    lines = tuple(
        static_pages.Line(title="Sample", editions=7, last=_LINKS[0], ended=ended) for ended in (False, True)
    )
    for days, some_lines in (({}, ()), ({now.date(): ("Sample",)}, lines)):
        static_pages.archive_page(tongue.environment, tongue.masthead, days, some_lines)
    for feeds in ((), (Listed("Sample", _ADDRESS),)):
        _demand_xml("feeds/opml.xml", opml(tongue.environment, tongue.masthead, feeds))


_PAGES = (_notices, _manage, _lists)


# --- what is used by nothing ----------------------------------------------------------------------


def _unused(environment: OwnEnvironment) -> Iterator[str]:
    """The user's templates that nothing uses: a wrong name is easily written, and then nothing is said of it."""
    assert environment.shipped.loader is not None
    ours = environment.shipped.loader.list_templates()
    for file in sorted(environment.folder.rglob("*.*")):
        name = file.relative_to(environment.folder).as_posix()
        if file.suffix in _ENDINGS and name not in environment.used:
            close = get_close_matches(name, ours, 1)
            yield f"{name} is used by nothing{f'; is {close[0]} meant?' if close else ''}"
