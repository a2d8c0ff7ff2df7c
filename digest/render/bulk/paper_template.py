"""Papers, rendered and encoded once for all readers, with placeholders for number, marked words and reasons.

The cache recognizes events by identity: comparing two takes longer than rendering one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.core.generation_cache import GenerationCache
from digest.core.text.highlights import find_highlights
from digest.model import EditionPart, Event, Item
from digest.render.branding import Branding
from digest.render.bulk.encoded import (
    PAGE_NAME,
    Skeleton,
    encode_html,
    encode_text_value,
    make_html_skeleton,
    make_text_skeleton,
)
from digest.render.bulk.placeholder import (
    NotSplittable,
    has_marks,
    make_number_placeholder,
    make_placeholder,
    split_pieces,
)
from digest.render.bulk.skeleton import (
    LINES_LOOP,
    TITLES_LOOP,
    Outline,
    make_loop_name,
    make_skeleton_variables,
)
from digest.render.bulk.splitter import HTML_TEMPLATE, TEXT_TEMPLATE, Splitter
from digest.render.editions.edition_view import get_heading_keys, make_headings
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.excerpts import make_excerpt
from digest.render.papers.paper_view import (
    Explanation,
    PaperTexts,
    PaperView,
    RichText,
    find_abstract_only_words,
    format_authors,
    format_explanation,
    insert_marks,
    make_explanation,
    make_paper_texts,
    make_paper_view_with,
    split_into_lines,
)

_MAX_TEMPLATES = 8_000
"""Entries per style and generation of the cache; two generations are kept."""
_MAX_MARKED_TEXTS = 20
"""Maximum number of cached texts with marked words, per paper."""
_MAX_EXPLANATIONS = 1 << 13
"""Entries of the cache of explanations, a few hundred bytes each. Mails with the same one are made in a row."""
_PLACEHOLDERS = {
    HTML_TEMPLATE: {"title", "author_html", "why_html", "abstract"},
    TEXT_TEMPLATE: {"author_text", "why_text", "abstract_text"},
}
"""Placeholders of a paper, by template."""


class PaperStyle(NamedTuple):
    """How an item is shown.

    Attributes:
        abstract_limit: longest excerpt of the abstract, in characters, approximately.
        widths: possible numbers of digits of its number; empty for an item with one line.
        has_page: whether its edition has a page.
    """

    abstract_limit: int = 0
    widths: tuple[int, ...] = ()
    has_page: bool = False


@dataclass(slots=True, eq=False)  # in containers it would be compared field by field
class Fragment:
    """An item, encoded for the two parts of a mail, without its number.

    It holds no template, only copies of what it needs: with many papers, templates are dropped long before their
    fragments, and each would add 5 kB.

    Attributes:
        item: the item; holding it keeps its identity from being reused.
        title: the title of its paper, on one line.
        html: its HTML.
        title_line: its line in the table of contents of the HTML part.
    """

    item: Item
    title: str
    html: bytes
    title_line: bytes
    _text_skeletons: Mapping[int, Skeleton]
    _title_skeletons: Mapping[int, Skeleton]
    _values: Mapping[str, str]
    _text_cache: dict[int, bytes] = field(default_factory=dict)

    def get_text(self, digits: int) -> bytes:
        """Return its text for a number of that many digits, which affects line breaks; 0 for an item with one line."""
        encoded = self._text_cache.get(digits)
        if encoded is None:
            encoded = self._text_cache[digits] = self._fill(self._text_skeletons[digits])
        return encoded

    def render_title_line(self, digits: int) -> bytes:
        """Render its line in a table of contents of the text part, which most mails do not have."""
        return self._fill(self._title_skeletons[digits])

    def _fill(self, skeleton: Skeleton) -> bytes:
        return skeleton.fill(
            [encode_text_value(placeholder, self._values) for placeholder in skeleton.placeholders]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedTexts:
    """The texts of a paper with marked words, for all its styles with the same limit of the abstract.

    Attributes:
        event: the event; held for its identity, like the item of a fragment.
        locale: the reader's language.
        folded_authors: its authors, none of them marked.
        mark_cache: HTML texts with marked words, by placeholder and words.
    """

    event: Event
    locale: Locale
    paper_texts: PaperTexts
    folded_authors: str
    mark_cache: dict[tuple[str, tuple[str, ...]], bytes] = field(default_factory=dict)

    def get_marked(self, name: str, words: tuple[str, ...]) -> bytes:
        """Return the HTML value of a placeholder, with words marked."""
        encoded = self.mark_cache.get((name, words))
        if encoded is None:
            if len(self.mark_cache) >= _MAX_MARKED_TEXTS:
                self.mark_cache.clear()
            encoded = self.mark_cache[name, words] = self._mark_text(name, words)
        return encoded

    def make_excerpt(self, words: tuple[str, ...], abstract_only_words: tuple[str, ...]) -> tuple[bytes, str]:
        """Return the excerpt of the abstract that shows why the paper matched, as HTML with marks and as text."""
        excerpt_text = make_excerpt(
            self.paper_texts.abstract, self.paper_texts.full_abstract, abstract_only_words
        )
        if excerpt_text == self.paper_texts.abstract:
            return self.get_marked("abstract", words), excerpt_text
        return encode_html(
            insert_marks(
                split_into_lines(excerpt_text), find_highlights(excerpt_text, words), 0, len(excerpt_text)
            )
        ), excerpt_text

    def _mark_text(self, name: str, words: tuple[str, ...]) -> bytes:
        if name == "author_html":
            return encode_html(format_authors(self.paper_texts.names, words, self.locale).html)
        text: str = getattr(self.paper_texts, name)
        return encode_html(insert_marks(split_into_lines(text), find_highlights(text, words), 0, len(text)))


def make_marked_texts(event: Event, abstract_limit: int, locale: Locale) -> MarkedTexts:
    """Make the texts of the paper of an event, with the abstract shortened to a limit."""
    paper_texts = make_paper_texts(event.paper, abstract_limit=abstract_limit)
    return MarkedTexts(
        event=event,
        locale=locale,
        paper_texts=paper_texts,
        folded_authors=format_authors(paper_texts.names, (), locale).text,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTemplate:
    """A paper in the two parts of a mail, with placeholders for what depends on an item's reasons.

    Attributes:
        html_skeleton: its HTML, in full or as one line.
        title_skeleton: its line in the table of contents of the HTML part.
        text_skeletons: its text, by number of digits of its number; likewise ``title_text_skeletons``.
    """

    part: EditionPart
    late: bool
    marked_texts: MarkedTexts
    html_skeleton: Skeleton
    title_skeleton: Skeleton
    text_skeletons: Mapping[int, Skeleton]
    title_text_skeletons: Mapping[int, Skeleton]

    def fill(self, item: Item) -> Fragment:
        """Return the fragment of an item: fill in its reasons and marked words."""
        marked_texts, words_by_field = self.marked_texts, _collect_words(item)
        followed_names = words_by_field["author"]
        why_html, why_text = _encode_explanation(
            make_explanation(item, marked_texts.locale, searchable=marked_texts.paper_texts.searchable),
            marked_texts.locale,
        )
        abstract_html, abstract_text = marked_texts.make_excerpt(
            words_by_field["abstract"], find_abstract_only_words(item)
        )
        html_values = {
            "title": marked_texts.get_marked("title", words_by_field["title"]),
            "abstract": abstract_html,
            "author_html": marked_texts.get_marked("author_html", followed_names),
            "why_html": why_html,
        }
        author_text = (
            format_authors(marked_texts.paper_texts.names, followed_names, marked_texts.locale).text
            if followed_names
            else marked_texts.folded_authors
        )
        text_values = {"author_text": author_text, "why_text": why_text, "abstract_text": abstract_text}
        return Fragment(
            item,
            marked_texts.paper_texts.title,
            self.html_skeleton.fill(
                [html_values[placeholder[0]] for placeholder in self.html_skeleton.placeholders]
            ),
            self.title_skeleton.fill(
                [html_values[placeholder[0]] for placeholder in self.title_skeleton.placeholders]
            ),
            self.text_skeletons,
            self.title_text_skeletons,
            text_values,
        )


def _collect_words(item: Item) -> dict[str, tuple[str, ...]]:
    """Collect the matched words by field."""
    words_by_field: dict[str, tuple[str, ...]] = {"title": (), "abstract": (), "author": ()}
    for reason in item.reasons:
        for evidence in reason.evidence:
            earlier_words = words_by_field.get(evidence.field)
            words_by_field[evidence.field] = (
                (*earlier_words, *evidence.words) if earlier_words else evidence.words
            )
    return words_by_field


@lru_cache(maxsize=_MAX_EXPLANATIONS)
def _encode_explanation(explanation: Explanation, locale: Locale) -> tuple[bytes, str]:
    """Encode the explanation of an item for the HTML part and the text part."""
    rich_text = format_explanation(explanation, locale)
    return encode_html(remove_unprintable(rich_text.html)), rich_text.text


class PaperTemplateCache:
    """Templates of the papers that the mails of a pass show."""

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._environment = environment
        self._branding = branding
        self._marked_texts: dict[int, GenerationCache[int, MarkedTexts]] = {}
        self._templates: dict[PaperStyle, GenerationCache[tuple[int, EditionPart, bool], PaperTemplate]] = {}

    def get_templates(
        self, items: Sequence[Item], style: PaperStyle, all_items: Sequence[Item]
    ) -> list[PaperTemplate]:
        """Return the templates of items; missing ones are rendered together.

        Args:
            items: the items.
            style: how they are shown.
            all_items: all items that the mail shows in full, including these.

        Raises:
            NotSplittable: an item cannot have a template.
        """
        cache = self._templates.setdefault(style, GenerationCache(_MAX_TEMPLATES))
        keys = [(id(item.event), item.part, item.late) for item in items]
        templates = {key: cache.get(key) for key in keys}
        missing = {key: item for key, item in zip(keys, items, strict=True) if templates[key] is None}
        if missing:
            for template in self._render_templates(missing.values(), style, all_items):
                key = id(template.marked_texts.event), template.part, template.late
                cache.put(key, template)
                templates[key] = template
        return [paper_template for key in keys if (paper_template := templates[key])]

    def _render_templates(
        self, items: Iterable[Item], style: PaperStyle, all_items: Sequence[Item]
    ) -> list[PaperTemplate]:
        loops = _group_by_loop(items, style, all_items)
        marked_texts = {
            id(item.event): self._get_marked_texts(item.event, style.abstract_limit) for item in items
        }
        paper_views = _make_views_by_loop(loops, marked_texts, style, self._branding)
        section_sizes = make_headings(get_heading_keys(all_items), self._branding.locale)
        outline = Outline(
            tuple([heading for heading, _ in section_sizes]),
            has_lines=LINES_LOOP in loops,
            text_names=(PAGE_NAME,) if style.has_page else (),
        )
        html_skeletons = self._split_template(HTML_TEMPLATE, outline, paper_views)
        text_skeletons = {
            digits: self._split_template(
                TEXT_TEMPLATE,
                outline,
                {loop: _set_number_width(loop_items, digits) for loop, loop_items in paper_views.items()},
            )
            for digits in style.widths or (0,)
        }
        positions = [
            (loop, round_number, item)
            for loop, loop_items in loops.items()
            for round_number, item in enumerate(loop_items)
        ]
        return [
            PaperTemplate(
                part=item.part,
                late=item.late,
                marked_texts=marked_texts[id(item.event)],
                html_skeleton=html_skeletons.get((loop, round_number), _EMPTY_SKELETON),
                title_skeleton=html_skeletons.get((TITLES_LOOP, index), _EMPTY_SKELETON),
                text_skeletons=_select_by_digits(text_skeletons, loop, round_number),
                title_text_skeletons=_select_by_digits(text_skeletons, TITLES_LOOP, index),
            )
            for index, (loop, round_number, item) in enumerate(positions)
        ]

    def _get_marked_texts(self, event: Event, abstract_limit: int) -> MarkedTexts:
        cache = self._marked_texts.setdefault(abstract_limit, GenerationCache(_MAX_TEMPLATES))
        marked_texts = cache.get(id(event))
        if marked_texts is None:
            cache.put(
                id(event), marked_texts := make_marked_texts(event, abstract_limit, self._branding.locale)
            )
        return marked_texts

    def _split_template(
        self, template: str, outline: Outline, paper_views: Mapping[str, Sequence[PaperView]]
    ) -> dict[tuple[str, int], Skeleton]:
        """Split the output of a template into papers, by loop and round."""
        splitter, make_skeleton = (
            Splitter(),
            make_html_skeleton if template == HTML_TEMPLATE else make_text_skeleton,
        )
        variables = make_skeleton_variables(outline, self._branding, splitter, paper_views)
        skeletons = {
            split_piece.position: make_skeleton(split_pieces(split_piece.text))
            for split_piece in splitter.split(self._environment, template, variables)
            if split_piece.position
        }
        for skeleton in skeletons.values():
            if skeleton.names - _PLACEHOLDERS[template] or (
                skeleton.has_wrapping and template == HTML_TEMPLATE
            ):
                raise NotSplittable
        return {(position.loop, position.round_number): skeleton for position, skeleton in skeletons.items()}


_EMPTY_SKELETON = make_text_skeleton(())


def _select_by_digits(
    skeletons: Mapping[int, Mapping[tuple[str, int], Skeleton]], loop: str, round_number: int
) -> dict[int, Skeleton]:
    """Select the text of a paper by number of digits of its number."""
    return {
        digits: skeletons_by_round.get((loop, round_number), _EMPTY_SKELETON)
        for digits, skeletons_by_round in skeletons.items()
    }


def _set_number_width(paper_views: Sequence[PaperView], digits: int) -> list[PaperView]:
    return [replace(paper_view, number=make_number_placeholder(digits)) for paper_view in paper_views]


def _group_by_loop(
    items: Iterable[Item], style: PaperStyle, all_items: Sequence[Item]
) -> dict[str, list[Item]]:
    """Group the items by the loop that shows them: each part of an edition has its own loop."""
    if not style.widths:
        return {LINES_LOOP: list(items)}
    parts = list(dict.fromkeys(part for part, _ in get_heading_keys(all_items)))
    items_by_loop: dict[str, list[Item]] = defaultdict(list)
    item_list = list(items)
    for item, (part, _) in zip(item_list, get_heading_keys(item_list), strict=True):
        items_by_loop[make_loop_name(parts.index(part))].append(item)
    return items_by_loop


def _make_views_by_loop(
    loops: Mapping[str, Sequence[Item]],
    marked_texts: Mapping[int, MarkedTexts],
    style: PaperStyle,
    branding: Branding,
) -> dict[str, list[PaperView]]:
    """Make the papers' template variables, by loop; numbered papers occur again in the table of contents."""
    paper_views = {
        loop: [
            _make_placeholder_view(marked_texts[id(item.event)], item, style, branding) for item in loop_items
        ]
        for loop, loop_items in loops.items()
    }
    if style.widths:
        paper_views[TITLES_LOOP] = [
            paper_view for loop_views in paper_views.values() for paper_view in loop_views
        ]
    return paper_views


