"""``digest check``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.app import App
    from digest.config import LibrarySettings, Settings
    from digest.jobs.http.fetch import Fetcher
    from digest.model import Route
    from digest.ports import Channel, Mailbox, Source

    Check = tuple[str, Callable[[], str]]
    CheckResult = tuple[str, bool | None, str]

# --- check ----------------------------------------------------------------------------------------

_MARKS = {
    True: click.style("ok", fg="green"),
    None: click.style("not known", fg="yellow"),
    False: click.style("failed", fg="red"),
}


@click.command()
@config_option
@click.option(
    "--resolver", default="", metavar="ADDRESS", help="Query this name server instead of this machine's."
)
@click.option(
    "--restored",
    "is_restored",
    is_flag=True,
    help="After a restore: send nothing until you release it, and list what would be sent again.",
)
@json_option
def check(config: Path | None, *, resolver: str, is_restored: bool, as_json: bool) -> int:
    """Validate the configuration, test everything in it, and tell you how to fix each problem.

    Queries each source, logs in to each mail server without sending anything, renders all templates, and looks
    up the DNS records that large providers require. Each line says `ok`, `failed` with the way to fix it, or
    `not known` if something cannot be checked from here.

    With --restored, the command tests nothing: it holds a database that you restored from a backup, so that
    nothing is sent until `digest deliveries release --restored`, and lists what would be sent a second time.
    """
    if is_restored:
        from digest.cli.backups.restored import check_restored

        return check_restored(config, as_json=as_json)
    from digest.cli.delivery.dns_client import DnsClient
    from digest.cli.delivery.dns_records import check_dns_records

    dns_client = DnsClient(resolver)
    with open_configured_app(config) as app:
        results: Iterator[CheckResult] = chain(_run_checks(app), check_dns_records(app.settings, dns_client))
        if not as_json:
            results = _merge_unresolved(results, {name for name, *_ in _list_source_routes(app)})
        has_failed, listed = False, list[dict[str, object]]()
        for name, ok, message in results:
            has_failed = has_failed or ok is False
            listed.append({"what": name, "ok": ok, "said": message})
            if not as_json:
                click.echo(f"{name}: {_MARKS[ok]}" + (f": {message}" if message else ""))
        if as_json:
            print_json(listed)
    return int(has_failed)


def _merge_unresolved(results: Iterable[CheckResult], sources: Collection[str]) -> Iterator[CheckResult]:
    """Pass results on; merge failures of name resolution into one result if no name can be resolved.

    Args:
        results: the results of all checks.
        sources: names of the checks of sources; a success among them shows that names can be resolved.
    """
    from digest.cli.terminal.run_summary import describe_unresolved
    from digest.jobs.http.fetch_errors import MAYBE_OFFLINE, OFFLINE

    unresolved: list[CheckResult] = []
    is_online = False
    for result in results:
        name, ok, message = result
        if message.endswith(MAYBE_OFFLINE):
            unresolved.append(result)
            continue
        is_online = is_online or (bool(ok) and name in sources)
        yield result
    messages = {message for _, _, message in unresolved}
    if OFFLINE in messages or (len(messages) > 1 and not is_online):
        yield "network", False, OFFLINE if OFFLINE in messages else describe_unresolved(len(messages))
    else:
        yield from unresolved


def _run_checks(app: App) -> Iterator[tuple[str, bool, str]]:
    """Run all checks: what was tested, whether it works, and a message."""
    from digest.cli.operations.enrich import list_enricher_checks
    from digest.cli.operations.replica import check_replica
    from digest.cli.setup.templates import check_templates
    from digest.cli.subscribers.subscribers import describe_suppressed, describe_unsubscribed
    from digest.errors import DigestError
    from digest.jobs.http.fetch import Fetcher
    from digest.jobs.subscribers.subscriptions import list_suppressed, list_unsubscribed
    from digest.redaction import redact

    yield from _check_configuration(app)
    for library in app.settings.libraries:
        yield f"library {library.path.name}", True, _describe_library(library)
    yield from _check_database(app)
    yield from check_replica(app)
    yield from _check_hold(app)
    if app.settings.site.url.startswith("http:"):
        yield "site", True, _PLAIN_HTTP
    if unsubscribed_text := describe_unsubscribed(list_unsubscribed(app.store, app.settings)):
        yield "destinations", True, unsubscribed_text
    if suppressed_text := describe_suppressed(list_suppressed(app.store, app.settings)):
        yield "addresses", True, suppressed_text
    yield from ((f"digest {name}", True, message) for name, message in _list_paused(app))
    yield from ((f"digest {name}", True, message) for name, message in _list_epubs(app.settings))
    yield from (("references", True, message) for message in _check_references(app))
    yield from _list_old_members(app)
    yield from (("workers", False, message) for message in _find_worker_troubles(app))
    conflict = _find_module_conflict()
    yield "module `digest`", not conflict, conflict
    # Shared by all checks, because it remembers names that could not be resolved.
    with closing(Fetcher(app.settings.site.contact)) as fetcher:
        for name, run_check in (
            *_list_source_checks(app, fetcher),
            *list_enricher_checks(app),
            *_list_channel_checks(app),
            *_list_bounce_checks(app),
        ):
            try:
                yield name, True, run_check()
            except DigestError as error:
                yield name, False, redact(str(error))
    yield from check_templates(app)


def _check_configuration(app: App) -> Iterator[tuple[str, bool, str]]:
    from digest.errors import ConfigError
    from digest.jobs.services import require_any_source

    name = f"configuration {app.settings.path}"
    try:
        require_any_source(app.settings)
    except ConfigError as error:
        yield name, False, f"{error}; only the file of a worker or of `digest web` needs none"
    else:
        yield name, True, ""


def _check_hold(app: App) -> Iterator[tuple[str, bool, str]]:
    from digest.cli.backups.restored import describe_hold
    from digest.jobs.backups.restored_backup import find_hold

    backed_up_at = find_hold(app.store)
    if backed_up_at is not None:
        yield "restored backup", False, describe_hold(backed_up_at)


def _check_database(app: App) -> Iterator[tuple[str, bool, str]]:
    from digest.errors import StoreError

    try:
        app.store.check_address()
    except StoreError as error:
        yield "database", False, str(error)
    else:
        yield "database", True, ""


def _find_worker_troubles(app: App) -> list[str]:
    from digest.jobs.operations.worker_troubles import find_worker_troubles

    with app.store.begin_read() as tx:
        return [trouble.text for trouble in find_worker_troubles(tx)]


def _list_old_members(app: App) -> Iterator[tuple[str, bool, str]]:
    """List members that plug-ins define under names of the previous release, which are ignored."""
    from digest.plugins import find_old_members

    for kind, plugins in (("sources", app.sources), ("enrichers", app.enrichers)):
        for name, plugin in plugins.items():
            for old_name, new_name in find_old_members(kind, type(plugin)):
                message = f"`{old_name}` of the plug-in is ignored, because it is now called `{new_name}`"
                yield f"{kind.removesuffix('s')} {name}", True, message


_PLAIN_HTTP = (
    "`url` begins with http://, so mails have no one-click unsubscribe button (RFC 8058 requires https://), "
    "and anyone on the network path can read and use the links in them"
)


def _list_paused(app: App) -> Iterator[tuple[str, str]]:
    from digest.cli.terminal.format_events import describe_pause
    from digest.store.subscribers.pauses import list_paused

    with app.store.begin_read() as tx:
        for paused_digest in list_paused(tx):
            yield (
                paused_digest.digest,
                f"{describe_pause(paused_digest.pause, paused_digest.zone)} (`digest resume {paused_digest.digest}`)",
            )


def _list_epubs(settings: Settings) -> Iterator[tuple[str, str]]:
    """List where EPUBs go, and what an e-reader's address needs: it accepts mail from approved senders only."""
    from digest.model import AddressKind, EditionForm

    mail = settings.smtp or settings.sendmail
    sender = mail.from_address if mail else ""
    for digest in settings.digests:
        for destination in digest.destinations:
            if destination.form is not EditionForm.EPUB:
                continue
            if destination.kind is AddressKind.MAILBOX:
                yield (
                    digest.name,
                    f"EPUBs are mailed to {destination.address}; if that is an e-reader, approve {sender} as a sender where you manage the e-reader",
                )
            else:
                yield digest.name, f"EPUBs are written to {destination.address}"


