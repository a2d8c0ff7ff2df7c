"""What a browser makes of the site's pages: they fit a phone, and can be read in light and dark."""

from __future__ import annotations

import pytest

from digest.render.environment import make_environment
from digest.render.web import Notice, edition_page, notice_page
from digest.store.subscribers import Subscriber
from digest.web import notices
from tests.render.samples import SITE, every_kind
from tests.system.browser import look

pytestmark = pytest.mark.system
READER = Subscriber(
    destination=1,
    digest="llm-systems",
    title="LLM systems",
    channel="smtp",
    address=f"somebody@{'long.' * 12}example.org",
    mailbox=f"somebody@{'long.' * 12}example.org",
    state="active",
    digest_ended=False,
)
PAGES = {
    "asks": notices.about(READER, "1.x"),
    "goes on": notices.back(READER, "1.x"),
    "unknown": notices.UNKNOWN,
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_small_page_fits_and_can_be_read(page: Notice, width: int, dark: bool) -> None:  # noqa: FBT001 - a table
    seen = look(notice_page(make_environment(), SITE, page).decode(), width=width, dark=dark)

    assert (seen.width, seen.dark, seen.faint) == (width, dark, [])
    assert seen.texts >= 3
    assert seen.background < 0.1 if dark else seen.background > 0.8


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_editions_page_fits_a_phone(dark: bool) -> None:  # noqa: FBT001 - a table
    seen = look(edition_page(make_environment(), every_kind(), SITE, ()).decode(), width=320, dark=dark)

    assert (seen.width, seen.dark, seen.faint) == (320, dark, [])
