"""``digest deliveries``: list, retry and drop deliveries, and release runs that are held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

import click

from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import (
    InstantParam,
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from digest.app import App
    from digest.jobs.operations.decisions import DeliveryChange
    from digest.model import Delivery
    from digest.store.delivery.decisions import DeliveryFilter
    from digest.store.delivery.reports import StoredReport
    from digest.store.subscribers.subscribers import Subscriber

F = TypeVar("F", bound=Callable[..., Any])
_STATES = ("ready", "leased", "held", "sent", "refused", "unknown", "expired", "dropped")
"""The states of ``store.delivery.outbox``, whose import takes too long for ``--help``."""


@click.group(cls=CommandGroup, default="list")
def deliveries() -> None:
    """List, retry or drop deliveries, or release a run that is held.

    \b
    Examples:
      digest deliveries list --to alice@example.org    did she get it, and if not, why?
      digest deliveries retry --run 12 --code 550      retry what was refused with 550
      digest deliveries release 12                     continue a run that is held
      digest deliveries release --restored             send again after a restore
    """  # noqa: D301 - \b tells click not to wrap the lines that follow


def _add_filter_options(states: tuple[str, ...]) -> Callable[[F], F]:
    """Add the options that select deliveries."""

    def add(command: F) -> F:
        for option in (
            click.option(
                "--address",
                "--to",
                metavar="ADDRESS",
                help="Only deliveries to this address, or to @domain.",
                default="",
            ),
            click.option(
                "--code",
                metavar="CODE",
                help="Only deliveries whose last answer has this code: 550, 5.1.1.",
                default="",
            ),
            click.option("--run", type=int, metavar="RUN", help="Only deliveries of this run."),
            click.option("--state", type=click.Choice(states), help="Only deliveries in this state."),
        ):
            command = option(command)
        return command

    return add


@deliveries.command("list")
@_add_filter_options(_STATES)
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool, last: int, **filters: Any) -> int:
    """List the latest deliveries and their results.

    Shows what the other side answered, and what has come back since. With --to ADDRESS, the command also shows
    the state of that address: whether its reader unsubscribed or complained, and whether anything blocks mail
    to it, since when and why.
    """
    from digest.store.delivery.decisions import list_deliveries
    from digest.store.delivery.reports import load_last_by_delivery

    with open_configured_app(config) as app:
        with app.store.begin_read() as tx:
            selected = list_deliveries(tx, _make_selection(filters), last)
            reports = load_last_by_delivery(tx, [delivery.id for delivery in selected])
        if as_json:
            print_json([_make_listed_json(delivery, reports.get(delivery.id)) for delivery in selected])
            return 0
        for delivery in selected:
            _print(delivery, reports.get(delivery.id))
        if not selected:
            click.echo("There is no such delivery.")
        if "@" in filters["address"][1:]:
            _print_address_status(app, filters["address"])
    return 0


def _print(delivery: Delivery, report: StoredReport | None) -> None:
    from digest.cli.terminal.format_events import ROAD_NAMES, style_state
    from digest.render.languages.operator_texts import describe_delivery

    meaning = (
        ""
        if report is None and delivery.state in _SELF_EXPLANATORY_STATES
        else f": {describe_delivery(delivery, report.finding if report else None)}"
    )
    report_text = (
        f" ({ROAD_NAMES.get(report.road, report.road)}: {report.answer})"
        if _is_later(report, delivery)
        else ""
    )
    click.echo(
        f"{delivery.id:6}  {delivery.period:20}  {delivery.digest} → {delivery.address}: {style_state(delivery.state)} {delivery.answer}{meaning}{report_text}"
    )


_SELF_EXPLANATORY_STATES = frozenset({"sent", "leased", "held", "dropped"})
"""States that need no explanation on a terminal."""


def _is_later(report: StoredReport | None, delivery: Delivery) -> TypeGuard[StoredReport]:
    """Whether a report differs from the server's immediate answer."""
    return report is not None and report.answer != delivery.answer


