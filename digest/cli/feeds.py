"""The command about feeds: where they are, new addresses for them, and a list for programs that read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, opened, print_json

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
    with opened(config) as app:
        on_the_web = app.pages is not None
        found = [_addresses(app, one) for one in _with_feeds(app)]
        for_everybody = _for_everybody(app)
    if as_json:
        print_json(found)
        return 0
    if found and on_the_web:
        click.secho("Whoever knows an address can read it; also with .rss and .json at the end", bold=True)
    for one in found:
        click.echo(f"{one['digest']}: {one['atom']}")
    if for_everybody:
        click.echo(f"{click.style('For everybody', bold=True)}: all are listed in {for_everybody}")
    if not found:
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
    from digest.jobs.publishing.feed_addresses import renew as renewed

    with opened(config) as app:
        _demand_site(app)
        known = {one.name for one in _with_feeds(app)}
        if name not in known:
            there = ", ".join(sorted(known)) or "none: write feed = true in a [[digest]]"
            raise ConfigError(f"there is no feed of a digest {name!r}; there is {there}")
        renewed(app.store, next(one.id for one in _with_feeds(app) if one.name == name))
        (found,) = [_addresses(app, one) for one in _with_feeds(app) if one.name == name]
    if as_json:
        print_json(found)
        return 0
    click.echo(f"The feed of {name} is at a new address; who asks at the old one is told that it is gone.")
    click.echo(found["atom"])
    return 0


@feeds.command()
@config_option
def opml(config: Path | None) -> int:
    """Write all feeds of the file's digests as OPML, for a program that reads feeds.

    \b
    Example:
      digest feeds opml > feeds.opml
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from digest.render.publishing.opml import Listed
    from digest.render.publishing.opml import opml as made

    with opened(config) as app:
        _demand_site(app)
        listed = [Listed(one.title, _addresses(app, one)["atom"]) for one in _with_feeds(app)]
        click.echo(made(app.environment, app.masthead, listed).decode(), nl=False)
    return 0


def _demand_site(app: App) -> None:
    from digest.errors import ConfigError

    if app.pages is None:
        raise ConfigError(
            f"feeds have no addresses here, for no site is given: they are files below {app.settings.output}; "
            "write `url` in [site], and `digest serve` answers there"
        )


def _for_everybody(app: App) -> str:
    """Where the list of the feeds is that everybody can read; "" where there are none, or no site."""
    from digest.jobs.publishing.public import ALL
    from digest.render.publishing.opml import ENDING
    from digest.render.publishing.public_feed import public_address

    return public_address(app.pages.url, ALL, "", ENDING) if app.pages and app.public.any else ""


def _with_feeds(app: App) -> list[Digest]:
    from digest.store.subscribers.digests import digests_of_file

    with app.store.reading() as tx:
        return [one for one in digests_of_file(tx) if one.feed]


def _addresses(app: App, digest: Digest) -> dict[str, str]:
    """A digest's name, and where its feed is in each form."""
    from digest.render.publishing.feeds import FORMS, feed_path

    told = {"digest": digest.name, "title": digest.title}
    if app.pages is None:
        return told | {form: str(app.settings.output / feed_path(digest.name, form)) for form in FORMS}
    number, name, version = digest.id, digest.name, digest.feed_version
    return told | {form: app.pages.feed(number, name, form, version) for form in FORMS}
