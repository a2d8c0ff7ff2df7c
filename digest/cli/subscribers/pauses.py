"""``digest pause`` and ``digest resume``."""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.options import (
    config_option,
    json_option,
    now_option,
    open_configured_app,
    print_json,
)

if TYPE_CHECKING:
    from digest.store.database.engine import Transaction
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
    from digest.core.times.schedule import to_instant
    from digest.errors import ConfigError
    from digest.store.subscribers import pauses
    from digest.store.subscribers.digests import Pause

    with open_configured_app(config, now) as app:
        with app.store.begin_planning() as tx:
            digest = _find_digest(tx, name, reader)
            end = to_instant(until.date(), time(), digest.options.timezone) if until else None
            if end is not None and end <= app.clock():
                raise ConfigError(f"{until:%Y-%m-%d} is not in the future; write a later day")
            new_pause = Pause(until=end, resume_from=resume_from)
            pauses.pause_digest(tx, digest.id, end, resume_from)
        notice = ""
        if end is not None and resume_from == "then" and end - app.clock() > pauses.MAX_CATCH_UP:
            day = (end - pauses.MAX_CATCH_UP).date()
            notice = f"An edition covers at most {pauses.MAX_CATCH_UP.days} days, so papers from before {day} will be left out."
        _report_pause(digest, new_pause, notice, as_json=as_json)
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
    from digest.store.subscribers import pauses

    with open_configured_app(config, now) as app:
        with app.store.begin_planning() as tx:
            digest = _find_digest(tx, name, reader)
            resume_point = resume_from or (digest.pause.resume_from if digest.pause else "then")
            is_truncated = digest.pause is not None and pauses.resume_digest(
                tx, digest.id, resume_point, app.clock()
            )
        day = (app.clock() - pauses.MAX_CATCH_UP).date()
        notice = f"The pause was long, so papers from before {day} are left out." if is_truncated else ""
        if as_json:
            _report_pause(digest, None, notice, as_json=True)
        elif digest.pause is None:
            click.echo(f"{name} is not paused.")
        else:
            content = "the papers of the pause" if resume_point == "then" else "papers announced from now on"
            click.echo(f"{name} is resumed; its next edition covers {content}.")
            _warn(notice)
    return 0


def _find_digest(tx: Transaction, name: str, reader: str) -> Digest:
    from digest.jobs.editions.explain import find_digest
    from digest.jobs.subscribers.subscriptions import find_reader_digest

    return find_reader_digest(tx, name, reader) if reader else find_digest(tx, name)


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
