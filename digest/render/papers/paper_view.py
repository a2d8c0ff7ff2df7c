"""The view of one paper of an edition for templates: the strings that mail, page and feed show of it."""

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
"""Maximum length of a title in a table of contents, in characters."""
_MAX_AUTHORS = 10
_MIN_SHOWN_AUTHORS = 6
_MAX_AFFILIATIONS = 4
_HTML_LINE_LENGTH = 76
"""Maximum length of a line of HTML, in characters."""
_MARK_START, _MARK_END = "\x02", "\x03"
"""Characters that stand for ``<b>`` and ``</b>`` until the text is escaped; printable text cannot contain them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RichText:
    """The same words as plain text and as HTML, in which matched words are in ``<b>``."""

    text: str
    html: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
    """The view of a paper for templates.

    Attributes:
        number: its number among the papers shown in full, such as ``3``; "" for one shown as a line.
        title: the title in Unicode, without TeX.
        short: the beginning of the title, for a table of contents.
        url: the page to read about it; "" if the source gave no web address.
        html_url: the paper itself as a web page; "" if none is known.
        authors: the authors, followed ones marked; a long list is shortened, but followed ones stay.
        names: all authors.
        byline: the first author and the number of others, for a short line.
        affiliations: affiliations of its authors, or else the organizations of the paper; "" if none is
            known.
        about: whether it is withdrawn, its categories, the event (who announced, picked or published it), and
            whether it is late.
        why: the follows that it matches.
        abstract: the abstract or an excerpt; "" if there is none.
        notes: journal reference and comment, one string each.
        links: links to PDF, DOI, code and project pages, and to pages where people discuss it.
        signals: numbers about it, one text for each site that counts.
        tags: the categories.
        band: ``maybe``, the event and whether it is late, for a short line; "" for an ordinary new paper.
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
    """The printable texts of a paper in which words can be marked, the same for all readers.

    Attributes:
        title: the title in Unicode, on one line.
        abstract: the shortened abstract, likewise.
        full_abstract: the whole abstract; "" if none of it is shown.
        names: all authors.
        searchable: all text in which a reader finds words, casefolded.
    """

    title: str
    abstract: str
    full_abstract: str
    names: tuple[str, ...]
    searchable: str


def make_paper_texts(paper: Paper, *, abstract_limit: int) -> PaperTexts:
    """Make the texts of a paper.

    Args:
        paper: the paper.
        abstract_limit: approximate maximum length of the abstract, in characters; it is cut at the end of a
            sentence.
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
    """Make the view of an item.

    Args:
        item: a paper in an edition.
        branding: the branding of the site.
        abstract_limit: approximate maximum length of the abstract, in characters; it is cut at the end of a
            sentence.
        number: its number, or "".
    """
    return make_paper_view_with(
        make_paper_texts(item.paper, abstract_limit=abstract_limit), item, branding, number=number
    )


def make_paper_view_with(
    paper_texts: PaperTexts, item: Item, branding: Branding, *, number: str = ""
) -> PaperView:
    """Make the view of an item from existing texts of its paper."""
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
    """Return the beginning of a title, for a table of contents."""
    return shorten_line(paper_texts.title, _MAX_SHORT_TITLE)


def _format_band(item: Item, locale: Locale) -> str:
    maybe = [locale.gettext("maybe")] if item.part is EditionPart.MAYBE else []
    # Translators: a mark after a paper's title: it was announced on an earlier day and arrived late.
    late = [locale.gettext("late")] if item.late else []
    return locale.join_parts([*maybe, *filter(None, (format_marks(item.event, locale),)), *late])


def format_marks(event: Event, locale: Locale) -> str:
    """Describe how an event differs from an ordinary new paper: ``version 3, withdrawn``; "" if it does not."""
    withdrawn = [locale.gettext("withdrawn")] if event.paper.withdrawn else []
    return locale.join_parts([*filter(None, (_format_mark(event, locale),)), *withdrawn])


def _format_mark(event: Event, locale: Locale) -> str:
    _ = locale.gettext
    match event.kind:
        case EventKind.NEW | EventKind.GROWN:
            return ""
        case EventKind.PICKED:
            # Translators: a mark after a paper's title: a community has picked it.
            return _("picked")
        case EventKind.PUBLISHED:
            # Translators: a mark after a paper's title: a journal has published it.
            return _("published")
        case EventKind.VERSION:
            return _("version %(number)s", number=event.number) if event.number else _("new version")
        case EventKind.CODE:
            # Translators: a mark after a paper's title: its code was found.
            return _("code")


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
    html = insert_marks(split_into_lines(text), find_highlights(text, words), 0, len(text))
    return RichText(text=text, html=Markup(html))  # noqa: S704 - each piece is escaped


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


def _join_lines(text: str) -> str:
    return " ".join(text.split())


# --- authors --------------------------------------------------------------------------------------


def format_authors(names: Sequence[str], followed_words: Sequence[str], locale: Locale) -> RichText:
    """Format the authors, followed ones marked; a long list is shortened, but followed ones stay."""
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
    # Translators: names of authors, and the number of the others.
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
    source = branding.source_titles.get(event.source, event.source)
    event_texts = _describe_event(event, source, locale)
    # Translators: after the day on which a paper was announced, if it arrived late.
    late = locale.gettext("arrived late") if item.late else ""
    return " · ".join(filter(None, (withdrawn, ", ".join(event.paper.categories), *event_texts, late)))


def _describe_event(event: Event, source: str, locale: Locale) -> tuple[str, ...]:
    """Describe an event: what happened, who announced it and when."""
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
    """List the journal reference, unless the event is about it, and the comment."""
    paper = item.paper
    reference = "" if item.event.kind is EventKind.PUBLISHED else paper.journal_ref
    return tuple(filter(None, (_join_lines(reference), _join_lines(paper.comment))))


def _shorten_url(url: str) -> str:
    """Shorten an address to the form that people use: ``github.com/who/what``."""
    return _join_lines(url).partition("://")[2].removeprefix("www.").rstrip("/")


class Explanation(NamedTuple):
    """The reasons why an item is in an edition.

    Attributes:
        is_maybe: whether no follow matches it likely or surely.
        follows: the follows, surest first, each with an addition: that the match is uncertain while others
            are not, and matched words that the reader would not find.
    """

    is_maybe: bool
    follows: tuple[tuple[str, str], ...]


def make_explanation(item: Item, locale: Locale, *, searchable: str) -> Explanation:
    """Make the explanation of an item: its follows, with matched words that are not marked in the shown texts.

    Args:
        item: the item with its reasons.
        locale: the reader's language.
        searchable: the text in which a reader finds words, casefolded.
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
    """Format an explanation in words."""
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
    """Return what is added to a follow: that the match is uncertain, and matched words that the reader would not find.

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
        # Translators: follows an uncertain match: a name as printed in this paper. It begins with a space.
        return locale.gettext(" (maybe; here: %(words)s)", words=words)
    if is_doubtful:
        # Translators: follows an uncertain match next to certain ones. It begins with a space.
        return locale.gettext(" (maybe)")
    if words:
        # Translators: follows a match: a name or word as printed in this paper. It begins with a space.
        return locale.gettext(" (here: %(words)s)", words=words)
    return ""
