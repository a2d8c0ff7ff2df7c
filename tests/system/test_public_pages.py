"""The public pages in Chromium and before checkers: empty, usual, long and hostile, by keyboard and without script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from digest.demo.publisher import Publisher
from tests.system.programs.browser import measure_appearance
from tests.system.programs.checkers import find_accessibility_faults, find_html_errors
from tests.system.programs.chromium import Chromium
from tests.system.samples import harm
from tests.system.samples.public_sites import (
    DAY,
    EMPTY,
    make_filling_of_texts,
    make_long_filling,
    make_sparse_filling,
    make_usual_filling,
    serve_filling,
)
from tests.system.samples.views import View, read_public_views
from tests.system.test_harm import ADDRESSES, AN_ADDRESS, DOM, TEXT
from tests.web.conftest import Site, source

__all__ = ["source"]
pytestmark = pytest.mark.system
FILLINGS = {
    "empty": EMPTY,
    "sparse": make_sparse_filling(),
    "usual": make_usual_filling(),
    "long": make_long_filling(),
}
OTHER_LANGUAGES = ("de", "zh")
WIDTHS = (320, 600, 1200)
UNPRINTABLE = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
NOT_NORMALIZED = "is not in Unicode Normalization Form C"
FOCUSABLE = """(() => {
const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, [tabindex]")];
return all.filter(one => one.checkVisibility()).length;
})()"""
FOCUSED = """(() => {
const one = document.activeElement, at = one.getBoundingClientRect(), style = getComputedStyle(one);
const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, [tabindex]")];
return {
  place: all.filter(one => one.checkVisibility()).indexOf(one),
  name: one.textContent.trim().slice(0, 40) || one.localName,
  top: at.top + scrollY,
  bottom: at.bottom + scrollY,
  shown: at.width > 0 && at.left >= 0 && at.right <= innerWidth + 1 && at.bottom > 0 && at.top < innerHeight,
  outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
};
})()"""


@pytest.fixture(scope="module", params=FILLINGS)
def filled(
    request: pytest.FixtureRequest, source: Publisher, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Site]]:
    """A site of each filling, with the name of the filling."""
    name: str = request.param
    with serve_filling(FILLINGS[name], tmp_path_factory.mktemp(name), source) as site:
        yield name, site


@pytest.fixture(scope="module")
def views(filled: tuple[str, Site]) -> dict[str, View]:
    """The pages of a filling in the language of the site."""
    name, site = filled
    return read_public_views(site.request, FILLINGS[name].paths)


@pytest.fixture(scope="module")
def usual_site(source: Publisher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The usual site, to be walked through."""
    with serve_filling(FILLINGS["usual"], tmp_path_factory.mktemp("walked"), source) as site:
        yield site


# --- what is seen ---------------------------------------------------------------------------------


def check_appearance(where: tuple[Any, ...], chromium: Chromium, width: int, *, dark: bool) -> None:
    appearance = measure_appearance(chromium, width=width, dark=dark)

    where = (*where, width, "dark" if dark else "light")
    assert (*where, appearance.width, appearance.outside) == (*where, width, [])
    assert (*where, appearance.overlapping, appearance.faint) == (*where, [], [])
    assert appearance.dark == dark
    assert appearance.background < 0.1 if dark else appearance.background > 0.8


def test_every_page_can_be_read_at_every_width_and_used_by_everybody(
    filled: tuple[str, Site], views: dict[str, View], chromium: Chromium
) -> None:
    for name, view in views.items():
        log = chromium.open(view.html, headers=view.headers, width=320)
        for width in WIDTHS:
            for dark in (False, True):
                check_appearance((filled[0], name), chromium, width, dark=dark)
        chromium.resize(320, dark=False)
        assert (name, find_accessibility_faults(chromium)) == (name, [])
        assert (name, log.dialogs) == (name, [])


def test_every_page_can_be_read_in_every_language(
    filled: tuple[str, Site], chromium: Chromium, tmp_path: Path
) -> None:
    """Widths, colours and structure are those of the first language; words are longer."""
    name, site = filled
    pages = {}
    for language in OTHER_LANGUAGES:
        for place, view in read_public_views(site.request, FILLINGS[name].paths, language).items():
            pages[f"{place} {language}"] = view.html
            chromium.open(view.html, headers=view.headers, width=320)
            check_appearance((name, place, language), chromium, 320, dark=True)
    assert find_html_errors(pages, tmp_path) == []


def test_the_html_of_every_page_is_valid(views: dict[str, View], tmp_path: Path) -> None:
    assert find_html_errors({name: view.html for name, view in views.items()}, tmp_path) == []


