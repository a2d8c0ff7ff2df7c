"""The commands about deliveries: list them, try them again, drop them, let a run go on that is held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from digest.cli.options import config_option, json_option, now_option, opened, print_json

if TYPE_CHECKING:
    from datetime import datetime

    from digest.store.decisions import Which
    from digest.store.deliveries import Delivery
    from digest.store.engine import Transaction

F = TypeVar("F", bound=Callable[..., Any])
_STATES = ("ready", "leased", "held", "sent", "refused", "unknown", "expired", "dropped")
"""As ``store.deliveries`` has them, which takes long to import."""
_DROPPED = "an operator has dropped it"


@click.group()
def deliveries() -> None:
    """List deliveries, try them again, drop them, let a run go on that is held."""


def _which(states: tuple[str, ...]) -> Callable[[F], F]:
    """The options that say which deliveries."""

    def add(command: F) -> F:
        for option in (
            click.option(
                "--address", metavar="ADDRESS", help="Only to this address, or to @domain.", default=""
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
    """List the last deliveries and what the other side answered."""
    from digest.cli.look import coloured
    from digest.store.decisions import listed

    with opened(config) as app:
        with app.store.reading() as tx:
            found = listed(tx, _chosen(which), last)
        if as_json:
            print_json([delivery_json(one) for one in found])
            return 0
        for one in found:
            click.echo(
                f"{one.id:6}  {one.period:20}  {one.digest} → {one.address}: {coloured(one.state)} {one.answer}"
            )
        if not found:
            click.echo("There is no such delivery.")
    return 0


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
    from digest.store.decisions import held_among, try_again

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
    from digest.store import decisions, held

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
    from digest.store import held

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
    from digest.store.decisions import Which

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
    from digest.store.decisions import by_state

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
    from digest.render.files import instant_json

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
