"""Items in mails, encoded once for all mails that show them.

Items are known again by which object they are: to compare two takes longer than to render one.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

from digest.core.generation_cache import Kept
from digest.model import Item
from digest.render.branding import Masthead
from digest.render.bulk.paper_template import Fragment, Frames, Look

_MOST = 8_000
"""Of each look: so many of 2 kB are kept, and as many more that were not asked for lately."""
_FEW = 100
_WIDTHS = (1, 2)
"""How many digits the numbers of fewer papers have: a paper has its place among these in all mails, more or less."""


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
        found = self._of(items[: _FEW - 1], Look(abstract, _WIDTHS, linked), items)
        for width in range(len(str(_FEW)), len(str(len(items))) + 1):
            some = items[10 ** (width - 1) - 1 : 10**width - 1]
            found += self._of(some, Look(abstract, (width,), linked), items)
        return found

    def lines(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the items that get a line.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._of(items, Look(), ())

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
