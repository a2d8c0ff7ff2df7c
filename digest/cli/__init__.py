"""The command line. Nothing slow is imported before a command runs: ``--help`` answers at once."""

from __future__ import annotations

from typing import IO, Any

import click

from digest import __version__
from digest.cli.ask import preview, try_, why
from digest.cli.demo import demo
from digest.cli.look import deliveries, editions, status
from digest.cli.run import compose, deliver, match, pull, run, serve
from digest.cli.setup import check, db, init
from digest.errors import ConfigError, DigestError


class _Failed(click.ClickException):
    """One of our exceptions, for click to show."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Say it on standard error."""
        click.echo(f"{click.style('Error:', fg='red')} {self.message}", file=file, err=file is None)


class _Wrong(_Failed):
    """The same, where the command line or the configuration is wrong."""

    exit_code = 2


class _Commands(click.Group):
    """Commands that give their exit status, and raise our exceptions."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of their use, not of the alphabet."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> None:
        """Run one; what goes wrong is told in a sentence."""
        try:
            status = super().invoke(ctx)
        except ConfigError as error:
            raise _Wrong(str(error)) from error
        except DigestError as error:
            raise _Failed(str(error)) from error
        except KeyboardInterrupt:
            click.echo("Stopped. Nothing is lost: the next cycle goes on from here.", err=True)
            status = 130
        ctx.exit(status or 0)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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

    The file is found by --config, $DIGEST_CONFIG, ./digest.toml, or in your configuration folder.
    Exit status: 0 done; 1 something failed, and it was said which; 2 wrong use or configuration.
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are


for command in (demo, init, check, run, serve, pull, match, compose, deliver):
    cli.add_command(command)
for command in (preview, try_, why, status, editions, deliveries, db):
    cli.add_command(command)


def main() -> None:
    """Run the command that was typed."""
    cli(prog_name="digest")
