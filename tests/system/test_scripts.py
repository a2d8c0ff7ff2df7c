"""The scripts of the public site in Chromium: more papers, and a search while the reader types; and without scripts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from digest.demo.publisher import Publisher
from digest.store.fetching.listings import import_records
from tests.support.workspace import Workspace
from tests.system.programs.checkers import find_accessibility_faults
from tests.system.programs.chromium import Chromium
from tests.web.conftest import THURSDAY, Site, composed_folder, serve_workspace, source
from tests.web.publishing.conftest import make_papers, search_site

__all__ = ["composed_folder", "search_site", "source"]
pytestmark = pytest.mark.system

TITLES = "[...document.querySelectorAll('article h3')].map(heading => heading.textContent)"
COUNT = "document.querySelectorAll('article').length"
ADDRESS = "location.pathname + location.search"
FOCUS = "document.activeElement.textContent"
MORE = 'a[rel="next"][data-hx-boost]'


def list_every_title(browser: Chromium, site: Site, path: str) -> list[str]:
    """The titles of all pages of a list, as a browser without scripts comes by them."""
    titles: list[str] = []
    browser.visit(site.server_url, path, scripts=False)
    while True:
        titles += browser.run(TITLES)
        if not browser.run(f"!!document.querySelector('{MORE}')"):
            return titles
        address = browser.run("location.href")
        browser.click(MORE)
        browser.wait_for(f"location.href !== {address!r} && document.readyState === 'complete'")


@pytest.mark.parametrize(
    "path", ["/search?q=xylophone", "/topic/bars", "/category/physics.class-ph", f"/papers/{THURSDAY}"]
)
def test_more_adds_the_papers_of_all_further_pages_below_and_keeps_the_address(
    path: str, search_site: Site, chromium: Chromium
) -> None:
    titles = list_every_title(chromium, search_site, path)
    log = chromium.visit(search_site.server_url, path)

    while chromium.run(f"!!document.querySelector('{MORE}')"):
        count = chromium.run(COUNT)
        chromium.click(MORE)
        chromium.wait_for(f"{COUNT} > {count}")
        shown = chromium.run(TITLES)

        assert shown == titles[: len(shown)]
        assert chromium.run(FOCUS) == titles[count]
        assert chromium.run("document.querySelector('#loaded').textContent") in {
            f"{len(shown) - count} more papers",
            f"{len(shown) - count} more paper",
        }
        assert chromium.run(ADDRESS) == path

    assert chromium.run(TITLES) == titles
    assert len(set(titles)) == len(titles) > 20
    ids = chromium.run("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(set(ids)) == len(ids)
    assert [fault for fault in find_accessibility_faults(chromium) if not fault.startswith("minor")] == []
    assert (log.errors, log.dialogs, log.requests) == ([], [], [])


def test_a_search_shows_what_is_found_while_the_reader_types(search_site: Site, chromium: Chromium) -> None:
    log = chromium.visit(search_site.server_url, "/search?order=date")
    chromium.click("#q")
    chromium.write("xylophone marimba")
    chromium.wait_for("document.querySelector('#total')?.textContent === '15 papers'")

    assert chromium.run(COUNT) == 15
    assert chromium.run(ADDRESS) == "/search?q=xylophone+marimba&order=date"
    assert "xylophone marimba" in chromium.run("document.title")
    assert chromium.run("document.activeElement.id + document.activeElement.value") == "qxylophone marimba"
    assert chromium.run("document.querySelector('#languages a[lang=de]').search").endswith("&lang=de")
    assert "xylophone+marimba" in chromium.run("document.querySelector('#languages a[lang=de]').search")

    chromium.write(" 4")
    chromium.wait_for("document.querySelector('#total')?.textContent !== '15 papers'")
    assert 1 <= chromium.run(COUNT) < 15
    assert (log.errors, log.dialogs, log.requests) == ([], [], [])


def test_a_mistake_is_shown_while_the_reader_types_and_goes_with_it(
    search_site: Site, chromium: Chromium
) -> None:
    log = chromium.visit(search_site.server_url, "/search?q=xylophone")
    chromium.run("document.querySelector('#q').setSelectionRange(99, 99)")
    chromium.run("document.querySelector('#q').focus()")
    chromium.write(" OR")
    chromium.wait_for("document.querySelector('#summary mark')")

    assert chromium.run(COUNT) == 0
    assert chromium.run("document.querySelector('#total')") is None
    assert chromium.run(ADDRESS) == "/search?q=xylophone+OR"
    assert chromium.run("document.querySelector('#q').getAttribute('aria-describedby')") == "summary"

    chromium.write(" marimba")
    chromium.wait_for("document.querySelector('#total')")
    assert chromium.run(COUNT) == 20
    assert [error for error in log.errors if "400" not in error] == []


def test_an_answer_without_results_is_shown_in_their_place(search_site: Site, chromium: Chromium) -> None:
    """As that to too many searches will be; a query that is too long gets the same kind of page."""
    chromium.visit(search_site.server_url, "/search?q=xylophone")
    chromium.run("document.querySelector('#q').removeAttribute('maxlength')")
    chromium.run("document.querySelector('#q').value = 'x'.repeat(3000)")
    chromium.run("document.querySelector('#q').focus()")
    chromium.write("y")
    chromium.wait_for("document.querySelector('#summary h1')")

    assert chromium.run("document.querySelector('#summary h1').textContent")
    assert chromium.run("document.querySelector('#outcome p').textContent")
    assert chromium.run(COUNT) == 0
    chromium.run("document.querySelector('#q').value = 'xylophon'")
    chromium.write("e")
    chromium.wait_for("document.querySelector('#total')")
    assert chromium.run(COUNT) == 20


def test_when_there_are_too_many_requests_all_that_is_there_stays(
    composed_folder: Path, source: Publisher, tmp_path: Path, chromium: Chromium
) -> None:
    folder = tmp_path / "world"
    shutil.copytree(composed_folder, folder)
    file = folder / "digest.toml"
    file.write_text(
        file.read_text("utf-8").replace("[site]", '[site]\nall_searches_rate = "2/day"', 1), "utf-8"
    )
    with serve_workspace(Workspace(folder), source) as site:
        with site.app.store.begin_ingest() as tx:
            import_records(tx, "arxiv", make_papers())
        chromium.visit(site.server_url, "/search?q=xylophone")
        chromium.click(MORE)
        chromium.wait_for(f"{COUNT} === 40")
        chromium.click(MORE)
        chromium.wait_for("document.querySelector('#trouble p')")

        assert "Wait a moment" in chromium.run("document.querySelector('#trouble').textContent")
        assert chromium.run(COUNT) == 40
        assert chromium.run(f"!!document.querySelector('{MORE}')"), "to try again"
        assert chromium.run(
            "document.querySelector('#trouble').getBoundingClientRect().bottom <= innerHeight"
        )
        chromium.click("#q")
        chromium.write(" m")
        chromium.wait_for("document.querySelector('#trouble p')")
        assert chromium.run(COUNT) == 40


def test_an_emptied_search_shows_the_help_again(search_site: Site, chromium: Chromium) -> None:
    chromium.visit(search_site.server_url, "/search?q=xylophone")
    chromium.run("document.querySelector('#q').select()")
    chromium.press("Backspace")
    chromium.wait_for(f"{COUNT} === 0")

    assert chromium.run(ADDRESS) == "/search"
    assert chromium.run("document.querySelector('#outcome').textContent.trim()")


def test_without_scripts_the_form_and_the_links_work(search_site: Site, chromium: Chromium) -> None:
    log = chromium.visit(search_site.server_url, "/search", scripts=False)
    chromium.click("#q")
    chromium.write("xylophone marimba")
    chromium.press("Enter")
    chromium.wait_for("document.querySelector('#total')")

    assert chromium.run(COUNT) == 15
    assert chromium.run(ADDRESS) == "/search?q=xylophone+marimba"

    chromium.visit(search_site.server_url, "/search?q=xylophone", scripts=False)
    first = chromium.run(TITLES)
    chromium.click(MORE)
    chromium.wait_for("location.search.includes('cursor=') && document.readyState === 'complete'")
    assert len(chromium.run(TITLES)) == 20
    assert not set(first) & set(chromium.run(TITLES))
    assert (log.errors, log.dialogs, log.requests) == ([], [], [])
