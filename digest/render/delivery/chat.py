"""An edition as a chat: its papers with their authors and reasons, and a link to the whole edition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from digest.model import Abstracts, Block, Chat, Edition, Span
from digest.render.branding import Branding
from digest.render.delivery.headers import clean_header_text
from digest.render.delivery.line_sizes import MAX_CHAT_DETAILS, MAX_CHAT_TITLE
from digest.render.editions.edition_view import EditionView, describe_waiting, make_edition_view
from digest.render.editions.layout import FEATURED_COUNT, ViewLimits, find_newest_day
from digest.render.editions.summary import make_subject
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import filter_web_address
from digest.render.papers.paper_view import PaperView

_MAX_LINE, _MAX_EXCERPT = 200, 600
"""Maximum lengths of a line of authors or reasons, and of an excerpt, in characters."""
_MIN_REASONS = 20
"""Minimum length of the reasons in a line that has many marks, in characters."""
_SEPARATOR = " · "
_STARS = re.compile(r"\*([^*]+)\*")


def make_chat(
    edition: Edition,
    branding: Branding,
    *,
    delivery: int,
    address: str,
    subject_prefix: str = "",
    page: str = "",
) -> Chat:
    """Make the chat of an edition.

    Args:
        edition: the content.
        branding: the branding of the site.
        delivery: the delivery's id.
        address: the destination's address, without its secrets.
        subject_prefix: precedes the title, such as ``[test]``; "" for a real edition.
        page: the web address of the edition's page, or "".
    """
    abstracts = Abstracts.KEY if edition.abstracts is Abstracts.FULL else edition.abstracts
    full_count = min(FEATURED_COUNT, edition.full, len(edition.items))
    line_count = len(edition.items) + len(edition.overflow) - full_count
    view = make_edition_view(
        edition, branding, ViewLimits(abstracts, full_count, line_count), on_page=bool(page)
    )
    locale = branding.locale
    papers = tuple(_list_papers(view, _format_other_days(edition, locale)))
    return Chat(
        delivery=delivery,
        address=address,
        title=" ".join(filter(None, (subject_prefix, clean_header_text(make_subject(edition, locale))))),
        opening=_make_opening(view, locale),
        papers=papers,
        omission_notices=tuple(
            " ".join(filter(None, (_describe_more(remaining, locale), describe_waiting(edition, locale))))
            for remaining in range(len(papers) + 1)
        ),
        page=filter_web_address(page),
        page_label=locale.gettext("The whole edition"),
    )


def _describe_more(number: int, locale: Locale) -> str:
    if not number:
        return ""
    return locale.ngettext("%(num)s more matching paper.", "%(num)s more matching papers.", number)


def _make_opening(view: EditionView, locale: Locale) -> Block:
    """Make the opening: warnings are complete, as in a mail; of the rest of the account there is only the summary."""
    summary = view.account.summary
    if not view.empty:
        # Translators: "7 new, 1 maybe: complete": the numbers of papers, and how complete the day is.
        summary = locale.gettext("%(counts)s: %(summary)s", counts=view.counts, summary=summary)
    sentences = (summary, view.changes, view.empty, *view.account.missing, view.excluded)
    return (*((Span(_clean_line(line)),) for line in sentences if line), *_list_undelivered(view))


def _list_undelivered(view: EditionView) -> Iterator[tuple[Span, ...]]:
    """Yield the notice of undelivered editions: its text, then one line for each link."""
    if view.missed:
        yield (Span(_clean_line(view.missed.said)),)
        yield from ((Span(_clean_line(link.said), link.page),) for link in view.missed.ways)


def _format_other_days(edition: Edition, locale: Locale) -> dict[str, str]:
    """Return the days of the papers that are not of the newest day of an edition, by the number of the paper."""
    newest_day = find_newest_day(edition)
    return {
        str(number): locale.short_day(item.event.day)
        for number, item in enumerate((*edition.items, *edition.overflow), start=1)
        if item.event.day != newest_day
    }


def _list_papers(view: EditionView, other_days: Mapping[str, str]) -> Iterator[tuple[Block, Block]]:
    """Yield the papers in full, if they are among the first ones, and as one line; the first one of a section has its heading.

    Args:
        view: the view of the edition.
        other_days: the days of papers that are not of the newest day, by the number of the paper.
    """
    for section in view.sections:
        heading = _clean_line(section.heading, _MAX_LINE)  # may be a follow
        heading_block: Block = ((Span(heading, strong=True),),) if heading else ()
        for paper_view in section.papers:
            line_block = _make_line_block(paper_view, other_days.get(paper_view.number, ""))
            yield (
                (*heading_block, *_make_full_block(paper_view)),
                (*heading_block, *line_block),
            )
            heading_block = ()
    for paper_view in view.rest:
        line_block = _make_line_block(paper_view, other_days.get(paper_view.number, ""))
        yield line_block, line_block


def _make_full_block(paper_view: PaperView) -> Block:
    title = Span(_make_link_text(paper_view), paper_view.url, strong=True)
    lines = (
        (title,),
        _split_authors(_clean_line(paper_view.authors.text, _MAX_LINE)),
        (Span(_clean_line(paper_view.abstract.text, _MAX_EXCERPT)),),
        (Span(_clean_line(_SEPARATOR.join(_list_facts(paper_view)), _MAX_LINE)),),
    )
    return tuple(line for line in lines if line and line[0].text)


def _list_facts(paper_view: PaperView) -> Iterator[str]:
    """Yield why a paper is there and what is known about it; numbers as texts, without the links that a mail has."""
    if paper_view.reasons.text:
        yield paper_view.reasons.text
    yield from (
        fact.label for fact in paper_view.facts if not fact.href and fact.label not in paper_view.signals
    )
    yield from paper_view.signals


def _split_authors(authors: str) -> tuple[Span, ...]:
    """Split authors into spans; followed ones, which have asterisks around them in a paper's text, are emphasized."""
    parts = _STARS.split(authors)
    return tuple(Span(part, strong=bool(index % 2)) for index, part in enumerate(parts) if part)


