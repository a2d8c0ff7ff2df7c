"""The command that runs for ever: ticker, jobs and web in one process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.subscribers.subscribers import name_unsubscribed
from digest.cli.terminal.options import apply_option, config_option, json_option, opened, print_json
from digest.errors import ConfigError, DigestError, ListenError

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.cycle import Happening


@click.command()
@config_option
@json_option
@apply_option
@click.option(
    "--every", default=60, show_default=True, type=click.IntRange(1, 3600), help="Seconds between ticks."
)
@click.option("--host", metavar="HOST", help="Listen here instead of at [site] listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Listen at this port instead of [site] listen; 0 for any."
)
def serve(
    config: Path | None, *, as_json: bool, another_file: bool, every: int, host: str | None, port: int | None
) -> int:
    """Run cycles for ever, a tick a minute, and answer on the web, until stopped.

    Applies the configuration at its start and on SIGHUP. Where [site] url says what our address on the web
    is, it answers there: pages of editions, feeds, and who unsubscribes. Two of them at once do no harm.
    With --json it counts what happened and prints that when it is stopped.
    """
    from digest.ticker import postpone_signals, tick_until_signal

    told = Told(quiet=as_json)
    door = Door(host, port)
    again = True
    try:
        while again:
            with opened(config) as app:
                door.open_for(app, told)
                app.apply(another_file=another_file)
                name_unsubscribed(app)
                with _answering(app, door, told):
                    postpone_signals()  # who reads this may send one at once
                    told.say("Serving; Ctrl-C stops, SIGHUP reads the configuration again.")
                    again = tick_until_signal(app, every=every, tell=told, passed=told.end_pass)
    finally:
        door.close()
    told.say("Stopped. Nothing is lost: the next cycle goes on from here.")
    if as_json:
        print_json(told.counts)
    return 0


@contextmanager
def _answering(app: App, door: Door, told: Told) -> Iterator[None]:
    """Answer on the web meanwhile, if the file says that we do."""
    if app.pages is None or door.socket is None:
        yield
        return
    from digest.web.server import answering
    from digest.web.site import make_site

    host, port = door.socket.getsockname()[:2]
    with answering(door.socket, make_site(app, app.pages, told.say)):
        told.say(f"Answering at {f'[{host}]' if ':' in host else host}:{port} for {app.pages.url}.")
        yield


class Door:
    """Where we listen, from the first file to the last: who connects while a file is read again only waits.

    Args:
        host: instead of the file's; None for the file's.
        port: instead of the file's; None for the file's.
    """

    def __init__(self, host: str | None, port: int | None) -> None:
        self.socket: socket.socket | None = None
        self._host, self._port = host, port
        self._where = ""

    def open_for(self, app: App, told: Told) -> None:
        """Listen where a file says; where that cannot be done for a changed file, go on as before.

        Raises:
            ConfigError: there is an option that says where, and no address for it on the web.
            ListenError: we cannot listen there.
        """
        where = self._wanted(app)
        if where == self._where:
            return
        from digest.web.server import listen

        try:
            fresh = listen(where) if where else None
        except ListenError as error:
            if self.socket is None:
                raise
            told(error)
            return
        self.close()
        self.socket, self._where = fresh, where

    def _wanted(self, app: App) -> str:
        site = app.settings.site
        asked = self._host is not None or self._port is not None
        if asked and not site.url:
            raise ConfigError(
                "--host and --port need [site] url in the configuration: mails and feeds lead to it; "
                'for a try on this machine write url = "http://127.0.0.1:8080"'
            )
        if not site.answers:
            return ""
        host, _, port = site.listen.rpartition(":")
        if self._host is not None:
            host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{host}:{port if self._port is None else self._port}"

    def close(self) -> None:
        """Listen no more."""
        if self.socket is not None:
            self.socket.close()
            self.socket, self._where = None, ""


class Told:
    """Tells what the ticker's cycles do, of many deliveries only how many, and counts it."""

    def __init__(self, *, quiet: bool) -> None:
        from digest.cli.terminal.run_summary import Lines

        self._quiet = quiet
        self._lines = Lines()
        self.counts = {"pulled": 0, "delivered": 0, "failed": 0}

    def __call__(self, happening: Happening | DigestError) -> None:
        """Tell one."""
        from digest.cli.terminal import format_events
        from digest.jobs.delivery.dispatcher import Delivered
        from digest.jobs.fetching.pull import Pulled

        if isinstance(happening, DigestError):
            self.counts["failed"] += 1
            click.echo(f"{click.style('Error:', fg='red')} {happening}", err=True)
            return
        failed = format_events.failed(happening)
        self.counts["failed"] += failed
        self.counts["pulled"] += isinstance(happening, Pulled) and not failed
        self.counts["delivered"] += isinstance(happening, Delivered) and not failed
        self.say(self._lines.of(happening))

    def end_pass(self) -> None:
        """Tell how many deliveries of a pass had no line of their own."""
        from digest.cli.terminal.run_summary import Lines

        for text in self._lines.others():
            self.say(text)
        self._lines = Lines()

    def say(self, text: str | None) -> None:
        """Print a line, if there is one."""
        if text and not self._quiet:
            click.echo(text)
