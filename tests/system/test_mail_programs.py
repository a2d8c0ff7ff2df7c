"""What mail programs do not know of our mails, by caniemail.com: each feature is on the page about it, and why it may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render.reference import find_quoted_texts, iter_table_rows
from tests.system.programs.mail_features import find_incomplete, list_features
from tests.system.samples import views

pytestmark = pytest.mark.system
PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "mail-programs.md").read_text("utf-8")
NAMES = {
    "Gmail": "gmail",
    "Outlook": "outlook",
    "Apple Mail": "apple-mail",
    "Yahoo": "yahoo",
    "Thunderbird": "thunderbird",
    "Proton": "protonmail",
    "Fastmail": "fastmail",
    "HEY": "hey",
}


def read_page() -> dict[str, set[str]]:
    """The programs by feature, as the page tells them."""
    return {
        find_quoted_texts(cells[0])[0]: {NAMES[name] for name in cells[1].split(", ")}
        for _, cells in iter_table_rows(PAGE)
    }


def render_editions() -> list[str]:
    """Notices to the operator are plain."""
    return [view.html for name, view in views.render_mails().items() if name not in {"notice", "summary"}]


def test_what_a_mail_program_lacks_is_on_the_page_about_it() -> None:
    features = {feature for view in views.render_mails().values() for feature in list_features(view.html)}

    assert len(features) > 40
    assert read_page() == {name: set(programs) for name, programs in find_incomplete(features).items()}


def test_the_sheets_are_short_enough_for_every_program() -> None:
    """Yahoo drops a sheet of more than 8 kB, Gmail one of more than 16 kB."""
    for html in render_editions():
        sheets = html.split("<style>")[1:]
        assert max(len(sheet.partition("</style>")[0].encode()) for sheet in sheets) < 8_000


def test_what_must_hold_without_a_sheet_is_inline() -> None:
    """Gmail drops sheets in mails of other accounts, and replaces the body by a plain box."""
    for html in render_editions():
        wrapper = html.partition("<body>")[2].partition('<div class=w style="')[2].partition('"')[0]
        for declaration in ("background:#fff", "color:#20242a", "font:16px/1.5", "overflow-wrap:anywhere"):
            assert declaration in wrapper
