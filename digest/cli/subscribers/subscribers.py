"""The commands about who gets what: list them, and let digests go again to addresses that they do not go to."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import Instant, config_option, json_option, opened, print_json

if TYPE_CHECKING:
    from digest.app import App
    from digest.core.delivery.bounces.address_status import Score
    from digest.store.delivery.suppressions import Suppression
    from digest.store.subscribers.subscribers import Subscriber

_MOST_NAMED, _MOST_LISTED = 5, 20
_COLOURS = {"active": "green", "unsubscribed": "yellow", "suppressed": "red", "resting": "yellow"}


@click.group(cls=CommandGroup, default="list")
def subscribers() -> None:
    """List who gets what, and let digests go again to who had unsubscribed, or whose mail came back."""


@subscribers.command("list")
@config_option
@json_option
@click.option("--stopped", is_flag=True, help="Only who has unsubscribed.")
@click.option("--suppressed", is_flag=True, help="Only those that nothing goes to because mail came back.")
def list_(config: Path | None, *, as_json: bool, stopped: bool, suppressed: bool) -> int:
    """List who gets which digest, who has unsubscribed, and whom nothing goes to because mail came back."""
    from digest.cli.terminal import format_events
    from digest.jobs.subscribers.subscriptions import scores
    from digest.store.delivery import suppressions
    from digest.store.subscribers import subscribers as rows

    with opened(config) as app, app.store.reading() as tx:
        chosen = [rows.stopped] * stopped + [rows.suppressed] * suppressed
        found = [one for choose in chosen or [rows.subscribers] for one in choose(tx)]
        kept = {one.mailbox: one for one in suppressions.suppressed(tx)}
        counting = scores(tx, app.clock())
        if as_json:
            print_json([_json(one, kept.get(one.mailbox), counting.get(one.mailbox)) for one in found])
            return 0
        for one in found:
            state = click.style(_state(one), fg=_COLOURS.get(_state(one)))
            why = kept.get(one.mailbox) if one.came_back else None
            told = f" {format_events.suppression(why).partition(' ')[2]}" if why else ""
            bounced = format_events.bounced(counting.get(one.mailbox))
            click.echo(f"{one.digest} → {one.address}: {state}{told}{bounced}")
        if not found:
            click.echo(_nobody(stopped=stopped, suppressed=suppressed))
    return 0


def _nobody(*, stopped: bool, suppressed: bool) -> str:
    if not (stopped or suppressed):
        return "Nothing goes anywhere yet."
    whom = " and ".join(
        [*["nobody has unsubscribed"] * stopped, *["no mail came back for good"] * suppressed]
    )
    return f"{whom[0].upper()}{whom[1:]}."


@subscribers.command()
@click.argument("address")
@config_option
@json_option
@click.option("--yes", is_flag=True, help="Its reader has asked for it, since then and by another way.")
def resume(address: str, config: Path | None, *, as_json: bool, yes: bool) -> int:
    """Let digests go again to ADDRESS, which unsubscribed or mail came back from, from the next edition on.

    Do it only where its reader asked for it: after a complaint, or where mail came back, it asks whether that is so,
    and without a terminal wants --yes. What came back counts no more then. What the file no longer has does not come back
    by this.
    """
    from digest.jobs.subscribers.subscriptions import resume_address

    with opened(config) as app:
        if not yes and not _has_asked(app, address, quiet=as_json):
            return 1
        found = resume_address(app.store, app.settings, address)
        if as_json:
            print_json([_json(one) for one in found])
            return 0
        for one in found:
            back = "goes there again" if one.active else "has left the file, and does not come back by this"
            click.echo(f"{one.digest} → {one.address}: {back}.")
        if not found:
            click.echo(f"{address} has not unsubscribed from anything, and nothing keeps mail from it.")
    return 0


@subscribers.command()
@click.option(
    "--reason",
    metavar="TEXT",
    default="",
    help="Only where the server said this, such as 'too many recipients', or gave this enhanced status code, such as 5.1.1.",
)
@click.option("--domain", metavar="DOMAIN", default="", help="Only addresses at this domain.")
@click.option("--since", type=Instant(), help="Only what was suppressed at this time or later.")
@click.option("--until", type=Instant(), help="Only what was suppressed before this time.")
@click.option("--dry-run", is_flag=True, help="Only list what would be taken back.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@config_option
@json_option
def unsuppress(
    reason: str,
    domain: str,
    since: datetime | None,
    until: datetime | None,
    config: Path | None,
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    r"""Take back suppressions by reason and time, after refusals that were not the readers' fault.

    A server may call addresses unknown while it blocks us, or while it is broken itself. When that is over, this lets
    digests go again to all addresses that were suppressed for it, from the next edition on:

    \b
        digest subscribers unsuppress --since 2026-06-12T07:00 --domain example.org --dry-run
        digest subscribers unsuppress --reason "too many recipients" --since 2026-06-12T07:00

    Every option narrows the choice, and at least one is needed. It lists the addresses and asks; without a terminal
    it wants --yes. Bounces that gave this reason count no more. Who unsubscribed or complained stays unsubscribed. For one
    address whose reader has asked you, use `digest subscribers resume`.
    """
    from digest.errors import ConfigError
    from digest.jobs.subscribers import subscriptions as job

    which = job.SuppressionFilter(
        reason=reason.strip(), domain=domain.strip().lstrip("@").lower(), since=since, until=until
    )
    if which == job.SuppressionFilter():
        raise ConfigError("say which suppressions to take back, with --reason, --domain, --since or --until")
    with opened(config) as app:
        found = job.find_suppressions(app.store, which)
        if found and not dry_run:
            if not yes and not _confirms(found, quiet=as_json):
                return 1
            found = job.unsuppress(app.store, which, found)
        stopped = job.find_unsubscribed(app.store, found)
        _tell_unsuppressed(found, stopped, as_json=as_json, dry_run=dry_run)
    return 0


def _confirms(found: Sequence[Suppression], *, quiet: bool) -> bool:
    """Whether somebody who is shown the suppressions wants to take them back.

    Raises:
        ConfigError: nobody can be asked.
    """
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.render.languages.english import count

    which = count(len(found), "suppression")
    if quiet or not sys.stdin.isatty():
        raise ConfigError(f"this takes back {which}; look at them with --dry-run, then say --yes")
    for one in found[:_MOST_LISTED]:
        click.echo(f"{one.mailbox}: {format_events.suppression(one)}")
    if len(found) > _MOST_LISTED:
        click.echo(f"and {len(found) - _MOST_LISTED:,} more")
    return click.confirm(f"Take back {which}?", err=True)


def _tell_unsuppressed(
    found: Sequence[Suppression], unsubscribed: frozenset[str], *, as_json: bool, dry_run: bool
) -> None:
    from digest.cli.terminal import format_events
    from digest.render.languages.english import count

    if as_json:
        print_json(
            [
                {
                    "address": one.mailbox,
                    "taken_back": not dry_run,
                    "unsubscribed": one.mailbox in unsubscribed,
                    "suppression": format_events.suppression_json(one),
                }
                for one in found
            ]
        )
        return
    for one in found:
        done = _STAYS_UNSUBSCRIBED if one.mailbox in unsubscribed else "digests go there again"
        click.echo(f"{one.mailbox}: {format_events.suppression(one) if dry_run else done}.")
    if not found:
        click.echo("No suppression fits; `digest subscribers list --suppressed` lists all.")
    elif dry_run:
        click.echo(f"{count(len(found), 'suppression')} would be taken back.")


_STAYS_UNSUBSCRIBED = "it is unsubscribed and stays so; its suppression is taken back"


def _has_asked(app: App, address: str, *, quiet: bool) -> bool:
    """Whether the reader of an address wants mail again, where there is reason to doubt it.

    Raises:
        ConfigError: nobody can be asked.
    """
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.jobs.subscribers.subscriptions import standing

    with app.store.reading() as tx:
        stands = standing(tx, address.lower(), app.clock())
    why = []
    if stands.complaint is not None:
        why.append(f"{address} has complained on {stands.complaint.at:%Y-%m-%d} ({stands.complaint.answer})")
    if stands.suppression is not None:
        why.append(f"{address} is {format_events.suppression(stands.suppression)}")
    if not why:
        return True
    if quiet or not sys.stdin.isatty():
        raise ConfigError(
            f"{'; '.join(why)}; if its reader has told you since then, by another way, that mail is wanted and arrives, "
            "say so with --yes"
        )
    click.echo(f"{'. '.join(why)}.")
    return click.confirm(
        "Has its reader told you since then, by another way, that mail is wanted and arrives?", err=True
    )


def name_unsubscribed(app: App) -> None:
    """Name those that the file declares and nothing goes to, so that nobody looks for a fault."""
    from digest.cli.terminal import format_events
    from digest.jobs.subscribers.subscriptions import kept_back, unsubscribed

    found = unsubscribed(app.store, app.settings)
    for digest, address in found[:_MOST_NAMED]:
        _warn(
            f"{address} has unsubscribed, so {digest} does not go there; "
            f"if its reader wants it back: `digest subscribers resume {address}`"
        )
    for address, why in kept_back(app.store, app.settings)[:_MOST_NAMED]:
        _warn(
            f"{address} is {format_events.suppression(why)}; nothing goes there"
            + (
                ""
                if why.until
                else f"; if its reader says that it works: `digest subscribers resume {address}`"
            )
        )
    if len(found) > _MOST_NAMED:
        _warn(f"and so have {len(found) - _MOST_NAMED:,} more: `digest subscribers list --stopped`")


def said_of_unsubscribed(found: Sequence[tuple[str, str]]) -> str:
    """One line about them; "" where there are none."""
    if not found:
        return ""
    named = "; ".join(f"{address} from {digest}" for digest, address in found[:_MOST_NAMED])
    more = f"; and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    return f"unsubscribed, so nothing goes there: {named}{more} (`digest subscribers resume ADDRESS` takes it back)"


def said_of_kept_back(found: Sequence[tuple[str, Suppression]]) -> str:
    """One line about addresses that nothing goes to because mail came back; "" where there are none."""
    from digest.cli.terminal import format_events

    if not found:
        return ""
    named = "; ".join(
        f"{address} is {format_events.suppression(why)}" for address, why in found[:_MOST_NAMED]
    )
    more = f"; and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    return f"nothing goes there: {named}{more} (`digest subscribers resume ADDRESS`, if its reader says that it works)"


def _warn(text: str) -> None:
    click.echo(f"{click.style('Warning:', fg='yellow')} {text}", err=True)


def _state(one: Subscriber) -> str:
    if one.stopped:
        return "unsubscribed"
    if one.came_back and not one.digest_ended:
        return one.state
    return "active" if one.active and not one.digest_ended else "ended"


def _json(one: Subscriber, why: Suppression | None = None, standing: Score | None = None) -> dict[str, Any]:
    from digest.cli.terminal import format_events

    return {
        "digest": one.digest,
        "channel": one.channel,
        "address": one.address,
        "state": _state(one),
        "bounces": standing.bounces if standing else 0,
        "suppression": format_events.suppression_json(why),
    }
