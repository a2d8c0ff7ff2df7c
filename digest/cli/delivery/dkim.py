"""The command that makes a key for signing mails."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from digest.cli.terminal.options import json_option, print_json

_RSA_BITS = 2048
"""What RFC 8301, section 3.2, asks for; with more, DNS records grow too long for some providers' panels."""


@click.command("dkim-key")
@click.argument("domain")
@click.option("--selector", default="digest", help="The name of its DNS record.")
@click.option("--kind", type=click.Choice(["rsa", "ed25519"]), default="rsa", help="Every server knows rsa.")
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where it is written.",
)
@json_option
def dkim_key(domain: str, *, selector: str, kind: str, file: Path | None, as_json: bool) -> int:
    """Make a key that mails from DOMAIN are signed with, and print its DNS record."""
    from digest.config.delivery.dkim import read_domain, read_selector
    from digest.core.delivery.dns.dkim_keys import format_zone_line, read_key
    from digest.errors import ConfigError

    domain, selector = read_domain(domain), read_selector(selector)
    target = file or Path(f"dkim-{selector}.pem")
    if target.exists():
        raise ConfigError(
            f"{target} is there already, and mails may be signed with it; name another one with --file, "
            "and take another --selector: the old record is needed until the last mail signed by it was read"
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
        f"Wrote {target}. Keep it to yourself.\n\n"
        f"1. Add this record to the DNS of {domain}:\n\n"
        f"   name   {key.make_record_name(domain)}\n"
        "   type   TXT\n"
        f"   value  {key.record}\n\n"
        f"   In a zone file, where a string has 255 characters at most:\n\n   {format_zone_line(key.make_record_name(domain), key.record)}\n\n"
        f"{_format_instructions(kind, domain, selector, target)}\n\n"
        "3. `digest check` tells whether the record can be seen. Until it can, a signature does no harm, and no good."
    )
    return 0


def _format_instructions(kind: str, domain: str, selector: str, target: Path) -> str:
    """What is to be written into the file; Ed25519 stands beside RSA, as not every server knows it."""
    table, position_hint = f'[dkim]\n   domain = "{domain}"', ""
    if kind == "ed25519":
        table = "[dkim.second]"
        position_hint = ", below the lines of an RSA key (without one, the first line is [dkim])"
    return (
        f"2. Write this into digest.toml{position_hint}:\n\n"
        f'   {table}\n   selector = "{selector}"\n   key_file = {_format_path(target)}'
    )


def _format_path(target: Path) -> str:
    """A path as the file has it: as seen from its folder if it is there, else whole."""
    from digest.config import find_config
    from digest.errors import ConfigError

    absolute = target.resolve()
    try:
        folder = find_config(None, os.environ).resolve().parent
    except ConfigError:
        folder = None
    shown_path = absolute.relative_to(folder) if folder and absolute.is_relative_to(folder) else absolute
    return json.dumps(shown_path.as_posix(), ensure_ascii=False)  # a text in JSON is one in TOML


def _generate_key(kind: str) -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    key = Ed25519PrivateKey.generate() if kind == "ed25519" else generate_private_key(65537, _RSA_BITS)
    pem, private_format = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(pem, private_format, serialization.NoEncryption()).decode()
