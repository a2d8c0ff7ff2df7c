"""An edition as a book: valid XML whatever its texts are, the same bytes everywhere, and all of the edition in it."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZIP_STORED, ZipFile

import jinja2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.errors import RenderError
from digest.model import Arrangement, Author, Edition, EditionPart, Frequency, MissedEdition
from digest.render.branding import Branding
from digest.render.delivery.epub import make_epub_name, render_epub
from digest.render.delivery.mail import MailLinks
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from tests.render.delivery.test_hostile_texts import EVIL
from tests.render.samples import (
    NOW,
    SITE,
    make_edition,
    make_edition_of_three_parts,
    make_item,
    make_reason,
)
from tests.support.cases import for_each_case
from tests.system.samples import harm
from tests.system.samples.mails import PAGE, make_weekly_edition

ENVIRONMENT = make_environment()
LINKS = MailLinks(unsubscribe=f"{PAGE}/stop", page=PAGE, manage=f"{PAGE}/manage")
XHTML = "{http://www.w3.org/1999/xhtml}"
XML_SUFFIXES = (".xhtml", ".opf", ".ncx", ".xml")


def unpack(content: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def render(edition: Edition, site: Branding = SITE, links: MailLinks = LINKS) -> dict[str, bytes]:
    return unpack(render_epub(ENVIRONMENT, edition, site, links))


def parse_pages(files: Mapping[str, bytes]) -> dict[str, ET.Element]:
    return {
        name.removeprefix("EPUB/"): ET.fromstring(content)
        for name, content in files.items()
        if name.endswith(XML_SUFFIXES)
    }


def read_text(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def list_links(page: ET.Element) -> list[str]:
    return [link.attrib["href"] for link in page.iter(f"{XHTML}a")]


# --- archive --------------------------------------------------------------------------------------


def test_a_book_begins_with_its_type_and_no_file_depends_on_the_machine() -> None:
    content = render_epub(ENVIRONMENT, make_edition_of_three_parts(), SITE)

    assert content[30:58] == b"mimetypeapplication/epub+zip"
    with ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        entries = archive.infolist()
    assert {entry.date_time for entry in entries} == {(2026, 6, 12, 5, 30, 4)}
    assert {(entry.compress_type, entry.create_system, entry.extra) for entry in entries} == {
        (ZIP_STORED, 3, b"")
    }


def test_the_same_edition_is_the_same_book_from_whichever_database_it_comes() -> None:
    edition = make_edition_of_three_parts()
    tokyo = edition.composed_at.astimezone(timezone(timedelta(hours=9)))

    first = render_epub(make_environment(), edition, SITE, LINKS)

    assert render_epub(make_environment(), replace(edition, id=77), SITE, LINKS) == first
    assert render_epub(make_environment(), replace(edition, composed_at=tokyo), SITE, LINKS) == first


@for_each_case("year", [1900, 1979, 2200])
def test_a_clock_that_is_far_off_does_not_stop_a_book(year: int) -> None:
    edition = make_edition(make_item(), composed_at=datetime(year, 1, 1, tzinfo=UTC))

    assert "EPUB/package.opf" in render(edition)


@for_each_case(
    ("digest", "period", "name"),
    [
        ("llm-systems", "2026-06-12T07:30", "llm-systems-2026-06-12T0730.epub"),
        ("llm", "2026-06-12T07:30Z", "llm-2026-06-12T0730Z.epub"),
        ("llm", "alert-77", "llm-alert-77.epub"),
        ("../ü b", "2026-06-12T07:30", "b-2026-06-12T0730.epub"),
    ],
)
def test_a_book_is_named_after_its_digest_and_period(digest: str, period: str, name: str) -> None:
    assert make_epub_name(make_edition(digest=digest, period=period)) == name


# --- content --------------------------------------------------------------------------------------


def test_every_paper_is_there_with_its_whole_abstract_and_its_reasons() -> None:
    abstract = "The first sentence is short. " + "Then a long one about the KV cache follows. " * 30
    item = make_item(
        1,
        EditionPart.SURELY,
        [make_reason(abstract=["KV cache"])],
        abstract=abstract,
        authors=(Author(name="Ada Lovelace", affiliations=("London",)),),
        comment="12 pages",
        code_urls=("https://github.com/a/b",),
    )
    page = parse_pages(render(make_edition(item)))["chapter-1.xhtml"]

    text = read_text(page)
    assert " ".join(abstract.split()) in text
    for words in (
        "Ada Lovelace",
        "London",
        "KV cache · cs.DC, cs.LG · PDF",
        "12 pages",
    ):
        assert words in text
    assert [read_text(mark) for mark in page.iter(f"{XHTML}b")] == ["KV cache"] * 30
    assert list_links(page) == [
        "https://arxiv.org/abs/2606.00001",
        "https://arxiv.org/pdf/2606.00001",
        "https://arxiv.org/html/2606.00001",
        "https://github.com/a/b",
        *(f"{PAGE}/1?{choice}" for choice in ("save", "more", "less")),
    ]


def test_sections_are_chapters_and_the_contents_lead_to_each_paper() -> None:
    pages = parse_pages(render(make_edition_of_three_parts()))

    contents = pages["nav.xhtml"].find(f".//{XHTML}nav")
    assert contents is not None
    assert [(read_text(link), link.attrib["href"]) for link in contents.iter(f"{XHTML}a")] == [
        ("New papers", "chapter-1.xhtml"),
        ("SplitZip 1: Lossless KV Compression", "chapter-1.xhtml#p1"),
        ("Maybe: initials or namesakes", "chapter-2.xhtml"),
        ("SplitZip 2: Lossless KV Compression", "chapter-2.xhtml#p2"),
        ("New versions", "chapter-3.xhtml"),
        ("SplitZip 3: Lossless KV Compression", "chapter-3.xhtml#p3"),
        ("More papers in brief", "rest.xhtml"),
        ("About this edition", "about.xhtml"),
    ]
    assert "SplitZip 4" in read_text(pages["rest.xhtml"])
    assert "5 more papers match and come first in the next edition." in read_text(pages["about.xhtml"])


def test_the_first_page_says_what_it_is_and_what_is_missing() -> None:
    missed = MissedEdition(
        edition=1, period="2026-06-11T07:30", zone="Europe/Berlin", composed_at=NOW, page=PAGE
    )
    edition = replace(make_weekly_edition(), missed=(missed,))
    page = parse_pages(render(edition))["title.xhtml"]

    for words in (
        "Systems lab digest",
        "Friday 12 June 2026",
        "12 new · complete according to the feeds",
        "Your edition of Thursday 11 June could not be delivered.",
        "The week at a glance",
    ):
        assert words in read_text(page)
    assert list_links(page) == [PAGE]


def test_links_to_the_readers_own_pages_are_only_where_there_are_such_pages() -> None:
    edition = make_edition_of_three_parts()

    own = list_links(parse_pages(render(edition))["about.xhtml"])
    none = [
        link for page in parse_pages(render(edition, links=MailLinks())).values() for link in list_links(page)
    ]

    assert own == [PAGE, f"{PAGE}/manage", f"{PAGE}/stop"]
    assert not [link for link in none if link.startswith("https://digest.example.org")]


def test_a_long_section_is_several_files_that_slow_readers_can_open() -> None:
    edition = make_edition(*(make_item(number) for number in range(1, 121)))

    pages = parse_pages(render(edition))

    chapters = [name for name in pages if name.startswith("chapter-")]
    assert chapters == ["chapter-1.xhtml", "chapter-2.xhtml", "chapter-3.xhtml"]
    assert [len(pages[name].findall(f".//{XHTML}h2")) for name in chapters] == [50, 50, 20]
    assert "chapter-3.xhtml#p120" in list_links(pages["nav.xhtml"])


def test_papers_below_what_they_match_have_a_chapter_each() -> None:
    items = (make_item(1, reasons=[make_reason("one")]), make_item(2, reasons=[make_reason("two")]))
    pages = parse_pages(render(make_edition(*items, arrange=Arrangement.BY_FOLLOW)))

    headings = [page.find(f".//{XHTML}h1") for name, page in pages.items() if name.startswith("chapter-")]
    assert [read_text(heading) for heading in headings if heading is not None] == ["one", "two"]


def test_an_empty_edition_is_a_book_that_says_so() -> None:
    pages = parse_pages(render(make_edition()))

    assert "None of the 212 listings match what you follow." in read_text(pages["title.xhtml"])
    assert list_links(pages["nav.xhtml"])[0] == "about.xhtml"


@for_each_case(
    ("fields", "title"),
    [
        ({}, "LLM 2026-06-12"),
        ({"frequency": Frequency.WEEKLY}, "LLM 2026-06-12"),
        ({"frequency": Frequency.CRON}, "LLM 2026-06-12 07:30"),
        ({"period": "alert-77"}, "LLM 2026-06-12 07:30"),
    ],
)
def test_titles_sort_by_day_and_tell_books_of_one_day_apart(fields: dict[str, object], title: str) -> None:
    package = render(make_edition(make_item(), title="LLM", **fields))["EPUB/package.opf"].decode()

    assert f"<dc:title>{title}</dc:title>" in package
    assert "<dc:date>2026-06-12</dc:date>" in package
    assert '<meta property="dcterms:modified">2026-06-12T05:30:04Z</meta>' in package


def test_each_edition_has_an_id_of_its_own() -> None:
    periods = ("2026-06-12T07:30", "2026-06-13T07:30", "alert-1")
    packages = [render(make_edition(period=period))["EPUB/package.opf"].decode() for period in periods]

    ids = [re.findall(r">(urn:uuid:[0-9a-f-]{36})<", package) for package in packages]
    assert len({each for [each] in ids}) == len(periods)


@for_each_case(("language", "tag", "words"), [("de", "de", "Neue Arbeiten"), ("zh", "zh-Hans", "新论文")])
def test_a_book_is_in_the_language_of_its_reader(language: str, tag: str, words: str) -> None:
    locale = get_locale(language)
    edition = make_edition(make_item(), language=language)
    files = unpack(render_epub(make_environment(None, locale), edition, replace(SITE, locale=locale)))
    page = parse_pages(files)["chapter-1.xhtml"]

    assert page.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == tag
    assert page.attrib["dir"] == "ltr"
    assert words in read_text(page)
    assert f"<dc:language>{tag}</dc:language>" in files["EPUB/package.opf"].decode()


# --- templates of one's own -----------------------------------------------------------------------


def write_template(folder: Path, name: str, source: str) -> None:
    (folder / "epub").mkdir(exist_ok=True)
    (folder / "epub" / name).write_text(source, encoding="utf-8")


def test_a_template_of_ones_own_changes_the_book(tmp_path: Path) -> None:
    write_template(tmp_path, "style.css", "body{font-family:Mine}")
    write_template(
        tmp_path,
        "title.xhtml",
        '{% extends "shipped/epub/title.xhtml" %}{% block header %}<h1>Mine</h1>{% endblock %}',
    )

    files = unpack(render_epub(make_environment(tmp_path), make_edition(make_item()), SITE))

    assert files["EPUB/style.css"] == b"body{font-family:Mine}"
    assert read_text(parse_pages(files)["title.xhtml"]).endswith("Mine")


def test_a_template_whose_output_is_no_xml_costs_no_book_and_is_told(tmp_path: Path) -> None:
    write_template(tmp_path, "about.xhtml", "<html><p>Mine</html>")
    told: list[tuple[str, str]] = []
    lenient = make_environment(tmp_path, on_error=lambda name, problem: told.append((name, problem)))
    edition = make_edition_of_three_parts()

    assert render_epub(lenient, edition, SITE) == render_epub(ENVIRONMENT, edition, SITE)
    assert told == [
        (
            "epub/about.xhtml",
            "the output of the template epub/about.xhtml is not valid XML: mismatched tag: line 1, column 15",
        )
    ]
    with pytest.raises(RenderError, match="not valid XML"):
        render_epub(make_environment(tmp_path), edition, SITE)


# --- hostile texts --------------------------------------------------------------------------------


def require_sound(content: bytes) -> None:
    """Each file is XML, each page is in the catalogue, each link leads somewhere, and no address is invalid."""
    files = unpack(content)
    pages = parse_pages(files)
    targets = {
        f"{name}#{element.attrib['id']}"
        for name, page in pages.items()
        for element in page.iter()
        if "id" in element.attrib
    } | set(pages)
    for page in pages.values():
        for link in list_links(page):
            if not urlsplit(link).scheme:
                assert link in targets
            assert re.fullmatch(r"[\w!#$%&'()*+,./:;=?@~\[\]-]+", link, re.ASCII), link
            assert not re.search(r"%(?![0-9A-Fa-f]{2})", link), link
        for label in (
            link for navigation in page.iter(f"{XHTML}nav") for link in navigation.iter(f"{XHTML}a")
        ):
            assert read_text(label)
    catalogue = {
        item.attrib["href"] for item in pages["package.opf"].iter("{http://www.idpf.org/2007/opf}item")
    }
    assert catalogue | {"package.opf"} == {
        name.removeprefix("EPUB/") for name in files if name.startswith("EPUB/")
    }


@given(EVIL, st.one_of(EVIL, st.sampled_from(harm.URLS)))
@example("\x00\ud800\u202e", "https://[::1")
@example("", "https://xn--a/ %zz")
@settings(deadline=None)
def test_whatever_stands_in_an_edition_its_book_is_sound_and_always_the_same(text: str, url: str) -> None:
    edition, site = harm.make_edition_of_texts([text], [url, f"https://{url}/", f"https://a.example/{url}"])

    content = render_epub(ENVIRONMENT, edition, site, LINKS)

    require_sound(content)
    assert render_epub(ENVIRONMENT, edition, site, LINKS) == content


def test_texts_that_mean_harm_leave_a_book_sound(environment: jinja2.Environment) -> None:
    for edition, site in harm.make_harmful_editions():
        require_sound(render_epub(environment, edition, site, LINKS))