def _print_address_status(app: App, address: str) -> None:
    """Print whether anything blocks mail to an address."""
    from digest.cli.terminal.format_events import describe_bounces, describe_suppression
    from digest.jobs.subscribers.subscriptions import load_standing
    from digest.store.subscribers.subscribers import list_subscribers

    with app.store.begin_read() as tx:
        address_status = load_standing(tx, address.lower(), app.clock())
        address_subscribers = list_subscribers(tx, address=address)
    sentences = [
        f"its reader unsubscribed from {subscriber.digest}"
        for subscriber in address_subscribers
        if subscriber.stopped
    ]
    if address_status.complaint is not None:
        sentences.append(
            f"its reader complained on {address_status.complaint.at:%Y-%m-%d} ({address_status.complaint.answer})"
        )
    if address_status.suppression is not None:
        sentences.append(f"it has been {describe_suppression(address_status.suppression)}")
    if bounce_text := describe_bounces(address_status.score).strip(" ()"):
        sentences.append(bounce_text)
    if not sentences:
        sentences.append(
            "nothing blocks mail to it"
            if _is_destination(app, address_subscribers, address)
            else "no digest goes to it"
        )
    click.echo(f"{address}: {'; '.join(sentences)}.")


def _is_destination(app: App, address_subscribers: Sequence[Subscriber], address: str) -> bool:
    """Whether a digest goes to an address, or will from the next run on."""
    declared = {
        destination.address.lower() for entry in app.settings.digests for destination in entry.destinations
    }
    active = (entry for entry in address_subscribers if entry.state != "ended" and not entry.digest_ended)
    return address.lower() in declared or any(active)


def _make_listed_json(delivery: Delivery, report: StoredReport | None) -> dict[str, Any]:
    from digest.cli.terminal.format_events import make_report_json
    from digest.render.languages.operator_texts import describe_delivery

    return make_delivery_json(delivery) | {
        "meaning": describe_delivery(delivery, report.finding if report else None),
        "report": make_report_json(report) if report else None,
    }


@deliveries.command()
@click.option(
    "--last", default=20, show_default=True, type=click.IntRange(1), help="How many domains to list."
)
@config_option
@json_option
def domains(config: Path | None, *, as_json: bool, last: int) -> int:
    """Count deliveries by domain and state.

    Counts the last 50,000. The domains with most deliveries come first.
    """
    from digest.store.operations.delivery_counts import count_by_domain

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        domain_counts = count_by_domain(tx, last)
    if as_json:
        print_json([{"domain": entry.domain, "deliveries": dict(entry.states)} for entry in domain_counts])
        return 0
    for entry in domain_counts:
        states = ", ".join(f"{count:,} {state}" for state, count in sorted(entry.states.items()))
        click.echo(f"{entry.domain or 'folders and chats'}: {states}")
    if not domain_counts:
        click.echo("There are no deliveries yet.")
    return 0


@deliveries.command()
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]...")
@_add_filter_options(("ready", "refused", "unknown", "expired", "dropped"))
@now_option
@config_option
@json_option
def retry(
    numbers: tuple[int, ...], config: Path | None, now: datetime | None, *, as_json: bool, **filters: Any
) -> int:
    """Retry deliveries that failed, or that wait for a retry.

    These are deliveries that were refused, may have arrived, were given up or were dropped. Choose them by
    number or by options. The next pass sends them, with the same Message-ID; deliveries that were sent are
    never sent again. Deliveries of a run that is held wait until you release it.
    """
    from digest.jobs.operations.decisions import retry_deliveries

    with open_configured_app(config, now) as app:
        selection = _require_selection(filters, numbers)
        change = retry_deliveries(app.store, make_shell_actor(), selection, app.clock())
    pronoun = "it" if change.changed == 1 else "them"
    message = f"{_format_count(change.changed)} due now; the next pass sends {pronoun}."
    for run in change.held_runs:
        message += (
            f"\nRun {run} is held, so its deliveries wait until you run `digest deliveries release {run}`."
        )
    return _report_change(change, message, "retried", as_json=as_json)


@deliveries.command()
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]...")
@_add_filter_options(("ready", "held", "refused", "unknown", "expired"))
@click.option(
    "--due-before",
    type=InstantParam(),
    help="Only deliveries that were due before this time (2026-05-08T07:31).",
)
@config_option
@json_option
def drop(numbers: tuple[int, ...], config: Path | None, *, as_json: bool, **filters: Any) -> int:
    """Drop deliveries that are waiting.

    They are not sent unless you retry them. With numbers or --state, the command also drops deliveries that
    were refused, given up, or may have arrived; `digest status` then no longer lists them. With --run and no
    other option, it drops everything of that run, including deliveries in progress that would be retried.
    """
    from digest.jobs.operations.decisions import drop_deliveries

    with open_configured_app(config) as app:
        selection = _require_selection(filters, numbers)
        change = drop_deliveries(app.store, make_shell_actor(), selection, app.clock())
    return _report_change(change, f"{_format_count(change.changed)} dropped.", "dropped", as_json=as_json)


