"""``digest completion``: scripts with which shells complete commands, options and files."""

from __future__ import annotations

import os
from pathlib import Path

import click

from digest.errors import ConfigError

_VARIABLE = "_DIGEST_COMPLETE"
"""Environment variable by which the script of the shell calls click."""
_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", required=False, type=click.Choice(_SHELLS), metavar="[SHELL]")
def completion(shell: str | None) -> int:
    """Print the script with which your shell completes commands and options when you press Tab.

    SHELL is bash, zsh or fish; by default, it is taken from the environment variable SHELL.

    \b
    To switch completion on, add a line to the file that your shell reads when it starts:
      ~/.bashrc                     eval "$(digest completion bash)"
      ~/.zshrc, after compinit      eval "$(digest completion zsh)"
      ~/.config/fish/config.fish    digest completion fish | source
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from click.shell_completion import get_completion_class

    from digest.cli import cli

    shell_name = shell or Path(os.environ.get("SHELL", "")).name
    completion_class = get_completion_class(shell_name) if shell_name in _SHELLS else None
    if completion_class is None:
        raise ConfigError(f"say which shell you use: digest completion {'|'.join(_SHELLS)}")
    click.echo(completion_class(cli, {}, "digest", _VARIABLE).source())
    return 0
