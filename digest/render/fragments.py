"""Papers in mails, rendered and encoded once for all mails that show them.

A paper's frame is the same for all readers, with holes for its number, the words marked and the reasons; an item's
fragment has them filled in. Items and events are known again by which object they are: to compare them takes longer than
to render them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.model import Event, Item, Part
from digest.render.card import Card, Texts, Words, authors, card, marked, texts, why
from digest.render.coded import Coded, Filled, Hollow, coded, hollow, in_lines, plain, text_of
from digest.render.contents import headings
from digest.render.cutting import HTML, TEXT, Knife
from digest.render.environment import printable
from digest.render.holes import Hole, NotToBeCut, Wrap, hole, number, pieces
from digest.render.holes import marked as has_marks
from digest.render.kept import Kept
from digest.render.masthead import Masthead
from digest.render.shells import LINES, Outline, loop_of, variables_around

_MOST_MARKS = 20
"""Of a frame: so many ways to mark its words are kept."""
_MOST_FRAGMENTS, _MOST_FRAMES = 4_000, 8_000
"""Of each look: so many of 5 kB are kept, and as many more that were not asked for lately."""


class Look(NamedTuple):
    """How an item is shown.

    Attributes:
        abstract: at most about so many characters of it.
        digits: of its number; 0 for a line.
    """

    abstract: int
    digits: int


LINE = Look(0, 0)


class Fragment(NamedTuple):
    """An item in the two parts of a mail.

    Attributes:
        item: which; as long as it is held, nothing else is the same object.
        title: of its paper, on one line.
    """

    item: Item
    title: str
    html: Filled
    text: Filled


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A paper in the two parts of a mail, with holes.

    Attributes:
        event: which; held as an item is.
        part: where it stands.
        folded: its authors, none of them marked.
        marks: texts with words marked, by the hole and the words.
    """

    event: Event
    part: Part
    texts: Texts
    folded: str
    html: Hollow
    text: Hollow
    marks: dict[tuple[str, tuple[str, ...]], Coded] = field(default_factory=dict)

    def filled(self, item: Item) -> Fragment:
        """With an item's reasons."""
        found = _words(item)
        because = why(item, shown=self.texts.shown)

        def in_html(piece: Hole | Wrap) -> Coded:
            match piece:
                case Hole("title" | "abstract" | "author_html" as name):
                    return self._marked(name, found[name])
                case Hole("why_html"):
                    return _ready(str(because.html))
            raise NotToBeCut

        def in_text(piece: Hole | Wrap) -> Coded:
            names = found["author_html"]
            said = authors(self.texts.names, names).text if names else self.folded
            values = {"why_text": because.text, "author_text": said}
            match piece:
                case Wrap():
                    return in_lines(text_of(piece, values), piece.indent, piece.lead)
                case Hole(name) if name in values:
                    return plain(values[name])
            raise NotToBeCut

        return Fragment(item, self.texts.title, self.html.filled(in_html), self.text.filled(in_text))

    def _marked(self, name: str, words: tuple[str, ...]) -> Coded:
        known = self.marks.get((name, words))
        if known is not None:
            return known
        if name == "author_html":
            shown = authors(self.texts.names, words)
        else:
            shown = marked(self.texts.title if name == "title" else self.texts.abstract, words)
        if len(self.marks) >= _MOST_MARKS:
            self.marks.clear()
        made = self.marks[name, words] = coded(printable(str(shown.html)))
        return made


