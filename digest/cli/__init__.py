"""The command line. Imports are deferred until they are needed, so ``--help`` costs little more than click does."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import IO, Any

import click

from digest import __version__
from digest.cli.terminal.encoding import register_transliteration
from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.stopping import StopSignals
from digest.errors import ConfigError, DigestError, OutOfMemoryError, forget_frames, is_out_of_memory
from digest.redaction import filter_streams, forget_secrets, redact_output

COMMANDS = {
    "demo": ("operations.demo", "demo", "Show what digest does, without network or configuration."),
    "init": ("setup.init", "init", "Write a configuration to start from."),
    "check": ("setup.check", "check", "Validate the configuration and test everything in it."),
    "dkim-key": ("delivery.dkim", "dkim_key", "Create a key for signing mails."),
    "import": ("imports", "import_", "Read a library and let a digest follow it."),
    "export": ("backups.state", "export", "Export what the next run needs on another machine."),
    "run": ("operations.run", "run", "Run one cycle: pull, match, compose, deliver."),
    "serve": ("operations.serve", "serve", "Run as a service and serve the web pages."),
    "apply": ("operations.serve", "apply", "Apply the configuration to the database, and do nothing else."),
    "worker": ("operations.worker", "worker", "Share the work of a service with other workers."),
    "web": ("operations.serve", "web", "Serve the web pages, without any other work."),
    "pull": ("operations.run", "pull", "Fetch what is due from the sources."),
    "backfill": ("backfill", "backfill", "Fetch past days from a source."),
    "enrich": ("operations.enrich", "enrich", "Query the enrichers for more about papers and people."),
    "match": ("operations.run", "match", "Match stored papers against what is followed."),
    "compose": ("operations.run", "compose", "Compose the editions that are due."),
    "deliver": ("operations.run", "deliver", "Deliver composed editions and write the feeds."),
    "preview": ("explain", "preview", "Show the edition that would go out now."),
    "try": ("try_query", "try_", "Show what a query finds, and how many papers per day."),
    "search": ("search", "search", "Search all papers in the database."),
    "mcp": ("mcp", "mcp", "Let an assistant read the database."),
    "why": ("explain", "why", "Explain why a paper is, or is not, in a digest."),
    "pause": ("subscribers.pauses", "pause", "Pause a digest."),
    "resume": ("subscribers.pauses", "resume", "Resume a paused digest."),
    "status": (
        "operations.status",
        "status",
        "Show what arrived, what is missing and why, and what is next.",
    ),
    "capacity": ("operations.capacity", "capacity", "Show what a day takes, and which limit comes first."),
    "papers": ("papers", "papers", "Show what is known about a paper, or correct its ids."),
    "saved": ("subscribers.saved", "saved", "List the papers that readers saved."),
    "people": ("people", "people", "Show who is who among authors with the same name."),
    "subscribers": (
        "subscribers.subscribers",
        "subscribers",
        "List who gets what, invite readers, or resume delivery to an address.",
    ),
    "editions": ("operations.status", "editions", "List the latest editions, or show one."),
    "feeds": ("feeds", "feeds", "List the feeds, or give one a new address."),
    "deliveries": ("delivery.deliveries", "deliveries", "List, retry, drop or release deliveries."),
    "bounces": ("delivery.bounces", "bounces", "List bounces, or read the mailbox for them."),
    "notices": ("operations.notices", "notices", "List the notices to operators."),
    "audit": ("operations.audit", "audit", "List who changed what."),
    "tidy": ("operations.tidy", "tidy", "Remove old editions and deliveries from the database."),
    "completion": ("terminal.completion", "completion", "Print the completion script for your shell."),
    "db": ("backups.database", "db", "Upgrade, back up or restore the database."),
}
"""For each command its module in this package, its name in that module, and a summary; in the order of first use."""
_STEPS = frozenset(
    {"run", "serve", "pull", "backfill", "enrich", "match", "compose", "deliver", "bounces", "tidy"}
)
"""Commands that run a cycle or a step of it."""


class _CommandError(click.ClickException):
    """An exception of ours, shown by click."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message to standard error."""
        click.echo(f"{click.style('Error:', fg='red')} {self.message}", file=file, err=file is None)


class _UsageError(_CommandError):
    """An error in the command line or the configuration."""

    exit_code = 2


class _LazyCommandGroup(CommandGroup):
    """Imports commands when they are called, exits with the status they return, and turns our exceptions into messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """List the commands in the order of first use, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"digest.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> None:
        """Run a command until it is done or stopped; report errors in one sentence."""
        signals: StopSignals | None = ctx.obj
        forget_secrets()
        try:
            with filter_streams(redact_output):
                status = signals.run_until_stopped(partial(self._run, ctx)) if signals else self._run(ctx)
        except KeyboardInterrupt:
            is_step = ctx.invoked_subcommand in _STEPS
            resumption = " Nothing is lost: the next cycle continues from here." if is_step else ""
            click.echo(f"Stopped.{resumption}", err=True)
            status = 130
        ctx.exit(status)

    def _run(self, ctx: click.Context) -> int:
        try:
            return super().invoke(ctx) or 0
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception as error:
            click_error = _convert_error(error)
            if click_error is None:
                raise
            raise click_error from error


def _convert_error(error: Exception) -> _CommandError | None:
    """Convert an exception into a message; None if it should pass unchanged."""
    if is_out_of_memory(error):
        forget_frames(error)
        return _CommandError(str(OutOfMemoryError()))
    if isinstance(error, ConfigError):
        return _UsageError(redact_output(str(error)))
    if isinstance(error, DigestError):
        return _CommandError(redact_output(str(error)))
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return _CommandError(f"{error.filename or 'the system'}: {error.strerror or error}")
    return None  # A broken pipe, too: the reader has read enough, and click ends quietly.


def _get_terminal_width() -> int:
    """Return the terminal's width. click would use shutil, whose import takes a third of the time that Python takes to start."""
    try:
        return os.get_terminal_size().columns
    except OSError:
        return 80


@click.group(
    cls=_LazyCommandGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": min(_get_terminal_width(), 80),
    },
)
@click.version_option(__version__, prog_name="digest")
def cli() -> None:
    """Tells researchers which new papers match their interests.

    digest fetches announcements of new papers, matches them against what you follow, and sends you one
    digest on your schedule, by e-mail and as a feed.

    \b
    First steps:
      digest demo                see what digest does, without a configuration
      digest init                write a configuration to start from
      digest check               validate it, and see how to fix each problem
      digest run                 run one cycle: pull, match, compose, deliver

    You write what you follow like a search. `digest try --help` explains the language.

    digest looks for its configuration in this order: --config, $DIGEST_CONFIG, ./digest.toml, your
    configuration folder. Exit status: 0 done; 1 something failed, and the output says what; 2 wrong
    usage or configuration.
    """  # noqa: D301 - \b tells click not to wrap the lines that follow


def _print_traceback(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Print the traceback of a bug with secrets redacted: people send it in, and it may quote answers of servers."""
    from traceback import format_exception

    sys.stderr.write(redact_output("".join(format_exception(kind, error, traceback))))


def main() -> None:
    """Run the command line.

    Most objects of a command live until its end. Collecting garbage after every 700 allocations, as Python does by
    default, and once more at exit would take a fifth of the time of a daily run.
    """
    sys.excepthook = _print_traceback
    register_transliteration()
    gc.set_threshold(200_000, 20, 100)
    atexit.register(gc.freeze)
    cli(prog_name="digest", obj=StopSignals())
