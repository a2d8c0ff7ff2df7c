"""The commands around a configuration: check, db."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, on_terminal, opened, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.config import LibrarySettings
    from digest.jobs.http.fetch import Fetcher
    from digest.model import Route
    from digest.ports import Channel, Mailbox, Source

    Check = tuple[str, Callable[[], str]]

# --- check ----------------------------------------------------------------------------------------

_MARKS = {
    True: click.style("ok", fg="green"),
    None: click.style("not known", fg="yellow"),
    False: click.style("failed", fg="red"),
}


@click.command()
@config_option
@click.option("--resolver", default="", metavar="ADDRESS", help="Ask this name server, not this machine's.")
@json_option
def check(config: Path | None, *, resolver: str, as_json: bool) -> int:
    """Read the configuration and the templates, try each source and channel, and say what is wrong."""
    from digest.cli.delivery.dns_records import said_of_records
    from digest.jobs.delivery.dns_lookups import Lookups
    from digest.jobs.http.fetch_errors import OFFLINE

    lookups = Lookups(resolver)
    with opened(config) as app:
        told = []
        is_offline = False
        for name, ok, said in chain(_checks(app), said_of_records(app.settings, lookups)):
            told.append({"what": name, "ok": ok, "said": said})
            if said == OFFLINE and is_offline:
                continue  # one line says it for all
            is_offline = is_offline or said == OFFLINE
            if not as_json:
                what = "network" if said == OFFLINE else name
                click.echo(f"{what}: {_MARKS[ok]}" + (f": {said}" if said else ""))
        if as_json:
            print_json(told)
    return int(any(one["ok"] is False for one in told))


def _checks(app: App) -> Iterator[tuple[str, bool, str]]:
    """Each thing that can be wrong, whether it is right, and what is to be said of it."""
    from digest.cli.operations.enrich import enricher_checks
    from digest.cli.operations.templates import said_of_templates
    from digest.cli.subscribers.subscribers import said_of_kept_back, said_of_unsubscribed
    from digest.errors import DigestError
    from digest.jobs.http.fetch import Fetcher
    from digest.jobs.subscribers.subscriptions import kept_back, unsubscribed
    from digest.redaction import redact

    yield f"configuration {app.settings.path}", True, ""
    for library in app.settings.libraries:
        yield f"library {library.path.name}", True, _about(library)
    yield "database", True, ""
    if app.settings.site.url.startswith("http:"):
        yield "site", True, _PLAIN_HTTP
    if gone := said_of_unsubscribed(unsubscribed(app.store, app.settings)):
        yield "destinations", True, gone
    if back := said_of_kept_back(kept_back(app.store, app.settings)):
        yield "addresses", True, back
    yield from ((f"digest {name}", True, told) for name, told in _paused(app))
    yield from (("references", True, told) for told in _references(app))
    other = _other_owner()
    yield "module `digest`", not other, other
    # One for all: it knows which names could not be looked up moments ago.
    with closing(Fetcher(app.settings.site.contact)) as fetcher:
        for name, tried in (*_sources(app, fetcher), *enricher_checks(app), *_channels(app), *_returns(app)):
            try:
                yield name, True, tried()
            except DigestError as error:
                yield name, False, redact(str(error))
    yield from said_of_templates(app)


_PLAIN_HTTP = (
    "its address begins with http://, so mails have no button that unsubscribes by one click (RFC 8058 wants https://), "
    "and whoever is on the way can read and use their links"
)


def _paused(app: App) -> Iterator[tuple[str, str]]:
    from digest.cli.terminal.format_events import rests
    from digest.store.subscribers.pauses import resting

    with app.store.reading() as tx:
        for one in resting(tx):
            yield one.digest, f"{rests(one.pause, one.zone)} (`digest resume {one.digest}`)"


def _references(app: App) -> Iterator[str]:
    """Where follows ask for papers by what they cite: of how many of the last 30 days that is known."""
    from digest.cli.try_query import told_of_references
    from digest.core.papers.news import GROWS_FOR
    from digest.store.citations import references_known

    queries = (follow.query for one in app.settings.digests for follow in one.follows)
    if any(_CITES.search(query) for query in queries):
        with app.store.reading() as tx:
            known, papers = references_known(tx, app.clock().date() - GROWS_FOR)
        can_tell = any(one.tells_references for one in app.enrichers.values())
        yield told_of_references(known, papers, can_tell=can_tell)


_CITES = re.compile(r"(?:^|[\s(])cites:")


def _about(library: LibrarySettings) -> str:
    from digest.render.languages.english import count

    told = f"{library.form}, {count(library.papers, 'paper')}"
    if library.without_id or library.broken:
        unread = f"{library.without_id:,} without an id, {count(len(library.broken), 'mistake')}"
        told += f"; {unread}: `digest import {library.path}` names them"
    return told


def _other_owner() -> str:
    """Another distribution also brings a module `digest`: which one is imported is chance."""
    from importlib.metadata import packages_distributions

    others = sorted(set(packages_distributions().get("digest", [])) - {"papers-digest"})
    return f"the package {others[0]} also owns this name: pip uninstall {others[0]}" if others else ""


def _sources(app: App, fetcher: Fetcher) -> Iterator[Check]:
    from digest.jobs.fetching.pull import name_of, titles_of

    titles = titles_of(app.sources)

    for source in app.sources.values():
        for place, section in enumerate(source.sections):
            # Each section once, and each route once: who has 20 sections and 4 routes need not wait for 80.
            for route in source.ways if place == 0 else source.ways[:1]:
                yield (
                    name_of(source, titles[source.name], section, route.name),
                    partial(_ask, app, fetcher, source, section, route),
                )


def _ask(app: App, fetcher: Fetcher, source: Source, section: str, route: Route) -> str:
    import secrets

    from digest.cli.terminal.format_events import told_of_unread
    from digest.core.times.schedule import last_day_due
    from digest.errors import SourceError
    from digest.jobs.cycle import worker
    from digest.jobs.http.fetch_results import Got
    from digest.jobs.http.parse_process import ParseProcess
    from digest.jobs.http.rate_limited import ask_in_turn
    from digest.model import Ask, RouteState, Scope
    from digest.render.languages.english import count

    day = None
    if route.scope is Scope.DAY and source.calendar is not None:
        day = last_day_due(source.calendar, app.clock())
    ask = Ask(source=source.name, section=section, route=route.name, day=day)
    request = source.start(ask, "", app.clock())
    fresh = RouteState(route=route.name)  # no validators: a whole answer
    token = secrets.randbits(62)
    with worker(app.store, token, app.clock()):
        answer = ask_in_turn(
            app.store, source, request, fresh, fetcher, token=token, clock=app.clock, sleep=fetcher.sleep
        )
    if not isinstance(answer, Got):
        raise SourceError(getattr(answer, "message", "it says that nothing changed, and we have nothing yet"))
    with ParseProcess() as parsing:
        page = parsing.read(source, request, answer.response)
    if page.is_unreadable:
        raise SourceError(f"nothing of its answer can be read: {page.unread[0]}")
    found = sum(len(one.listings) for one in page.announced) + len(page.records)
    days = ", ".join(f"{one.day:%a} {one.day.day} {one.day:%b}" for one in page.announced if one.day)
    more = ", and more pages" if page.next else ""
    return f"{count(found, 'listing')}{f' for {days}' if days else ''}{more}{told_of_unread(page.unread)}"


def _channels(app: App) -> Iterator[Check]:
    from digest.errors import ConfigError
    from digest.jobs.delivery.channels import all_ways, lines_to

    ways = all_ways(app.settings)
    for name in (*sorted({to.channel for to in ways} - {"smtp"}), "smtp"):
        try:
            lines = lines_to(app.settings, [to for to in ways if to.channel == name])
        except ConfigError as error:  # such as a package that it needs; all else is tried nevertheless
            yield f"channel {name}", partial(_fail, error)
            continue
        # Of a server's connections one is enough: they are all alike.
        servers = {line.server: line for line in lines if line.channel == name}
        for server, line in servers.items():
            shown = f"channel {name} {server}" if len(servers) > 1 else f"channel {name}"
            yield shown, partial(_try_channel, line.make())


def _fail(error: Exception) -> str:
    raise error


def _returns(app: App) -> Iterator[Check]:
    """By which ways we hear what came back."""
    from digest.app import make_mailbox, make_providers

    mailbox = make_mailbox(app.settings)
    if mailbox is not None:
        yield "mailbox for bounces", partial(_try_mailbox, mailbox)
    if app.settings.bounces.providers:
        yield "providers", lambda: _told_where(app, make_providers(app.settings))


def _try_mailbox(mailbox: Mailbox) -> str:
    try:
        return mailbox.check()
    finally:
        mailbox.close()


def _told_where(app: App, providers: Iterable[str]) -> str:
    """The addresses that they are to be told."""
    return ", ".join(f"{app.settings.site.url}/bounces/{name}" for name in providers)


def _try_channel(channel: Channel) -> str:
    try:
        return channel.check()
    finally:
        channel.close()


# --- db -------------------------------------------------------------------------------------------


@click.group(cls=CommandGroup)
def db() -> None:
    """Look after the database."""


@db.command()
@config_option
@json_option
def upgrade(config: Path | None, *, as_json: bool) -> int:
    """Bring the tables to this release's state, which SQLite does by itself, and index papers that are not indexed.

    Stopped by Ctrl-C, it goes on from there the next time.
    """
    from digest.cli.terminal.progress import progress
    from digest.config import find_config, read_settings
    from digest.jobs.matching.indexing import index_papers
    from digest.jobs.matching.match import Matching
    from digest.render.languages.english import count
    from digest.store.database.dialect import make_engine
    from digest.store.database.engine import HEAD, Store, version_of
    from digest.store.database.engine import upgrade as bring_up

    settings = read_settings(find_config(config, os.environ), os.environ)
    engine = make_engine(settings.store)
    try:
        before = version_of(engine)
        if before != HEAD:
            bring_up(engine)
        with progress(shown=on_terminal()) as bar:

            def tell(what: str, done: int, of: int) -> None:
                bar.follow(Matching(what=what, done=done, total=of))

            indexed = index_papers(Store(engine), tell=tell)
    finally:
        engine.dispose()
    if as_json:
        print_json({"before": before, "now": HEAD, "indexed": indexed})
    elif before == HEAD:
        click.echo(f"The tables are those of this release ({HEAD}).")
    else:
        click.echo(f"Upgraded the tables from {before or 'nothing'} to {HEAD}.")
    if indexed and not as_json:
        click.echo(f"Indexed {count(indexed, 'paper')}.")
    return 0


@db.command()
@config_option
@json_option
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def backup(config: Path | None, target: Path | None, *, as_json: bool) -> int:
    """Copy the SQLite database to TARGET while it is in use."""
    from digest.store.database.dialect import backup as copy

    with opened(config) as app:
        # Beside the configuration: the output folder may be on the web, and the signing key is in the copy.
        name = target or app.settings.path.parent / f"digest-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.backup"
        copy(app.store.engine, name)
        if as_json:
            print_json({"wrote": str(name)})
        else:
            click.echo(f"Wrote {name}.")
    return 0
