"""The command line. Nothing slow is imported before a command runs: ``--help`` answers at once."""

from __future__ import annotations

import sys

import click

from digest import __version__
from digest.cli.ask import preview, try_, why
from digest.cli.demo import demo
from digest.cli.look import deliveries, editions, status
from digest.cli.run import compose, deliver, match, pull, run, serve
from digest.cli.setup import check, db, init
from digest.errors import ConfigError, DigestError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="digest")
def cli() -> None:
    r"""Tells researchers what is new.

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
    """


for command in (demo, init, check, run, serve, pull, match, compose, deliver):
    cli.add_command(command)
for command in (preview, try_, why, status, editions, deliveries, db):
    cli.add_command(command)


def main() -> None:
    """Run a command, and say what went wrong in a sentence."""
    try:
        status = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        status = _say("Stopped.", 130)
    except click.ClickException as error:
        error.show()
        status = 2
    except KeyboardInterrupt:
        status = _say("Stopped. Nothing is lost: the next cycle goes on from here.", 130)
    except DigestError as error:
        status = _say(
            f"{click.style('Error:', fg='red')} {error}", 2 if isinstance(error, ConfigError) else 1
        )
    sys.exit(status or 0)


def _say(message: str, status: int) -> int:
    click.echo(message, err=True)
    return status
