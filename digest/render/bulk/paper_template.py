"""Papers in mails, rendered and encoded once for all readers: with holes for number, words marked and reasons.

Events are known again by which object they are: to compare two takes longer than to render one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.core.generation_cache import Kept
from digest.core.text.highlights import highlights
from digest.model import Event, Item, Part
from digest.render.branding import Masthead
from digest.render.bulk.encoded import PAGE, Hollow, coded_html, hollow_html, hollow_text, in_text
from digest.render.bulk.placeholder import NotToBeCut, hole, number, pieces
from digest.render.bulk.placeholder import marked as has_marks
from digest.render.bulk.skeleton import LINES, TITLES, Outline, loop_of, variables_around
from digest.render.bulk.splitter import HTML, TEXT, Knife
from digest.render.editions.edition_view import headings, sorts_of
from digest.render.environment import printable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import excerpt
from digest.render.papers.paper_view import (
    Because,
    Card,
    Texts,
    Words,
    authors,
    because,
    buried,
    card_with,
    in_lines,
    texts,
    why,
    with_marks,
)

_MOST = 8_000
"""Of each look, and as many more that were not asked for lately."""
_MOST_MARKS = 20
"""Of a paper: so many ways to mark its words are kept."""
_MOST_REASONS = 1 << 13
"""A few hundred bytes for each; who has the same ones comes one after the other."""
_HOLES = {
    HTML: {"title", "author_html", "why_html", "abstract"},
    TEXT: {"author_text", "why_text", "abstract_text"},
}
"""Of a frame, by its template."""


class Look(NamedTuple):
    """How an item is shown.

    Attributes:
        abstract: at most about so many characters of it.
        widths: how many digits its number may have; none for a line.
        linked: its edition has a page.
    """

    abstract: int = 0
    widths: tuple[int, ...] = ()
    linked: bool = False


@dataclass(slots=True, eq=False)  # looked for among others, each would be compared
class Fragment:
    """An item in the two parts of a mail, but for its number.

    It holds no frame, only what it takes from one: where papers are many, a frame is let go of long before its fragments,
    and would add 5 kB to each.

    Attributes:
        item: which; as long as it is held, nothing else is the same object.
        title: of its paper, on one line.
        html: it in the HTML.
        titled: its line in the table of contents there.
    """

    item: Item
    title: str
    html: bytes
    titled: bytes
    _written: Mapping[int, Hollow]
    _titled: Mapping[int, Hollow]
    _values: Mapping[str, str]
    _texts: dict[int, bytes] = field(default_factory=dict)

    def text(self, digits: int) -> bytes:
        """It in the text, where lines end elsewhere if its number has more digits; 0 for a line."""
        known = self._texts.get(digits)
        if known is None:
            known = self._texts[digits] = self._filled(self._written[digits])
        return known

    def titled_text(self, digits: int) -> bytes:
        """Its line in a table of contents there, which most do not have."""
        return self._filled(self._titled[digits])

    def _filled(self, made: Hollow) -> bytes:
        return made.filled([in_text(hole, self._values) for hole in made.holes])


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The texts of a paper, with what was marked in them: for all its looks with as much of the abstract.

    Attributes:
        event: which; held as an item is.
        locale: the reader's language.
        folded: its authors, none of them marked.
        marks: texts of the HTML with words marked, by the hole and the words.
    """

    event: Event
    locale: Locale
    texts: Texts
    folded: str
    marks: dict[tuple[str, tuple[str, ...]], bytes] = field(default_factory=dict)

    def marked(self, name: str, words: tuple[str, ...]) -> bytes:
        """The text for a hole of the HTML, with words marked."""
        known = self.marks.get((name, words))
        if known is None:
            if len(self.marks) >= _MOST_MARKS:
                self.marks.clear()
            known = self.marks[name, words] = self._marked(name, words)
        return known

    def excerpt(self, words: tuple[str, ...], buried: tuple[str, ...]) -> tuple[bytes, str]:
        """The abstract with words marked, and as a text, with the sentence that shows why it is there."""
        shown = excerpt(self.texts.abstract, self.texts.whole, buried)
        if shown == self.texts.abstract:
            return self.marked("abstract", words), shown
        return coded_html(with_marks(in_lines(shown), highlights(shown, words), 0, len(shown))), shown

    def _marked(self, name: str, words: tuple[str, ...]) -> bytes:
        if name == "author_html":
            return coded_html(authors(self.texts.names, words, self.locale).html)
        text: str = getattr(self.texts, name)
        return coded_html(with_marks(in_lines(text), highlights(text, words), 0, len(text)))


