"""The command line. Nothing is imported before it is needed: ``--help`` costs little more than click does."""

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
    "demo": ("operations.demo", "demo", "See it work, without network or configuration."),
    "init": ("operations.init", "init", "Write a configuration to start from."),
    "check": ("operations.config_commands", "check", "Find what is wrong, and how to mend it."),
    "dkim-key": ("delivery.dkim", "dkim_key", "Make a key that mails are signed with."),
    "import": ("imports", "import_", "Read a library, and follow what is in it."),
    "export": ("operations.state", "export", "Write what the next run needs on another machine."),
    "run": ("operations.run", "run", "One cycle: pull, match, compose, deliver."),
    "serve": ("operations.serve", "serve", "Run cycles for ever, and answer on the web."),
    "pull": ("operations.run", "pull", "Ask the sources for what is due."),
    "backfill": ("backfill", "backfill", "Ask a source for past days."),
    "enrich": ("operations.enrich", "enrich", "Ask for more of the papers and persons that readers see."),
    "match": ("operations.run", "match", "Match what is stored with what is followed."),
    "compose": ("operations.run", "compose", "Make the editions that are due."),
    "deliver": ("operations.run", "deliver", "Deliver what is made, and write the feeds."),
    "preview": ("explain", "preview", "The edition that would go out now."),
    "try": ("try_query", "try_", "What a query finds, and how many a day."),
    "why": ("explain", "why", "Why a paper is, or is not, in a digest."),
    "pause": ("subscribers.pauses", "pause", "Let a digest rest for a while."),
    "resume": ("subscribers.pauses", "resume", "Let a paused digest go on."),
    "status": ("operations.status", "status", "What came, what did not and why, what is next."),
    "papers": ("papers", "papers", "What is known of a paper, and by whom."),
    "saved": ("subscribers.saved", "saved", "The papers that readers saved."),
    "people": ("people", "people", "Who is who among authors of one name."),
    "subscribers": ("subscribers.subscribers", "subscribers", "Who gets what, and who unsubscribed."),
    "editions": ("operations.status", "editions", "List the last editions, or show one."),
    "feeds": ("feeds", "feeds", "Where feeds are; give one a new address."),
    "deliveries": ("delivery.deliveries", "deliveries", "List deliveries, try them again, drop them."),
    "bounces": ("delivery.bounces", "bounces", "Read what came back, or list it."),
    "tidy": ("operations.tidy", "tidy", "Remove from the database what is older than it is to keep."),
    "completion": ("terminal.completion", "completion", "Let your shell complete commands and options."),
    "db": ("operations.config_commands", "db", "Look after the database."),
}
"""Each command: its module here, its name in it, and what it does in a few words; in the order of their use."""
_STEPS = frozenset(
    {"run", "serve", "pull", "backfill", "enrich", "match", "compose", "deliver", "bounces", "tidy"}
)
"""Commands that do the work of a cycle, or a part of it."""


class _CommandError(click.ClickException):
    """One of our exceptions, for click to show."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Say it on standard error."""
        click.echo(f"{click.style('Error:', fg='red')} {self.message}", file=file, err=file is None)


class _UsageError(_CommandError):
    """The same, where the command line or the configuration is wrong."""

    exit_code = 2


class _LazyCommandGroup(CommandGroup):
    """Commands that are imported when they are called, give their exit status, and raise our exceptions."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of their use, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"digest.cli.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """List them without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> None:
        """Run one until it is done or told to stop; what goes wrong is told in a sentence."""
        signals: StopSignals | None = ctx.obj
        forget_secrets()
        try:
            with filter_streams(redact_output):
                status = signals.run_until_stopped(partial(self._run, ctx)) if signals else self._run(ctx)
        except KeyboardInterrupt:
            is_step = ctx.invoked_subcommand in _STEPS
            resumption = " Nothing is lost: the next cycle goes on from here." if is_step else ""
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
    """What to say instead of a traceback; None where there is to be one, or nothing."""
    if is_out_of_memory(error):
        forget_frames(error)
        return _CommandError(str(OutOfMemoryError()))
    if isinstance(error, ConfigError):
        return _UsageError(redact_output(str(error)))
    if isinstance(error, DigestError):
        return _CommandError(redact_output(str(error)))
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return _CommandError(f"{error.filename or 'the system'}: {error.strerror or error}")
    return None  # of a broken pipe, too: who reads has read enough, and click ends quietly


def _get_terminal_width() -> int:
    """The terminal's width. click would ask shutil, whose import alone takes a third of a start of Python."""
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
    """Tells researchers what is new.

    digest pulls new paper listings, matches them with what you follow, and sends one digest on your
    schedule, by e-mail and as a feed.

    \b
    First steps:
      digest demo                see it work, without network or configuration
      digest init                write a configuration to start from
      digest check               find what is wrong with it, and how to mend it
      digest run                 one cycle: pull, match, compose, deliver

    What to follow is written like a search; `digest try --help` has the language at a glance.

    The file is found by --config, $DIGEST_CONFIG, ./digest.toml, or in your configuration folder.
    Exit status: 0 done; 1 something failed, and it was said which; 2 wrong use or configuration.
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are


def _print_traceback(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Print the traceback of a mistake of ours: people send it in, and what others said may be in it."""
    from traceback import format_exception

    sys.stderr.write(redact_output("".join(format_exception(kind, error, traceback))))


def main() -> None:
    """Run the command that was typed.

    What a command makes lives mostly until its end. To look through it for garbage after every 700 objects,
    and once more when all is done, takes a fifth of a day's run.
    """
    sys.excepthook = _print_traceback
    register_transliteration()
    gc.set_threshold(200_000, 20, 100)
    atexit.register(gc.freeze)
    cli(prog_name="digest", obj=StopSignals())
