"""An edition as it is told in a chat: its papers with who wrote them and why they are there, and where all of it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from digest.model import Block, Chat, Edition, Span
from digest.render.branding import Masthead
from digest.render.delivery.headers import header_text
from digest.render.editions.edition_view import Contents, Shape, contents, heading, subject, waiting
from digest.render.environment import printable
from digest.render.languages.locales import Locale
from digest.render.papers.links import web_address
from digest.render.papers.paper_view import Card, card

_TITLE, _LINE = 300, 200
"""Characters of what may be of any length."""
_STARS = re.compile(r"\*([^*]+)\*")


def chat(
    edition: Edition, masthead: Masthead, *, delivery: int, address: str, mark: str = "", page: str = ""
) -> Chat:
    """What a chat is told of an edition.

    Args:
        edition: what it tells.
        masthead: the operator's side.
        delivery: the delivery's id.
        address: the destination's, without its secrets.
        mark: stands before the title, ``[test]``; "" for an edition that counts.
        page: the web address of the edition's page, or "".
    """
    everything = Shape(abstract=0, full=len(edition.items), lines=len(edition.rest))
    shown = contents(edition, masthead, everything, on_page=bool(page))
    papers, locale = tuple(_papers(edition, masthead)), masthead.locale
    return Chat(
        delivery=delivery,
        address=address,
        title=" ".join(filter(None, (mark, header_text(subject(edition, locale))))),
        opening=_opening(shown, locale),
        papers=papers,
        more=tuple(
            " ".join(filter(None, (_more(left, locale), waiting(edition, locale))))
            for left in range(len(papers) + 1)
        ),
        page=web_address(page),
        whole=locale.gettext("The whole edition"),
    )


def _more(number: int, locale: Locale) -> str:
    if not number:
        return ""
    return locale.ngettext("%(num)s more paper fitted.", "%(num)s more papers fitted.", number)


def _opening(shown: Contents, locale: Locale) -> Block:
    """What is missing is said here, as in a mail; what is not has its few words."""
    first = shown.account.summary
    if not shown.empty:
        # Translators: "7 new, 1 maybe: complete": how many papers there are, and how complete the day is.
        first = locale.gettext("%(counts)s: %(summary)s", counts=shown.counts, summary=first)
    told = (first, shown.empty, *shown.account.missing, shown.excluded)
    return (*((Span(_plain(line)),) for line in told if line), *_missed(shown))


def _missed(shown: Contents) -> Iterator[tuple[Span, ...]]:
    """What did not arrive: the sentence, then a line each for what is linked to."""
    if shown.missed:
        yield (Span(_plain(shown.missed.said)),)
        yield from ((Span(_plain(way.said), way.page),) for way in shown.missed.ways)


def _papers(edition: Edition, masthead: Masthead) -> Iterator[tuple[Block, Block]]:
    """The papers, the first one of a part with its heading; those behind them as a line each."""
    number = 0
    for part, group in groupby(edition.items, key=lambda item: None if item.waited else item.part):
        items = list(group)
        for place, item in enumerate(items):
            number += 1
            shown = card(item, masthead, abstract=0, number=str(number))
            above = ((Span(heading(part, items, masthead.locale), strong=True),),) if not place else ()
            yield (*above, *_in_full(shown)), (*above, *_in_a_line(shown))
    for item in edition.rest:
        line = _in_a_line(card(item, masthead, abstract=0))
        yield line, line


def _in_full(shown: Card) -> Block:
    title = Span(_plain(shown.title.text, _TITLE), shown.url, strong=True)
    authors = _marked(_plain(shown.authors.text, _LINE))
    below = (Span(_plain(" · ".join(filter(None, (shown.about, shown.why.text))), _LINE)),)
    return ((Span(f"{shown.number}. "), title), *((authors,) if shown.names else ()), below)


def _marked(authors: str) -> tuple[Span, ...]:
    """Authors with those followed standing out, who are between stars in a card's text."""
    parts = _STARS.split(authors)
    return tuple(Span(part, strong=bool(place % 2)) for place, part in enumerate(parts) if part)


def _in_a_line(shown: Card) -> Block:
    number = (Span(f"{shown.number}. "),) if shown.number else (Span("• "),)
    band = (Span(f" ({shown.band})"),) if shown.band else ()
    return ((*number, Span(_plain(shown.title.text, _TITLE), shown.url), *band),)


def _plain(text: str, most: int = 2_000) -> str:
    """A text on one line; no sign in it turns others round or is not seen."""
    line = header_text(" ".join(printable(text).split()))
    return line if len(line) <= most else f"{line[: most - 2].rstrip()} …"


def said(title: str, lines: tuple[str, ...], *, address: str, delivery: int = 0) -> Chat:
    """Sentences that are no edition: a notice."""
    opening = tuple((Span(_plain(line)),) for line in lines)
    return Chat(delivery=delivery, address=address, title=_plain(title, _LINE), opening=opening)
