"""``digest status`` and ``digest editions``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.delivery.deliveries import make_delivery_json
from digest.cli.operations.enrich import make_backlogs_json, print_backlogs
from digest.cli.operations.replica import make_replica_json, print_replica
from digest.cli.paper_import import describe_import, make_import_json
from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.app import App
    from digest.core.delivery.throttling.pauses import ServerFailure
    from digest.jobs.editions.compose import WaitingRun
    from digest.jobs.operations.status import Status
    from digest.model import Batch, Edition, Section
    from digest.store.database.samples import Sample
    from digest.store.fetching.rate_limits import BucketPause
    from digest.store.operations.notices import Notice
    from digest.store.workers.workers import Worker

_MAX_SUPPRESSED = 5
_MAX_NAMES = 5
"""Maximum number of digests that a line names; ``--json`` lists all."""


# --- status ---------------------------------------------------------------------------------------


@click.command()
@config_option
@now_option
@json_option
def status(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """Show what arrived, what is missing and why, and what is due next.

    Lists the sources, the announcement days of the last week and the incomplete ones of the last 90 days, the
    last runs, deliveries by state with the latest problems, the next editions, and the addresses of the feeds.
    """
    from digest.cli.terminal.format_events import make_waiting_json
    from digest.jobs.editions.compose import list_waiting_runs
    from digest.jobs.fetching.ledger import select_declared_sources, update_ledger
    from digest.jobs.operations.status import load_status as gather
    from digest.render.delivery.files import format_instant

    with open_configured_app(config, now) as app:
        with app.store.begin_write() as tx:
            # Only what was applied: a command that shows something declares no section of another file.
            update_ledger(tx, select_declared_sources(tx, app.sources), app.clock())
            waiting_runs = tuple(list_waiting_runs(tx, app.sources, app.clock()))
        max_names = None if as_json else _MAX_NAMES
        status = gather(app.store, app.clock(), app.settings.delivery, limit=max_names)
        if as_json:
            extra = {
                "enrichers": make_backlogs_json(app),
                "waiting": list(map(make_waiting_json, waiting_runs)),
                "feeds": list(_list_feeds(app, status)),
                "replica": make_replica_json(app),
                "restored": format_instant(status.restored_from) if status.restored_from else None,
            }
            print_json(_make_status_json(status) | extra)
        else:
            _print_status(app, status, waiting_runs)
    return 0


def _print_status(app: App, status: Status, waiting_runs: Sequence[WaitingRun]) -> None:
    from digest.cli.terminal.format_events import describe_waiting, style_state
    from digest.model import RunState

    click.secho("Sources", bold=True)
    _print_sources(app, status)
    print_backlogs(app)
    _print_imports(status)
    click.secho("Announcement days", bold=True)
    _print_days(app, status)
    click.secho("Runs", bold=True)
    for run, names in status.runs:
        placeholder = "no editions" if run.state is RunState.COMPOSED else ""
        digest_names = ", ".join([*names.first, *_count_more(names)]) or placeholder
        click.echo(f"  {run.period}  {run.state.value:9} {digest_names}".rstrip())
    for text in describe_waiting(waiting_runs, app.branding.source_titles):
        click.echo(f"  {text}")
    click.secho("Deliveries", bold=True)
    counts = (f"{count} {style_state(state)}" for state, count in sorted(status.deliveries.items()))
    click.echo(f"  {', '.join(counts) or 'none yet'}")
    _print_delivery_limits(status)
    _print_bounces(status)
    for trouble in status.troubles:
        click.echo(
            f"  {trouble.digest}, {trouble.period} → {trouble.address}: {style_state(trouble.state)}: {trouble.answer}"
        )
    _print_workers(status)
    print_replica(app)
    _print_next(status)
    _print_feeds(app, status)
    if status.all_fail:
        text = "All sources fail, for the reasons above. Editions wait for three hours, or until one source answers."
        click.secho(text, fg="red")


def _print_workers(status: Status) -> None:
    if status.workers:
        click.secho("Workers", bold=True)
    for worker, age in status.workers:
        activity = worker.activity or "waiting"
        click.echo(
            f"  {worker.command or 'digest'} on {worker.host}, release {worker.release}: {activity}; "
            f"last heard of {max(age, 0.0):.0f} s ago"
        )
    for trouble in status.worker_troubles:
        click.secho(f"  {trouble.text}", fg="yellow")


def _print_next(status: Status) -> None:
    from digest.cli.terminal.format_events import describe_omission, describe_pause, format_time
    from digest.model import RunState

    click.secho("Next", bold=True)
    for upcoming in status.upcoming.first:
        click.echo(
            f"  {format_time(upcoming.at, upcoming.zone)}  {upcoming.digest}{describe_omission(upcoming)}"
        )
    _print_more(status.upcoming, "at that time or later")
    for resting_digest in status.paused_digests.first:
        click.echo(
            f"  {resting_digest.digest} {click.style(describe_pause(resting_digest.pause, resting_digest.zone), fg='yellow')}"
        )
    _print_more(status.paused_digests, "paused")
    for alert_day in status.alert_counts.first:
        click.echo(f"  {alert_day.digest}: alerts today: {alert_day.sent} of {alert_day.limit}")
    _print_more(status.alert_counts, "with alerts")
    if not status.upcoming.total and not status.paused_digests.total:
        is_open = any(run.state is RunState.OPEN for run, _ in status.runs)
        placeholder = (
            "the edition that is still open"
            if is_open
            else "nothing yet: `digest run` applies the configuration"
        )
        click.echo(f"  {placeholder}")


def _count_more(listed: Sample[Any]) -> list[str]:
    return [f"{listed.more:,} more"] if listed.more else []


def _print_more(listed: Sample[Any], label: str) -> None:
    for more in _count_more(listed):
        click.echo(f"  {more} {label}")


def _print_feeds(app: App, status: Status) -> None:
    feeds = list(_list_feeds(app, status))
    if feeds:
        click.secho("Feeds (private addresses; replace .atom by .rss or .json for other formats)", bold=True)
    for feed in feeds:
        click.echo(f"  {feed['digest']}: {feed['atom']}")
    if feeds:
        _print_more(status.feeds, "with feeds: `digest feeds list`")


def _list_feeds(app: App, status: Status) -> Iterator[dict[str, str]]:
    """List the addresses of the feeds, if there is a site."""
    from digest.render.publishing.feeds import FEED_FORMATS

    if app.pages is not None:
        for number, name, version in status.feeds.first:
            yield {"digest": name} | {
                form: app.pages.make_feed_url(number, name, form, version) for form in FEED_FORMATS
            }


def _print_delivery_limits(status: Status) -> None:
    """Print what delays or limits deliveries."""
    from digest.cli.terminal.format_events import describe_held_run, format_time
    from digest.render.languages.english import format_count

    for server, trouble in status.servers.items():
        click.echo(
            f"  {server}: {click.style('in trouble', fg='yellow')}, next attempt {format_time(trouble.until)}: {trouble.reason}"
        )
    for domain, slowdown in status.domains.items():
        until = f"nothing is sent until {format_time(slowdown.until)}, then " if slowdown.is_paused else ""
        click.echo(
            f"  {domain}: {click.style('accepts less', fg='yellow')}: {until}sending {slowdown.factor:g} times slower for now"
        )
    if status.restored_from is not None:
        from digest.cli.backups.restored import describe_hold

        click.echo(f"  {click.style('Held', fg='red')}: {describe_hold(status.restored_from)}")
    for run in status.held_runs:
        click.echo(f"  {describe_held_run(run)}")
    if status.undelivered_notices:
        since, attempts = (
            status.undelivered_notices[0].noted_at,
            max(notice.attempts for notice in status.undelivered_notices),
        )
        click.echo(
            f"  {click.style('Not delivered', fg='yellow')} to all of [operator] notify since {format_time(since)}, after "
            f"{format_count(attempts, 'attempt')}: {format_count(len(status.undelivered_notices), 'notice')}; `digest check` tests the destinations"
        )
    if status.rates:
        rate_texts = (f"{name} {rate}" for name, rate in status.rates.items())
        click.echo(f"  at most {', '.join(rate_texts)}")


def _print_bounces(status: Status) -> None:
    """Print bounces, and the addresses that get nothing because of them."""
    from digest.cli.terminal.format_events import describe_suppression
    from digest.model import BounceClass
    from digest.render.languages.english import BOUNCE_MEANINGS

    for finding, number in status.reports.items():
        click.echo(f"  {number:,} in the last seven days: {BOUNCE_MEANINGS[BounceClass(finding)]}")
    for report in status.our_refusals:
        click.echo(f"  {click.style('our fault', fg='red')}: {report.mailbox}: {report.answer}")
    for suppressed_mailbox in status.suppressions[:_MAX_SUPPRESSED]:
        click.echo(f"  {suppressed_mailbox.mailbox} has been {describe_suppression(suppressed_mailbox)}")
    if len(status.suppressions) > _MAX_SUPPRESSED:
        more = len(status.suppressions) - _MAX_SUPPRESSED
        click.echo(f"  {more:,} more addresses get nothing: `digest subscribers list --suppressed`")


def _print_sources(app: App, status: Status) -> None:
    from digest.cli.terminal.format_events import format_time
    from digest.model import BatchState
    from digest.render.languages.english import format_count

    titles = app.branding.source_titles
    late = Counter(
        (batch.source, batch.section)
        for batch in status.batches
        if batch.state in {BatchState.WAITING, BatchState.FAILED}
    )
    for section in status.sections:
        reached = (
            f"last reached {format_time(section.answered_at)}" if section.answered_at else "never reached"
        )
        text = f"  {titles.get(section.source, section.source)} {section.name}: {reached}"
        if missing := late[section.source, section.name]:
            text += f"; {format_count(missing, 'day')} outstanding"
        if interval := app.sources[section.source].pace if section.source in app.sources else 0:
            text += f"; at most one request in {interval:g} s"
        click.echo(text)
        for route in section.routes:
            if route.gone:
                click.echo(f"    {route.route}: {click.style(route.error, fg='red')}")
            elif route.error:
                click.echo(
                    f"    {route.route}: {click.style('last attempt failed', fg='red')}: {route.error}"
                )
            elif route.unfinished:
                click.echo(
                    f"    {route.route}: {click.style('incomplete', fg='yellow')}; the next pull fetches the remaining pages"
                )
    for name, pause in status.paused_buckets.items():
        click.echo(
            f"  {name}: {click.style('paused', fg='yellow')} until {format_time(pause.until)}: {pause.reason}"
        )


def _print_imports(status: Status) -> None:
    """Print which papers of earlier years are imported."""
    if status.imports:
        click.secho("Imported papers", bold=True)
    for paper_import in status.imports:
        click.echo(f"  {describe_import(paper_import)}")


def _print_days(app: App, status: Status) -> None:
    from digest.cli.terminal.format_events import style_state
    from digest.render.editions.completeness import describe_completeness
    from digest.render.languages.locales import ENGLISH

    for day, group in groupby(
        sorted(status.batches, key=lambda batch: batch.day, reverse=True), lambda batch: batch.day
    ):
        batches = list(group)
        completeness = describe_completeness(batches, app.branding.source_titles, app.clock(), "UTC", ENGLISH)
        states = sorted({batch.state.value for batch in batches})
        click.echo(f"  {day:%a} {day}  {', '.join(style_state(state) for state in states)}")
        for text in completeness.lines:
            click.echo(f"    {text}")
        for error in dict.fromkeys(batch.error for batch in batches if batch.error):
            click.echo(f"      reported as: {error}")  # readers get a sentence of ours instead


def _make_worker_json(worker: Worker, age: float) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {
        "command": worker.command,
        "host": worker.host,
        "release": worker.release,
        "queues": list(worker.queues),
        "channels": list(worker.channels),
        "activity": worker.activity,
        "since": format_instant(worker.started_at),
        "silent_seconds": round(age, 1),
        "clock_offset": round(worker.clock_offset, 3),
        "file": worker.file_hash,
    }


def _make_status_json(status: Status) -> dict[str, Any]:
    from digest.cli.terminal import format_events
    from digest.render.delivery.files import format_instant

    return {
        "sections": [_make_section_json(section) for section in status.sections],
        "paused": [{"what": name} | _make_pause_json(pause) for name, pause in status.paused_buckets.items()],
        "batches": [_make_batch_json(batch) for batch in status.batches],
        "runs": [
            {"period": run.period, "state": run.state.value, "digests": list(names.first)}
            for run, names in status.runs
        ],
        "deliveries": status.deliveries,
        "rates": dict(status.rates),
        "servers": [{"server": server} | _make_pause_json(pause) for server, pause in status.servers.items()],
        "untold": [_make_notice_json(entry) for entry in status.undelivered_notices],
        "domains": [
            {"domain": domain, "until": format_instant(slowdown.until), "slowed": slowdown.factor}
            for domain, slowdown in status.domains.items()
        ],
        "held_runs": [format_events.make_held_run_json(run) for run in status.held_runs],
        "reports": dict(status.reports),
        "suppressed": [
            {"address": entry.mailbox, **(format_events.make_suppression_json(entry) or {})}
            for entry in status.suppressions
        ],
        "blaming": [format_events.make_report_json(entry) for entry in status.our_refusals],
        "troubles": [make_delivery_json(entry) for entry in status.troubles],
        "next": [format_events.make_upcoming_json(entry) for entry in status.upcoming.first],
        "resting": [
            {"digest": entry.digest, **format_events.make_pause_json(entry.pause)}
            for entry in status.paused_digests.first
        ],
        "imports": list(map(make_import_json, status.imports)),
        "workers": [_make_worker_json(worker, age) for worker, age in status.workers],
        "worker_troubles": [trouble.text for trouble in status.worker_troubles],
        "alerts": [
            {"digest": entry.digest, "today": entry.sent, "most": entry.limit}
            for entry in status.alert_counts.first
        ],
    }


def _make_pause_json(pause: BucketPause | ServerFailure) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {"until": format_instant(pause.until), "why": pause.reason}


def _make_notice_json(notice: Notice) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    since = format_instant(notice.noted_at)
    return {"name": notice.name, "text": notice.text, "since": since, "attempts": notice.attempts}


def _make_section_json(section: Section) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    def format_optional_instant(at: datetime | None) -> str | None:
        return format_instant(at) if at else None

    return {
        "source": section.source,
        "section": section.name,
        "since": section.since.isoformat(),
        "asked_at": format_optional_instant(section.asked_at),
        "answered_at": format_optional_instant(section.answered_at),
        "error": section.last_asked.error if section.last_asked else "",
        "routes": [
            {
                "route": route.route,
                "asked_at": format_optional_instant(route.asked_at),
                "answered_at": format_optional_instant(route.answered_at),
                "next_at": format_optional_instant(route.next_at),
                "unfinished": route.unfinished,
                "errors": route.errors,
                "error": route.error,
                "gone": route.gone,
            }
            for route in section.routes
        ],
    }


def _make_batch_json(batch: Batch) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant, make_batch_json

    answers = [
        {
            "route": answer.route,
            "at": format_instant(answer.at),
            "verdict": answer.verdict.value,
            "listed": answer.listed,
            "expected": answer.expected,
        }
        for answer in batch.answers
    ]
    return make_batch_json(batch, error=batch.error) | {"answers": answers}


# --- editions -------------------------------------------------------------------------------------


@click.command()
@click.argument("which", required=False, metavar="[DIGEST|NUMBER]")
@config_option
@json_option
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
def editions(which: str | None, config: Path | None, *, as_json: bool, last: int) -> int:
    """List the latest editions, of all digests or of DIGEST; with a NUMBER, show that edition.

    An edition is shown as text, followed by its deliveries.

    \b
    Examples:
      digest editions llm-systems
      digest editions 12
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    with open_configured_app(config) as app:
        if which is not None and which.isdecimal() and len(which) < 19:
            return _show_edition(app, int(which), as_json=as_json)
        from digest.jobs.editions.explain import find_digest
        from digest.store.editions.editions import list_summaries

        with app.store.begin_read() as tx:
            rows = list_summaries(tx, digest=which, limit=last)
            if which is not None and not rows:
                find_digest(tx, which)  # raises an error that lists the digests
        if as_json:
            from digest.render.delivery.files import format_instant

            print_json([asdict(entry) | {"composed_at": format_instant(entry.composed_at)} for entry in rows])
            return 0
        for entry in rows:
            contents = (
                f"skipped: {entry.skipped}" if entry.skipped else f"{entry.items} papers, {entry.rest} more"
            )
            click.echo(f"{entry.id:6}  {entry.period:20}  {entry.digest}: {contents}")
        if not rows:
            click.echo("There are no editions yet.")
    return 0


def _show_edition(app: App, number: int, *, as_json: bool) -> int:
    from digest.cli.terminal.format_events import style_state
    from digest.errors import ConfigError
    from digest.render.delivery.files import make_edition_json
    from digest.render.delivery.mail import render_mail
    from digest.store.database.retention import read_editions_start
    from digest.store.delivery.outbox import list_for_edition
    from digest.store.editions.editions import load_editions

    with app.store.begin_read() as tx:
        loaded: dict[int, Edition] = load_editions(tx, [number])
        deliveries = list_for_edition(tx, number)
        since = read_editions_start(tx)
    if number not in loaded:
        retention_note = f" (those from before {since:%Y-%m-%d} were removed)" if since else ""
        raise ConfigError(f"there is no edition {number}{retention_note}; `digest editions` lists them")
    locale = app.get_locale_bundle(loaded[number].language)
    if as_json:
        document = make_edition_json(loaded[number], locale.branding)
        print_json({**document, "deliveries": [make_delivery_json(delivery) for delivery in deliveries]})
        return 0
    click.echo(render_mail(locale.environment, loaded[number], locale.branding).text)
    for delivery in deliveries:
        click.echo(f"→ {delivery.address}: {style_state(delivery.state)} {delivery.answer}")
    return 0
