"""One paper of an edition as ready strings: what mail, page and feed show of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from digest.core.text.accents import without_tex
from digest.core.text.highlights import highlights
from digest.core.text.words import tex_to_unicode
from digest.model import Band, Event, EventKind, Item, Paper, Part, Reason
from digest.render.branding import Masthead
from digest.render.environment import printable
from digest.render.languages.locales import Locale
from digest.render.papers import signals
from digest.render.papers.excerpts import excerpt, shorten, shorten_line
from digest.render.papers.links import Link, html_url, links, web_address

_SHORT = 56
"""Characters of a title in a table of contents."""
_MOST_AUTHORS = 10
_FIRST_AUTHORS = 6
_MOST_AFFILIATIONS = 4
_LINE = 76
"""Characters of a line of HTML."""
_MARK, _UNMARK = "\x02", "\x03"
"""Stand for the marks while a text becomes HTML: they are in nothing that is printable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The same words as plain text and as HTML, where what fits a follow stands in ``<b>``."""

    text: str
    html: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
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
    title: Words
    short: str
    url: str
    html_url: str
    authors: Words
    names: tuple[str, ...]
    byline: str
    affiliations: str
    about: str
    why: Words
    abstract: Words
    notes: tuple[str, ...]
    links: tuple[Link, ...]
    signals: tuple[str, ...]
    tags: tuple[str, ...]
    band: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """What words are marked in, printable: the same for each reader of a paper.

    Attributes:
        title: in Unicode, on one line; so is ``abstract``, shortened.
        whole: the abstract as a whole; "" where none of it is shown.
        names: all authors.
        shown: all that a reader finds words in, casefolded.
    """

    title: str
    abstract: str
    whole: str
    names: tuple[str, ...]
    shown: str


def texts(paper: Paper, *, abstract: int) -> Texts:
    """The texts of a paper.

    Args:
        paper: any.
        abstract: at most about so many characters of the abstract, cut at the end of a sentence.
    """
    whole = printable(tex_to_unicode(paper.abstract)) if abstract else ""
    return Texts(
        title=printable(_one_line(tex_to_unicode(paper.title))),
        abstract=shorten(whole, abstract),
        whole=_one_line(whole),
        names=tuple([printable(without_tex(author.name)) for author in paper.authors]),
        shown=" ".join((paper.title, paper.abstract, *paper.categories)).casefold(),
    )


def card(item: Item, masthead: Masthead, *, abstract: int, number: str = "") -> Card:
    """What is shown of an item.

    Args:
        item: a paper in an edition.
        masthead: the operator's side.
        abstract: at most about so many characters of the abstract, cut at the end of a sentence.
        number: its place.
    """
    return card_with(texts(item.paper, abstract=abstract), item, masthead, number=number)


def card_with(told: Texts, item: Item, masthead: Masthead, *, number: str = "") -> Card:
    """What is shown of an item whose texts are there."""
    paper, names, locale = item.paper, told.names, masthead.locale
    return Card(
        number=number,
        title=marked(told.title, evidence(item, "title")),
        short=short(told),
        url=web_address(paper.url),
        html_url=html_url(paper),
        authors=authors(names, evidence(item, "author"), locale),
        names=names,
        byline=_byline(names, locale),
        affiliations=_affiliations(paper, locale),
        about=_about(item, masthead),
        why=why(because(item, locale, shown=told.shown), locale),
        abstract=marked(excerpt(told.abstract, told.whole, buried(item)), evidence(item, "abstract")),
        notes=_notes(item),
        links=links(item.event, masthead),
        signals=signals.told(item.event, masthead),
        tags=paper.categories,
        band=_band(item, locale),
    )


def short(told: Texts) -> str:
    """The beginning of a title, for a table of contents."""
    return shorten_line(told.title, _SHORT)


def _band(item: Item, locale: Locale) -> str:
    maybe = [locale.gettext("maybe")] if item.part is Part.MAYBE else []
    # Translators: a mark behind a paper's title: it was announced on an earlier day, and came late.
    late = [locale.gettext("late")] if item.late else []
    return locale.joined([*maybe, *filter(None, (marks(item.event, locale),)), *late])


def marks(event: Event, locale: Locale) -> str:
    """What an event is beside a new paper, in a few words: ``version 3, withdrawn``; "" for a plain new paper."""
    withdrawn = [locale.gettext("withdrawn")] if event.paper.withdrawn else []
    return locale.joined([*filter(None, (_mark(event, locale),)), *withdrawn])


def _mark(event: Event, locale: Locale) -> str:
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


def evidence(item: Item, field: str) -> tuple[str, ...]:
    """What fits in a field of the paper, over all reasons, each once."""
    words = (
        word
        for reason in item.reasons
        for what in reason.evidence
        if what.field == field
        for word in what.words
    )
    return tuple(dict.fromkeys(words))


def buried(item: Item) -> tuple[str, ...]:
    """What fits in the abstract, of reasons for which neither title nor authors show why."""
    found: list[str] = []
    for reason in item.reasons:
        fields = [what.field for what in reason.evidence]
        if "title" not in fields and "author" not in fields:
            found += [word for what in reason.evidence if what.field == "abstract" for word in what.words]
    return tuple(found)


def marked(text: str, words: Sequence[str]) -> Words:
    """A text on one line with the words of it that fit."""
    html = with_marks(in_lines(text), highlights(text, words), 0, len(text))
    return Words(text=text, html=Markup(html))  # noqa: S704 - each piece is escaped


def in_lines(text: str) -> str:
    """A text on one line in lines, which in HTML is the same; each of its characters stays in its place."""
    lines: list[str] = []
    start = 0
    while len(text) - start > _LINE:
        end = text.rfind(" ", start, start + _LINE)
        if end < 0:
            end = text.find(" ", start)
        if end < 0 or end == len(text) - 1:
            break
        lines.append(text[start:end])
        start = end + 1
    lines.append(text[start:])
    return "\n".join(lines)


def with_marks(text: str, places: Sequence[tuple[int, int]], start: int, end: int) -> str:
    """What stands from start to end of a printable text as HTML, where places in there are marked."""
    pieces: list[str] = []
    for first, last in places:
        pieces += (text[start:first], _MARK, text[first:last], _UNMARK)
        start = last
    pieces.append(text[start:end])
    return _in_html("".join(pieces)).replace(_MARK, "<b>").replace(_UNMARK, "</b>")


def _in_html(text: str) -> str:
    """A text between tags, where quotes need no more bytes than in a text: never for an attribute."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- people ---------------------------------------------------------------------------------------


