"""One paper of an edition as ready strings: what mail, page and feed show of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from digest.core.text.accents import decode_tex_accents
from digest.core.text.highlights import find_highlights
from digest.core.text.words import tex_to_unicode
from digest.model import Confidence, EditionPart, Event, EventKind, Item, Paper, Reason
from digest.render.branding import Branding
from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers import signals
from digest.render.papers.excerpts import make_excerpt, shorten, shorten_line
from digest.render.papers.links import Link, filter_web_address, make_html_url, make_links

_MAX_SHORT_TITLE = 56
"""Characters of a title in a table of contents."""
_MAX_AUTHORS = 10
_MIN_SHOWN_AUTHORS = 6
_MAX_AFFILIATIONS = 4
_HTML_LINE_LENGTH = 76
"""Characters of a line of HTML."""
_MARK_START, _MARK_END = "\x02", "\x03"
"""Stand for the marks while a text becomes HTML: they are in nothing that is printable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RichText:
    """The same words as plain text and as HTML, where what fits a follow stands in ``<b>``."""

    text: str
    html: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
    """A paper as it is shown.

    Attributes:
        number: its place among those shown in full, ``3``; "" for a line.
        title: in Unicode, without TeX.
        short: the beginning of the title, for a table of contents.
        url: the page to read about it; "" where the source gave no web address.
        html_url: the paper itself as a web page; "" where none is known.
        authors: those followed are marked; a long list is folded, but for them.
        names: all authors.
        byline: the first author and how many more, for a short line.
        affiliations: those of its authors, else of the paper as a whole; "" where none is known.
        about: whether it is withdrawn, its categories, what happened (who announced, picked or published it), and
            whether it came late.
        why: the follows that it fits.
        abstract: "" where there is none.
        notes: comment and journal reference, each one a string.
        links: PDF, DOI, code and project pages, and where people talk of it.
        signals: what is counted of it, a text for each who counts.
        tags: the categories.
        band: ``maybe``, what happened and whether it came late, for a short line; "" for a plain new paper.
    """

    number: str
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
    abstract: RichText
    notes: tuple[str, ...]
    links: tuple[Link, ...]
    signals: tuple[str, ...]
    tags: tuple[str, ...]
    band: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTexts:
    """What words are marked in, printable: the same for each reader of a paper.

    Attributes:
        title: in Unicode, on one line; so is ``abstract``, shortened.
        full_abstract: the abstract as a whole; "" where none of it is shown.
        names: all authors.
        searchable: all that a reader finds words in, casefolded.
    """

    title: str
    abstract: str
    full_abstract: str
    names: tuple[str, ...]
    searchable: str


def make_paper_texts(paper: Paper, *, abstract_limit: int) -> PaperTexts:
    """The texts of a paper.

    Args:
        paper: any.
        abstract_limit: at most about so many characters of the abstract, cut at the end of a sentence.
    """
    full_abstract = remove_unprintable(tex_to_unicode(paper.abstract)) if abstract_limit else ""
    return PaperTexts(
        title=remove_unprintable(_join_lines(tex_to_unicode(paper.title))),
        abstract=shorten(full_abstract, abstract_limit),
        full_abstract=_join_lines(full_abstract),
        names=tuple([remove_unprintable(decode_tex_accents(author.name)) for author in paper.authors]),
        searchable=" ".join((paper.title, paper.abstract, *paper.categories)).casefold(),
    )


def make_paper_view(item: Item, branding: Branding, *, abstract_limit: int, number: str = "") -> PaperView:
    """What is shown of an item.

    Args:
        item: a paper in an edition.
        branding: the operator's side.
        abstract_limit: at most about so many characters of the abstract, cut at the end of a sentence.
        number: its place.
    """
    return make_paper_view_with(
        make_paper_texts(item.paper, abstract_limit=abstract_limit), item, branding, number=number
    )


