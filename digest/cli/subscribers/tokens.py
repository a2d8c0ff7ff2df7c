"""``digest subscribers tokens``: list and revoke the API tokens of a reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from digest.cli.terminal.actors import make_shell_actor
from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json

if TYPE_CHECKING:
    from digest.core.subscribers.api_tokens import ApiToken


@click.command()
@click.argument("address")
@click.option(
    "--revoke", "numbers", type=int, multiple=True, metavar="NUMBER", help="Revoke this token; repeatable."
)
@config_option
@json_option
def tokens(address: str, numbers: tuple[int, ...], config: Path | None, *, as_json: bool) -> int:
    """List or revoke the API tokens of a reader.

    A token itself is not stored, so nobody can see it again. Programs with a revoked token are refused from the next
    request on.

    \b
    Example:
      digest subscribers tokens ada@example.org --revoke 7
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.jobs.subscribers.tokens.api_tokens import list_tokens_of, revoke_tokens_of

    with open_configured_app(config) as app:
        if numbers:
            revoke_tokens_of(app.store, address, numbers, make_shell_actor(), app.clock())
        present = list_tokens_of(app.store, address, app.clock())
    if as_json:
        print_json([_make_json(token) for token in present])
        return 0
    for number in numbers:
        click.echo(f"Token {number} is revoked.")
    for token in present if not numbers else ():
        click.echo(_describe(token))
    if not present and not numbers:
        click.echo(f"{address} has no API tokens.")
    return 0


def _describe(token: ApiToken) -> str:
    scopes = ", ".join(sorted(token.scopes))
    used = f"last used {token.used_at:%Y-%m-%d %H} h UTC" if token.used_at else "never used"
    return f"{token.id}  {token.name}: {scopes}; {used}; valid until {token.expires_at:%Y-%m-%d}"


def _make_json(token: ApiToken) -> dict[str, object]:
    from digest.render.delivery.files import format_instant

    return {
        "number": token.id,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "created": format_instant(token.created_at),
        "used": format_instant(token.used_at) if token.used_at else None,
        "expires": format_instant(token.expires_at),
    }
