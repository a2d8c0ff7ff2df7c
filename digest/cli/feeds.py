"""``digest feeds``: addresses of feeds, new addresses, and OPML."""

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
    """List the feeds, give one a new address, or print them as OPML."""


@feeds.command("list")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool) -> int:
    """List the feeds of the configured digests.

    These are web addresses if there is a site, otherwise files in the output folder.
    """
    with open_configured_app(config) as app:
        is_on_web = app.pages is not None
        addresses = [_make_addresses(app, entry) for entry in _list_feed_digests(app)]
        public_list = _find_public_list(app)
    if as_json:
        print_json(addresses)
        return 0
    if addresses and is_on_web:
        click.secho(
            "Anyone who knows an address can read the feed (replace .atom by .rss or .json for other formats)",
            bold=True,
        )
    for entry in addresses:
        click.echo(f"{entry['digest']}: {entry['atom']}")
    if public_list:
        click.echo(f"{click.style('Public feeds', bold=True)}: listed in {public_list}")
    if not addresses:
        click.echo("No digest has a feed; write feed = true in a [[digest]].")
    return 0


@feeds.command()
@click.argument("name")
@config_option
@json_option
def renew(name: str, config: Path | None, *, as_json: bool) -> int:
    """Give the feed of digest NAME a new address.

    Use this if the old address has leaked. The old address then answers that the feed is gone. The entries keep
    their ids, so a feed reader does not show them again at the new address.
    """
    from digest.errors import ConfigError
    from digest.jobs.publishing.feed_addresses import renew_feed_address as renewed

    with open_configured_app(config) as app:
        _require_site(app)
        names = {digest.name for digest in _list_feed_digests(app)}
        if name not in names:
            available = ", ".join(sorted(names)) or "none; write feed = true in a [[digest]]"
            raise ConfigError(f"there is no digest {name!r} with a feed; digests with feeds: {available}")
        renewed(app.store, next(digest.id for digest in _list_feed_digests(app) if digest.name == name))
        (addresses,) = [
            _make_addresses(app, digest) for digest in _list_feed_digests(app) if digest.name == name
        ]
    if as_json:
        print_json(addresses)
        return 0
    click.echo(f"The feed of {name} has a new address; the old one answers that the feed is gone.")
    click.echo(addresses["atom"])
    return 0


@feeds.command()
@config_option
def opml(config: Path | None) -> int:
    """Print all feeds as OPML, which feed readers can import.

    \b
    Example:
      digest feeds opml > feeds.opml
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
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
            f"feeds have no web addresses, because there is no site; they are files below {app.settings.output}; "
            "write `url` in [site], and `digest serve` serves them"
        )


def _find_public_list(app: App) -> str:
    """Return the address of the list of public feeds; "" if there are none, or no site."""
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
    """Return the name of a digest and the address of its feed in each format."""
    from digest.render.publishing.feeds import FEED_FORMATS, make_feed_path

    description = {"digest": digest.name, "title": digest.title}
    if app.pages is None:
        return description | {
            form: str(app.settings.output / make_feed_path(digest.name, form)) for form in FEED_FORMATS
        }
    number, name, version = digest.id, digest.name, digest.feed_version
    return description | {form: app.pages.make_feed_url(number, name, form, version) for form in FEED_FORMATS}