def _check_references(app: App) -> Iterator[str]:
    """If follows use ``cites:``, say for how many papers of the last 30 days the references are known."""
    from digest.cli.try_query import describe_references
    from digest.core.papers.news import GROWTH_PERIOD
    from digest.store.citations import count_with_references

    queries = (follow.query for entry in app.settings.declared_digests for follow in entry.follows)
    if any(_CITES.search(query) for query in queries):
        with app.store.begin_read() as tx:
            with_references, papers = count_with_references(tx, app.clock().date() - GROWTH_PERIOD)
        can_tell = any(entry.has_references for entry in app.enrichers.values())
        yield describe_references(with_references, papers, can_tell=can_tell)


_CITES = re.compile(r"(?:^|[\s(])cites:")


def _describe_library(library: LibrarySettings) -> str:
    from digest.render.languages.english import format_count

    description = f"{library.form}, {format_count(library.papers, 'paper')}"
    if library.without_id or library.broken:
        unread = f"{library.without_id:,} without an id, {format_count(len(library.broken), 'error')}"
        description += f"; {unread}; `digest import {library.path}` lists them"
    return description


def _find_module_conflict() -> str:
    """Find another package with a module `digest`; which one is imported would be undefined."""
    from importlib.metadata import packages_distributions

    others = sorted(set(packages_distributions().get("digest", [])) - {"papers-digest"})
    return (
        f"the package {others[0]} also has a module of this name; run pip uninstall {others[0]}"
        if others
        else ""
    )