def wording(event: Event, abstract: int, locale: Locale) -> Wording:
    """The texts of the paper of an event, with so much of the abstract."""
    told = texts(event.paper, abstract=abstract)
    return Wording(
        event=event,
        locale=locale,
        texts=told,
        folded=authors(told.names, (), locale).text,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A paper in the two parts of a mail, with holes for what an item's reasons make of it.

    Attributes:
        html: it in the HTML, in full or as a line.
        titled: its line in the table of contents there.
        texts: it in the text, by how many digits its number has; so ``titled_texts``.
    """

    part: Part
    late: bool
    wording: Wording
    html: Hollow
    titled: Hollow
    texts: Mapping[int, Hollow]
    titled_texts: Mapping[int, Hollow]

    def filled(self, item: Item) -> Fragment:
        """With an item's reasons."""
        wording, found = self.wording, _words(item)
        names = found["author"]
        why_html, why_text = _said(because(item, wording.locale, shown=wording.texts.shown), wording.locale)
        abstract_html, abstract_text = wording.excerpt(found["abstract"], buried(item))
        html = {
            "title": wording.marked("title", found["title"]),
            "abstract": abstract_html,
            "author_html": wording.marked("author_html", names),
            "why_html": why_html,
        }
        by = authors(wording.texts.names, names, wording.locale).text if names else wording.folded
        text = {"author_text": by, "why_text": why_text, "abstract_text": abstract_text}
        return Fragment(
            item,
            wording.texts.title,
            self.html.filled([html[hole[0]] for hole in self.html.holes]),
            self.titled.filled([html[hole[0]] for hole in self.titled.holes]),
            self.texts,
            self.titled_texts,
            text,
        )


def _words(item: Item) -> dict[str, tuple[str, ...]]:
    """What fits, by field."""
    found: dict[str, tuple[str, ...]] = {"title": (), "abstract": (), "author": ()}
    for reason in item.reasons:
        for what in reason.evidence:
            known = found.get(what.field)
            found[what.field] = (*known, *what.words) if known else what.words
    return found


@lru_cache(maxsize=_MOST_REASONS)
def _said(reasons: Because, locale: Locale) -> tuple[bytes, str]:
    """Why an item is there, in the HTML and in the text."""
    words = why(reasons, locale)
    return coded_html(printable(words.html)), words.text


class Frames:
    """The frames of the papers of a run."""

    def __init__(self, environment: jinja2.Environment, masthead: Masthead) -> None:
        self._environment = environment
        self._masthead = masthead
        self._wordings: dict[int, Kept[int, Wording]] = {}
        self._frames: dict[Look, Kept[tuple[int, Part, bool], Frame]] = {}

    def of(self, items: Sequence[Item], look: Look, among: Sequence[Item]) -> list[Frame]:
        """The frames of items; those that are not there yet are rendered together.

        Args:
            items: whose.
            look: how they are shown.
            among: all that are shown in full, they too.

        Raises:
            NotToBeCut: one of them can have none.
        """
        kept = self._frames.setdefault(look, Kept(_MOST))
        keys = [(id(item.event), item.part, item.late) for item in items]
        found = {key: kept.get(key) for key in keys}
        new = {key: item for key, item in zip(keys, items, strict=True) if found[key] is None}
        if new:
            for frame in self._made(new.values(), look, among):
                key = id(frame.wording.event), frame.part, frame.late
                kept.put(key, frame)
                found[key] = frame
        return [one for key in keys if (one := found[key])]

    def _made(self, items: Iterable[Item], look: Look, among: Sequence[Item]) -> list[Frame]:
        loops = _loops(items, look, among)
        wordings = {id(item.event): self._wording(item.event, look.abstract) for item in items}
        cards = {
            loop: [_hollow(wordings[id(item.event)], item, look, self._masthead) for item in mine]
            for loop, mine in loops.items()
        }
        if look.widths:
            cards[TITLES] = [card for mine in cards.values() for card in mine]
        told = headings(sorts_of(among), self._masthead.locale)
        outline = Outline(
            tuple([heading for heading, _ in told]),
            lines=LINES in loops,
            texts=(PAGE,) if look.linked else (),
        )
        html = self._cut(HTML, outline, cards)
        texts = {
            digits: self._cut(
                TEXT, outline, {loop: _with_width(mine, digits) for loop, mine in cards.items()}
            )
            for digits in look.widths or (0,)
        }
        places = [(loop, round_, item) for loop, mine in loops.items() for round_, item in enumerate(mine)]
        return [
            Frame(
                part=item.part,
                late=item.late,
                wording=wordings[id(item.event)],
                html=html.get((loop, round_), _NOTHING),
                titled=html.get((TITLES, place), _NOTHING),
                texts={digits: text.get((loop, round_), _NOTHING) for digits, text in texts.items()},
                titled_texts={digits: text.get((TITLES, place), _NOTHING) for digits, text in texts.items()},
            )
            for place, (loop, round_, item) in enumerate(places)
        ]

    def _wording(self, event: Event, abstract: int) -> Wording:
        kept = self._wordings.setdefault(abstract, Kept(_MOST))
        known = kept.get(id(event))
        if known is None:
            kept.put(id(event), known := wording(event, abstract, self._masthead.locale))
        return known

    def _cut(
        self, template: str, outline: Outline, cards: Mapping[str, Sequence[Card]]
    ) -> dict[tuple[str, int], Hollow]:
        """The papers in a part, by loop and round."""
        knife, hollow = Knife(), hollow_html if template == HTML else hollow_text
        given = variables_around(outline, self._masthead, knife, cards)
        found = {
            cut.place: hollow(pieces(cut.text))
            for cut in knife.cut(self._environment, template, given)
            if cut.place
        }
        for one in found.values():
            if one.names - _HOLES[template] or (one.has_lines and template == HTML):
                raise NotToBeCut
        return {(place.loop, place.round): one for place, one in found.items()}


_NOTHING = hollow_text(())


def _with_width(cards: Sequence[Card], digits: int) -> list[Card]:
    return [replace(card, number=number(digits)) for card in cards]


def _loops(items: Iterable[Item], look: Look, among: Sequence[Item]) -> dict[str, list[Item]]:
    """The items by the loop that they are gone through in: each part of an edition has its own."""
    if not look.widths:
        return {LINES: list(items)}
    parts = list(dict.fromkeys(part for part, _ in sorts_of(among)))
    found: dict[str, list[Item]] = defaultdict(list)
    mine = list(items)
    for item, (part, _) in zip(mine, sorts_of(mine), strict=True):
        found[loop_of(parts.index(part))].append(item)
    return found


def _hollow(wording: Wording, shown: Item, look: Look, masthead: Masthead) -> Card:
    """A paper as a template gets it, with holes for what is not the same for all readers.

    Raises:
        NotToBeCut: there are marks of holes in its texts.
    """
    item = Item(event=wording.event, part=shown.part, reasons=(), score=0.0, late=shown.late)
    given = card_with(wording.texts, item, masthead)
    said = (given.title.text, given.url, given.authors.text, given.abstract.text, given.affiliations)
    links = (text for link in given.links for text in (link.label, link.href))
    more = (given.about, given.band, *given.names, *given.notes, *given.signals, *given.tags, *links)
    if has_marks("".join((*said, *more))):
        raise NotToBeCut

    def words(text: str, name: str) -> Words:
        return Words(text=text, html=Markup(hole(name) if text else ""))  # noqa: S704 - a hole

    return replace(
        given,
        number=number(min(look.widths, default=0)),
        title=words(given.title.text, "title"),
        authors=words(hole("author_text") if given.authors.text else "", "author_html"),
        why=words(hole("why_text"), "why_html"),
        abstract=words(hole("abstract_text") if given.abstract.text else "", "abstract"),
    )
