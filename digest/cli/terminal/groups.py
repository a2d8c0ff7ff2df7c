"""Groups of commands: run a default command, and suggest a similar one for a misspelt name."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import click


class CommandGroup(click.Group):
    """Runs its default command, or shows its help, if no command is given; suggests a command for a misspelt one.

    Args:
        default: the name of the default command, which also gets options without a command; "" shows the help.
    """

    def __init__(self, *arguments: Any, default: str = "", **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        if not args and not self.default and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()  # status 0: calling a group alone is not a mistake
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
        """Find the command that was given.

        Raises:
            click.UsageError: there is no such command; the message suggests one that is spelled like it.
        """
        name = args[0]
        names = self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            typed = re.sub(
                "ys$", "ies", name.lower()
            )  # so that `deliverys` suggests `deliveries`, not `deliver`
            matches = get_close_matches(typed, names, n=1)
            suggestion = f"; did you mean `{ctx.command_path} {matches[0]}`?" if matches else ""
            ctx.fail(f"there is no command {name!r}{suggestion or '.'}")
        return super().resolve_command(ctx, args)
