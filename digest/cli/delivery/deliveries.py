"""The commands about deliveries: list them, try them again, drop them, let a run go on that is held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, now_option, opened, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from digest.app import App
    from digest.store.database.engine import Transaction
    from digest.store.delivery.decisions import Which
    from digest.store.delivery.outbox import Delivery
    from digest.store.delivery.reports import Kept
    from digest.store.subscribers.subscribers import Subscriber

F = TypeVar("F", bound=Callable[..., Any])
_STATES = ("ready", "leased", "held", "sent", "refused", "unknown", "expired", "dropped")
"""As ``store.deliveries`` has them, which takes long to import."""
_DROPPED = "an operator has dropped it"


@click.group(cls=CommandGroup, default="list")
def deliveries() -> None:
    """List deliveries, try them again, drop them, let a run go on that is held."""


def _which(states: tuple[str, ...]) -> Callable[[F], F]:
    """The options that say which deliveries."""

    def add(command: F) -> F:
        for option in (
            click.option(
                "--address",
                "--to",
                metavar="ADDRESS",
                help="Only to this address, or to @domain.",
                default="",
            ),
            click.option(
                "--code", metavar="CODE", help="Only with this code in the answer: 550, 5.1.1.", default=""
            ),
            click.option("--run", type=int, metavar="RUN", help="Only of this run."),
            click.option("--state", type=click.Choice(states), help="Only in this state."),
        ):
            command = option(command)
        return command

    return add


@deliveries.command("list")
@_which(_STATES)
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to list.")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool, last: int, **which: Any) -> int:
    """List the last deliveries, what the other side answered, and what came back.

    With --to ADDRESS it also says how that address stands: whether anything keeps mail from it, since when and why.
    """
    from digest.store.delivery.decisions import listed
    from digest.store.delivery.reports import of_deliveries

    with opened(config) as app:
        with app.store.reading() as tx:
            found = listed(tx, _chosen(which), last)
            back = of_deliveries(tx, [one.id for one in found])
        if as_json:
            print_json([_with_meaning(one, back.get(one.id)) for one in found])
            return 0
        for one in found:
            _print(one, back.get(one.id))
        if not found:
            click.echo("There is no such delivery.")
        if "@" in which["address"][1:]:
            _print_standing(app, which["address"])
    return 0


def _print(one: Delivery, report: Kept | None) -> None:
    from digest.cli.terminal.format_events import ROADS, coloured

    means = "" if report is None and one.state in _SAY_IT_ALL else f": {meaning(one, report)}"
    back = f" (by {ROADS.get(report.road, report.road)}: {report.answer})" if _is_later(report, one) else ""
    click.echo(
        f"{one.id:6}  {one.period:20}  {one.digest} → {one.address}: {coloured(one.state)} {one.answer}{means}{back}"
    )


_SAY_IT_ALL = frozenset({"sent", "leased", "held", "dropped"})
"""States that need no further word on a terminal."""


def _is_later(report: Kept | None, one: Delivery) -> TypeGuard[Kept]:
    """Whether something came back that the server did not say at once."""
    return report is not None and report.answer != one.answer


def meaning(one: Delivery, report: Kept | None) -> str:
    """Where a delivery is and why, in words.

    Args:
        one: the delivery.
        report: what came back about it; None for nothing.
    """
    from digest.render.languages.english import MEANINGS

    if report is not None and one.state == "sent":
        return f"its server took it, and it came back: {MEANINGS[report.finding]}"
    if report is not None:
        return MEANINGS[report.finding]
    if one.state == "ready" and one.answer:
        return f"put off, tried again from {one.due_at:%Y-%m-%d %H:%M} UTC on"
    if one.state == "dropped":
        return one.answer
    return _MEANINGS[one.state]


_MEANINGS = {
    "ready": "waits for its turn",
    "leased": "is under way",
    "held": "its run is held",
    "sent": "the other side took it, and nothing came back",
    "refused": "the other side does not take it",
    "unknown": "it may have arrived",
    "expired": "given up, after it had been put off for long",
}


def _print_standing(app: App, address: str) -> None:
    """Whether anything keeps mail from an address."""
    from digest.cli.terminal.format_events import bounced, suppression
    from digest.jobs.subscribers.subscriptions import standing
    from digest.store.subscribers.subscribers import subscribers

    with app.store.reading() as tx:
        stands = standing(tx, address.lower(), app.clock())
        theirs = subscribers(tx, address=address)
    told = [f"{one.digest} does not go there: its reader has unsubscribed" for one in theirs if one.stopped]
    if stands.complaint is not None:
        told.append(f"it has complained on {stands.complaint.at:%Y-%m-%d} ({stands.complaint.answer})")
    if stands.suppression is not None:
        told.append(f"it is {suppression(stands.suppression)}")
    if score := bounced(stands.score).strip(" ()"):
        told.append(score)
    if not told:
        told.append(
            "nothing keeps mail from it" if _goes_to(app, theirs, address) else "no digest goes there"
        )
    click.echo(f"{address}: {'; '.join(told)}.")


def _goes_to(app: App, theirs: Sequence[Subscriber], address: str) -> bool:
    """Whether a digest goes to an address, or will with the next run, as the file has it."""
    declared = {to.address.lower() for one in app.settings.digests for to in one.destinations}
    known = (one for one in theirs if one.state != "ended" and not one.digest_ended)
    return address.lower() in declared or any(known)


def _with_meaning(one: Delivery, report: Kept | None) -> dict[str, Any]:
    from digest.cli.terminal.format_events import report_json

    return delivery_json(one) | {
        "meaning": meaning(one, report),
        "report": report_json(report) if report else None,
    }


@deliveries.command()
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]...")
@_which(("ready", "refused", "unknown", "expired", "dropped"))
@now_option
@config_option
@json_option
def retry(
    numbers: tuple[int, ...], config: Path | None, now: datetime | None, *, as_json: bool, **which: Any
) -> int:
    """Try deliveries again that were refused, given up or dropped, or that wait for their next attempt.

    The next pass sends them, with the same Message-ID. What was sent is not sent again.
    """
    from digest.store.delivery.decisions import held_among, try_again

    with opened(config, now) as app:
        chosen = _some(which, numbers)
        with app.store.writing() as tx:
            held = held_among(tx, chosen)
            changed = try_again(tx, chosen, app.clock())
            none = "" if changed else _none(tx, chosen, "tried again")
        told = f"{_count(changed)} due at once: the next pass tries again."
        for run in held:
            told += f"\nRun {run} is held: what is of it waits until `digest deliveries release {run}` lets it go."
        return _told(changed, none or told, as_json=as_json)


@deliveries.command()
@click.argument("numbers", nargs=-1, type=int, metavar="[NUMBER]...")
@_which(("ready", "held", "refused", "unknown", "expired"))
@config_option
@json_option
def drop(numbers: tuple[int, ...], config: Path | None, *, as_json: bool, **which: Any) -> int:
    """Drop deliveries that wait: they go nowhere.

    By their numbers or --state also those that were refused, given up, or may have arrived: nobody is reminded of them.
    With --run and nothing else it is all of that run, also what is under way just now and would be tried again.
    """
    from digest.store.delivery import decisions
    from digest.store.editions import held_runs as held

    with opened(config) as app:
        chosen = _some(which, numbers)
        with app.store.writing() as tx:
            if chosen == decisions.Which(run=chosen.run) and chosen.run is not None:
                changed = held.drop_run(tx, chosen.run, _DROPPED) or 0
            else:
                changed = decisions.drop(tx, chosen, _DROPPED)
            none = "" if changed else _none(tx, chosen, "dropped")
        return _told(changed, none or f"{_count(changed)} dropped.", as_json=as_json)


@deliveries.command()
@click.argument("run", type=int)
@config_option
@json_option
def release(run: int, config: Path | None, *, as_json: bool) -> int:
    """Let RUN go on, which is held because too much of it was refused or because it is unusually large."""
    from digest.errors import ConfigError
    from digest.store.editions import held_runs as held

    with opened(config) as app:
        with app.store.writing() as tx:
            changed = held.let_go(tx, run)
            waiting = held.held_runs(tx)
        if changed is None:
            which = ", ".join(str(one.id) for one in waiting)
            raise ConfigError(
                f"run {run} is not held; {f'held are: {which}' if which else 'no run is'}; `digest status` says more"
            )
        if as_json:
            print_json({"deliveries": changed})
        else:
            click.echo(f"Run {run} goes on with the next pass: {_count(changed)} due.")
    return 0


def _chosen(which: dict[str, Any], numbers: tuple[int, ...] = ()) -> Which:
    from digest.store.delivery.decisions import Which

    return Which(
        numbers=numbers,
        state=which["state"] or "",
        run=which["run"],
        code=which["code"],
        address=which["address"],
    )


def _some(which: dict[str, Any], numbers: tuple[int, ...]) -> Which:
    """Which deliveries, said at least in some way.

    Raises:
        ConfigError: nothing was said.
    """
    from digest.errors import ConfigError

    chosen = _chosen(which, numbers)
    if chosen.all:
        raise ConfigError("say which deliveries: by number, --state, --run, --code or --address")
    return chosen


def _told(changed: int, text: str, *, as_json: bool) -> int:
    if as_json:
        print_json({"deliveries": changed})
    else:
        click.echo(text)
    return 0 if changed else 1


def _none(tx: Transaction, chosen: Which, what: str) -> str:
    """Why none of some deliveries could be changed."""
    from digest.store.delivery.decisions import by_state

    found = by_state(tx, chosen)
    if not found:
        return "There is no such delivery; `digest deliveries list` shows which there are."
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(found.items()))
    held = "; `digest deliveries release RUN` lets a run go on that is held" if "held" in found else ""
    return f"None of them can be {what}: {states}{held}."


def _count(number: int) -> str:
    return "1 delivery is" if number == 1 else f"{number:,} deliveries are"


def delivery_json(one: Delivery) -> dict[str, Any]:
    """A delivery, as the reference describes it."""
    from digest.render.delivery.files import instant_json

    return {
        "id": one.id,
        "edition": one.edition,
        "run": one.run,
        "digest": one.digest,
        "period": one.period,
        "channel": one.channel,
        "address": one.address,
        "state": one.state,
        "due_at": instant_json(one.due_at),
        "attempts": one.attempts,
        "message_id": one.message_id,
        "answer": one.answer,
        "blame": one.blame,
        "expires_at": instant_json(one.expires_at) if one.expires_at else None,
        "sent_at": instant_json(one.sent_at) if one.sent_at else None,
    }