def authors(names: Sequence[str], found: Sequence[str], locale: Locale) -> Words:
    """The authors, those found marked; a long list is folded, but for them."""
    followed = frozenset(filter(None, map(without_tex, found)))
    if len(names) > _MOST_AUTHORS:
        shown = [name for n, name in enumerate(names) if n < _FIRST_AUTHORS or name in followed]
    else:
        shown = list(names)
    text = ", ".join(f"*{name}*" if name in followed else name for name in shown)
    html = ", ".join(f"<b>{_in_html(name)}</b>" if name in followed else _in_html(name) for name in shown)
    if more := len(names) - len(shown):
        text, html = (_and_more(said, more, locale) for said in (text, html))
    return Words(text=text, html=Markup(html))  # noqa: S704 - each name is escaped


def _byline(names: Sequence[str], locale: Locale) -> str:
    return _and_more(names[0], len(names) - 1, locale) if len(names) > 2 else locale.listed(names)


def _and_more(names: str, more: int, locale: Locale) -> str:
    # Translators: authors.
    return locale.ngettext("%(names)s and %(num)s more", "%(names)s and %(num)s more", more, names=names)


def _affiliations(paper: Paper, locale: Locale) -> str:
    of_authors = [one for author in paper.authors for one in author.affiliations]
    known = list(dict.fromkeys(_one_line(one) for one in of_authors or paper.organizations))
    shown = "; ".join(map(without_tex, known[:_MOST_AFFILIATIONS]))
    if len(known) <= _MOST_AFFILIATIONS:
        return shown
    # Translators: affiliations of authors, which stand between semicolons.
    return locale.ngettext(
        "%(names)s; %(num)s more", "%(names)s; %(num)s more", len(known) - _MOST_AFFILIATIONS, names=shown
    )


# --- what stands beside ---------------------------------------------------------------------------


def _about(item: Item, masthead: Masthead) -> str:
    event, locale = item.event, masthead.locale
    withdrawn = locale.gettext("withdrawn") if event.paper.withdrawn else ""
    source = masthead.source_titles.get(event.source, event.source)
    told = _happened(event, source, locale)
    # Translators: of a paper that was announced on an earlier day, behind that day.
    late = locale.gettext("came late") if item.late else ""
    return " · ".join(filter(None, (withdrawn, ", ".join(event.paper.categories), *told, late)))


