"""``digest demo``: the commands' own code on listings that ship with the project."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from digest.cli.terminal.options import json_option, print_json

_ZONE = ZoneInfo("Europe/Berlin")
"""The readers' zone in the demo's configuration."""
_MORNING, _AFTERNOON = time(7, 31), time(16, 1)
_HEADER = "# The demo's configuration"
_ENDED_NOTE = """\
# The server that announced these papers ran inside `digest demo` and ended with it, so this source is gone: `digest run`
# and `digest check` find nothing there any more. All other commands work with this file.
"""
_NO_SERVER = "http://the-demo-is-over.invalid"
"""Stands in the finished configuration: its name resolves nowhere (RFC 6761, 6.4), and errors that quote it say why."""


@click.command()
@click.argument(
    "folder", default="digest-demo", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]"
)
@json_option
def demo(folder: Path, *, as_json: bool) -> int:
    """A few days without network or configuration: mails, feeds and an overview, in DIR (./digest-demo).

    A small server on this machine announces a selection of the papers of three days in May 2026, with sentences of
    ours in place of abstracts, and `digest run` does with them what it does with arXiv's.
    """
    from digest.demo.publisher import Publisher, load_shipped_papers

    listings = load_shipped_papers()
    days = sorted({paper.day for paper in listings})
    mornings = [datetime.combine(day, _MORNING, _ZONE) for day in days]
    cycles = []
    with Publisher(listings, day=days[0]) as publisher:
        config = _prepare(folder, publisher.url)
        for now in (*mornings, datetime.combine(days[-1], _AFTERNOON, _ZONE)):
            publisher.day = now.date()
            cycles.append(_run_at(config, now, quiet=as_json))
    _replace_source_address(config, publisher.url)
    paths = _list_paths(folder.resolve())
    if as_json:
        print_json({"cycles": cycles, "places": {name: str(path) for name, path in paths.items()}})
        return 0
    click.secho("\nThe demo is done. Have a look:", bold=True)
    for name, path in paths.items():
        click.echo(f"  {name:14} {path}")
    click.echo("The papers are a selection of those three days; the sentences below their titles are ours.")
    click.echo("Its configuration has no source any more: the server that announced the papers has ended.")
    click.echo(f"Look around: digest why llm-systems 2605.06472 --config {paths['configuration']}")
    click.echo("Next: `digest init` writes a configuration of your own.")
    return 0


def _prepare(folder: Path, url: str) -> Path:
    """Write the configuration for a server into an empty folder, or over an earlier demo."""
    from importlib.resources import files

    from digest.errors import ConfigError

    config = folder / "digest.toml"
    if folder.exists() and any(folder.iterdir()):
        if not config.is_file() or not config.read_text("utf-8").startswith(_HEADER):
            raise ConfigError(f"{folder} is not empty; name another folder: digest demo DIR")
        shutil.rmtree(folder / "out", ignore_errors=True)
        for path in folder.glob("digest.db*"):
            path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    shipped = files("digest.demo")
    text = (shipped / "digest.toml").read_text("utf-8")
    config.write_text(text.replace("${DIGEST_DEMO_URL}", url), encoding="utf-8")
    (folder / "templates" / "mail").mkdir(parents=True, exist_ok=True)
    for template in (shipped / "templates" / "mail").iterdir():
        (folder / "templates" / "mail" / template.name).write_bytes(template.read_bytes())
    return config


def _replace_source_address(config: Path, url: str) -> None:
    """Put an address that explains itself in place of the server's, which has ended; another program may get its port."""
    text = config.read_text("utf-8")
    config.write_text(
        text.replace("[[source]]", f"{_ENDED_NOTE}[[source]]", 1).replace(url, _NO_SERVER), encoding="utf-8"
    )


def _run_at(config: Path, now: datetime, *, quiet: bool) -> dict[str, Any]:
    """What ``digest run --now`` does."""
    from digest.app import open_app
    from digest.cli.operations.run import run_reported_cycle

    if not quiet:
        click.secho(f"{now:%A} {now.day} {now:%B %Y, %H:%M}", bold=True)
    with open_app(config, now.astimezone(UTC), {}) as app:
        app.apply_config()
        with app.open_steps() as steps:
            return run_reported_cycle(app, steps, quiet=quiet)


def _list_paths(folder: Path) -> dict[str, Path]:
    out = folder / "out"
    return {
        "overview": out / "index.html",
        "mails": out / "mail",
        "mailbox": out / "maildir",
        "feeds": out / "feeds",
        "configuration": folder / "digest.toml",
    }