def _make_placeholder_view(
    marked_texts: MarkedTexts, original: Item, style: PaperStyle, branding: Branding
) -> PaperView:
    """Make a paper's template variables, with placeholders for what differs between readers.

    Raises:
        NotSplittable: its texts contain marks of placeholders.
    """
    item = Item(event=marked_texts.event, part=original.part, reasons=(), score=0.0, late=original.late)
    view = make_paper_view_with(marked_texts.paper_texts, item, branding)
    main_texts = (view.title.text, view.url, view.authors.text, view.abstract.text, view.affiliations)
    links = (text for link in view.links for text in (link.label, link.href))
    other_texts = (view.about, view.band, *view.names, *view.notes, *view.signals, *view.tags, *links)
    if has_marks("".join((*main_texts, *other_texts))):
        raise NotSplittable

    def make_rich_text(text: str, name: str) -> RichText:
        return RichText(text=text, html=Markup(make_placeholder(name) if text else ""))  # noqa: S704 - a placeholder

    return replace(
        view,
        number=make_number_placeholder(min(style.widths, default=0)),
        title=make_rich_text(view.title.text, "title"),
        authors=make_rich_text(make_placeholder("author_text") if view.authors.text else "", "author_html"),
        why=make_rich_text(make_placeholder("why_text"), "why_html"),
        abstract=make_rich_text(make_placeholder("abstract_text") if view.abstract.text else "", "abstract"),
    )