def _happened(event: Event, source: str, locale: Locale) -> tuple[str, ...]:
    """What an event tells, with who announced it and when."""
    _, day = locale.gettext, locale.short_day(event.day)
    # Translators: who announced a paper, and when: "arXiv, 12 Jun".
    announced = _("%(source)s, %(day)s", source=source, day=day)
    match event.kind:
        case EventKind.NEW:
            return (announced,)
        case EventKind.GROWN:
            return (announced, _grown(event, locale))
        case EventKind.PICKED:
            # Translators: a community's site: "picked on Hugging Face Daily Papers, 12 Jun".
            return (_("picked on %(source)s, %(day)s", source=source, day=day),)
        case EventKind.VERSION:
            return (announced, _mark(event, locale))
        case EventKind.PUBLISHED:
            where = _one_line(event.paper.journal_ref)
            return (_("now published: %(where)s", where=where) if where else _("now published"), announced)
        case EventKind.CODE:
            places = [_place(url) for url in event.paper.code_urls[:1]]
            return (_("code found: %(where)s", where=places[0]) if places else _("code found"), announced)


def _grown(event: Event, locale: Locale) -> str:
    if not event.newly:
        return locale.gettext("announced before, more is known of it now")
    # Translators: categories: "announced before, newly in cs.DC and cs.LG".
    return locale.gettext("announced before, newly in %(categories)s", categories=locale.listed(event.newly))


def _notes(item: Item) -> tuple[str, ...]:
    """Journal reference, where that is not what is told, and comment."""
    paper = item.paper
    reference = "" if item.event.kind is EventKind.PUBLISHED else paper.journal_ref
    return tuple(filter(None, (_one_line(reference), _one_line(paper.comment))))


def _place(url: str) -> str:
    """An address as people say it: ``github.com/who/what``."""
    return _one_line(url).partition("://")[2].removeprefix("www.").rstrip("/")


class Because(NamedTuple):
    """Why an item is there.

    Attributes:
        maybe: no follow surely or likely fits it.
        follows: surest first, each with what is said beside it: that this one only may fit, where another one does,
            and words that the reader would not find.
    """

    maybe: bool
    follows: tuple[tuple[str, str], ...]


def because(item: Item, locale: Locale, *, shown: str) -> Because:
    """The follows, with the words that fit where they are not marked in what is shown.

    Args:
        item: with its reasons.
        locale: the reader's language.
        shown: what the reader finds words in, casefolded.
    """
    reasons = item.reasons
    if len(reasons) > 1:
        reasons = tuple(sorted(reasons, key=lambda reason: -reason.band))
    maybe = not reasons or reasons[0].band < Band.LIKELY
    follows = [
        (_one_line(one.follow), _aside(one, shown, locale, is_doubtful=one.band < Band.LIKELY and not maybe))
        for one in reasons
    ]
    return Because(maybe, tuple(follows))


@lru_cache(maxsize=4096)
def why(said: Because, locale: Locale) -> Words:
    """Why an item is there, in words."""
    _ = locale.gettext
    text = "; ".join(f"{follow}{aside}" for follow, aside in said.follows)
    html = " · ".join(f"<i>{_in_html(follow)}</i>{_in_html(aside)}" for follow, aside in said.follows)
    if said.maybe:
        text = _("Maybe, because you follow: %(follows)s", follows=text)
        html = _("Maybe, because you follow %(follows)s", follows=html)
    else:
        text = _("Because you follow: %(follows)s", follows=text)
        html = _("Because you follow %(follows)s", follows=html)
    return Words(text=text, html=Markup(html))  # noqa: S704 - each follow is escaped


def _aside(reason: Reason, shown: str, locale: Locale, *, is_doubtful: bool) -> str:
    """What stands behind a follow: that it only may fit, and printed words that the reader would not find.

    Such words are an author's initials, or a word of the comment.
    """
    follow = reason.follow.casefold()
    unseen = [
        _one_line(without_tex(word))
        for evidence in reason.evidence
        for word in evidence.words
        if (folded := word.casefold()) not in follow and folded not in shown
    ]
    words = ", ".join(dict.fromkeys(unseen))
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
