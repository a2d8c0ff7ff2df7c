"""Where feeds are, for whoever looks after them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from digest.app import open_app
from tests.support.workspace import Workspace, make_config

SITE = '[site]\nurl = "https://digest.example.org"'


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A digest that is a feed, on a site."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:1").replace("[site]", SITE))
    return workspace


def applied(workspace: Workspace) -> None:
    with open_app(workspace.folder / "digest.toml", None, {}) as app:
        app.apply_config()


def test_feeds_are_listed_with_their_addresses(workspace: Workspace) -> None:
    applied(workspace)

    (document,) = workspace.run("feeds", "list", "--json").json

    assert (document["digest"], document["title"]) == ("systems", "systems")
    assert document["atom"].startswith("https://digest.example.org/feeds/")
    assert document["atom"] in workspace.run("feeds", "list").output
    assert "everybody" not in workspace.run("feeds", "list").output


def test_a_renewed_feed_is_at_another_address(workspace: Workspace) -> None:
    applied(workspace)
    (before,) = workspace.run("feeds", "list", "--json").json

    after = workspace.run("feeds", "renew", "systems", "--json").json

    assert after["atom"] != before["atom"]
    assert workspace.run("feeds", "list", "--json").json == [after]
    assert workspace.run("status", "--json").json["feeds"][0]["atom"] == after["atom"]
    assert "has a new address" in workspace.run("feeds", "renew", "systems").output
    assert "digests with feeds: systems" in workspace.run("feeds", "renew", "other", status=2).errors


def test_feeds_can_be_taken_into_a_program(workspace: Workspace) -> None:
    applied(workspace)
    (document,) = workspace.run("feeds", "list", "--json").json

    (outline,) = ET.fromstring(workspace.run("feeds", "opml").output).iter("outline")

    assert (outline.get("text"), outline.get("xmlUrl")) == ("systems", document["atom"])


def test_what_everybody_can_read_is_told(workspace: Workspace) -> None:
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text("utf-8").replace(SITE, f"{SITE}\npublic_feeds = true"), encoding="utf-8")

    assert "https://digest.example.org/feeds/public/all.opml" in workspace.run("feeds", "list").output


def test_without_a_site_feeds_are_files(workspace: Workspace) -> None:
    path = workspace.folder / "digest.toml"
    path.write_text(path.read_text("utf-8").replace(SITE, "[site]"), encoding="utf-8")
    applied(workspace)

    (document,) = workspace.run("feeds", "list", "--json").json

    assert document["atom"] == str(workspace.folder / "out" / "feeds" / "systems.atom")
    for command in (("renew", "systems"), ("opml",)):
        assert "there is no site" in workspace.run("feeds", *command, status=2).errors
