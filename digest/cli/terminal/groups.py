"""A command with commands below it: what happens where none of them is named, or one that there is not."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import click


class CommandGroup(click.Group):
    """Runs its default command if none is named, or shows its help; suggests a command for a misspelt one.

    Args:
        default: the name of the command to run; "" shows the help. An option without a command is the default's.
    """

    def __init__(self, *arguments: Any, default: str = "", **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        if not args and not self.default and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()  # somebody who asks for nothing made no mistake
        is_typed = not ctx.resilient_parsing
        if (
            is_typed
            and self.default
            and (not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names))
        ):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named.

        Raises:
            click.UsageError: there is none; it suggests one that is written like it.
        """
        name = args[0]
        names = self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            typed = re.sub("ys$", "ies", name.lower())  # `deliverys` is `deliveries`, and not `deliver`
            matches = get_close_matches(typed, names, n=1)
            suggestion = f"; did you mean `{ctx.command_path} {matches[0]}`?" if matches else ""
            ctx.fail(f"there is no command {name!r}{suggestion or '.'}")
        return super().resolve_command(ctx, args)
