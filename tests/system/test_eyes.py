"""What people see of the demo, in Chromium: mails, pages, day and night, wide and narrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.browser import look

pytestmark = pytest.mark.system


@pytest.mark.parametrize("width", [600, 360])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_everything_can_be_read_without_scrolling_sideways(shown: Path, width: int, *, dark: bool) -> None:
    pages = sorted(shown.rglob("*.html"))
    assert {"index.html"} < {page.name for page in pages}

    for page in pages:
        seen = look(page.read_text("utf-8"), width=width, dark=dark)

        assert (page.name, seen.width, seen.dark, seen.faint) == (page.name, width, dark, [])
        assert (seen.background < 0.1) == dark
        assert seen.texts > 5
