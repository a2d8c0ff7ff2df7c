"""``digest completion``: what lets a shell complete commands, options and files."""

from __future__ import annotations

import os
from pathlib import Path

import click

from digest.errors import ConfigError

_VARIABLE = "_DIGEST_COMPLETE"
"""By it the shell asks; click reads it."""
_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", required=False, type=click.Choice(_SHELLS), metavar="[SHELL]")
def completion(shell: str | None) -> int:
    """Print what lets your shell complete commands and options; SHELL is bash, zsh or fish, yours by default.

    \b
    To switch it on, put a line into the file that your shell reads when it starts:
      ~/.bashrc                     eval "$(digest completion bash)"
      ~/.zshrc, after compinit      eval "$(digest completion zsh)"
      ~/.config/fish/config.fish    digest completion fish | source
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    from click.shell_completion import get_completion_class

    from digest.cli import cli

    shell_name = shell or Path(os.environ.get("SHELL", "")).name
    completion_class = get_completion_class(shell_name) if shell_name in _SHELLS else None
    if completion_class is None:
        raise ConfigError(f"name your shell: digest completion {'|'.join(_SHELLS)}")
    click.echo(completion_class(cli, {}, "digest", _VARIABLE).source())
    return 0