def _words(item: Item) -> dict[str, tuple[str, ...]]:
    """What fits, by the hole that it is marked in."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for reason in item.reasons:
        for what in reason.evidence:
            found[what.field].update(dict.fromkeys(what.words))
    holes = (("title", "title"), ("abstract", "abstract"), ("author", "author_html"))
    return {name: tuple(found[field]) if field in found else () for field, name in holes}


@lru_cache(maxsize=4096)
def _ready(html: str) -> Coded:
    return coded(printable(html))


class Fragments:
    """The fragments of the items of a run."""

    def __init__(self, environment: jinja2.Environment, masthead: Masthead) -> None:
        self._environment = environment
        self._masthead = masthead
        self._fragments: dict[Look, Kept[Fragment]] = {}
        self._frames: dict[tuple[Look, Part], Kept[Frame]] = {}

    def in_full(self, items: Sequence[Item], abstract: int) -> list[Fragment]:
        """The fragments of the items shown in full, in their order.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        found: list[Fragment] = []
        begin = 0
        for digits in range(1, len(str(len(items))) + 1):
            end = 10**digits - 1
            found += self._of(items[begin:end], Look(abstract, digits), items)
            begin = end
        return found

    def lines(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the items that get a line.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._of(items, LINE, ())

    def _of(self, items: Sequence[Item], look: Look, among: Sequence[Item]) -> list[Fragment]:
        kept = self._fragments.get(look)
        if kept is None:
            kept = self._fragments[look] = Kept(_MOST_FRAGMENTS)
        found = [kept.get(id(item)) for item in items]
        if None not in found:
            return found  # type: ignore[return-value]
        self._frame(items, look, among)
        for place, item in enumerate(items):
            if found[place] is None:
                frame = self._frames[look, item.part].get(id(item.event))
                if frame is None:
                    raise NotToBeCut
                kept.put(id(item), made := frame.filled(item))
                found[place] = made
        return found  # type: ignore[return-value]

    def _frame(self, items: Sequence[Item], look: Look, among: Sequence[Item]) -> None:
        """Make the frames that are not there yet."""
        new: dict[tuple[Part, int], Item] = {}
        for item in items:
            kept = self._frames.setdefault((look, item.part), Kept(_MOST_FRAMES))
            if kept.get(id(item.event)) is None:
                new[item.part, id(item.event)] = item
        if new:
            loops = _loops(new.values(), look, among)
            for frame in self._made(loops, look, among):
                self._frames[look, frame.part].put(id(frame.event), frame)

    def _made(self, loops: Mapping[str, Sequence[Item]], look: Look, among: Sequence[Item]) -> list[Frame]:
        titles = self._masthead.source_titles
        cards = {
            loop: [_hollow(item.event, item.part, look, titles) for item in items]
            for loop, items in loops.items()
        }
        told = headings(tuple([(item.part, item.event.kind) for item in among]))
        outline = Outline(tuple([heading for heading, _ in told]), LINES in loops)
        html, text = (self._cut(template, outline, cards) for template in (HTML, TEXT))
        return [
            Frame(
                event=item.event,
                part=item.part,
                texts=texts(item.paper, abstract=look.abstract),
                folded=authors(texts(item.paper, abstract=0).names, ()).text,
                html=html.get((loop, place), _NOTHING),
                text=text.get((loop, place), _NOTHING),
            )
            for loop, items in loops.items()
            for place, item in enumerate(items)
        ]

    def _cut(
        self, template: str, outline: Outline, cards: Mapping[str, Sequence[Card]]
    ) -> dict[tuple[str, int], Hollow]:
        knife = Knife()
        given = variables_around(outline, self._masthead, knife, cards)
        made = knife.cut(self._environment, template, given)
        return {cut.place: hollow(pieces(cut.text)) for cut in made if cut.place}


_NOTHING = hollow(())


def _loops(items: Iterable[Item], look: Look, among: Sequence[Item]) -> dict[str, list[Item]]:
    """The items by the loop that they are gone through in: each part of an edition has its own."""
    if look == LINE:
        return {LINES: list(items)}
    parts = list(dict.fromkeys(item.part for item in among))
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        found[loop_of(parts.index(item.part))].append(item)
    return found


def _hollow(event: Event, part: Part, look: Look, source_titles: Mapping[str, str]) -> Card:
    """A paper as a template gets it, with holes for what is not the same for all readers.

    Raises:
        NotToBeCut: there are marks of holes in its texts.
    """
    item = Item(event=event, part=part, reasons=(), score=0.0)
    given = card(item, source_titles, abstract=look.abstract)
    said = (given.title.text, given.url, given.authors.text, given.abstract.text, given.affiliations)
    links = (text for link in given.links for text in (link.label, link.href))
    more = (given.about, given.band, *given.names, *given.notes, *given.tags, *links)
    if has_marks("".join((*said, *more))):
        raise NotToBeCut

    def words(text: str, name: str) -> Words:
        return Words(text=text, html=Markup(hole(name) if text else ""))  # noqa: S704 - a hole

    return replace(
        given,
        number=number(look.digits),
        title=words(given.title.text, "title"),
        authors=words(hole("author_text") if given.authors.text else "", "author_html"),
        why=words(hole("why_text"), "why_html"),
        abstract=words(given.abstract.text, "abstract"),
    )
