"""Broken templates of one's own cost no page and no feed of the site."""

from __future__ import annotations

from pathlib import Path

from digest.demo.publisher import Publisher
from tests.support.workspace import World
from tests.web.conftest import served

TEMPLATES = Path(__file__).parents[2] / "templates"


def test_pages_and_feeds_are_those_that_ship_where_ones_own_are_broken(
    world: World, source: Publisher
) -> None:
    with served(world, source) as site:
        number = site.pages.make_edition_url(site.edition())
        addresses = [
            *(
                number,
                f"{number}/1",
                site.manage(),
                site.pages.make_unsubscribe_url(site.destination()),
                "/",
                "/nowhere",
            ),
            *(site.feed(form) for form in ("rss", "atom", "json")),
        ]
        shipped = {address: site.get(address) for address in addresses}
    for file in TEMPLATES.rglob("*.*"):
        own = world.folder / "own" / file.relative_to(TEMPLATES)
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("{{ nope }}")
    config = world.folder / "digest.toml"
    config.write_text(config.read_text().replace('folder = "out"', 'folder = "out"\ntemplates = "own"'))

    with served(world, source) as site:
        found = {address: site.get(address) for address in addresses}

    assert {one.status_code for one in found.values()} == {200, 404}
    assert {address: one.content for address, one in found.items()} == {
        address: one.content for address, one in shipped.items()
    }
