"""An edition as an EPUB, a book for e-readers, with whole abstracts (https://www.w3.org/TR/epub-33/).

The same edition gives the same bytes on every machine: files have the time of the edition, and they are not
compressed, because releases of zlib compress the same content differently.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile, ZipInfo

import jinja2

from digest.model import Edition, Frequency
from digest.render.branding import Branding
from digest.render.delivery.mail import NO_MAIL_LINKS, MailLinks, make_mail_variables
from digest.render.editions.edition_view import EditionView, make_whole_view
from digest.render.editions.summary import get_local_time, make_subject
from digest.render.environment import fill, fill_xml, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link, make_valid_address
from digest.render.papers.paper_view import PaperView

EPUB_TYPE = "application/epub+zip"
"""The media type of an EPUB."""
_MAX_CHAPTER_PAPERS = 50
"""Maximum number of papers in a file, about 100 kB; some e-readers are slow with files of more than 300 kB."""
_DAY_FREQUENCIES = frozenset({Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY})
"""Frequencies of which a day has one edition; the titles of others have a time."""
_UNSAFE_CHARACTER = re.compile(r"[^A-Za-z0-9_.+-]+")
_MIN_TIME, _MAX_TIME = datetime(1980, 1, 1, tzinfo=UTC), datetime(2107, 12, 31, tzinfo=UTC)
"""The limits of times in a ZIP archive."""
_CONTAINER = b"""<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""

