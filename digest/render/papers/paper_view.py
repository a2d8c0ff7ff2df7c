"""The view of one paper of an edition for templates: the strings that mail, page and feed show of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from digest.core.text.accents import decode_tex_accents
from digest.core.text.highlights import find_highlights
from digest.core.text.words import tex_to_unicode
from digest.model import Abstracts, Confidence, EditionPart, Event, EventKind, Item, Paper, Reason
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers import signals
from digest.render.papers.excerpts import make_excerpt, shorten_line
from digest.render.papers.facts import find_named_categories, make_facts
from digest.render.papers.links import (
    Link,
    filter_web_address,
    make_html_url,
    make_license_link,
    make_links,
)
from digest.render.papers.marks import describe_growth, format_mark, format_marks

_MAX_SHORT_TITLE = 56
"""Maximum length of a title in a table of contents, in characters."""
_MAX_AUTHORS, _MIN_SHOWN_AUTHORS = 10, 6
_MAX_LINE_AUTHORS, _MIN_LINE_AUTHORS = 4, 3
"""Numbers of authors: up to the first of them all are shown, else the second one and the followed ones. Those of a
line are for a compact paper.
"""
_MAX_AFFILIATIONS = 4
_MAX_LINE_FOLLOW, _MAX_LINE_WORDS = 50, 30
"""Maximum lengths of a follow and of its matched words in a paper's line, in characters."""
_HTML_LINE_LENGTH = 76
"""Maximum length of a line of HTML, in characters."""
_MARK_START, _MARK_END = "\x02", "\x03"
"""Characters that stand for ``<b>`` and ``</b>`` until the text is escaped; printable text cannot contain them."""


class PaperSize(StrEnum):
    """How much room a paper has."""

    ALONE = "alone"
    """Everything, on a page of its own."""
    FULL = "full"
    """Everything: on pages and in feeds."""
    FEATURED = "featured"
    """One of the first papers of a mail: its people with their affiliations, and two sentences."""
    COMPACT = "compact"
    """A further paper of a mail: its people in one line, and one sentence."""
    LINE = "line"
    """Its title, and one line about it."""


class PaperStyle(NamedTuple):
    """How a paper is shown.

    Attributes:
        size: how much room it has.
        abstracts: how much of its abstract is shown.
        shows_day: whether the day of its event is shown, because the newest papers of the edition are of another day.
    """

    size: PaperSize = PaperSize.LINE
    abstracts: Abstracts = Abstracts.NONE
    shows_day: bool = False

    @property
    def has_second_sentence(self) -> bool:
        """Whether an excerpt has room for a second sentence, which depends on the matched words."""
        return _SENTENCE_COUNTS.get(self.size, 0) > 1