# --- who means harm -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def known_elements(
    source: Publisher, tmp_path_factory: pytest.TempPathFactory, chromium: Chromium
) -> frozenset[str]:
    """The elements and attributes of the pages of sites in which nobody means harm."""
    elements: set[str] = set()
    for name in ("sparse", "usual"):
        with serve_filling(FILLINGS[name], tmp_path_factory.mktemp("harmless"), source) as site:
            for view in read_public_views(site.request, FILLINGS[name].paths).values():
                chromium.open(view.html, headers=view.headers)
                elements |= set(chromium.run(DOM))
    assert len(elements) > 30
    return frozenset(elements)


def test_nothing_runs_nothing_is_asked_for_and_no_element_is_more(
    source: Publisher, tmp_path: Path, known_elements: frozenset[str], chromium: Chromium
) -> None:
    filling = make_filling_of_texts(harm.TEXTS)
    with serve_filling(filling, tmp_path, source) as site:
        views = read_public_views(site.request, filling.paths)
        assert site.operator_messages == []

    for name, view in views.items():
        log = chromium.open(view.html, headers=view.headers)

        appearance = measure_appearance(chromium, width=320, dark=False)
        assert (name, set(chromium.run(DOM)) - known_elements, log.dialogs) == (name, set(), [])
        assert [address for address in log.requests if not address.startswith(site.pages.url)] == []
        assert not UNPRINTABLE.search(chromium.run(TEXT))
        addresses = [address for address in chromium.run(ADDRESSES) if not address.startswith("/")]
        assert [address for address in addresses if not AN_ADDRESS.match(address)] == []
        assert (name, appearance.width, appearance.outside) == (name, 320, [])
        if not re.search(r"\d\d|[2-9]", name):
            assert (name, find_accessibility_faults(chromium)) == (name, [])
    faults = find_html_errors({name: view.html for name, view in views.items()}, tmp_path)
    # What a name or a query is made of is shown as it was written.
    assert [fault for fault in faults if NOT_NORMALIZED not in fault] == []


# --- by keyboard, and without script --------------------------------------------------------------


@pytest.mark.parametrize("path", FILLINGS["usual"].paths.values(), ids=FILLINGS["usual"].paths.keys())
def test_the_keyboard_reaches_everything_in_the_order_in_which_it_is_seen(
    path: str, usual_site: Site, chromium: Chromium
) -> None:
    chromium.browse(usual_site.pages.url + path, usual_site.get, width=360, script=False)
    count = chromium.run(FOCUSABLE)
    previous = None

    for place in range(count):
        chromium.press("Tab")
        focused = chromium.run(FOCUSED)
        assert (place, focused["name"], focused["place"]) == (place, focused["name"], place)
        assert (focused["name"], focused["shown"], focused["outlined"]) == (focused["name"], True, True)
        if previous and place > 1:  # a link past the beginning is above it while it has the focus
            assert focused["bottom"] > previous["top"], (previous, focused)
        previous = focused
    assert count > 7


@pytest.mark.parametrize("path", ["/", f"/papers/{DAY}", "/category/cs.SD", "/search?q=xylophone", "/search"])
def test_the_first_link_leads_past_the_beginning(path: str, usual_site: Site, chromium: Chromium) -> None:
    chromium.browse(usual_site.pages.url + path, usual_site.get, width=360, script=False)
    chromium.press("Tab")
    target = chromium.run("document.activeElement.hash.slice(1)")

    chromium.press("Enter")
    chromium.press("Tab")

    past = f"""(() => {{
    const place = document.getElementById({target!r}), one = document.activeElement;
    return Boolean(place.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    }})()"""
    assert chromium.run(past)


def test_without_script_a_day_is_filtered_and_a_search_leads_to_a_paper(
    usual_site: Site, chromium: Chromium
) -> None:
    site = usual_site
    chromium.browse(f"{site.pages.url}/papers/{DAY}", site.get, width=360, script=False)
    press_until(chromium, "select")
    chromium.press("ArrowDown")
    press_until(chromium, "button")
    with chromium.loading():
        chromium.press("Enter")
    assert "category=cs." in chromium.run("location.href")
    assert chromium.run("document.querySelectorAll('article').length") > 0

    chromium.browse(f"{site.pages.url}/", site.get, width=360, script=False)
    press_until(chromium, "input")
    chromium.type("xylophone marimbas")
    with chromium.loading():
        chromium.press("Enter")
    assert chromium.run("document.querySelectorAll('article').length") == 20
    press_until(chromium, "summary")
    chromium.press(" ")
    assert chromium.run("document.querySelector('.facets').open")
    press_until(chromium, "article a")
    with chromium.loading():
        chromium.press("Enter")
    assert "/paper/" in chromium.run("location.href")
    assert "Xylophone" in chromium.run("document.querySelector('h1').textContent")


def press_until(chromium: Chromium, selector: str) -> None:
    """Go to the next element of a kind by keyboard."""
    for _ in range(100):
        chromium.press("Tab")
        if chromium.run(f"document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"{selector} is never reached")