_Files = Iterator[tuple[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A section of an edition, or a part of a long one.

    Attributes:
        file: the file that contains it.
        label: its heading.
        papers: its papers.
    """

    file: str
    label: str
    papers: Sequence[PaperView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """An entry of the table of contents.

    Attributes:
        label: its text, never empty.
        href: the place to which it leads.
        papers: the entries below it.
    """

    label: str
    href: str
    papers: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The facts about an EPUB that its catalogue and its table of contents show.

    Attributes:
        id: a URN that is the same for every copy of the edition.
        title: ``LLM systems 2026-06-12``, so that books sort by day in a library.
        creator: the publisher, never empty.
        date: the day of the edition, ISO 8601.
        modified: when the edition was composed, RFC 3339 in UTC.
        files: the names of its pages, in the order in which they are read.
        contents: the table of contents.
    """

    id: str
    title: str
    creator: str
    date: str
    modified: str
    files: tuple[str, ...]
    contents: tuple[ContentsEntry, ...]


def make_epub_name(edition: Edition) -> str:
    """Return the name of an edition's EPUB, in ASCII: ``llm-systems-2026-06-12T0730.epub``."""
    name = _UNSAFE_CHARACTER.sub("-", f"{edition.digest}-{edition.period.replace(':', '')}")
    return f"{name.strip('.-')}.epub"


def render_epub(
    environment: jinja2.Environment,
    edition: Edition,
    branding: Branding,
    mail_links: MailLinks = NO_MAIL_LINKS,
) -> bytes:
    """Render all of an edition, including the papers for which its mail has no room.

    Args:
        environment: made by ``make_environment``.
        edition: the content; the time when it was composed is that of the files.
        branding: the branding of the site.
        mail_links: the links to our pages.

    Raises:
        RenderError: a template is missing or broken, or its output is not XML.
    """
    view = _make_view(edition, branding)
    chapters, contents = _make_chapters(view, branding.locale)
    book = Book(
        id=_make_urn(edition, branding),
        title=_make_title(edition),
        creator=_clean(branding.title) or _clean(edition.title) or "digest",
        date=get_local_time(edition).date().isoformat(),
        modified=f"{edition.composed_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        files=tuple(_list_pages(chapters, view)),
        contents=contents,
    )
    variables = make_epub_variables(view, edition, branding, mail_links) | {"book": book}
    files = [
        ("META-INF/container.xml", _CONTAINER),
        *(
            (f"EPUB/{name}", fill_xml(environment, f"epub/{name}", variables))
            for name in ("package.opf", "toc.ncx")
        ),
        *_render_pages(environment, book.files, chapters, variables),
        ("EPUB/style.css", fill(environment, "epub/style.css", variables).encode()),
    ]
    return _pack(files, edition.composed_at)


def make_epub_variables(
    view: EditionView, edition: Edition, branding: Branding, mail_links: MailLinks
) -> dict[str, object]:
    """Return the variables that the templates of an EPUB share with those of a mail."""
    return make_mail_variables(view, branding, make_subject(edition, branding.locale), mail_links)


# --- content --------------------------------------------------------------------------------------


def _make_view(edition: Edition, branding: Branding) -> EditionView:
    """Make the view of an edition, in which each address is valid: one that is not makes the whole book invalid."""
    view = make_whole_view(edition, branding)
    sections = tuple(replace(section, papers=_make_links_valid(section.papers)) for section in view.sections)
    return replace(view, sections=sections, rest=_make_links_valid(view.rest))


def _make_links_valid(papers: Iterable[PaperView]) -> tuple[PaperView, ...]:
    return tuple(
        replace(
            paper,
            url=make_valid_address(paper.url),
            html_url=make_valid_address(paper.html_url),
            links=_select_valid(paper.links),
            facts=_select_valid(paper.facts),
        )
        for paper in papers
    )


def _select_valid(links: Iterable[Link]) -> tuple[Link, ...]:
    """Return links with valid addresses; one that was meant to have an address and has no valid one is left out."""
    valid = ((link, make_valid_address(link.href)) for link in links)
    return tuple(replace(link, href=address) for link, address in valid if address or not link.href)


def _make_chapters(
    view: EditionView, locale: Locale
) -> tuple[tuple[Chapter, ...], tuple[ContentsEntry, ...]]:
    """Split an edition into chapters; return them and the table of contents."""
    chapters: list[Chapter] = []
    contents: list[ContentsEntry] = []
    for section in view.sections:
        papers, links = tuple(section.papers), list[Link]()
        label = _clean(section.heading) or locale.gettext("New papers")
        entry = ContentsEntry(label=label, href=f"chapter-{len(chapters) + 1}.xhtml")
        for start in range(0, len(papers), _MAX_CHAPTER_PAPERS):
            chapter = Chapter(
                file=f"chapter-{len(chapters) + 1}.xhtml",
                label=label,
                papers=papers[start : start + _MAX_CHAPTER_PAPERS],
            )
            chapters.append(chapter)
            links += [_make_paper_link(paper, chapter.file) for paper in chapter.papers]
        contents.append(replace(entry, papers=tuple(links)))
    if view.rest:
        contents.append(ContentsEntry(label=locale.gettext("More papers in brief"), href="rest.xhtml"))
    contents.append(ContentsEntry(label=locale.gettext("About this edition"), href="about.xhtml"))
    return tuple(chapters), tuple(contents)


def _make_paper_link(paper: PaperView, file: str) -> Link:
    return Link(label=_clean(paper.title.text) or paper.number, href=f"{file}#p{paper.number}")


def _list_pages(chapters: Iterable[Chapter], view: EditionView) -> Iterator[str]:
    """Yield the names of the pages, in the order in which they are read."""
    yield from ("title.xhtml", "nav.xhtml")
    yield from (chapter.file for chapter in chapters)
    yield from (("rest.xhtml", "about.xhtml") if view.rest else ("about.xhtml",))


def _render_pages(
    environment: jinja2.Environment,
    names: Iterable[str],
    chapters: Iterable[Chapter],
    variables: dict[str, object],
) -> _Files:
    chapters_by_file = {chapter.file: chapter for chapter in chapters}
    for name in names:
        if chapter := chapters_by_file.get(name):
            content = fill_xml(environment, "epub/chapter.xhtml", variables | {"chapter": chapter})
        else:
            content = fill_xml(environment, f"epub/{name}", variables)
        yield f"EPUB/{name}", content


def _make_urn(edition: Edition, branding: Branding) -> str:
    """Return the URN of an edition, which does not depend on the database that contains it."""
    key = f"{branding.host}/{edition.digest}/{edition.period}".encode(errors="replace")
    return uuid.uuid5(uuid.NAMESPACE_URL, key.decode()).urn


def _make_title(edition: Edition) -> str:
    has_time = edition.is_alert or edition.frequency not in _DAY_FREQUENCIES
    when = get_local_time(edition).strftime("%Y-%m-%d %H:%M" if has_time else "%Y-%m-%d")
    return f"{_clean(edition.title)} {when}".strip()


def _clean(text: str) -> str:
    return " ".join(remove_unprintable(text).split())


# --- archive --------------------------------------------------------------------------------------


def _pack(files: Iterable[tuple[str, bytes]], composed_at: datetime) -> bytes:
    """Pack files into an archive whose first file says that it is an EPUB (EPUB 3.3, section 4.3)."""
    packed_at = min(max(composed_at.astimezone(UTC), _MIN_TIME), _MAX_TIME).timetuple()[:6]
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in (("mimetype", EPUB_TYPE.encode()), *files):
            entry = ZipInfo(name, packed_at)
            entry.create_system = 3  # otherwise it would depend on the operating system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()
