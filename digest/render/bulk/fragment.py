"""Items, encoded once for all mails that show them.

The cache recognizes items by identity: comparing two takes longer than rendering one.
"""

from __future__ import annotations

from collections.abc import Sequence

import jinja2

from digest.core.generation_cache import GenerationCache
from digest.model import Item
from digest.render.branding import Branding
from digest.render.bulk.paper_template import Fragment, PaperStyle, PaperTemplateCache

_MAX_FRAGMENTS = 8_000
"""Entries per style and generation of the cache; two generations are kept, about 2 kB an entry."""
_FIRST_WIDE_NUMBER = 100
_SMALL_WIDTHS = (1, 2)
"""Digits of the numbers below that. Most mails have fewer papers, so one fragment serves both widths."""


class FragmentCache:
    """Fragments of the items that the mails of a pass show."""

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._templates = PaperTemplateCache(environment, branding)
        self._fragments: dict[PaperStyle, GenerationCache[int, Fragment]] = {}

    def get_full(self, items: Sequence[Item], abstract_limit: int, *, has_page: bool) -> list[Fragment]:
        """Return the fragments of the items shown in full, in their order.

        Args:
            items: all items that the mail shows in full.
            abstract_limit: longest excerpt of an abstract, in characters, approximately.
            has_page: whether the edition has a page.

        Raises:
            NotSplittable: an item has no fragment.
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
        """Return the fragments of the items shown as one line each.

        Raises:
            NotSplittable: an item has no fragment.
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
