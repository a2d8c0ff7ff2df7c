"""What people see, in Chromium: mails and pages, by day and by night, on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digest.model import Author
from digest.render.delivery.mail import MailLinks, render_mail
from digest.render.environment import make_environment
from tests.render.samples import SITE, make_edition, make_item, make_reason
from tests.system.programs.browser import measure_appearance
from tests.system.programs.checkers import find_accessibility_faults, find_html_errors
from tests.system.programs.chromium import Chromium
from tests.system.samples import views
from tests.system.samples.mails import PAGE
from tests.system.samples.views import View
from tests.web.conftest import THURSDAY, Site, composed_folder, site, source, workspace

__all__ = ["composed_folder", "site", "source", "workspace"]
pytestmark = pytest.mark.system
WIDTHS = (320, 600, 1200)


@pytest.fixture
def demo_views(demo_folder: Path) -> dict[str, View]:
    own_templates = {str(file.relative_to(demo_folder)) for file in (demo_folder / "templates").rglob("*")}
    return {name: view for name, view in views.read_views(demo_folder).items() if name not in own_templates}


@pytest.fixture
def site_views(site: Site) -> dict[str, View]:
    pages = site.pages
    begin = {
        "front": pages.url + "/",
        "day": f"{pages.url}/papers/{THURSDAY}?tab=versions&has=code",
        "numbers": pages.url + "/about/numbers",
        "search": f"{pages.url}/search",
        "found": f"{pages.url}/search?q=serving",
        "mistake": f"{pages.url}/search?q=serving+OR",
        "category": f"{pages.url}/category/cs.DC",
        "person": site.find_person_url(),
        "name": f"{pages.url}/people?name=Wei+Wang",
        "no page": pages.url + "/nothing",
        "edition": pages.make_edition_url(site.get_edition_id()),
        "edition of all": pages.make_edition_url(site.get_edition_id("all")),
        "paper": site.make_paper_url(),
        "manage": pages.make_manage_url(site.get_destination_id()),
        "unsubscribe": pages.make_unsubscribe_url(site.get_destination_id()),
    }
    return views.visit_pages(site.request, begin)


@pytest.fixture(params=["mails", "pages", "static", "papers", "demo", "site"])
def group(request: pytest.FixtureRequest) -> dict[str, View]:
    """Views of one kind, by name."""
    makers: dict[str, Callable[[], dict[str, View]]] = {
        "mails": views.render_mails,
        "pages": views.render_pages,
        "static": views.render_static_pages,
        "papers": views.render_reader_pages,
    }
    make = makers.get(request.param)
    found_views: dict[str, View] = make() if make else request.getfixturevalue(f"{request.param}_views")
    assert len(found_views) >= 4
    return found_views


def test_all_can_be_read_on_a_phone_and_on_a_desk_by_day_and_by_night(
    group: dict[str, View], chromium: Chromium
) -> None:
    for name, view in group.items():
        heard = chromium.open(view.html, headers=view.headers)
        for width in WIDTHS:
            for dark in (False, True):
                page_appearance = measure_appearance(chromium, width=width, dark=dark)

                where = (name, width, "dark" if dark else "light")
                assert (*where, page_appearance.width, page_appearance.outside) == (*where, width, [])
                assert (*where, page_appearance.overlapping, page_appearance.faint) == (*where, [], [])
                assert page_appearance.dark == dark
                assert page_appearance.background < 0.1 if dark else page_appearance.background > 0.8
                assert page_appearance.texts >= 2
        assert (name, heard.requests, heard.dialogs, heard.errors) == (name, [], [], [])


@pytest.mark.parametrize(("width", "height", "count"), [(360, 740, 1), (800, 900, 2)])
def test_the_first_screen_of_a_mail_shows_papers_with_their_reasons(
    width: int, height: int, count: int, chromium: Chromium
) -> None:
    """Texts are as long as those of arXiv usually are."""
    authors = tuple(Author(name=f"Firstname{number} Lastname") for number in range(6))
    title = "Efficient serving for dynamic agent workflows with prediction-based management of the cache"
    abstract = " ".join(
        f"We propose a system {number} that predicts which agents are invoked in the several future steps by fusing guidance "
        "from historical workflows and the context of the target workflow."
        for number in range(5)
    )
    items = [
        make_item(
            number, title=title, abstract=abstract, authors=authors, reasons=[make_reason("LLM serving")]
        )
        for number in range(1, 6)
    ]
    mail = render_mail(make_environment(), make_edition(*items), SITE, MailLinks(page=PAGE))

    chromium.open(mail.html, width=width)
    bottoms = chromium.run('[...document.querySelectorAll("p i")].map(i => i.getBoundingClientRect().bottom)')

    assert len(bottoms) == 5
    assert bottoms[count - 1] <= height


def test_axe_finds_nothing_serious(group: dict[str, View], chromium: Chromium) -> None:
    # By day only: contrast, all that the night changes, is looked at above; who means harm changes words, not structure.
    for name, view in group.items():
        if "hostile" in name:
            continue
        chromium.open(view.html, headers=view.headers, width=320)

        accessibility_faults = find_accessibility_faults(chromium)

        grave = [text for text in accessibility_faults if not text.startswith(("minor", "moderate"))]
        assert (name, grave) == (name, [])


def test_the_html_is_valid(group: dict[str, View], tmp_path: Path) -> None:
    assert find_html_errors({name: view.html for name, view in group.items()}, tmp_path) == []