WHOLE = PaperStyle(PaperSize.FULL, Abstracts.FULL)
"""A paper with its whole abstract."""
ALONE = PaperStyle(PaperSize.ALONE, Abstracts.FULL)
"""A paper on a page of its own, whose abstract is never cut."""
LINE = PaperStyle()
"""A paper as a line."""
_SENTENCE_COUNTS = {PaperSize.FULL: 2, PaperSize.FEATURED: 2, PaperSize.COMPACT: 1, PaperSize.LINE: 0}
"""Maximum number of sentences of an abstract that is not shown whole, by size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RichText:
    """The same words in three forms.

    Attributes:
        text: plain text.
        html: HTML, in which matched words are in ``<b>``.
        starred: plain text, in which matched words have an asterisk on either side.
    """

    text: str
    html: Markup
    starred: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
    """The view of a paper for templates.

    Attributes:
        number: its number in the edition, such as ``3``, which is the end of the address of its page; "" for none.
        size: how much room it has.
        title: the title in Unicode, without TeX.
        short: the beginning of the title, for a table of contents.
        url: the page to read about it; "" if the source gave no web address.
        html_url: the paper itself as a web page; "" if none is known.
        authors: the authors, followed ones marked; a long list is shortened, but followed ones stay.
        names: all authors.
        byline: the followed author, or else the first and the last one, for a short line.
        affiliations: affiliations of its authors, or else the organizations of the paper; "" if none is
            known.
        about: whether it is withdrawn, its categories, the event (who announced, picked or published it), and
            whether it is late.
        why: why it is here, as a sentence: the follows that it matches.
        reasons: the same as a list without a sentence around it; of a line only the surest follow.
        facts: categories that the reasons do not name, what happened, links and numbers, for one line; one without a link has no address.
        abstract: the abstract or an excerpt; "" if there is none.
        license: its Creative Commons licence, such as ``CC BY 4.0``; without label and address if it has no such licence
            or its licence is unknown.
        notes: journal reference and comment, one string each.
        links: links to PDF, DOI, code and project pages, and to pages where people discuss it.
        signals: numbers about it, one text for each site that counts.
        tags: the categories.
        marks: the event and whether it is late, for a short line with the reasons; "" for an ordinary new paper.
        band: the same with ``maybe``, for a short line without the reasons, which say that themselves.
    """

    number: str
    size: PaperSize
    title: RichText
    short: str
    url: str
    html_url: str
    authors: RichText
    names: tuple[str, ...]
    byline: str
    affiliations: str
    about: str
    why: RichText
    reasons: RichText
    facts: tuple[Link, ...]
    abstract: RichText
    license: Link
    notes: tuple[str, ...]
    links: tuple[Link, ...]
    signals: tuple[str, ...]
    tags: tuple[str, ...]
    marks: str
    band: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTexts:
    """The printable texts of a paper in which words can be marked, the same for all readers.

    Attributes:
        title: the title in Unicode, on one line.
        excerpt: what is shown of the abstract to a reader for whom no other sentence matters, on one line.
        abstract: the whole abstract, on one line; "" if none of it is shown.
        names: all authors.
        searchable: all text in which a reader finds words, casefolded.
    """

    title: str
    excerpt: str
    abstract: str
    names: tuple[str, ...]
    searchable: str


def make_paper_texts(paper: Paper, style: PaperStyle = LINE) -> PaperTexts:
    """Make the texts of a paper in a style."""
    shows_abstract = style.abstracts is not Abstracts.NONE and style.size is not PaperSize.LINE
    abstract = _make_abstract(paper.abstract) if shows_abstract else ""
    title = make_title(paper)
    return PaperTexts(
        title=title,
        excerpt=choose_excerpt(abstract, title, style),
        abstract=abstract,
        names=tuple([remove_unprintable(decode_tex_accents(author.name)) for author in paper.authors]),
        searchable=" ".join((paper.title, paper.abstract, *paper.categories)).casefold(),
    )


def make_title(paper: Paper) -> str:
    """Return the title of a paper in Unicode, on one line."""
    return _make_title(paper.title)


@lru_cache(maxsize=1 << 13)  # thousands of editions show the same papers
def _make_title(title: str) -> str:
    return remove_unprintable(join_lines(tex_to_unicode(title)))


@lru_cache(maxsize=1 << 12)  # pages of a day show its papers in many selections and orders
def _make_abstract(abstract: str) -> str:
    return join_lines(remove_unprintable(tex_to_unicode(abstract)))


def choose_excerpt(abstract: str, title: str, style: PaperStyle, words: Sequence[str] = ()) -> str:
    """Choose what is shown of an abstract.

    Args:
        abstract: the whole abstract, on one line.
        title: the title of its paper.
        style: how its paper is shown.
        words: matched words that only the abstract has.
    """
    if style.size is PaperSize.ALONE:
        return abstract
    return make_excerpt(abstract, style.abstracts, _SENTENCE_COUNTS[style.size], words, title)


def make_paper_view(
    item: Item, branding: Branding, style: PaperStyle = LINE, *, number: str = ""
) -> PaperView:
    """Make the view of an item.

    Args:
        item: a paper in an edition.
        branding: the branding of the site.
        style: how it is shown.
        number: its number, or "".
    """
    return make_paper_view_with(make_paper_texts(item.paper, style), item, branding, style, number=number)


def make_paper_view_with(
    paper_texts: PaperTexts, item: Item, branding: Branding, style: PaperStyle, *, number: str = ""
) -> PaperView:
    """Make the view of an item from existing texts of its paper."""
    paper, names, locale = item.paper, paper_texts.names, branding.locale
    follows = list_matched_follows(item, searchable=paper_texts.searchable)
    followed_names = collect_evidence(item, "author")
    return PaperView(
        number=number,
        size=style.size,
        title=mark_words(paper_texts.title, collect_evidence(item, "title")),
        short=shorten_title(paper_texts),
        url=filter_web_address(paper.url),
        html_url=make_html_url(paper),
        authors=format_authors(names, followed_names, locale, style.size),
        names=names,
        byline=format_byline(names, followed_names, locale),
        affiliations="" if style.size is PaperSize.COMPACT else _format_affiliations(paper, locale),
        about=_format_about(item, branding),
        why=format_explanation(follows, locale),
        reasons=format_reasons(select_shown_follows(follows, style.size), locale),
        facts=make_facts(
            item.event,
            branding,
            late=item.late,
            shows_day=style.shows_day,
            named_categories=find_named_categories(item),
        ),
        abstract=mark_words(
            choose_excerpt(paper_texts.abstract, paper_texts.title, style, find_abstract_only_words(item)),
            collect_evidence(item, "abstract"),
        ),
        license=make_license_link(paper),
        notes=_list_notes(item),
        links=make_links(item.event, branding),
        signals=signals.format_signals(item.event, branding),
        tags=paper.categories,
        marks=(line_marks := _format_line_marks(item, locale)),
        band=_format_band(item, line_marks, locale),
    )


def shorten_title(paper_texts: PaperTexts) -> str:
    """Return the beginning of a title, for a table of contents."""
    return shorten_line(paper_texts.title, _MAX_SHORT_TITLE)


def _format_line_marks(item: Item, locale: Locale) -> str:
    # Translators: a mark after a paper's title: it was announced on an earlier day and arrived late.
    late = [locale.gettext("late")] if item.late else []
    return locale.join_parts([*filter(None, (format_marks(item.event, locale),)), *late])


def _format_band(item: Item, line_marks: str, locale: Locale) -> str:
    maybe = [locale.gettext("maybe")] if item.part is EditionPart.MAYBE else []
    return locale.join_parts([*maybe, *([line_marks] if line_marks else [])])


# --- marks ----------------------------------------------------------------------------------------


def collect_evidence(item: Item, field: str) -> tuple[str, ...]:
    """Return the matched words in a field of the paper, over all reasons, each once."""
    words = (
        word
        for reason in item.reasons
        for match_evidence in reason.evidence
        if match_evidence.field == field
        for word in match_evidence.words
    )
    return tuple(dict.fromkeys(words))


def find_abstract_only_words(item: Item) -> tuple[str, ...]:
    """Return the matched words in the abstract, for reasons without evidence in title or authors."""
    words: list[str] = []
    for reason in item.reasons:
        fields = [match_evidence.field for match_evidence in reason.evidence]
        if "title" not in fields and "author" not in fields:
            words += [
                word
                for match_evidence in reason.evidence
                if match_evidence.field == "abstract"
                for word in match_evidence.words
            ]
    return tuple(words)


def mark_words(text: str, words: Sequence[str]) -> RichText:
    """Mark the words of a one-line text that match."""
    spans = find_highlights(text, words)
    html = insert_marks(split_into_lines(text), spans, 0, len(text))
    return RichText(text=text, html=Markup(html), starred=insert_stars(text, spans))  # noqa: S704 - each piece is escaped


def insert_stars(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text in which spans have an asterisk on either side."""
    pieces: list[str] = []
    end = 0
    for mark_start, mark_end in spans:
        pieces += (text[end:mark_start], "*", text[mark_start:mark_end], "*")
        end = mark_end
    return "".join((*pieces, text[end:]))


