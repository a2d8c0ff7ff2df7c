"""The commands that only look: status and editions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.delivery.deliveries import delivery_json
from digest.cli.operations.enrich import backlogs_json, print_backlogs
from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.editions.compose import Waiting
    from digest.jobs.operations.status import Status
    from digest.model import Batch, Edition, Section
    from digest.store.database.samples import Listed
    from digest.store.delivery.rates import Trouble
    from digest.store.fetching.rate_limits import Paused
    from digest.store.operations.notices import Notice

_MOST_SUPPRESSED = 5
_MOST_NAMES = 5
"""Digests that are named for each thing; with --json all are."""


# --- status ---------------------------------------------------------------------------------------


@click.command()
@config_option
@now_option
@json_option
def status(config: Path | None, now: datetime | None, *, as_json: bool) -> int:
    """What came, what did not and why, what is due next."""
    from digest.cli.terminal.format_events import waiting_json
    from digest.jobs.editions.compose import waiting
    from digest.jobs.fetching.ledger import account
    from digest.jobs.operations.status import status as gather

    with opened(config, now) as app:
        with app.store.writing() as tx:
            account(tx, app.sources, app.clock())
            open_ = tuple(waiting(tx, app.sources, app.clock()))
        most = None if as_json else _MOST_NAMES
        found = gather(app.store, app.clock(), app.settings.delivery, most=most)
        if as_json:
            more = {
                "enrichers": backlogs_json(app),
                "waiting": list(map(waiting_json, open_)),
                "feeds": list(_feeds(app, found)),
            }
            print_json(_status_json(found) | more)
        else:
            _print_status(app, found, open_)
    return 0


def _print_status(app: App, found: Status, open_: Sequence[Waiting]) -> None:
    from digest.cli.terminal.format_events import coloured, waits
    from digest.model import RunState

    click.secho("Sources", bold=True)
    _print_sources(app, found)
    print_backlogs(app)
    click.secho("Announcement days", bold=True)
    _print_days(app, found)
    click.secho("Runs", bold=True)
    for run, names in found.runs:
        nobody = "no digest had an edition" if run.state is RunState.COMPOSED else ""
        whose = ", ".join([*names.first, *_count_more(names)]) or nobody
        click.echo(f"  {run.period}  {run.state.value:9} {whose}".rstrip())
    for text in waits(open_, app.masthead.source_titles):
        click.echo(f"  {text}")
    click.secho("Deliveries", bold=True)
    counts = (f"{count} {coloured(state)}" for state, count in sorted(found.deliveries.items()))
    click.echo(f"  {', '.join(counts) or 'none yet'}")
    _print_delivering(found)
    _print_returns(found)
    for trouble in found.troubles:
        click.echo(
            f"  {trouble.digest}, {trouble.period} → {trouble.address}: {coloured(trouble.state)}: {trouble.answer}"
        )
    _print_next(found)
    _print_feeds(app, found)
    if found.all_fail:
        text = "Every source fails, for the reasons above. No edition closes for three hours, or until one answers."
        click.secho(text, fg="red")


def _print_next(found: Status) -> None:
    from digest.cli.terminal.format_events import moment, omits, rests
    from digest.model import RunState

    click.secho("Next", bold=True)
    for one in found.coming.first:
        click.echo(f"  {moment(one.at, one.zone)}  {one.digest}{omits(one)}")
    _print_more(found.coming, "then or later")
    for rest in found.resting.first:
        click.echo(f"  {rest.digest} {click.style(rests(rest.pause, rest.zone), fg='yellow')}")
    _print_more(found.resting, "paused")
    for one_day in found.alerted.first:
        click.echo(f"  {one_day.digest}: alerts today: {one_day.told} of {one_day.most}")
    _print_more(found.alerted, "with alerts")
    if not found.coming.total and not found.resting.total:
        is_open = any(run.state is RunState.OPEN for run, _ in found.runs)
        none = "the edition that is open" if is_open else "nothing: `digest run` applies the configuration"
        click.echo(f"  {none}")


def _count_more(things: Listed[Any]) -> list[str]:
    return [f"{things.more:,} more"] if things.more else []


def _print_more(things: Listed[Any], what: str) -> None:
    for more in _count_more(things):
        click.echo(f"  {more} {what}")


def _print_feeds(app: App, found: Status) -> None:
    feeds = list(_feeds(app, found))
    if feeds:
        click.secho("Feeds, for their readers alone; also with .rss and .json at the end", bold=True)
    for feed in feeds:
        click.echo(f"  {feed['digest']}: {feed['atom']}")
    if feeds:
        _print_more(found.feeds, "with feeds: `digest feeds list`")


def _feeds(app: App, found: Status) -> Iterator[dict[str, str]]:
    """Where digests have their feeds, if we answer on the web."""
    from digest.render.publishing.feeds import FORMS

    if app.pages is not None:
        for number, name, version in found.feeds.first:
            yield {"digest": name} | {form: app.pages.feed(number, name, form, version) for form in FORMS}


def _print_delivering(found: Status) -> None:
    """What keeps deliveries back, and what they are held to."""
    from digest.cli.terminal.format_events import held, moment
    from digest.render.languages.english import count

    for server, trouble in found.servers.items():
        click.echo(
            f"  {server}: {click.style('in trouble', fg='yellow')}, tried again {moment(trouble.until)}: {trouble.reason}"
        )
    for domain, slow in found.domains.items():
        until = f"nothing until {moment(slow.until)}, then " if slow.paused else ""
        click.echo(
            f"  {domain}: {click.style('wants less', fg='yellow')}: {until}{slow.slowed:g} times slower; it wears off"
        )
    for run in found.held:
        click.echo(f"  {held(run)}")
    if found.untold:
        since, tried = found.untold[0].noted_at, max(one.attempts for one in found.untold)
        click.echo(
            f"  {click.style('Not told', fg='yellow')} to all of [operator] notify, since {moment(since)} and in "
            f"{count(tried, 'attempt')}: {count(len(found.untold), 'notice')}; `digest check` tries its ways"
        )
    if found.rates:
        told = (f"{what} {rate}" for what, rate in found.rates.items())
        click.echo(f"  at most {', '.join(told)}")


def _print_returns(found: Status) -> None:
    """What came back, and whom nothing goes to because of that."""
    from digest.cli.terminal.format_events import suppression
    from digest.model import Finding
    from digest.render.languages.english import MEANINGS

    for finding, number in found.reports.items():
        click.echo(f"  {number:,} came back in seven days: {MEANINGS[Finding(finding)]}")
    for report in found.blaming:
        click.echo(f"  {click.style('ours', fg='red')}: {report.mailbox}: {report.answer}")
    for one in found.suppressed[:_MOST_SUPPRESSED]:
        click.echo(f"  {one.mailbox} is {suppression(one)}")
    if len(found.suppressed) > _MOST_SUPPRESSED:
        more = len(found.suppressed) - _MOST_SUPPRESSED
        click.echo(f"  {more:,} more addresses get nothing: `digest subscribers list --suppressed`")


def _print_sources(app: App, found: Status) -> None:
    from digest.cli.terminal.format_events import moment
    from digest.model import BatchState
    from digest.render.languages.english import count

    titles = app.masthead.source_titles
    late = Counter(
        (one.source, one.section)
        for one in found.batches
        if one.state in {BatchState.WAITING, BatchState.FAILED}
    )
    for section in found.sections:
        last = moment(section.answered_at) if section.answered_at else "never"
        told = f"  {titles.get(section.source, section.source)} {section.name}: answered {last}"
        if missing := late[section.source, section.name]:
            told += f", {count(missing, 'day')} still to come"
        if pace := app.sources[section.source].pace if section.source in app.sources else 0:
            told += f", asked every {pace:g} s at most"
        click.echo(told)
        for route in section.routes:
            if route.gone:
                click.echo(f"    {route.route}: {click.style('gone for good', fg='red')}: {route.error}")
            elif route.error:
                click.echo(
                    f"    {route.route}: {click.style('last attempt failed', fg='red')}: {route.error}"
                )
            elif route.unfinished:
                click.echo(
                    f"    {route.route}: {click.style('under way', fg='yellow')}, goes on with the next pull"
                )
    for name, pause in found.paused.items():
        click.echo(
            f"  {name}: {click.style('paused', fg='yellow')} until {moment(pause.until)}: {pause.reason}"
        )


def _print_days(app: App, found: Status) -> None:
    from digest.cli.terminal.format_events import coloured
    from digest.render.editions.completeness import account
    from digest.render.languages.locales import ENGLISH

    for day, group in groupby(
        sorted(found.batches, key=lambda batch: batch.day, reverse=True), lambda batch: batch.day
    ):
        batches = list(group)
        told = account(batches, app.masthead.source_titles, app.clock(), "UTC", ENGLISH)
        states = sorted({batch.state.value for batch in batches})
        click.echo(f"  {day:%a} {day}  {', '.join(coloured(state) for state in states)}")
        for text in told.lines:
            click.echo(f"    {text}")
        for error in dict.fromkeys(batch.error for batch in batches if batch.error):
            click.echo(f"      in its own words: {error}")  # readers get a sentence of ours instead


def _status_json(found: Status) -> dict[str, Any]:
    from digest.cli.terminal import format_events
    from digest.render.delivery.files import instant_json

    return {
        "sections": [_section_json(section) for section in found.sections],
        "paused": [{"what": name} | _pause_json(pause) for name, pause in found.paused.items()],
        "batches": [_batch_json(batch) for batch in found.batches],
        "runs": [
            {"period": run.period, "state": run.state.value, "digests": list(names.first)}
            for run, names in found.runs
        ],
        "deliveries": found.deliveries,
        "rates": dict(found.rates),
        "servers": [{"server": server} | _pause_json(pause) for server, pause in found.servers.items()],
        "untold": [_untold_json(one) for one in found.untold],
        "domains": [
            {"domain": domain, "until": instant_json(slow.until), "slowed": slow.slowed}
            for domain, slow in found.domains.items()
        ],
        "held_runs": [format_events.held_json(run) for run in found.held],
        "reports": dict(found.reports),
        "suppressed": [
            {"address": one.mailbox, **(format_events.suppression_json(one) or {})}
            for one in found.suppressed
        ],
        "blaming": [format_events.report_json(one) for one in found.blaming],
        "troubles": [delivery_json(one) for one in found.troubles],
        "next": [format_events.coming_json(one) for one in found.coming.first],
        "resting": [
            {"digest": one.digest, **format_events.pause_json(one.pause)} for one in found.resting.first
        ],
        "alerts": [
            {"digest": one.digest, "today": one.told, "most": one.most} for one in found.alerted.first
        ],
    }


def _pause_json(pause: Paused | Trouble) -> dict[str, Any]:
    from digest.render.delivery.files import instant_json

    return {"until": instant_json(pause.until), "why": pause.reason}


def _untold_json(one: Notice) -> dict[str, Any]:
    from digest.render.delivery.files import instant_json

    since = instant_json(one.noted_at)
    return {"name": one.name, "text": one.text, "since": since, "attempts": one.attempts}


def _section_json(section: Section) -> dict[str, Any]:
    from digest.render.delivery.files import instant_json

    def instant(at: datetime | None) -> str | None:
        return instant_json(at) if at else None

    return {
        "source": section.source,
        "section": section.name,
        "since": section.since.isoformat(),
        "asked_at": instant(section.asked_at),
        "answered_at": instant(section.answered_at),
        "error": section.last.error if section.last else "",
        "routes": [
            {
                "route": route.route,
                "asked_at": instant(route.asked_at),
                "answered_at": instant(route.answered_at),
                "next_at": instant(route.next_at),
                "unfinished": route.unfinished,
                "errors": route.errors,
                "error": route.error,
                "gone": route.gone,
            }
            for route in section.routes
        ],
    }


def _batch_json(batch: Batch) -> dict[str, Any]:
    from digest.render.delivery.files import batch_json, instant_json

    answers = [
        {
            "route": answer.route,
            "at": instant_json(answer.at),
            "verdict": answer.verdict.value,
            "listed": answer.listed,
            "expected": answer.expected,
        }
        for answer in batch.answers
    ]
    return batch_json(batch, error=batch.error) | {"answers": answers}


# --- editions -------------------------------------------------------------------------------------


@click.command()
@click.argument("which", required=False, metavar="[DIGEST|NUMBER]")
@config_option
@json_option
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
def editions(which: str | None, config: Path | None, *, as_json: bool, last: int) -> int:
    """List the last editions, or show one by its number."""
    with opened(config) as app:
        if which is not None and which.isdecimal() and len(which) < 19:
            return _show_edition(app, int(which), as_json=as_json)
        from digest.jobs.editions.explain import the_digest
        from digest.store.editions.editions import entries

        with app.store.reading() as tx:
            found = entries(tx, digest=which, most=last)
            if which is not None and not found:
                the_digest(tx, which)  # says which there are
        if as_json:
            from digest.render.delivery.files import instant_json

            print_json([asdict(entry) | {"composed_at": instant_json(entry.composed_at)} for entry in found])
            return 0
        for entry in found:
            what = (
                f"not made: {entry.skipped}" if entry.skipped else f"{entry.items} papers, {entry.rest} more"
            )
            click.echo(f"{entry.id:6}  {entry.period:20}  {entry.digest}: {what}")
        if not found:
            click.echo("There is no edition yet.")
    return 0


def _show_edition(app: App, number: int, *, as_json: bool) -> int:
    from digest.cli.terminal.format_events import coloured
    from digest.errors import ConfigError
    from digest.render.delivery.files import edition_json
    from digest.render.delivery.mail import rendered
    from digest.store.database.retention import editions_kept_since
    from digest.store.delivery.outbox import of_edition
    from digest.store.editions.editions import load

    with app.store.reading() as tx:
        found: dict[int, Edition] = load(tx, [number])
        ways = of_edition(tx, number)
        since = editions_kept_since(tx)
    if number not in found:
        kept = f" (those from before {since:%Y-%m-%d} are not kept any more)" if since else ""
        raise ConfigError(f"there is no edition {number}{kept}; `digest editions` lists them")
    tongue = app.tongue(found[number].language)
    if as_json:
        told = edition_json(found[number], tongue.masthead)
        print_json({**told, "deliveries": [delivery_json(one) for one in ways]})
        return 0
    click.echo(rendered(tongue.environment, found[number], tongue.masthead).text)
    for one in ways:
        click.echo(f"→ {one.address}: {coloured(one.state)} {one.answer}")
    return 0
