"""``digest dkim-key``: create a key for signing mails."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from digest.cli.terminal.options import json_option, print_json

_RSA_BITS = 2048
"""Key size that RFC 8301, section 3.2, requires; longer records do not fit into the forms of some DNS providers."""


@click.command("dkim-key")
@click.argument("domain")
@click.option(
    "--selector", default="digest", help="The name of its DNS record. A new key needs a new selector."
)
@click.option(
    "--kind",
    type=click.Choice(["rsa", "ed25519"]),
    default="rsa",
    help="Every server supports rsa; use ed25519 for a second key.",
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; dkim-SELECTOR.pem by default.",
)
@json_option
def dkim_key(domain: str, *, selector: str, kind: str, file: Path | None, as_json: bool) -> int:
    """Create a key for signing mails from DOMAIN, and print its DNS record.

    The key goes into a file that only you may read. The command also prints the lines to add to digest.toml. An
    existing key is never overwritten.

    \b
    Example:
      digest dkim-key example.org
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    from digest.config.delivery.dkim import read_domain, read_selector
    from digest.core.delivery.dns.dkim_keys import format_zone_line, read_key
    from digest.errors import ConfigError

    domain, selector = read_domain(domain), read_selector(selector)
    target = file or Path(f"dkim-{selector}.pem")
    if target.exists():
        raise ConfigError(
            f"{target} exists already, and mails may be signed with it; choose another --file and another --selector: "
            "keep the old DNS record until all mails signed with that key have been delivered"
        )
    pem = _generate_key(kind)
    key = read_key(selector, pem)
    with os.fdopen(
        os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
    ) as out:
        out.write(pem)
    if as_json:
        print_json(
            {"wrote": str(target), "name": key.make_record_name(domain), "type": "TXT", "value": key.record}
        )
        return 0
    click.echo(
        f"Wrote {target}. Keep it secret.\n\n"
        f"1. Add this record to the DNS of {domain}:\n\n"
        f"   name   {key.make_record_name(domain)}\n"
        "   type   TXT\n"
        f"   value  {key.record}\n\n"
        f"   In a zone file, where a string has at most 255 characters:\n\n   {format_zone_line(key.make_record_name(domain), key.record)}\n\n"
        f"{_format_instructions(kind, domain, selector, target)}\n\n"
        "3. Run `digest check` to see whether the record is visible. Until then, signatures have no effect."
    )
    return 0


def _format_instructions(kind: str, domain: str, selector: str, target: Path) -> str:
    """Return the lines for the configuration; Ed25519 is used beside RSA, because not every server supports it."""
    table, position_hint = f'[dkim]\n   domain = "{domain}"', ""
    if kind == "ed25519":
        table = "[dkim.second]"
        position_hint = ", below the lines of an RSA key (without an RSA key, use [dkim] as the first line)"
    return (
        f"2. Add this to digest.toml{position_hint}:\n\n"
        f'   {table}\n   selector = "{selector}"\n   key_file = {_format_path(target)}'
    )


def _format_path(target: Path) -> str:
    """Format a path for the configuration: relative to its folder if possible, otherwise absolute."""
    from digest.config import find_config
    from digest.errors import ConfigError

    absolute = target.resolve()
    try:
        folder = find_config(None, os.environ).resolve().parent
    except ConfigError:
        folder = None
    shown_path = absolute.relative_to(folder) if folder and absolute.is_relative_to(folder) else absolute
    return json.dumps(shown_path.as_posix(), ensure_ascii=False)  # a JSON string is also a TOML string


def _generate_key(kind: str) -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    key = Ed25519PrivateKey.generate() if kind == "ed25519" else generate_private_key(65537, _RSA_BITS)
    pem, private_format = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(pem, private_format, serialization.NoEncryption()).decode()
