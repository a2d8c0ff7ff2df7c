"""Books of editions of each kind have nothing that EPUBCheck minds, and can be read in a browser by day and by night."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from digest.model import Arrangement, Edition
from digest.render.branding import Branding
from digest.render.delivery.epub import render_epub
from digest.render.delivery.mail import NO_MAIL_LINKS
from digest.render.languages.by_name import get_locale
from tests.render.samples import SITE, make_edition, make_edition_of_every_kind, make_item
from tests.system.programs.browser import measure_appearance
from tests.system.programs.chromium import Chromium
from tests.system.programs.epubcheck import find_epub_faults
from tests.system.samples import harm
from tests.system.samples.mails import HOSTILE, make_editions, make_weekly_edition
from tests.system.samples.views import DOORS, get_environment

pytestmark = pytest.mark.system


def make_long_edition(count: int) -> Edition:
    """An edition of so many papers with whole abstracts, and half as many lines."""
    items = [
        make_item(number, abstract="A sentence about the KV cache. " * 40) for number in range(1, count + 1)
    ]
    return make_edition(*items, overflow=tuple(make_item(count + number) for number in range(1, count // 2)))


def list_books() -> Iterator[tuple[str, Edition, Branding]]:
    for count in (3, 60, 200):
        yield f"of {count}", make_long_edition(count), SITE
    for name, language in (("CJK", "zh"), ("incomplete", "de"), ("weekly", "de")):
        site = replace(SITE, locale=get_locale(language))
        yield f"{name}, {language}", replace(make_editions()[name], language=language), site
    for name in ("of every kind", "empty", "after a miss"):
        yield name, make_editions()[name], SITE
    yield "by follow", replace(make_weekly_edition(), arrange=Arrangement.BY_FOLLOW), SITE
    yield (
        "of nothing",
        make_edition(make_item(title="", abstract="", authors=(), url=""), title=""),
        Branding(title=""),
    )


BOOKS = {name: (edition, site) for name, edition, site in list_books()}


def make_book(edition: Edition, site: Branding) -> bytes:
    return render_epub(get_environment(site.locale), edition, site, DOORS)


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_of_any_edition_is_valid(name: str, tmp_path: Path) -> None:
    assert find_epub_faults(make_book(*BOOKS[name]), tmp_path) == []


def test_a_book_without_pages_of_ours_is_valid(tmp_path: Path) -> None:
    content = render_epub(get_environment(SITE.locale), make_edition_of_every_kind(), SITE, NO_MAIL_LINKS)

    assert find_epub_faults(content, tmp_path) == []


def test_who_means_harm_makes_no_book_invalid(tmp_path: Path) -> None:
    books = [*harm.make_harmful_editions(len(harm.TEXTS)), harm.make_edition_of_texts(HOSTILE)]

    for edition, site in books:
        assert find_epub_faults(make_book(edition, site), tmp_path) == []


def test_what_is_invalid_would_be_noticed(tmp_path: Path) -> None:
    content = make_book(*BOOKS["of 3"]).replace(b"chapter-1.xhtml#p1", b"chapter-1.xhtml#p9")

    assert find_epub_faults(content, tmp_path)


@pytest.mark.parametrize("is_dark", [False, True])
def test_a_page_fits_a_small_screen_in_the_colours_of_the_program(
    chromium: Chromium, *, is_dark: bool
) -> None:
    colours = "background:#000;color:#ccc" if is_dark else "background:#fff;color:#000"
    for name in ("of every kind", "weekly, de", "CJK, zh", "incomplete, de"):
        with ZipFile(io.BytesIO(make_book(*BOOKS[name]))) as archive:
            sheet = archive.read("EPUB/style.css").decode()
            pages = [archive.read(file).decode() for file in archive.namelist() if file.endswith(".xhtml")]
        for page in pages:
            html = page.partition("?>")[2].replace(
                "</head>", f"<style>{sheet}:root{{{colours}}}</style></head>"
            )
            chromium.open(html)

            look = measure_appearance(chromium, width=320, dark=is_dark)
            assert (name, look.width, look.outside, look.overlapping, look.faint) == (name, 320, [], [], [])
