"""``digest serve``: ticker, jobs and web server in one process."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.subscribers.subscribers import warn_of_unsubscribed
from digest.cli.terminal.options import (
    apply_option,
    config_option,
    json_option,
    open_configured_app,
    print_json,
    wait_for_upgrade,
)
from digest.cli.terminal.progress import apply_config_visibly
from digest.errors import ConfigError, DigestError, ListenError

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.cycle import CycleEvent
    from digest.web.site import Site

host_option = click.option(
    "--host",
    metavar="HOST",
    help="Listen on this host instead of that of [site] listen; 0.0.0.0 for all addresses.",
)
port_option = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Listen on this port instead of that of [site] listen; 0 for any free one.",
)


@click.command()
@config_option
@json_option
@apply_option
@click.option(
    "--every", default=60, show_default=True, type=click.IntRange(1, 3600), help="Seconds between cycles."
)
@host_option
@port_option
def serve(
    config: Path | None, *, as_json: bool, another_file: bool, every: int, host: str | None, port: int | None
) -> int:
    """Run as a service and serve the web pages, until stopped by SIGTERM or Ctrl-C.

    Runs a cycle every minute. Applies the configuration when it starts and on SIGHUP; if the file then has
    errors, it reports them and keeps the old configuration. Two such processes at once do no harm.

    If [site] has a `url`, the command also serves the pages of editions, the feeds and the unsubscribe
    pages, at [site] listen. With --json, it prints totals when it is stopped.
    """
    from digest.ticker import block_signals, run_until_signal

    reporter = ServeReporter(quiet=as_json)
    listener = Listener(host, port)
    is_restarting = True
    try:
        while is_restarting:
            with open_configured_app(config) as app:
                listener.open_for(app, reporter)
                reporter.shows_addresses = app.settings.signup is None
                apply_config_visibly(app, allows_other_file=another_file, quiet=as_json)
                warn_of_unsubscribed(app)
                with _serve_pages(app, listener, reporter) as is_alive:
                    block_signals()  # a signal may follow the next line at once
                    reporter.print_line(
                        "Running. Ctrl-C stops the service, SIGHUP reloads the configuration."
                    )
                    is_restarting = run_until_signal(
                        app,
                        interval=every,
                        report=reporter,
                        on_pass_end=reporter.finish_pass,
                        is_alive=is_alive,
                    )
    finally:
        listener.close()
    reporter.print_line("Stopped. Nothing is lost: the next cycle continues from here.")
    if as_json:
        print_json(reporter.counts)
    return 0


@click.command()
@config_option
@apply_option
def apply(config: Path | None, *, another_file: bool) -> int:
    """Apply the configuration to the database, and do nothing else.

    `digest run` and `digest serve` do this themselves. Use it where workers and web servers share the work: they never
    apply a file. Workers notice it and continue with the new configuration.
    """
    with open_configured_app(config) as app:
        apply_config_visibly(app, allows_other_file=another_file, quiet=False)
        warn_of_unsubscribed(app)
    click.echo("Applied.")
    return 0


@click.command()
@config_option
@host_option
@port_option
def web(config: Path | None, *, host: str | None, port: int | None) -> int:
    """Serve the web pages, without any other work, until stopped by SIGTERM or Ctrl-C.

    The work is done by `digest worker` or another `digest serve` on the same database, whose file has been applied. Any
    number of machines can serve the same pages. On SIGHUP the command reads its file again.
    """
    import secrets

    from digest.jobs.workers import WorkerProfile, register_worker
    from digest.ticker import block_signals, wait_for_signal

    reporter = ServeReporter(quiet=False)
    listener = Listener(host, port)
    is_restarting = True
    try:
        while is_restarting:
            with wait_for_upgrade(config) as app:
                if not app.settings.site.is_served:
                    raise ConfigError("digest web needs [site] url, because pages and mails link to it")
                listener.open_for(app, reporter)
                profile = WorkerProfile(command="web", file_hash=app.file_hash)
                block_signals()  # the heartbeat is a thread, which would end the process on SIGHUP
                with (
                    register_worker(app.store, secrets.randbits(62), profile),
                    _serve_pages(app, listener, reporter) as is_alive,
                ):
                    reporter.print_line("Running. Ctrl-C stops it, SIGHUP reloads the configuration.")
                    is_restarting = wait_for_signal(app, reporter, is_alive)
    finally:
        listener.close()
    reporter.print_line("Stopped.")
    return 0


@contextmanager
def _serve_pages(app: App, listener: Listener, reporter: ServeReporter) -> Iterator[Callable[[], bool]]:
    """Serve the web pages inside the context if the configuration has a site, and yield a check of the web server."""
    if app.pages is None or listener.socket is None:
        yield lambda: True
        return
    from digest.web.server import serve_site
    from digest.web.site import make_site

    host, port = listener.socket.getsockname()[:2]
    site = make_site(app, app.pages, reporter.print_line)
    with serve_site(listener.socket, site) as is_alive, _serve_metrics(app, site, reporter):
        reporter.print_line(
            f"Listening on {f'[{host}]' if ':' in host else host}:{port} for {app.pages.url}."
        )
        yield is_alive


@contextmanager
def _serve_metrics(app: App, site: Site, reporter: ServeReporter) -> Iterator[None]:
    """Serve metrics inside the context if the configuration has an address for them; else only report why not."""
    endpoint = app.settings.site.metrics
    if not endpoint:
        yield
        return
    from digest.web.monitoring.metrics import SiteCollector, serve_metrics

    collector = SiteCollector(
        request_counts=site.request_counts,
        response_cache=site.response_cache,
        store=app.store,
        replica=app.replica,
        enrichers=app.enrichers,
        clock=app.clock,
    )
    with ExitStack() as stack:
        try:
            port = stack.enter_context(serve_metrics(endpoint, collector))
            reporter.print_line(f"Metrics are at http://{endpoint.rpartition(':')[0]}:{port}/metrics.")
        except ListenError as error:  # the pages and the mails do not depend on it
            reporter(error)
        yield


class Listener:
    """The listening socket. It stays open while the configuration is reloaded, so visitors only wait.

    Args:
        host: overrides the host of the configuration; None for no override.
        port: overrides the port of the configuration; None for no override.
    """

    def __init__(self, host: str | None, port: int | None) -> None:
        self.socket: socket.socket | None = None
        self._host, self._port = host, port
        self._address = ""

    def open_for(self, app: App, reporter: ServeReporter) -> None:
        """Listen at the configured address; if that fails after a reload, report it and keep the old socket.

        Raises:
            ConfigError: --host or --port is given, but the configuration has no site.
            ListenError: the address cannot be used, and there is no old socket.
        """
        address = self._choose_address(app)
        if address == self._address:
            return
        from digest.web.server import listen

        try:
            new_socket = listen(address) if address else None
        except ListenError as error:
            if self.socket is None:
                raise
            reporter(error)
            return
        self.close()
        self.socket, self._address = new_socket, address

    def _choose_address(self, app: App) -> str:
        site = app.settings.site
        is_overridden = self._host is not None or self._port is not None
        if is_overridden and not site.url:
            raise ConfigError(
                "--host and --port need [site] url in the configuration, because mails and feeds link to it; "
                'to try it on this machine, write url = "http://127.0.0.1:8080"'
            )
        if not site.is_served:
            return ""
        host, _, port = site.listen.rpartition(":")
        if self._host is not None:
            host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{host}:{port if self._port is None else self._port}"

    def close(self) -> None:
        """Stop listening."""
        if self.socket is not None:
            self.socket.close()
            self.socket, self._address = None, ""


class ServeReporter:
    """Prints and counts the events of the cycles; many similar deliveries are only counted.

    Attributes:
        shows_addresses: whether lines name the addresses of deliveries; otherwise they name the deliveries by number.
    """

    def __init__(self, *, quiet: bool) -> None:
        from digest.cli.terminal.run_summary import LineLimiter

        self._quiet = quiet
        self._limiter = LineLimiter()
        self.shows_addresses = True
        self.counts = {"pulled": 0, "delivered": 0, "failed": 0}

    def __call__(self, event: CycleEvent | DigestError) -> None:
        """Report an event or an error."""
        from digest.cli.terminal import format_events
        from digest.jobs.delivery.outbox import DeliveryAttempt
        from digest.jobs.fetching.pull import PullProgress

        if isinstance(event, DigestError):
            self.counts["failed"] += 1
            click.echo(f"{click.style('Error:', fg='red')} {event}", err=True)
            return
        failed = format_events.is_failure(event)
        self.counts["failed"] += failed
        self.counts["pulled"] += isinstance(event, PullProgress) and not failed
        self.counts["delivered"] += isinstance(event, DeliveryAttempt) and not failed
        for line in self._limiter.list_lines(event):
            # The output of a service is kept as a log, which would still have the addresses that readers deleted.
            self.print_line(line.text if self.shows_addresses else _hide_address(line.text, event))

    def finish_pass(self) -> None:
        """Print lines that were held back, and the numbers of deliveries without a line."""
        from digest.cli.terminal.run_summary import LineLimiter

        for line in self._limiter.list_omitted():
            self.print_line(line.text)
        self._limiter = LineLimiter()

    def print_line(self, text: str) -> None:
        """Print a line unless quiet."""
        if not self._quiet:
            click.echo(text)


def _hide_address(text: str, event: CycleEvent) -> str:
    """Replace the address of a delivery or a report by the number of the delivery, also in what a server answered."""
    from digest.jobs.delivery.bounces.bounce_events import CountedReport
    from digest.jobs.delivery.outbox import DeliveryAttempt

    match event:
        case DeliveryAttempt():
            address, number = event.delivery.address, event.delivery.id
        case CountedReport():
            address, number = event.report.mailbox, event.report.delivery
        case _:
            return text
    if "@" not in address:  # a folder or a service, whose name may be any word of the text
        return text
    name = f"delivery {number}" if number else "an address"
    return re.sub(re.escape(address), name, text, flags=re.IGNORECASE)
