"""``digest serve``: ticker, jobs and web server in one process."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.logs.options import log_options
from digest.cli.logs.reporters import make_reporter
from digest.cli.logs.service_reporter import ServiceReporter
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
from digest.errors import ConfigError, ListenError
from digest.event_log import LogEvent

if TYPE_CHECKING:
    from digest.app import App
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
@log_options
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

    reporter = make_reporter(quiet=as_json)
    listener = Listener(host, port)
    is_restarting = True
    try:
        while is_restarting:
            with open_configured_app(config) as app:
                listener.open_for(app, reporter)
                reporter.use_settings(app.settings)
                apply_config_visibly(app, allows_other_file=another_file, quiet=as_json)
                warn_of_unsubscribed(app)
                with _serve_pages(app, listener, reporter) as is_alive:
                    block_signals()  # a signal may follow the next line at once
                    reporter.print_line(
                        "Running. Ctrl-C stops the service, SIGHUP reloads the configuration.",
                        LogEvent.STARTED,
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
    reporter.print_line("Stopped. Nothing is lost: the next cycle continues from here.", LogEvent.STOPPED)
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
@log_options
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

    reporter = make_reporter()
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
                    register_worker(app.store, secrets.randbits(62), profile) as heartbeat,
                    _serve_pages(app, listener, reporter) as is_alive,
                ):
                    reporter.print_line(
                        "Running. Ctrl-C stops it, SIGHUP reloads the configuration.", LogEvent.STARTED
                    )
                    is_restarting = wait_for_signal(app, heartbeat, reporter, is_alive)
    finally:
        listener.close()
    reporter.print_line("Stopped.", LogEvent.STOPPED)
    return 0


@contextmanager
def _serve_pages(app: App, listener: Listener, reporter: ServiceReporter) -> Iterator[Callable[[], bool]]:
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
            f"Listening on {f'[{host}]' if ':' in host else host}:{port} for {app.pages.url}.",
            LogEvent.LISTENING,
        )
        yield is_alive


@contextmanager
def _serve_metrics(app: App, site: Site, reporter: ServiceReporter) -> Iterator[None]:
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
            address = f"http://{endpoint.rpartition(':')[0]}:{port}/metrics"
            reporter.print_line(f"Metrics are at {address}.", LogEvent.LISTENING)
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

    def open_for(self, app: App, reporter: ServiceReporter) -> None:
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
