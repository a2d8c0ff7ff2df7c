"""``digest subscribers``: list destinations, end delivery to them, resume it, and export what belongs to a reader."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.subscribers.growth import growth
from digest.cli.subscribers.invitations import invite
from digest.cli.subscribers.tokens import tokens
from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.messages import print_warning
from digest.cli.terminal.options import (
    InstantParam,
    config_option,
    json_option,
    open_configured_app,
    print_json,
)
from digest.event_log import is_json_log

if TYPE_CHECKING:
    from digest.app import App
    from digest.core.delivery.bounces.address_status import BounceScore
    from digest.store.delivery.suppressions import Suppression
    from digest.store.subscribers.subscribers import Subscriber

_MAX_NAMED, _MAX_LISTED = 5, 20
_COLOURS = {
    "active": "green",
    "unsubscribed": "yellow",
    "suppressed": "red",
    "resting": "yellow",
    "withheld": "yellow",
}
_STATE_NAMES = {"resting": "suspended"}
"""States that people see under another name than programs."""


@click.group(cls=CommandGroup, default="list")
def subscribers() -> None:
    """List who gets what, invite readers, end delivery to an address, resume it, or export what belongs to a reader."""


subscribers.add_command(invite)
subscribers.add_command(tokens)
subscribers.add_command(growth)


@subscribers.command("list")
@config_option
@json_option
@click.option("--stopped", is_flag=True, help="Only addresses that unsubscribed.")
@click.option("--suppressed", is_flag=True, help="Only addresses that get nothing because mail bounced.")
def list_(config: Path | None, *, as_json: bool, stopped: bool, suppressed: bool) -> int:
    """List which digest goes where.

    Also shows which addresses unsubscribed, and which get nothing because mail bounced.
    """
    from digest.cli.terminal import format_events
    from digest.jobs.subscribers.subscriptions import load_scores
    from digest.store.delivery import suppressions
    from digest.store.subscribers import subscribers as rows

    with open_configured_app(config) as app, app.store.begin_read() as tx:
        selectors = [rows.list_stopped] * stopped + [rows.list_suppressed] * suppressed
        selected = [entry for select in selectors or [rows.list_subscribers] for entry in select(tx)]
        mailbox_suppressions = {entry.mailbox: entry for entry in suppressions.list_suppressions(tx)}
        mailbox_scores = load_scores(tx, app.clock())
        if as_json:
            print_json(
                [
                    _make_json(
                        entry, mailbox_suppressions.get(entry.mailbox), mailbox_scores.get(entry.mailbox)
                    )
                    for entry in selected
                ]
            )
            return 0
        for entry in selected:
            state_name = _STATE_NAMES.get(_get_state(entry), _get_state(entry))
            state = click.style(state_name, fg=_COLOURS.get(_get_state(entry)))
            pause = ", paused" if entry.digest_paused else ""
            suppression = mailbox_suppressions.get(entry.mailbox) if entry.came_back else None
            reason = (
                f" {format_events.describe_suppression(suppression).partition(' ')[2]}" if suppression else ""
            )
            bounce_text = format_events.describe_bounces(mailbox_scores.get(entry.mailbox))
            form = f" ({entry.form.value})" if entry.form else ""
            origin = " (made on the site)" if entry.made_on_site else ""
            click.echo(f"{entry.digest}{origin} → {entry.address}{form}: {state}{pause}{reason}{bounce_text}")
        if not selected:
            click.echo(_describe_nobody(stopped=stopped, suppressed=suppressed))
    return 0


def _describe_nobody(*, stopped: bool, suppressed: bool) -> str:
    if not (stopped or suppressed):
        return "There are no subscribers yet."
    reasons = " and ".join(
        [*["nobody has unsubscribed"] * stopped, *["no address is suppressed"] * suppressed]
    )
    return f"{reasons[0].upper()}{reasons[1:]}."


@subscribers.command()
@click.argument("address")
@config_option
@json_option
@click.option(
    "--yes", is_flag=True, help="Confirm that its reader has asked for it since then, by another way."
)
def resume(address: str, config: Path | None, *, as_json: bool, yes: bool) -> int:
    """Resume delivery to ADDRESS, which unsubscribed or bounced.

    Delivery starts with the next edition. Use this only if its reader asked for it. After a complaint or a
    bounce, the command asks you to confirm that; without a terminal it requires --yes. Earlier bounces no
    longer count. Destinations that are no longer in the configuration do not come back.
    """
    from digest.identity import load_signing_keys
    from digest.jobs.subscribers.accounts.erased_addresses import unbar_address
    from digest.jobs.subscribers.subscriptions import resume_address

    with open_configured_app(config) as app:
        if not yes and not _has_reader_consent(app, address, quiet=as_json):
            return 1
        actor, keys = make_shell_actor(), load_signing_keys(app.store, app.environ)
        if unbar_address(app.store, actor, address, keys, app.clock()):
            click.echo(
                f"{address}: its reader had deleted everything or changed their address; they can sign up again.",
                err=as_json,
            )
            if as_json:
                print_json([])
            return 0
        resumed = resume_address(app.store, app.settings, actor, address, app.clock())
        if as_json:
            print_json([_make_json(subscriber) for subscriber in resumed])
            return 0
        for subscriber in resumed:
            outcome = (
                "delivery resumes with the next edition"
                if subscriber.gets_editions
                else "this digest has ended, or is not in the configuration, so nothing is resumed"
            )
            click.echo(f"{subscriber.digest} → {subscriber.address}: {outcome}.")
        if not resumed:
            click.echo(f"{address} has not unsubscribed, and nothing blocks mail to it.")
    return 0


@subscribers.command()
@click.argument("address")
@config_option
@json_option
def stop(address: str, config: Path | None, *, as_json: bool) -> int:
    """End delivery to ADDRESS.

    It is unsubscribed from all digests, as by the link in a mail. What waits to be sent there is dropped.
    `digest subscribers resume` takes this back.
    """
    from digest.jobs.subscribers.subscriptions import stop_address

    with open_configured_app(config) as app:
        ended = stop_address(app.store, make_shell_actor(), address, app.clock())
    if as_json:
        print_json([_make_json(subscriber) for subscriber in ended])
        return 0
    for subscriber in ended:
        click.echo(f"{subscriber.digest} → {subscriber.address}: unsubscribed.")
    if not ended:
        click.echo(f"{address} gets nothing already.")
    return 0


@subscribers.command()
@click.argument("address")
@click.argument("digest")
@config_option
@json_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def end(address: str, digest: str, config: Path | None, *, as_json: bool, yes: bool) -> int:
    """End DIGEST of the reader with ADDRESS.

    It is a digest that the reader made on the site, and can end there, too. No further edition comes, and its
    feed stops. Its follows cannot be brought back, except from a file of `digest subscribers export`. Without a
    terminal it requires --yes.
    """
    from digest.errors import ConfigError
    from digest.jobs.subscribers.subscriptions import end_reader_digest, find_reader_digest

    with open_configured_app(config) as app:
        if not yes:
            with app.store.begin_read() as tx:
                found = find_reader_digest(tx, digest, address)
            if as_json or not sys.stdin.isatty():
                raise ConfigError(f"this ends {found.name} of {address}; confirm it with --yes")
            if not click.confirm(f"End {found.name} of {address}, with all its follows?", err=True):
                return 1
        ended = end_reader_digest(app.store, make_shell_actor(), digest, address, app.clock())
    if as_json:
        print_json([_make_json(subscriber) for subscriber in ended])
    else:
        click.echo(f"{digest} of {address} has ended.")
    return 0


@subscribers.command()
@click.argument("address")
@config_option
@json_option
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("digests.zip"),
    show_default=True,
    metavar="FILE",
    help="The file to write; it must not exist yet.",
)
def export(address: str, config: Path | None, *, as_json: bool, output: Path) -> int:
    """Export what belongs to the reader with ADDRESS.

    Writes the ZIP file that readers get on the page of their account: their digests, saved papers, opinions and
    editions, as JSON. They can import it again there.

    \b
    Example:
      digest subscribers export ada@example.org --output ada.zip
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.core.subscribers.opinions import Opinion
    from digest.jobs.subscribers.decisions.exports import record_export
    from digest.jobs.subscribers.transfer.account_archive import find_account, load_account_archive
    from digest.render.languages.english import format_count
    from digest.render.publishing.account_pages.archive import render_archive

    with open_configured_app(config) as app:
        reader = find_account(app.store, address)
        archive = load_account_archive(app.store, reader)
        content = render_archive(archive, app.branding.locale)
        with record_export(app.store, make_shell_actor(), reader, app.clock()):
            _write_private_file(output, content)
    saved_count = sum(entry.opinion is Opinion.SAVED for entry in archive.opinions)
    counts = {
        "digests": len(archive.digests),
        "saved": saved_count,
        "opinions": len(archive.opinions) - saved_count + len(archive.answers),
        "editions": len(archive.editions),
    }
    if as_json:
        print_json({"address": address, "file": str(output), **counts})
    else:
        names = zip(counts.values(), ("digest", "saved paper", "opinion", "edition"), strict=True)
        click.echo(f"Wrote {output}: {', '.join(format_count(count, name) for count, name in names)}.")
    return 0