def make_paper_view_with(
    paper_texts: PaperTexts, item: Item, branding: Branding, *, number: str = ""
) -> PaperView:
    """What is shown of an item whose texts are there."""
    paper, names, locale = item.paper, paper_texts.names, branding.locale
    return PaperView(
        number=number,
        title=mark_words(paper_texts.title, collect_evidence(item, "title")),
        short=shorten_title(paper_texts),
        url=filter_web_address(paper.url),
        html_url=make_html_url(paper),
        authors=format_authors(names, collect_evidence(item, "author"), locale),
        names=names,
        byline=_format_byline(names, locale),
        affiliations=_format_affiliations(paper, locale),
        about=_format_about(item, branding),
        why=format_explanation(make_explanation(item, locale, searchable=paper_texts.searchable), locale),
        abstract=mark_words(
            make_excerpt(paper_texts.abstract, paper_texts.full_abstract, find_abstract_only_words(item)),
            collect_evidence(item, "abstract"),
        ),
        notes=_list_notes(item),
        links=make_links(item.event, branding),
        signals=signals.format_signals(item.event, branding),
        tags=paper.categories,
        band=_format_band(item, locale),
    )


def shorten_title(paper_texts: PaperTexts) -> str:
    """The beginning of a title, for a table of contents."""
    return shorten_line(paper_texts.title, _MAX_SHORT_TITLE)


def _format_band(item: Item, locale: Locale) -> str:
    maybe = [locale.gettext("maybe")] if item.part is EditionPart.MAYBE else []
    # Translators: a mark behind a paper's title: it was announced on an earlier day, and arrived late.
    late = [locale.gettext("late")] if item.late else []
    return locale.join_parts([*maybe, *filter(None, (format_marks(item.event, locale),)), *late])


def format_marks(event: Event, locale: Locale) -> str:
    """What an event is beside a new paper, in a few words: ``version 3, withdrawn``; "" for a plain new paper."""
    withdrawn = [locale.gettext("withdrawn")] if event.paper.withdrawn else []
    return locale.join_parts([*filter(None, (_format_mark(event, locale),)), *withdrawn])


def _format_mark(event: Event, locale: Locale) -> str:
    _ = locale.gettext
    match event.kind:
        case EventKind.NEW | EventKind.GROWN:
            return ""
        case EventKind.PICKED:
            # Translators: a mark behind a paper's title: a community has picked it.
            return _("picked")
        case EventKind.PUBLISHED:
            # Translators: a mark behind a paper's title: a journal has published it.
            return _("published")
        case EventKind.VERSION:
            return _("version %(number)s", number=event.number) if event.number else _("new version")
        case EventKind.CODE:
            # Translators: a mark behind a paper's title: code was found.
            return _("code")


# --- marks ----------------------------------------------------------------------------------------


def collect_evidence(item: Item, field: str) -> tuple[str, ...]:
    """What fits in a field of the paper, over all reasons, each once."""
    words = (
        word
        for reason in item.reasons
        for match_evidence in reason.evidence
        if match_evidence.field == field
        for word in match_evidence.words
    )
    return tuple(dict.fromkeys(words))


def find_abstract_only_words(item: Item) -> tuple[str, ...]:
    """What fits in the abstract, of reasons for which neither title nor authors show why."""
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
    """A text on one line with the words of it that fit."""
    html = insert_marks(split_into_lines(text), find_highlights(text, words), 0, len(text))
    return RichText(text=text, html=Markup(html))  # noqa: S704 - each piece is escaped


def split_into_lines(text: str) -> str:
    """A text on one line in lines, which in HTML is the same; each of its characters stays in its place."""
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
    """What stands from start to end of a printable text as HTML, where places in there are marked."""
    pieces: list[str] = []
    for mark_start, mark_end in spans:
        pieces += (text[start:mark_start], _MARK_START, text[mark_start:mark_end], _MARK_END)
        start = mark_end
    pieces.append(text[start:end])
    return _escape_html("".join(pieces)).replace(_MARK_START, "<b>").replace(_MARK_END, "</b>")