def _list_source_checks(app: App, fetcher: Fetcher) -> Iterator[Check]:
    for name, source, section, route in _list_source_routes(app):
        yield name, partial(_try_source, app, fetcher, source, section, route)


def _list_source_routes(app: App) -> Iterator[tuple[str, Source, str, Route]]:
    """List what to query: each section once and each route once, not all combinations, which take too long."""
    from digest.jobs.fetching.pull import format_section_name, make_titles

    titles = make_titles(app.sources)

    for source in app.sources.values():
        for position, section in enumerate(source.sections):
            for route in source.fetch_routes if position == 0 else source.fetch_routes[:1]:
                name = format_section_name(source, titles[source.name], section, route.name)
                yield name, source, section, route


def _try_source(app: App, fetcher: Fetcher, source: Source, section: str, route: Route) -> str:
    import secrets

    from digest.cli.terminal.format_events import describe_unread
    from digest.core.times.schedule import get_last_due_day
    from digest.errors import SourceError
    from digest.jobs.http.fetch_results import Fetched
    from digest.jobs.http.parse_process import ParseProcess
    from digest.jobs.http.rate_limited import fetch_rate_limited
    from digest.jobs.workers import register_worker
    from digest.model import Ask, RouteState, Scope
    from digest.render.languages.english import format_count

    day = None
    if route.scope is Scope.DAY and source.calendar is not None:
        day = get_last_due_day(source.calendar, app.clock())
    ask = Ask(source=source.name, section=section, route=route.name, day=day)
    request = source.start(ask, "", app.clock())
    empty_state = RouteState(route=route.name)  # no validators, so that the answer is complete
    token = secrets.randbits(62)
    with register_worker(app.store, token):
        answer = fetch_rate_limited(
            app.store, source, request, empty_state, fetcher, token=token, clock=app.clock, sleep=fetcher.wait
        )
    if not isinstance(answer, Fetched):
        raise SourceError(
            getattr(answer, "message", "it answered that nothing has changed, but there is no earlier answer")
        )
    with ParseProcess() as parsing:
        page = parsing.read_response(source, request, answer.response)
    if page.is_unreadable:
        raise SourceError(f"nothing in its answer can be read: {page.unread[0]}")
    listing_count = sum(len(announcement.listings) for announcement in page.announced) + len(page.records)
    days = ", ".join(
        f"{announcement.day:%a} {announcement.day.day} {announcement.day:%b}"
        for announcement in page.announced
        if announcement.day
    )
    more = ", and more pages" if page.next else ""
    return f"{format_count(listing_count, 'listing')}{f' for {days}' if days else ''}{more}{describe_unread(page.unread)}"


def _list_channel_checks(app: App) -> Iterator[Check]:
    from digest.errors import ConfigError
    from digest.jobs.delivery.channels import (
        ReaderDestinations,
        find_reader_destinations,
        list_destinations,
        make_connections_to,
    )

    destinations = list_destinations(app.settings)
    readers = find_reader_destinations(app.settings, None)
    names = {destination.channel for destination in destinations} | readers.channels
    for name in (*sorted(names - {"smtp"}), "smtp"):
        try:
            connections = make_connections_to(
                app.settings,
                [destination for destination in destinations if destination.channel == name],
                readers if name in readers.channels else ReaderDestinations(),
            )
        except ConfigError as error:  # for example a missing package; test everything else nevertheless
            yield f"channel {name}", partial(_raise_error, error)
            continue
        # One connection to each server is enough, because they are all alike.
        servers = {connection.server: connection for connection in connections if connection.channel == name}
        for server, connection in servers.items():
            label = f"channel {name} {server}" if len(servers) > 1 else f"channel {name}"
            yield label, partial(_try_channel, connection.make_channel())


def _raise_error(error: Exception) -> str:
    raise error


def _list_bounce_checks(app: App) -> Iterator[Check]:
    """List checks of the routes by which bounces arrive."""
    from digest.jobs.services import make_mailbox, make_providers

    mailbox = make_mailbox(app.settings)
    if mailbox is not None:
        yield "mailbox for bounces", partial(_try_mailbox, mailbox)
    if app.settings.bounces.providers:
        yield "providers", lambda: _list_webhook_addresses(app, make_providers(app.settings))


def _try_mailbox(mailbox: Mailbox) -> str:
    try:
        return mailbox.check()
    finally:
        mailbox.close()


def _list_webhook_addresses(app: App, providers: Iterable[str]) -> str:
    """Return the addresses to enter at the providers."""
    return ", ".join(f"{app.settings.site.url}/bounces/{name}" for name in providers)


def _try_channel(channel: Channel) -> str:
    try:
        return channel.check()
    finally:
        channel.close()
