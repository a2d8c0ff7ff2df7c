"""``digest demo``: the ordinary commands on listings that ship with the project."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, time
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from digest.cli.terminal.options import json_option, print_json

_ZONE = ZoneInfo("Europe/Berlin")
"""Time zone of the readers in the demo's configuration."""
_MORNING, _AFTERNOON = time(7, 31), time(16, 1)
_HEADER = "# The demo's configuration"
_ENDED_NOTE = """\
# The server that announced these papers was part of `digest demo` and stopped with it. This source is therefore gone:
# `digest run` and `digest check` cannot reach it. All other commands work with this file.
"""
_NO_SERVER = "http://the-demo-is-over.invalid"
"""Replaces the server's address in the finished configuration. It resolves nowhere (RFC 6761, 6.4); errors quote it."""


@click.command()
@click.argument(
    "folder", default="digest-demo", type=click.Path(path_type=Path, file_okay=False), metavar="[DIR]"
)
@json_option
def demo(folder: Path, *, as_json: bool) -> int:
    """Show what digest does, without network or configuration.

    Runs three days in May 2026 and writes mails, feeds and an overview page into DIR (./digest-demo). A small
    server on this machine announces the papers of these days, and `digest run` processes them like arXiv's. Most
    have no abstract, because their licences are not known.

    DIR must be new, empty, or an earlier demo, which is replaced.
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
    click.secho("\nThe demo is done. It wrote:", bold=True)
    for name, path in paths.items():
        click.echo(f"  {name:14} {path}")
    click.echo("Most papers have no abstract: the demo ships only those whose licence is known to allow it.")
    click.echo(
        "The server that announced the papers has stopped, so `digest run` cannot fetch anything with this configuration."
    )
    click.echo(f"Try: digest why language-models 2605.06472 --config {paths['configuration']}")
    click.echo("Next: `digest init` writes your own configuration.")
    return 0


def _prepare(folder: Path, url: str) -> Path:
    """Write the configuration for the server into an empty folder, or over an earlier demo."""
    from importlib.resources import files

    from digest.errors import ConfigError

    config = folder / "digest.toml"
    if folder.exists() and any(folder.iterdir()):
        if not config.is_file() or not config.read_text("utf-8").startswith(_HEADER):
            raise ConfigError(f"{folder} is not empty; choose another folder: digest demo DIR")
        for name in ("out", "templates"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for path in folder.glob("digest.db*"):
            path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    shipped = files("digest.demo")
    text = (shipped / "digest.toml").read_text("utf-8")
    config.write_text(text.replace("${DIGEST_DEMO_URL}", url), encoding="utf-8")
    _copy_folder(shipped / "templates", folder / "templates")
    return config


def _copy_folder(source: Traversable, target: Path) -> None:
    target.mkdir()
    for entry in source.iterdir():
        if entry.is_dir():
            _copy_folder(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def _replace_source_address(config: Path, url: str) -> None:
    """Replace the address of the stopped server, because another program may get its port."""
    text = config.read_text("utf-8")
    config.write_text(
        text.replace("[[source]]", f"{_ENDED_NOTE}[[source]]", 1).replace(url, _NO_SERVER), encoding="utf-8"
    )


def _run_at(config: Path, now: datetime, *, quiet: bool) -> dict[str, Any]:
    """Do what ``digest run --now`` does."""
    from digest.app import open_app
    from digest.cli.operations.run import run_reported_cycle

    if not quiet:
        click.secho(f"{now:%A} {now.day} {now:%B %Y, %H:%M}", bold=True)
    with open_app(config, now.astimezone(UTC), {}) as app:
        app.apply_config()
        with app.open_steps(command="demo") as steps:
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