def _escape_html(text: str) -> str:
    """A text between tags, where quotes need no more bytes than in a text: never for an attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _join_lines(text: str) -> str:
    return " ".join(text.split())


# --- people ---------------------------------------------------------------------------------------


def format_authors(names: Sequence[str], followed_words: Sequence[str], locale: Locale) -> RichText:
    """The authors, those found marked; a long list is folded, but for them."""
    followed = frozenset(filter(None, map(decode_tex_accents, followed_words)))
    if len(names) > _MAX_AUTHORS:
        shown_names = [
            name for index, name in enumerate(names) if index < _MIN_SHOWN_AUTHORS or name in followed
        ]
    else:
        shown_names = list(names)
    text = ", ".join(f"*{name}*" if name in followed else name for name in shown_names)
    html = ", ".join(
        f"<b>{_escape_html(name)}</b>" if name in followed else _escape_html(name) for name in shown_names
    )
    if hidden_count := len(names) - len(shown_names):
        text, html = (_append_more(names_text, hidden_count, locale) for names_text in (text, html))
    return RichText(text=text, html=Markup(html))  # noqa: S704 - each name is escaped


def _format_byline(names: Sequence[str], locale: Locale) -> str:
    return _append_more(names[0], len(names) - 1, locale) if len(names) > 2 else locale.listed(names)


def _append_more(names: str, hidden_count: int, locale: Locale) -> str:
    # Translators: authors.
    return locale.ngettext(
        "%(names)s and %(num)s more", "%(names)s and %(num)s more", hidden_count, names=names
    )


def _format_affiliations(paper: Paper, locale: Locale) -> str:
    author_affiliations = [affiliation for author in paper.authors for affiliation in author.affiliations]
    affiliations = list(
        dict.fromkeys(_join_lines(affiliation) for affiliation in author_affiliations or paper.organizations)
    )
    shown_affiliations = "; ".join(map(decode_tex_accents, affiliations[:_MAX_AFFILIATIONS]))
    if len(affiliations) <= _MAX_AFFILIATIONS:
        return shown_affiliations
    # Translators: affiliations of authors, which stand between semicolons.
    return locale.ngettext(
        "%(names)s; %(num)s more",
        "%(names)s; %(num)s more",
        len(affiliations) - _MAX_AFFILIATIONS,
        names=shown_affiliations,
    )


# --- what stands beside ---------------------------------------------------------------------------


def _format_about(item: Item, branding: Branding) -> str:
    event, locale = item.event, branding.locale
    withdrawn = locale.gettext("withdrawn") if event.paper.withdrawn else ""
    source = branding.source_titles.get(event.source, event.source)
    event_texts = _describe_event(event, source, locale)
    # Translators: of a paper that was announced on an earlier day, behind that day.
    late = locale.gettext("arrived late") if item.late else ""
    return " · ".join(filter(None, (withdrawn, ", ".join(event.paper.categories), *event_texts, late)))


def _describe_event(event: Event, source: str, locale: Locale) -> tuple[str, ...]:
    """What an event tells, with who announced it and when."""
    _, day = locale.gettext, locale.short_day(event.day)
    # Translators: who announced a paper, and when: "arXiv, 12 Jun".
    announced = _("%(source)s, %(day)s", source=source, day=day)
    match event.kind:
        case EventKind.NEW:
            return (announced,)
        case EventKind.GROWN:
            return (announced, _describe_growth(event, locale))
        case EventKind.PICKED:
            # Translators: a community's site: "picked on Hugging Face Daily Papers, 12 Jun".
            return (_("picked on %(source)s, %(day)s", source=source, day=day),)
        case EventKind.VERSION:
            return (announced, _format_mark(event, locale))
        case EventKind.PUBLISHED:
            journal = _join_lines(event.paper.journal_ref)
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


def _describe_growth(event: Event, locale: Locale) -> str:
    if not event.new_categories:
        return locale.gettext("announced before, now with more details")
    # Translators: categories: "announced before, newly in cs.DC and cs.LG".
    return locale.gettext(
        "announced before, now also in %(categories)s", categories=locale.listed(event.new_categories)
    )


def _list_notes(item: Item) -> tuple[str, ...]:
    """Journal reference, where that is not what is told, and comment."""
    paper = item.paper
    reference = "" if item.event.kind is EventKind.PUBLISHED else paper.journal_ref
    return tuple(filter(None, (_join_lines(reference), _join_lines(paper.comment))))


def _shorten_url(url: str) -> str:
    """An address as people say it: ``github.com/who/what``."""
    return _join_lines(url).partition("://")[2].removeprefix("www.").rstrip("/")


class Explanation(NamedTuple):
    """Why an item is there.

    Attributes:
        is_maybe: no follow surely or likely fits it.
        follows: surest first, each with what is said beside it: that this one only may fit, where another one does,
            and words that the reader would not find.
    """

    is_maybe: bool
    follows: tuple[tuple[str, str], ...]


def make_explanation(item: Item, locale: Locale, *, searchable: str) -> Explanation:
    """The follows, with the words that fit where they are not marked in what is shown.

    Args:
        item: with its reasons.
        locale: the reader's language.
        searchable: what the reader finds words in, casefolded.
    """
    reasons = item.reasons
    if len(reasons) > 1:
        reasons = tuple(sorted(reasons, key=lambda reason: -reason.confidence))
    is_maybe = not reasons or reasons[0].confidence < Confidence.LIKELY
    follows = [
        (
            _join_lines(match_reason.follow),
            _format_aside(
                match_reason,
                searchable,
                locale,
                is_doubtful=match_reason.confidence < Confidence.LIKELY and not is_maybe,
            ),
        )
        for match_reason in reasons
    ]
    return Explanation(is_maybe, tuple(follows))


@lru_cache(maxsize=4096)
def format_explanation(explanation: Explanation, locale: Locale) -> RichText:
    """Why an item is there, in words."""
    _ = locale.gettext
    text = "; ".join(f"{follow}{aside}" for follow, aside in explanation.follows)
    html = " · ".join(
        f"<i>{_escape_html(follow)}</i>{_escape_html(aside)}" for follow, aside in explanation.follows
    )
    if explanation.is_maybe:
        text = _("Maybe, because you follow: %(follows)s", follows=text)
        html = _("Maybe, because you follow %(follows)s", follows=html)
    else:
        text = _("Because you follow: %(follows)s", follows=text)
        html = _("Because you follow %(follows)s", follows=html)
    return RichText(text=text, html=Markup(html))  # noqa: S704 - each follow is escaped


def _format_aside(reason: Reason, searchable: str, locale: Locale, *, is_doubtful: bool) -> str:
    """What stands behind a follow: that it only may fit, and printed words that the reader would not find.

    Such words are an author's initials, or a word of the comment.
    """
    follow = reason.follow.casefold()
    unseen_words = [
        _join_lines(decode_tex_accents(word))
        for evidence in reason.evidence
        for word in evidence.words
        if (folded := word.casefold()) not in follow and folded not in searchable
    ]
    words = ", ".join(dict.fromkeys(unseen_words))
    if is_doubtful and words:
        # Translators: stands behind a follow that only may fit: a name as this paper has it. It begins with a blank.
        return locale.gettext(" (maybe; here: %(words)s)", words=words)
    if is_doubtful:
        # Translators: stands behind a follow that only may fit, where others surely do. It begins with a blank.
        return locale.gettext(" (maybe)")
    if words:
        # Translators: stands behind what a reader follows: a name or word as this paper has it. It begins with a blank.
        return locale.gettext(" (here: %(words)s)", words=words)
    return ""