def _write_private_file(path: Path, content: bytes) -> None:
    """Write a new file that only its owner can read.

    Raises:
        ConfigError: it exists, or cannot be written.
    """
    from digest.errors import ConfigError

    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
    except FileExistsError:
        raise ConfigError(f"there is a {path} already; name another file with --output") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}") from None


@subscribers.command()
@click.option(
    "--reason",
    metavar="TEXT",
    default="",
    help="Only where the server said this, such as 'too many recipients', or gave this enhanced status code, such as 5.1.1.",
)
@click.option("--domain", metavar="DOMAIN", default="", help="Only addresses at this domain.")
@click.option("--since", type=InstantParam(), help="Only what was suppressed at this time or later.")
@click.option("--until", type=InstantParam(), help="Only what was suppressed before this time.")
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
    """Take back suppressions by reason and time.

    Use this after refusals that were not the readers' fault. A server may report addresses as unknown while it
    blocks us, or while it is broken itself. Afterwards, this command resumes delivery to all addresses that
    were suppressed for that reason, starting with the next edition. Bounces with the same reason no longer
    count. Readers who unsubscribed or complained stay unsubscribed. For a single address whose reader asked
    you, use `digest subscribers resume`.

    Every option narrows the choice, and at least one of the first four is required. The command lists the
    addresses and asks; without a terminal it requires --yes.

    \b
    Examples:
      digest subscribers unsuppress --since 2026-06-12T07:00 --domain example.org --dry-run
      digest subscribers unsuppress --reason "too many recipients" --since 2026-06-12T07:00
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.errors import ConfigError
    from digest.jobs.subscribers import subscriptions as job

    suppression_filter = job.SuppressionFilter(
        reason=reason.strip(), domain=domain.strip().lstrip("@").lower(), since=since, until=until
    )
    if suppression_filter == job.SuppressionFilter():
        raise ConfigError(
            "choose which suppressions to take back, with --reason, --domain, --since or --until"
        )
    with open_configured_app(config) as app:
        suppressions = job.find_suppressions(app.store, suppression_filter)
        if suppressions and not dry_run:
            if not yes and not _confirm_unsuppress(suppressions, quiet=as_json):
                return 1
            suppressions = job.lift_suppressions(
                app.store, make_shell_actor(), suppression_filter, suppressions, app.clock()
            )
        unsubscribed = job.find_unsubscribed(app.store, suppressions)
        _report_unsuppressed(suppressions, unsubscribed, as_json=as_json, dry_run=dry_run)
    return 0


def _confirm_unsuppress(suppressions: Sequence[Suppression], *, quiet: bool) -> bool:
    """Show the suppressions, and ask whether to take them back.

    Raises:
        ConfigError: there is no terminal to ask.
    """
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.render.languages.english import format_count

    amount = format_count(len(suppressions), "suppression")
    if quiet or not sys.stdin.isatty():
        raise ConfigError(f"this takes back {amount}; list them with --dry-run, then use --yes")
    for suppression in suppressions[:_MAX_LISTED]:
        click.echo(f"{suppression.mailbox}: {format_events.describe_suppression(suppression)}")
    if len(suppressions) > _MAX_LISTED:
        click.echo(f"and {len(suppressions) - _MAX_LISTED:,} more")
    return click.confirm(f"Take back {amount}?", err=True)


def _report_unsuppressed(
    suppressions: Sequence[Suppression], unsubscribed: frozenset[str], *, as_json: bool, dry_run: bool
) -> None:
    from digest.cli.terminal import format_events
    from digest.render.languages.english import format_count

    if as_json:
        print_json(
            [
                {
                    "address": suppression.mailbox,
                    "taken_back": not dry_run,
                    "unsubscribed": suppression.mailbox in unsubscribed,
                    "suppression": format_events.make_suppression_json(suppression),
                }
                for suppression in suppressions
            ]
        )
        return
    for suppression in suppressions:
        outcome = (
            _STAYS_UNSUBSCRIBED
            if suppression.mailbox in unsubscribed
            else "delivery resumes with the next edition"
        )
        click.echo(
            f"{suppression.mailbox}: {format_events.describe_suppression(suppression) if dry_run else outcome}."
        )
    if not suppressions:
        click.echo("No such suppression; `digest subscribers list --suppressed` lists all.")
    elif dry_run:
        click.echo(f"{format_count(len(suppressions), 'suppression')} would be taken back.")


_BARRED = "mail to {address} bounced, or its reader complained, before they deleted everything or changed their address"
_STAYS_UNSUBSCRIBED = "no longer suppressed, but its reader unsubscribed"


def _has_reader_consent(app: App, address: str, *, quiet: bool) -> bool:
    """Ask whether the reader of an address wants mail again, if there is reason to doubt it.

    Raises:
        ConfigError: there is no terminal to ask.
    """
    from digest.cli.terminal import format_events
    from digest.errors import ConfigError
    from digest.identity import load_signing_keys
    from digest.jobs.subscribers.accounts.erased_addresses import is_barred
    from digest.jobs.subscribers.subscriptions import load_standing

    with app.store.begin_read() as tx:
        address_status = load_standing(tx, address.lower(), app.clock())
        was_erased = is_barred(tx, address.lower(), load_signing_keys(app.store, app.environ))
    reasons = [_BARRED.format(address=address)] * was_erased
    if address_status.complaint is not None:
        reasons.append(
            f"{address} complained on {address_status.complaint.at:%Y-%m-%d} ({address_status.complaint.answer})"
        )
    if address_status.suppression is not None:
        reasons.append(f"{address} has been {format_events.describe_suppression(address_status.suppression)}")
    if not reasons:
        return True
    if quiet or not sys.stdin.isatty():
        raise ConfigError(
            f"{'; '.join(reasons)}; if its reader has since asked you for mail again, by another way, confirm this with --yes"
        )
    click.echo(f"{'. '.join(reasons)}.")
    return click.confirm("Has its reader since asked you for mail again, by another way?", err=True)


def warn_of_unsubscribed(app: App) -> None:
    """Warn of configured destinations that get nothing, so that nobody looks for another cause."""
    from digest.cli.terminal import format_events
    from digest.jobs.subscribers.subscriptions import list_suppressed, list_unsubscribed

    unsubscriptions = list_unsubscribed(app.store, app.settings)
    suppressions = list_suppressed(app.store, app.settings)
    if is_json_log():
        if count := len(unsubscriptions) + len(suppressions):
            print_warning(
                f"{count:,} destinations of the configuration get nothing, because their readers unsubscribed or mail "
                "bounced; `digest check` names them"
            )
        return
    for digest, address in unsubscriptions[:_MAX_NAMED]:
        print_warning(
            f"{address} unsubscribed, so it does not get {digest}; "
            f"if its reader wants it again: `digest subscribers resume {address}`"
        )
    for address, suppression in suppressions[:_MAX_NAMED]:
        print_warning(
            f"{address} gets nothing: it has been {format_events.describe_suppression(suppression)}"
            + (
                ""
                if suppression.until
                else f"; if its reader says that the address works: `digest subscribers resume {address}`"
            )
        )
    if len(unsubscriptions) > _MAX_NAMED:
        print_warning(
            f"{len(unsubscriptions) - _MAX_NAMED:,} more unsubscribed: `digest subscribers list --stopped`"
        )


def describe_unsubscribed(unsubscriptions: Sequence[tuple[str, str]]) -> str:
    """Describe unsubscribed destinations in one line; "" if there are none."""
    if not unsubscriptions:
        return ""
    listed = "; ".join(f"{address} from {digest}" for digest, address in unsubscriptions[:_MAX_NAMED])
    more = f"; and {len(unsubscriptions) - _MAX_NAMED:,} more" if len(unsubscriptions) > _MAX_NAMED else ""
    return f"unsubscribed, so nothing is sent: {listed}{more} (undo this with `digest subscribers resume ADDRESS`)"


def describe_suppressed(suppressions: Sequence[tuple[str, Suppression]]) -> str:
    """Describe addresses that get nothing because mail bounced, in one line; "" if there are none."""
    from digest.cli.terminal import format_events

    if not suppressions:
        return ""
    listed = "; ".join(
        f"{address} has been {format_events.describe_suppression(suppression)}"
        for address, suppression in suppressions[:_MAX_NAMED]
    )
    more = f"; and {len(suppressions) - _MAX_NAMED:,} more" if len(suppressions) > _MAX_NAMED else ""
    return f"nothing is sent: {listed}{more} (`digest subscribers resume ADDRESS`, if its reader says that the address works)"


def _get_state(subscriber: Subscriber) -> str:
    if subscriber.stopped:
        return "unsubscribed"
    if (subscriber.came_back or subscriber.withheld) and not subscriber.digest_ended:
        return subscriber.state
    return "active" if subscriber.active and not subscriber.digest_ended else "ended"


def _make_json(
    subscriber: Subscriber, suppression: Suppression | None = None, score: BounceScore | None = None
) -> dict[str, Any]:
    from digest.cli.terminal import format_events

    return {
        "digest": subscriber.digest,
        "made_by": "web" if subscriber.made_on_site else "config",
        "channel": subscriber.channel,
        "address": subscriber.address,
        "form": subscriber.form.value,
        "state": _get_state(subscriber),
        "paused": subscriber.digest_paused,
        "bounces": score.bounces if score else 0,
        "suppression": format_events.make_suppression_json(suppression),
    }
