"""Papers, rendered and encoded once for all readers, with placeholders for number, marked words and reasons.

The cache recognizes events by identity: comparing two takes longer than rendering one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import jinja2
from markupsafe import Markup

from digest.core.generation_cache import GenerationCache
from digest.model import EditionPart, Event, Item
from digest.render.branding import Branding
from digest.render.bulk.encoded import (
    PAGE_NAME,
    Skeleton,
    encode_escaped,
    encode_html,
    encode_numbered_value,
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
    Outline,
    SectionOutline,
    make_loop_name,
    make_skeleton_variables,
)
from digest.render.bulk.splitter import HTML_TEMPLATE, TEXT_TEMPLATE, Splitter
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.facts import find_named_categories
from digest.render.papers.paper_view import (
    MatchedFollow,
    PaperSize,
    PaperStyle,
    PaperTexts,
    PaperView,
    RichText,
    choose_excerpt,
    find_abstract_only_words,
    format_authors,
    format_byline,
    format_explanation,
    format_reasons,
    list_matched_follows,
    make_paper_texts,
    make_paper_view_with,
    mark_words,
    select_shown_follows,
)

_MAX_TEMPLATES = 8_000
"""Entries per style and generation of the cache; two generations are kept."""
_MAX_MARKED_TEXTS = 20
"""Maximum number of cached texts with marked words, per paper."""
_MAX_EXPLANATIONS = 1 << 13
"""Entries of the cache of explanations, a few hundred bytes each. Mails with the same one are made in a row."""
_PLACEHOLDERS = {
    HTML_TEMPLATE: {"title", "author_html", "why_html", "reasons_html", "byline", "abstract"},
    TEXT_TEMPLATE: {
        "title_text",
        "author_text",
        "why_text",
        "reasons_text",
        "byline",
        "abstract_text",
        "abstract_starred",
    },
}
"""Placeholders of a paper, by template."""


@dataclass(slots=True, eq=False)  # in containers it would be compared field by field
class Fragment:
    """An item, encoded for the two parts of a mail, without its number.

    It holds no template, only copies of what it needs: with many papers, templates are dropped long before their
    fragments, and each would add 5 kB.

    Attributes:
        item: the item; holding it keeps its identity from being reused.
        title: the title of its paper, on one line.
        html: its HTML.
    """

    item: Item
    title: str
    html: bytes
    _text_skeleton: Skeleton
    _text_values: Mapping[str, str]
    _wraps_number: bool
    _texts: dict[int, bytes] = field(default_factory=dict)

    def get_text(self, digits: int) -> bytes:
        """Return its text, which is encoded when it is first needed.

        Args:
            digits: the length of its number; templates of users may wrap lines that contain it.
        """
        key = digits if self._wraps_number else 0
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._encode_text(digits)
        return text

    def _encode_text(self, digits: int) -> bytes:
        skeleton, values = self._text_skeleton, self._text_values
        if self._wraps_number:
            return skeleton.fill(
                [encode_numbered_value(placeholder, values, digits) for placeholder in skeleton.placeholders]
            )
        return skeleton.fill(
            [encode_text_value(placeholder, values) for placeholder in skeleton.placeholders]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedTexts:
    """The texts of a paper with marked words, in one style.

    Attributes:
        event: the event; held for its identity, like the item of a fragment.
        locale: the reader's language.
        style: how the paper is shown.
        paper_texts: its texts without marks.
        mark_cache: texts with marked words as HTML and as plain text, by field and words.
    """

    event: Event
    locale: Locale
    style: PaperStyle
    paper_texts: PaperTexts
    mark_cache: dict[tuple[str, tuple[str, ...]], tuple[bytes, str]] = field(default_factory=dict)

    def get_marked(self, name: str, words: tuple[str, ...]) -> tuple[bytes, str]:
        """Return the title, excerpt, authors or byline with words marked, as HTML and as plain text."""
        marked = self.mark_cache.get((name, words))
        if marked is None:
            if len(self.mark_cache) >= _MAX_MARKED_TEXTS:
                self.mark_cache.clear()
            marked = self.mark_cache[name, words] = self._mark_field(name, words)
        return marked

    def get_excerpt(
        self, words: tuple[str, ...], abstract_only_words: tuple[str, ...]
    ) -> tuple[bytes, str, str]:
        """Return the excerpt that shows why the paper matched, as HTML, as plain text, and with asterisks."""
        excerpt = self.paper_texts.excerpt
        if abstract_only_words and self.style.has_second_sentence:
            excerpt = choose_excerpt(
                self.paper_texts.abstract, self.paper_texts.title, self.style, abstract_only_words
            )
        # Most matched words are in other sentences of the abstract.
        shown_words = tuple([word for word in words if word in excerpt])
        if excerpt == self.paper_texts.excerpt:
            html, starred = self.get_marked("excerpt", shown_words)
        else:
            html, starred = _mark_text(excerpt, shown_words)
        return html, excerpt, starred

    def _mark_field(self, name: str, words: tuple[str, ...]) -> tuple[bytes, str]:
        if name == "authors":
            rich_text = format_authors(self.paper_texts.names, words, self.locale, self.style.size)
            return encode_html(rich_text.html), rich_text.text
        if name == "byline":
            byline = format_byline(self.paper_texts.names, words, self.locale)
            return encode_escaped(byline), byline
        return _mark_text(getattr(self.paper_texts, name), words)


def _mark_text(text: str, words: tuple[str, ...]) -> tuple[bytes, str]:
    rich_text = mark_words(text, words)
    return encode_html(rich_text.html), rich_text.starred


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTemplate:
    """A paper in the two parts of a mail, with placeholders for what depends on an item's reasons.

    Attributes:
        part: the part of the edition that it is in.
        late: whether it came late.
        named_categories: its categories that the reasons name, so that its facts do not.
        marked_texts: its texts.
        html_skeleton: its HTML.
        text_skeleton: its text.
        wraps_number: whether the length of its number determines where lines of the text end.
    """

    part: EditionPart
    late: bool
    named_categories: tuple[str, ...]
    marked_texts: MarkedTexts
    html_skeleton: Skeleton
    text_skeleton: Skeleton
    wraps_number: bool

    def fill(self, item: Item) -> Fragment:
        """Return the fragment of an item: fill in its reasons and marked words.

        Raises:
            NotSplittable: it shows no reasons, and templates may show such an item in another way.
        """
        marked_texts, words_by_field = self.marked_texts, _collect_words(item)
        paper_texts, followed_names = marked_texts.paper_texts, words_by_field["author"]
        explanation = _encode_explanation(
            list_matched_follows(item, searchable=paper_texts.searchable),
            marked_texts.style.size,
            marked_texts.locale,
        )
        if not explanation.reasons_text:
            raise NotSplittable
        title_html, title_text = marked_texts.get_marked("title", words_by_field["title"])
        author_html, author_text = marked_texts.get_marked("authors", followed_names)
        abstract_html, abstract_text, abstract_starred = marked_texts.get_excerpt(
            words_by_field["abstract"], find_abstract_only_words(item)
        )
        byline_html, byline_text = marked_texts.get_marked("byline", followed_names)
        html_values = {
            "title": title_html,
            "author_html": author_html,
            "abstract": abstract_html,
            "byline": byline_html,
            "why_html": explanation.why_html,
            "reasons_html": explanation.reasons_html,
        }
        text_values = {
            "title_text": title_text,
            "author_text": author_text,
            "abstract_text": abstract_text,
            "abstract_starred": abstract_starred,
            "byline": byline_text,
            "why_text": explanation.why_text,
            "reasons_text": explanation.reasons_text,
        }
        html = self.html_skeleton.fill(
            [html_values[placeholder[0]] for placeholder in self.html_skeleton.placeholders]
        )
        return Fragment(item, paper_texts.title, html, self.text_skeleton, text_values, self.wraps_number)


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


class _EncodedExplanation(NamedTuple):
    """Why an item is in an edition, as a sentence and as a list, for the HTML part and the text part."""

    why_html: bytes
    why_text: str
    reasons_html: bytes
    reasons_text: str


@lru_cache(maxsize=_MAX_EXPLANATIONS)
def _encode_explanation(
    follows: tuple[MatchedFollow, ...], size: PaperSize, locale: Locale
) -> _EncodedExplanation:
    sentence = format_explanation(follows, locale)
    reasons = format_reasons(select_shown_follows(follows, size), locale)
    return _EncodedExplanation(
        encode_html(remove_unprintable(sentence.html)),
        sentence.text,
        encode_html(remove_unprintable(reasons.html)),
        reasons.text,
    )


class PaperTemplateCache:
    """Templates of the papers that the mails of a pass show."""

    def __init__(self, environment: jinja2.Environment, branding: Branding) -> None:
        self._environment = environment
        self._branding = branding
        self._marked_texts: dict[PaperStyle, GenerationCache[int, MarkedTexts]] = {}
        self._templates: dict[
            tuple[PaperStyle, bool],
            GenerationCache[tuple[int, EditionPart, bool, tuple[str, ...]], PaperTemplate],
        ] = {}

    def get_templates(
        self, items: Sequence[Item], style: PaperStyle, *, has_page: bool
    ) -> list[PaperTemplate]:
        """Return the templates of items; missing ones are rendered together.

        Args:
            items: the items.
            style: how they are shown.
            has_page: whether their edition has a page.

        Raises:
            NotSplittable: an item cannot have a template.
        """
        cache = self._templates.setdefault((style, has_page), GenerationCache(_MAX_TEMPLATES))
        keys = [(id(item.event), item.part, item.late, find_named_categories(item)) for item in items]
        templates = {key: cache.get(key) for key in keys}
        missing = {key: item for key, item in zip(keys, items, strict=True) if templates[key] is None}
        if missing:
            for template in self._render_templates(list(missing.values()), style, has_page=has_page):
                key = (
                    id(template.marked_texts.event),
                    template.part,
                    template.late,
                    template.named_categories,
                )
                cache.put(key, template)
                templates[key] = template
        return [paper_template for key in keys if (paper_template := templates[key])]

    def _render_templates(
        self, items: Sequence[Item], style: PaperStyle, *, has_page: bool
    ) -> list[PaperTemplate]:
        all_texts = [self._get_marked_texts(item.event, style) for item in items]
        views = [
            _make_placeholder_view(marked_texts, item, style, self._branding)
            for marked_texts, item in zip(all_texts, items, strict=True)
        ]
        is_line = style.size is PaperSize.LINE
        section = SectionOutline(heading="", is_featured=style.size is PaperSize.FEATURED)
        outline = Outline(
            () if is_line else (section,), has_lines=is_line, text_names=(PAGE_NAME,) if has_page else ()
        )
        loop = LINES_LOOP if is_line else make_loop_name(0)
        html_skeletons = self._split_template(HTML_TEMPLATE, outline, loop, views)
        text_skeletons = self._split_template(TEXT_TEMPLATE, outline, loop, views)
        return [
            PaperTemplate(
                part=item.part,
                late=item.late,
                named_categories=find_named_categories(item),
                marked_texts=marked_texts,
                html_skeleton=html_skeletons.get(index, _EMPTY_SKELETON),
                text_skeleton=(text_skeleton := text_skeletons.get(index, _EMPTY_SKELETON)),
                wraps_number=text_skeleton.wraps_number,
            )
            for index, (item, marked_texts) in enumerate(zip(items, all_texts, strict=True))
        ]

    def _get_marked_texts(self, event: Event, style: PaperStyle) -> MarkedTexts:
        cache = self._marked_texts.setdefault(style, GenerationCache(_MAX_TEMPLATES))
        marked_texts = cache.get(id(event))
        if marked_texts is None:
            marked_texts = MarkedTexts(
                event=event,
                locale=self._branding.locale,
                style=style,
                paper_texts=make_paper_texts(event.paper, style),
            )
            cache.put(id(event), marked_texts)
        return marked_texts

    def _split_template(
        self, template: str, outline: Outline, loop: str, views: Sequence[PaperView]
    ) -> dict[int, Skeleton]:
        """Split the output of a template into the papers of its only loop, by round."""
        splitter = Splitter()
        make_skeleton = make_html_skeleton if template == HTML_TEMPLATE else make_text_skeleton
        variables = make_skeleton_variables(outline, self._branding, splitter, {loop: views})
        skeletons = {
            split_piece.position.round_number: make_skeleton(split_pieces(split_piece.text))
            for split_piece in splitter.split(self._environment, template, variables)
            if split_piece.position
        }
        for skeleton in skeletons.values():
            if skeleton.names - _PLACEHOLDERS[template] or (
                skeleton.has_wrapping and template == HTML_TEMPLATE
            ):
                raise NotSplittable
        return skeletons


_EMPTY_SKELETON = make_text_skeleton(())


def _make_placeholder_view(
    marked_texts: MarkedTexts, original: Item, style: PaperStyle, branding: Branding
) -> PaperView:
    """Make a paper's template variables, with placeholders for what differs between readers.

    Raises:
        NotSplittable: its texts contain marks of placeholders.
    """
    named_categories = find_named_categories(original)
    reasons = tuple([reason for reason in original.reasons if reason.follow in named_categories])
    item = Item(event=marked_texts.event, part=original.part, reasons=reasons, score=0.0, late=original.late)
    view = make_paper_view_with(marked_texts.paper_texts, item, branding, style)
    main_texts = (view.title.text, view.url, view.authors.text, view.abstract.text, view.affiliations)
    links = (text for link in (*view.links, *view.facts, view.license) for text in (link.label, link.href))
    other_texts = (
        view.about,
        view.band,
        view.marks,
        *view.names,
        *view.notes,
        *view.signals,
        *view.tags,
        *links,
    )
    if has_marks("".join((*main_texts, *other_texts))):
        raise NotSplittable

    return replace(
        view,
        number=make_number_placeholder(),
        title=_make_rich_placeholder(view.title.text, "title", "title_text"),
        authors=_make_rich_placeholder(
            make_placeholder("author_text") if view.authors.text else "", "author_html", "author_text"
        ),
        byline=make_placeholder("byline") if view.byline else "",
        why=_make_rich_placeholder(make_placeholder("why_text"), "why_html", "why_text"),
        reasons=_make_rich_placeholder(make_placeholder("reasons_text"), "reasons_html", "reasons_text"),
        abstract=_make_rich_placeholder(
            make_placeholder("abstract_text") if view.abstract.text else "", "abstract", "abstract_starred"
        ),
    )


def _make_rich_placeholder(text: str, html_name: str, text_name: str) -> RichText:
    """Replace what depends on the reader by placeholders; a text that nobody sees stays empty."""
    if not text:
        return RichText(text="", html=Markup(), starred="")
    return RichText(
        text=text,
        html=Markup(make_placeholder(html_name)),  # noqa: S704 - a placeholder
        starred=make_placeholder(text_name),
    )
