"""Items in mails, encoded once for all mails that show them.

Items are known again by which object they are: to compare two takes longer than to render one.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

from digest.model import Item
from digest.render.frames import Fragment, Frames, Look
from digest.render.kept import Kept
from digest.render.masthead import Masthead
from digest.render.shells import LINES, TITLES

_MOST = 20_000
"""Of each look: so many of 2 kB are kept, and as many more that were not asked for lately."""


class Fragments:
    """The fragments of the items of a run."""

    def __init__(self, environment: jinja2.Environment, masthead: Masthead) -> None:
        self._frames = Frames(environment, masthead)
        self._fragments: dict[Look, Kept[int, Fragment]] = {}

    def in_full(self, items: Sequence[Item], abstract: int, *, linked: bool) -> list[Fragment]:
        """The fragments of the items shown in full, in their order.

        Args:
            items: all of them.
            abstract: at most about so many characters of it.
            linked: the edition has a page.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._numbered(items, Look(abstract, linked=linked))

    def titles(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the same items in a table of contents.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._numbered(items, Look(loop=TITLES))

    def lines(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the items that get a line.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._of(items, Look(loop=LINES), ())

    def _numbered(self, items: Sequence[Item], look: Look) -> list[Fragment]:
        found: list[Fragment] = []
        begin = 0
        for digits in range(1, len(str(len(items))) + 1):
            end = 10**digits - 1
            found += self._of(items[begin:end], look._replace(digits=digits), items)
            begin = end
        return found

    def _of(self, items: Sequence[Item], look: Look, among: Sequence[Item]) -> list[Fragment]:
        kept = self._fragments.setdefault(look, Kept(_MOST))
        found = [kept.get(id(item)) for item in items]
        new = [place for place, one in enumerate(found) if one is None]
        if new:
            frames = self._frames.of([items[place] for place in new], look, among)
            for place, frame in zip(new, frames, strict=True):
                made = found[place] = frame.filled(items[place])
                kept.put(id(items[place]), made)
        return [one for one in found if one]