def _make_line_block(paper_view: PaperView, day: str) -> Block:
    """Make the line of a paper; if it has too many reasons, they are shortened, but neither its marks nor its day."""
    title = Span(_make_link_text(paper_view), paper_view.url)
    whole_reasons = _clean_line(paper_view.reasons.text)
    reasons, marks = _shorten_reasons(whole_reasons, paper_view.marks, day)
    if reasons != whole_reasons or not reasons:  # they do not say that the paper is a maybe
        reasons, marks = _shorten_reasons(whole_reasons, paper_view.band, day)
    details = _SEPARATOR.join(filter(None, (reasons, marks)))
    return ((Span("• "), title, *([Span(f" ({details})")] if details else [])),)


def _shorten_reasons(reasons: str, paper_marks: str, day: str) -> tuple[str, str]:
    """Return the reasons, as far as there is room beside the marks and the day, and these two."""
    marks = _SEPARATOR.join(filter(None, (paper_marks, day)))
    max_reasons = MAX_CHAT_DETAILS - len(marks) - len(_SEPARATOR) if marks else MAX_CHAT_DETAILS
    return _clean_line(reasons, max(_MIN_REASONS, max_reasons)), marks


def _make_link_text(paper_view: PaperView) -> str:
    """Return the title, or the address of a paper whose title shows nothing."""
    return _clean_line(paper_view.title.text, MAX_CHAT_TITLE) or _clean_line(paper_view.url)


def _clean_line(text: str, max_chars: int = 2_000) -> str:
    """Return a text on one line, without invisible or direction-changing characters, and at most ``max_chars`` long."""
    line = clean_header_text(" ".join(remove_unprintable(text).split()))
    return line if len(line) <= max_chars else f"{line[: max_chars - 2].rstrip()} …"


def make_chat_notice(title: str, lines: tuple[str, ...], *, address: str, delivery: int = 0) -> Chat:
    """Make a chat of sentences that are not an edition, such as a notice."""
    opening = tuple((Span(_clean_line(line)),) for line in lines)
    return Chat(delivery=delivery, address=address, title=_clean_line(title, _MAX_LINE), opening=opening)
