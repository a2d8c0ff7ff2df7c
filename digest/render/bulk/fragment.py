"""Items, encoded once for all mails that show them.

The cache recognizes items by identity: comparing two takes longer than rendering one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

import jinja2

from digest.core.generation_cache import GenerationCache
from digest.model import Item
from digest.render.branding import Branding
from digest.render.bulk.paper_template import Fragment, PaperTemplateCache
from digest.render.editions.layout import PlacedItem
from digest.render.papers.paper_view import PaperStyle

_MAX_FRAGMENTS = 10_000
"""Entries per generation of the cache; two generations are kept, about 3 kB an entry.

Mails that show the same items are made in a row, so more entries would save fewer than one in two hundred fragments.
"""
_get_item = attrgetter("item")


class FragmentCache:
    """Fragments of the items that the mails of a pass show."""

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._templates = PaperTemplateCache(environment, branding)
        self._fragments: GenerationCache[tuple[int, PaperStyle, bool], Fragment] = GenerationCache(
            _MAX_FRAGMENTS
        )

    def get_all(self, placed_items: Sequence[PlacedItem], *, has_page: bool) -> list[Fragment]:
        """Return the fragments of items, in their order.

        Args:
            placed_items: the items with their styles.
            has_page: whether the edition has a page.

        Raises:
            NotSplittable: an item has no fragment.
        """
        if not placed_items:  # most mails have no lines
            return []
        items_by_style: dict[PaperStyle, list[PlacedItem]] = defaultdict(list)
        for placed in placed_items:
            items_by_style[placed.style].append(placed)
        fragments_by_style = {
            style: iter(self._get_fragments(list(map(_get_item, items)), style, has_page=has_page))
            for style, items in items_by_style.items()
        }
        return [next(fragments_by_style[placed.style]) for placed in placed_items]

    def _get_fragments(self, items: Sequence[Item], style: PaperStyle, *, has_page: bool) -> list[Fragment]:
        keys = [(id(item), style, has_page) for item in items]
        fragments = self._fragments.get_all(keys)
        missing = [index for index, fragment in enumerate(fragments) if fragment is None]
        if missing:
            templates = self._templates.get_templates(
                [items[index] for index in missing], style, has_page=has_page
            )
            for index, template in zip(missing, templates, strict=True):
                new_fragment = fragments[index] = template.fill(items[index])
                self._fragments.put(keys[index], new_fragment)
        return [fragment for fragment in fragments if fragment]
