"""``digest pause`` and ``digest resume``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.store.subscribers.digests import Digest, Pause

_DAY = click.DateTime(formats=["%Y-%m-%d"])
_FROM = click.Choice(["then", "now"])


@click.command()
@click.argument("name")
@click.option("--until", type=_DAY, metavar="DAY", help="Resume by itself on this day, such as 2026-08-17.")
@click.option(
    "--from",
    "resume_from",
    type=_FROM,
    default="then",
    show_default=True,
    help="What the first edition after the pause covers: the whole pause, or only what follows it.",
)
@click.option(
    "--reader",
    metavar="ADDRESS",
    default="",
    help="The digest NAME that the reader with this address made on the site, instead of that of the file.",
)
@config_option
@now_option
@json_option
def pause(
    name: str,
    until: datetime | None,
    resume_from: str,
    config: Path | None,
    now: datetime | None,
    *,
    reader: str,
    as_json: bool,
) -> int:
    """Pause digest NAME: it gets no editions and no alerts.

    It continues on the day of --until, or after `digest resume NAME`. The first edition after the pause
    contains the papers of the whole pause, except those older than 90 days (`then`), or none of them (`now`).

    \b
    Example:
      digest pause llm-systems --until 2026-08-17
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.subscribers.decisions.pauses import DigestName, pause_digest
    from digest.store.subscribers.pauses import MAX_CATCH_UP

    with open_configured_app(config, now) as app:
        digest_name, day = DigestName(name=name, reader=reader), until.date() if until else None
        change = pause_digest(app.store, make_shell_actor(), digest_name, day, resume_from, app.clock())
    notice = (
        f"An edition covers at most {MAX_CATCH_UP.days} days, so papers from before {change.omitted_before} will be left out."
        if change.omitted_before
        else ""
    )
    _report_pause(change.digest, change.pause, notice, as_json=as_json)
    return 0


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "resume_from",
    type=_FROM,
    help="What the next edition covers: the whole pause, or only what follows now; by default, as set by the pause.",
)
@click.option(
    "--reader",
    metavar="ADDRESS",
    default="",
    help="The digest NAME that the reader with this address made on the site, instead of that of the file.",
)
@config_option
@now_option
@json_option
def resume(
    name: str,
    resume_from: str | None,
    config: Path | None,
    now: datetime | None,
    *,
    reader: str,
    as_json: bool,
) -> int:
    """Resume digest NAME, starting with its next edition."""
    from digest.jobs.subscribers.decisions.pauses import DigestName, resume_digest

    with open_configured_app(config, now) as app:
        digest_name = DigestName(name=name, reader=reader)
        change = resume_digest(app.store, make_shell_actor(), digest_name, resume_from, app.clock())
    notice = (
        f"The pause was long, so papers from before {change.omitted_before} are left out."
        if change.omitted_before
        else ""
    )
    if as_json:
        _report_pause(change.digest, None, notice, as_json=True)
    elif change.digest.pause is None:
        click.echo(f"{name} is not paused.")
    else:
        content = (
            "the papers of the pause" if change.resume_from == "then" else "papers announced from now on"
        )
        click.echo(f"{name} is resumed; its next edition covers {content}.")
        _warn(notice)
    return 0


def _report_pause(digest: Digest, pause: Pause | None, notice: str, *, as_json: bool) -> None:
    from digest.cli.terminal.format_events import describe_pause, make_pause_json

    if as_json:
        print_json({"digest": digest.name, **make_pause_json(pause), "left_out": notice})
    elif pause is not None:
        click.echo(f"{digest.name} {describe_pause(pause, digest.options.timezone)}.")
        _warn(notice)


def _warn(notice: str) -> None:
    if notice:
        click.echo(f"{click.style('Note:', fg='yellow')} {notice}")