@deliveries.command()
@click.argument("run", type=int, required=False)
@click.option(
    "--restored", "is_restored", is_flag=True, help="Continue all runs that are held because of a restore."
)
@config_option
@json_option
def release(run: int | None, config: Path | None, *, is_restored: bool, as_json: bool) -> int:
    """Continue RUN, which is held.

    A run is held if too many of its mails were refused, or if it is unusually large. It is not held again.
    With --restored, everything is sent again that is held since the database was restored from a backup.
    """
    from digest.errors import ConfigError
    from digest.jobs.operations.decisions import release_run
    from digest.store.editions.held_runs import list_held_runs

    if is_restored == (run is not None):
        raise ConfigError(
            "give the number of a run, or --restored for all runs that are held because of a restore"
        )
    with open_configured_app(config) as app:
        if run is None:
            return _release_restored(app, as_json=as_json)
        changed = release_run(app.store, make_shell_actor(), run, app.clock())
        if changed is None:
            with app.store.begin_read() as tx:
                held_runs = list_held_runs(tx)
            run_numbers = ", ".join(str(held_run.id) for held_run in held_runs)
            raise ConfigError(
                f"run {run} is not held; {f'runs that are held: {run_numbers}' if run_numbers else 'no run is held'}; see `digest status`"
            )
        if as_json:
            print_json({"deliveries": changed})
        else:
            click.echo(f"Run {run} continues with the next pass: {_format_count(changed)} due.")
    return 0


def _release_restored(app: App, *, as_json: bool) -> int:
    from digest.errors import ConfigError
    from digest.jobs.backups.restored_backup import release_restored
    from digest.render.languages.english import format_count

    released = release_restored(app.store, make_shell_actor(), app.clock())
    if released is None:
        raise ConfigError(
            "the database is not held because of a restore; `digest status` lists runs that are held"
        )
    if as_json:
        print_json({"deliveries": released.deliveries})
    else:
        runs = format_count(released.runs, "run continues", "runs continue")
        click.echo(f"{runs} with the next pass: {_format_count(released.deliveries)} waiting.")
    return 0


def _make_selection(filters: dict[str, Any], numbers: tuple[int, ...] = ()) -> DeliveryFilter:
    from digest.store.delivery.decisions import DeliveryFilter

    return DeliveryFilter(
        ids=numbers,
        state=filters["state"] or "",
        run=filters["run"],
        code=filters["code"],
        address=filters["address"],
        due_before=filters.get("due_before"),
    )


def _require_selection(filters: dict[str, Any], numbers: tuple[int, ...]) -> DeliveryFilter:
    """Make the filter of deliveries from the options.

    Raises:
        ConfigError: no option was given.
    """
    from digest.errors import ConfigError

    selection = _make_selection(filters, numbers)
    if selection.is_empty:
        raise ConfigError("choose deliveries by number, --state, --run, --code or --address")
    return selection


def _report_change(change: DeliveryChange, message: str, action: str, *, as_json: bool) -> int:
    """Print what became of the selected deliveries.

    Args:
        change: what became of them.
        message: what is printed if some were changed.
        action: what was to be done, as a participle.
        as_json: whether to print JSON.
    """
    if as_json:
        print_json({"deliveries": change.changed})
    else:
        click.echo(message if change.changed else _describe_refusal(change.counts, action))
    return 0 if change.changed else 1


def _describe_refusal(state_counts: dict[str, int], action: str) -> str:
    """Say why none of the selected deliveries could be changed."""
    if not state_counts:
        return "There is no such delivery; `digest deliveries list` lists them."
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(state_counts.items()))
    hint = "; `digest deliveries release RUN` continues a run that is held" if "held" in state_counts else ""
    return f"None of them can be {action}: {states}{hint}."


def _format_count(number: int) -> str:
    return "1 delivery is" if number == 1 else f"{number:,} deliveries are"


def make_delivery_json(delivery: Delivery) -> dict[str, Any]:
    """Make the JSON object of a delivery that docs/reference/commands.md describes."""
    from digest.render.delivery.files import format_instant

    return {
        "id": delivery.id,
        "edition": delivery.edition,
        "run": delivery.run,
        "digest": delivery.digest,
        "period": delivery.period,
        "channel": delivery.channel,
        "address": delivery.address,
        "state": delivery.state,
        "due_at": format_instant(delivery.due_at),
        "attempts": delivery.attempts,
        "message_id": delivery.message_id,
        "answer": delivery.answer,
        "blame": delivery.blame,
        "expires_at": format_instant(delivery.expires_at) if delivery.expires_at else None,
        "sent_at": format_instant(delivery.sent_at) if delivery.sent_at else None,
    }
