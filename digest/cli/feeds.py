"""The command about feeds: where they are, new addresses for them, and a list for programs that read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.store.subscribers.digests import Digest


@click.group(cls=CommandGroup, default="list")
def feeds() -> None:
    """List where feeds are, give one a new address, or write a list for a program that reads feeds."""


@feeds.command("list")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool) -> int:
    """List where the feeds of the file's digests are: on the web, or in the output folder where no site is given."""
    with open_configured_app(config) as app:
        is_on_web = app.pages is not None
        addresses = [_make_addresses(app, entry) for entry in _list_feed_digests(app)]
        public_list = _find_public_list(app)
    if as_json:
        print_json(addresses)
        return 0
    if addresses and is_on_web:
        click.secho("Whoever knows an address can read it; also with .rss and .json at the end", bold=True)
    for entry in addresses:
        click.echo(f"{entry['digest']}: {entry['atom']}")
    if public_list:
        click.echo(f"{click.style('For everybody', bold=True)}: all are listed in {public_list}")
    if not addresses:
        click.echo("No digest of the file is a feed: write feed = true in its [[digest]].")
    return 0


@feeds.command()
@click.argument("name")
@config_option
@json_option
def renew(name: str, config: Path | None, *, as_json: bool) -> int:
    """Give the feed of digest NAME a new address; the old one leads nowhere from then on.

    The entries and their ids stay, so a program that reads it at its new address shows none again.
    """
    from digest.errors import ConfigError
    from digest.jobs.publishing.feed_addresses import renew_feed_address as renewed

    with open_configured_app(config) as app:
        _require_site(app)
        names = {digest.name for digest in _list_feed_digests(app)}
        if name not in names:
            available = ", ".join(sorted(names)) or "none: write feed = true in a [[digest]]"
            raise ConfigError(f"there is no feed of a digest {name!r}; there is {available}")
        renewed(app.store, next(digest.id for digest in _list_feed_digests(app) if digest.name == name))
        (addresses,) = [
            _make_addresses(app, digest) for digest in _list_feed_digests(app) if digest.name == name
        ]
    if as_json:
        print_json(addresses)
        return 0
    click.echo(f"The feed of {name} is at a new address; who asks at the old one is told that it is gone.")
    click.echo(addresses["atom"])
    return 0


@feeds.command()
@config_option
def opml(config: Path | None) -> int:
    """Write all feeds of the file's digests as OPML, for a program that reads feeds.

    \b
    Example:
      digest feeds opml > feeds.opml
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from digest.render.publishing.opml import OpmlFeed
    from digest.render.publishing.opml import render_opml as made

    with open_configured_app(config) as app:
        _require_site(app)
        outlines = [
            OpmlFeed(digest.title, _make_addresses(app, digest)["atom"]) for digest in _list_feed_digests(app)
        ]
        click.echo(made(app.environment, app.branding, outlines).decode(), nl=False)
    return 0


def _require_site(app: App) -> None:
    from digest.errors import ConfigError

    if app.pages is None:
        raise ConfigError(
            f"feeds have no addresses here, for no site is given: they are files below {app.settings.output}; "
            "write `url` in [site], and `digest serve` answers there"
        )


def _find_public_list(app: App) -> str:
    """Where the list of the feeds is that everybody can read; "" where there are none, or no site."""
    from digest.jobs.publishing.public import ALL
    from digest.render.publishing.opml import EXTENSION
    from digest.render.publishing.public_feed import make_public_address

    return (
        make_public_address(app.pages.url, ALL, "", EXTENSION)
        if app.pages and app.public_feeds.has_feeds
        else ""
    )


def _list_feed_digests(app: App) -> list[Digest]:
    from digest.store.subscribers.digests import load_configured_digests

    with app.store.begin_read() as tx:
        return [digest for digest in load_configured_digests(tx) if digest.options.feed]


def _make_addresses(app: App, digest: Digest) -> dict[str, str]:
    """A digest's name, and where its feed is in each form."""
    from digest.render.publishing.feeds import FEED_FORMATS, make_feed_path

    description = {"digest": digest.name, "title": digest.title}
    if app.pages is None:
        return description | {
            form: str(app.settings.output / make_feed_path(digest.name, form)) for form in FEED_FORMATS
        }
    number, name, version = digest.id, digest.name, digest.feed_version
    return description | {form: app.pages.make_feed_url(number, name, form, version) for form in FEED_FORMATS}
