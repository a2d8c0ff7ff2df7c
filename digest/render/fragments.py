"""Items in mails, encoded once for all mails that show them.

Items are known again by which object they are: to compare two takes longer than to render one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jinja2

from digest.model import Event, Item, Part
from digest.render.coded import Filled, Sheaf, numbered
from digest.render.frames import Fragment, Frames, Look
from digest.render.holes import NotToBeCut
from digest.render.kept import Kept
from digest.render.masthead import Masthead
from digest.render.shells import LINES, TITLES

_MOST = 20_000
"""Of each look: so many of 2 kB are kept, and as many more that were not asked for lately."""


class Entry(NamedTuple):
    """A paper in a table of contents: the same for all readers to whom it has the same number.

    Attributes:
        event: which; as long as it is held, nothing else is the same object.
    """

    event: Event
    html: Sheaf
    text: Sheaf


class Fragments:
    """The fragments of the items of a run."""

    def __init__(self, environment: jinja2.Environment, masthead: Masthead) -> None:
        self._frames = Frames(environment, masthead)
        self._fragments: dict[Look, Kept[int, Fragment]] = {}
        self._titles: Kept[tuple[int, Part, int], Entry] = Kept(_MOST)

    def in_full(self, items: Sequence[Item], abstract: int, *, linked: bool) -> list[Fragment]:
        """The fragments of the items shown in full, in their order.

        Args:
            items: all of them.
            abstract: at most about so many characters of it.
            linked: the edition has a page.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        found: list[Fragment] = []
        begin = 0
        for digits in range(1, len(str(len(items))) + 1):
            end = 10**digits - 1
            found += self._of(items[begin:end], Look(abstract, digits, linked), items)
            begin = end
        return found

    def titles(self, items: Sequence[Item]) -> list[Entry]:
        """The same items in a table of contents.

        Raises:
            NotToBeCut: one of them cannot be in it.
        """
        keys = [(id(item.event), item.part, number) for number, item in enumerate(items, start=1)]
        found = self._titles.all(keys)
        return [
            one or self._title(item, key, items) for item, key, one in zip(items, keys, found, strict=True)
        ]

    def _title(self, item: Item, key: tuple[int, Part, int], among: Sequence[Item]) -> Entry:
        number = key[-1]
        (frame,) = self._frames.of([item], Look(digits=len(str(number)), loop=TITLES), among)
        made = frame.filled(item)
        if made.html.pages or made.text.pages:
            raise NotToBeCut
        in_html, in_text = numbered(number)
        entry = Entry(item.event, _with_number(made.html, in_html), _with_number(made.text, in_text))
        if not (frame.html.holes or frame.text.holes):  # else its reasons are in it, too
            self._titles.put(key, entry)
        return entry

    def lines(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the items that get a line.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._of(items, Look(loop=LINES), ())

    def _of(self, items: Sequence[Item], look: Look, among: Sequence[Item]) -> list[Fragment]:
        kept = self._fragments.setdefault(look, Kept(_MOST))
        found = kept.all(list(map(id, items)))
        new = [place for place, one in enumerate(found) if one is None]
        if new:
            frames = self._frames.of([items[place] for place in new], look, among)
            for place, frame in zip(new, frames, strict=True):
                made = found[place] = frame.filled(items[place])
                kept.put(id(items[place]), made)
        return [one for one in found if one]


def _with_number(made: Filled, number: bytes) -> Sheaf:
    contents = list(made.contents)
    for place in made.numbers:
        contents[place] = number
    return Sheaf([b"".join(contents)], made.size, made.excess)
