"""Broken templates of one's own cost no page and no feed of the site."""

from __future__ import annotations

from pathlib import Path

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace
from tests.web.conftest import serve_workspace

TEMPLATES = Path(__file__).parents[2] / "templates"


def test_pages_and_feeds_are_those_that_ship_where_ones_own_are_broken(
    workspace: Workspace, source: Publisher
) -> None:
    with serve_workspace(workspace, source) as site:
        number = site.pages.make_edition_url(site.get_edition_id())
        addresses = [
            *(
                number,
                f"{number}/1",
                site.make_manage_url(),
                site.pages.make_unsubscribe_url(site.get_destination_id()),
                "/",
                "/nowhere",
            ),
            *(site.make_feed_url(form) for form in ("rss", "atom", "json")),
        ]
        shipped = {address: site.get(address) for address in addresses}
    for file in TEMPLATES.rglob("*.*"):
        own = workspace.folder / "own" / file.relative_to(TEMPLATES)
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("{{ nope }}")
    config = workspace.folder / "digest.toml"
    config.write_text(config.read_text().replace('folder = "out"', 'folder = "out"\ntemplates = "own"'))

    with serve_workspace(workspace, source) as site:
        responses = {address: site.get(address) for address in addresses}

    assert {response.status_code for response in responses.values()} == {200, 404}
    assert {address: response.content for address, response in responses.items()} == {
        address: response.content for address, response in shipped.items()
    }