def split_into_lines(text: str) -> str:
    """Split a one-line text into lines, which makes no difference in HTML; each character stays at its index."""
    lines: list[str] = []
    start = 0
    while len(text) - start > _HTML_LINE_LENGTH:
        end = text.rfind(" ", start, start + _HTML_LINE_LENGTH)
        if end < 0:
            end = text.find(" ", start)
        if end < 0 or end == len(text) - 1:
            break
        lines.append(text[start:end])
        start = end + 1
    lines.append(text[start:])
    return "\n".join(lines)


def insert_marks(text: str, spans: Sequence[tuple[int, int]], start: int, end: int) -> str:
    """Convert the slice from start to end of a printable text to HTML, in which spans are marked."""
    pieces: list[str] = []
    for mark_start, mark_end in spans:
        pieces += (text[start:mark_start], _MARK_START, text[mark_start:mark_end], _MARK_END)
        start = mark_end
    pieces.append(text[start:end])
    return _escape_html("".join(pieces)).replace(_MARK_START, "<b>").replace(_MARK_END, "</b>")


def _escape_html(text: str) -> str:
    """Escape a text for use between tags; quotes are not escaped, to save bytes, so it is not safe in attributes."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def join_lines(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


# --- authors --------------------------------------------------------------------------------------


def format_authors(
    names: Sequence[str], followed_words: Sequence[str], locale: Locale, size: PaperSize = PaperSize.FULL
) -> RichText:
    """Format the authors, followed ones marked; a long list is shortened, but followed ones stay.

    Args:
        names: all authors.
        followed_words: followed authors as they are printed in the paper.
        locale: the reader's language.
        size: how much room the paper has.
    """
    followed = frozenset(filter(None, map(decode_tex_accents, followed_words)))
    is_compact = size is PaperSize.COMPACT
    most, fewest = (
        (_MAX_LINE_AUTHORS, _MIN_LINE_AUTHORS) if is_compact else (_MAX_AUTHORS, _MIN_SHOWN_AUTHORS)
    )
    if len(names) > most:
        shown_names = [name for index, name in enumerate(names) if index < fewest or name in followed]
    else:
        shown_names = list(names)
    text = ", ".join(f"*{name}*" if name in followed else name for name in shown_names)
    html = ", ".join(
        f"<b>{_escape_html(name)}</b>" if name in followed else _escape_html(name) for name in shown_names
    )
    if hidden_count := len(names) - len(shown_names):
        text, html = (append_more(names_text, hidden_count, locale) for names_text in (text, html))
    return RichText(text=text, html=Markup(html), starred=text)  # noqa: S704 - each name is escaped


def format_byline(names: Sequence[str], followed_words: Sequence[str], locale: Locale) -> str:
    """Format the authors for a short line: the followed one, or else the first and the last one."""
    followed = frozenset(filter(None, map(decode_tex_accents, followed_words)))
    followed_names = [name for name in names if name in followed]
    if followed_names:
        shown_names = followed_names[:1]
    else:
        shown_names = list(names) if len(names) < 3 else [names[0], names[-1]]
    if hidden_count := len(names) - len(shown_names):
        # Translators: authors of whom some are omitted: "Jane Doe … Max Müller".
        return (
            locale.gettext(" … ").join(shown_names)
            if len(shown_names) > 1
            else append_more(shown_names[0], hidden_count, locale)
        )
    return locale.listed(shown_names)


def append_more(names: str, hidden_count: int, locale: Locale) -> str:
    """Append the number of the authors who are not named."""
    # Translators: names of authors, and the number of the others.
    return locale.ngettext(
        "%(names)s and %(num)s more", "%(names)s and %(num)s more", hidden_count, names=names
    )


def _format_affiliations(paper: Paper, locale: Locale) -> str:
    author_affiliations = [affiliation for author in paper.authors for affiliation in author.affiliations]
    affiliations = list(
        dict.fromkeys(join_lines(affiliation) for affiliation in author_affiliations or paper.organizations)
    )
    shown_affiliations = "; ".join(map(decode_tex_accents, affiliations[:_MAX_AFFILIATIONS]))
    if len(affiliations) <= _MAX_AFFILIATIONS:
        return shown_affiliations
    # Translators: affiliations of authors, separated by semicolons, and the number of the others.
    return locale.ngettext(
        "%(names)s; %(num)s more",
        "%(names)s; %(num)s more",
        len(affiliations) - _MAX_AFFILIATIONS,
        names=shown_affiliations,
    )


# --- metadata and explanation ---------------------------------------------------------------------


def _format_about(item: Item, branding: Branding) -> str:
    event, locale = item.event, branding.locale
    withdrawn = locale.gettext("withdrawn") if event.paper.withdrawn else ""
    event_texts = _describe_event(event, branding)
    # Translators: after the day on which a paper was announced, if it arrived late.
    late = locale.gettext("arrived late") if item.late else ""
    return " · ".join(filter(None, (withdrawn, ", ".join(event.paper.categories), *event_texts, late)))


def _describe_event(event: Event, branding: Branding) -> tuple[str, ...]:
    """Describe an event: what happened, who announced it and when."""
    locale, source = branding.locale, branding.source_titles.get(event.source, event.source)
    _, day = locale.gettext, locale.short_day(event.day)
    # Translators: who announced a paper, and when: "arXiv, 12 Jun".
    announced = _("%(source)s, %(day)s", source=source, day=day)
    match event.kind:
        case EventKind.NEW:
            return (announced,)
        case EventKind.GROWN:
            return (announced, describe_growth(event, locale))
        case EventKind.PICKED:
            # Translators: a community's site: "picked on Hugging Face Daily Papers, 12 Jun".
            return (_("picked on %(source)s, %(day)s", source=source, day=day),)
        case EventKind.VERSION:
            return (announced, format_mark(event, locale))
        case EventKind.PUBLISHED:
            journal = join_lines(event.paper.journal_ref)
            return (
                _("now published: %(where)s", where=journal) if journal else _("now published"),
                announced,
            )
        case EventKind.CODE:
            code_sites = [_shorten_url(url) for url in event.paper.code_urls[:1]]
            return (
                _("code found: %(where)s", where=code_sites[0]) if code_sites else _("code found"),
                announced,
            )
        case EventKind.TRENDING:
            # Translators: a site where people vote: "trending on Hugging Face Daily Papers, 12 Jun".
            trending = _("trending on %(source)s, %(day)s", source=source, day=day)
            return (trending, *([signals.format_gain(event.gain, event, branding)] if event.gain else ()))


def _list_notes(item: Item) -> tuple[str, ...]:
    """List the journal reference, unless the event is about it, and the comment."""
    paper = item.paper
    reference = "" if item.event.kind is EventKind.PUBLISHED else paper.journal_ref
    return tuple(filter(None, (join_lines(reference), join_lines(paper.comment))))


def _shorten_url(url: str) -> str:
    """Shorten an address to the form that people use: ``github.com/who/what``."""
    return join_lines(url).partition("://")[2].removeprefix("www.").rstrip("/")


class MatchedFollow(NamedTuple):
    """A follow that an item matches.

    Attributes:
        follow: the follow, on one line.
        words: matched words that the reader would not find, such as an author's initials or a word of the comment.
        is_maybe: whether the match is neither likely nor sure.
    """

    follow: str
    words: str
    is_maybe: bool


def list_matched_follows(item: Item, *, searchable: str) -> tuple[MatchedFollow, ...]:
    """Return the follows that an item matches, surest first.

    Args:
        item: the item with its reasons.
        searchable: the text in which a reader finds words, casefolded.
    """
    reasons = item.reasons
    if len(reasons) > 1:
        reasons = tuple(sorted(reasons, key=lambda reason: -reason.confidence))
    return tuple(
        MatchedFollow(
            join_lines(reason.follow),
            _list_unseen_words(reason, searchable),
            reason.confidence < Confidence.LIKELY,
        )
        for reason in reasons
    )


def _list_unseen_words(reason: Reason, searchable: str) -> str:
    follow = reason.follow.casefold()
    words = [
        join_lines(decode_tex_accents(word))
        for evidence in reason.evidence
        for word in evidence.words
        if (folded := word.casefold()) not in follow and folded not in searchable
    ]
    return ", ".join(dict.fromkeys(words))


def select_shown_follows(follows: tuple[MatchedFollow, ...], size: PaperSize) -> tuple[MatchedFollow, ...]:
    """Return the follows that are named where a paper has this much room: a line has room for the surest one only."""
    if size is not PaperSize.LINE:
        return follows
    return tuple(
        [
            matched._replace(
                follow=shorten_line(matched.follow, _MAX_LINE_FOLLOW),
                words=shorten_line(matched.words, _MAX_LINE_WORDS),
            )
            for matched in follows[:1]
        ]
    )


@lru_cache(maxsize=4096)
def format_explanation(follows: tuple[MatchedFollow, ...], locale: Locale) -> RichText:
    """Format the follows that an item matches as a sentence; if all are maybe, the sentence says so once."""
    _ = locale.gettext
    if all(follow.is_maybe for follow in follows):
        text, html = _join_follows([follow._replace(is_maybe=False) for follow in follows], locale)
        text = _("Maybe, because you follow: %(follows)s", follows=text)
        html = _("Maybe, because you follow %(follows)s", follows=html)
    else:
        text, html = _join_follows(follows, locale)
        text = _("Because you follow: %(follows)s", follows=text)
        html = _("Because you follow %(follows)s", follows=html)
    return RichText(text=text, html=Markup(html), starred=text)  # noqa: S704 - each follow is escaped


@lru_cache(maxsize=4096)
def format_reasons(follows: tuple[MatchedFollow, ...], locale: Locale) -> RichText:
    """Format the follows that an item matches as a list, each with its certainty."""
    text, html = _join_follows(follows, locale)
    return RichText(text=text, html=Markup(html), starred=text)  # noqa: S704 - each follow is escaped


def _join_follows(follows: Iterable[MatchedFollow], locale: Locale) -> tuple[str, str]:
    """Return the follows as text and as HTML."""
    asides = [(matched.follow, _format_aside(matched, locale)) for matched in follows]
    text = "; ".join(f"{follow}{aside}" for follow, aside in asides)
    html = " · ".join(f"<i>{_escape_html(follow)}</i>{_escape_html(aside)}" for follow, aside in asides)
    return text, html


def _format_aside(matched: MatchedFollow, locale: Locale) -> str:
    """Return what is added to a follow: that the match is uncertain, and words that the reader would not find."""
    if matched.is_maybe and matched.words:
        # Translators: follows an uncertain match: a name as printed in this paper. It begins with a space.
        return locale.gettext(" (maybe; here: %(words)s)", words=matched.words)
    if matched.is_maybe:
        # Translators: follows an uncertain match next to certain ones. It begins with a space.
        return locale.gettext(" (maybe)")
    if matched.words:
        # Translators: follows a match: a name or word as printed in this paper. It begins with a space.
        return locale.gettext(" (here: %(words)s)", words=matched.words)
    return ""
