"""Items in mails, encoded once for all mails that show them.

Items are known again by which object they are: to compare two takes longer than to render one.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

from digest.core.generation_cache import GenerationCache
from digest.model import Item
from digest.render.branding import Branding
from digest.render.bulk.paper_template import Fragment, PaperStyle, PaperTemplateCache

_MAX_FRAGMENTS = 8_000
"""Of each look: so many of 2 kB are kept, and as many more that were not asked for lately."""
_FIRST_WIDE_NUMBER = 100
_SMALL_WIDTHS = (1, 2)
"""How many digits the numbers of fewer papers have: a paper has its place among these in all mails, more or less."""


class FragmentCache:
    """The fragments of the items of a run."""

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._templates = PaperTemplateCache(environment, branding)
        self._fragments: dict[PaperStyle, GenerationCache[int, Fragment]] = {}

    def get_full(self, items: Sequence[Item], abstract_limit: int, *, has_page: bool) -> list[Fragment]:
        """The fragments of the items shown in full, in their order.

        Args:
            items: all of them.
            abstract_limit: at most about so many characters of it.
            has_page: the edition has a page.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        fragments = self._get_fragments(
            items[: _FIRST_WIDE_NUMBER - 1], PaperStyle(abstract_limit, _SMALL_WIDTHS, has_page), items
        )
        for width in range(len(str(_FIRST_WIDE_NUMBER)), len(str(len(items))) + 1):
            width_items = items[10 ** (width - 1) - 1 : 10**width - 1]
            fragments += self._get_fragments(
                width_items, PaperStyle(abstract_limit, (width,), has_page), items
            )
        return fragments

    def get_lines(self, items: Sequence[Item]) -> list[Fragment]:
        """The fragments of the items that get a line.

        Raises:
            NotToBeCut: one of them has no fragment.
        """
        return self._get_fragments(items, PaperStyle(), ())

    def _get_fragments(
        self, items: Sequence[Item], style: PaperStyle, all_items: Sequence[Item]
    ) -> list[Fragment]:
        cache = self._fragments.setdefault(style, GenerationCache(_MAX_FRAGMENTS))
        fragments = cache.get_all(list(map(id, items)))
        missing = [index for index, fragment in enumerate(fragments) if fragment is None]
        if missing:
            templates = self._templates.get_templates([items[index] for index in missing], style, all_items)
            for index, template in zip(missing, templates, strict=True):
                new_fragment = fragments[index] = template.fill(items[index])
                cache.put(id(items[index]), new_fragment)
        return [fragment for fragment in fragments if fragment]
