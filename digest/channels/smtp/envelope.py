"""The commands that precede a message, depending on the server's extensions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from digest.model import Fault, Mail, Refused

_LEADING_DOT = re.compile(rb"\n\.")
"""A dot at the beginning of a line; a regular expression finds it in half the time of a plain search."""
_FORBIDDEN_CHARACTER = re.compile(r"[\x00-\x20\x7f<>]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The commands of a transaction, each with its line end."""

    mail: bytes
    rcpt: bytes


class _InvalidAddressError(Exception):
    """An address that cannot be written in a command."""


def make_envelope(mail: Mail, extensions: Mapping[str, str], server: str) -> Envelope | Refused:
    """Return the envelope of a message, or a refusal if it is clear in advance that this server cannot accept it.

    Args:
        mail: the message.
        extensions: the server's SMTP extensions: names in lower case, with their arguments.
        server: the server, for messages.
    """
    try:
        sender, recipient = _encode_address(mail.sender), _encode_address(mail.recipient)
    except _InvalidAddressError as error:
        is_sender = mail.sender == error.args[0]
        return Refused(
            answer=f"{error.args[0]!r} is not a valid address",
            fault=Fault.OURS if is_sender else Fault.ADDRESS,
        )
    is_ascii = mail.content.isascii()
    missing = _find_missing_extension(mail, sender + recipient, extensions, is_ascii=is_ascii)
    if missing:
        return Refused(answer=f"{server} does not offer {missing}", fault=Fault.OURS)
    max_size = _parse_max_size(extensions)
    if 0 < max_size < len(mail.content):
        return Refused(
            answer=f"{server} accepts at most {max_size:,} bytes, but the message has {len(mail.content):,}",
            fault=Fault.OURS,
        )
    # RFC 1870, section 5; RFC 6152, section 2; RFC 6531, section 3.4
    size_parameter = f" SIZE={len(mail.content)}" if "size" in extensions else ""
    body_parameter = "" if is_ascii else " BODY=8BITMIME"
    utf8_parameter = "" if (sender + recipient).isascii() else " SMTPUTF8"
    return Envelope(
        mail=f"MAIL FROM:<{sender}>{size_parameter}{body_parameter}{utf8_parameter}\r\n".encode(),
        rcpt=f"RCPT TO:<{recipient}>\r\n".encode(),
    )


def _encode_address(address: str) -> str:
    """Return an address as commands need it: the domain in DNS form, unless the local part needs SMTPUTF8 anyway.

    Raises:
        _InvalidAddressError: the address has forbidden characters or an invalid domain.
    """
    if _FORBIDDEN_CHARACTER.search(address):
        raise _InvalidAddressError(address)
    local, at, domain = address.rpartition("@")
    if address.isascii() or not (at and local.isascii()):
        return address
    import idna  # slow to import, and seldom needed

    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        raise _InvalidAddressError(address) from None


def _find_missing_extension(
    mail: Mail, addresses: str, extensions: Mapping[str, str], *, is_ascii: bool
) -> str:
    """Return the extension that the message needs and the server lacks, and why it is needed; "" if none is missing."""
    if not addresses.isascii() and "smtputf8" not in extensions:
        return (
            f"SMTPUTF8, which the letters in {mail.recipient if mail.sender.isascii() else mail.sender} need"
        )
    if not is_ascii and "8bitmime" not in extensions:
        return "8BITMIME, which the message needs"
    return ""


def _parse_max_size(extensions: Mapping[str, str]) -> int:
    """Return the maximum size of a message that the server states (RFC 1870, section 4), in bytes; 0 for none."""
    size = extensions.get("size", "")
    return int(size) if size.isascii() and size.isdecimal() else 0


def apply_dot_stuffing(content: bytes) -> bytes:
    """Return a message as DATA requires it: dots at the beginning of lines are doubled (RFC 5321, section 4.5.2).

    Args:
        content: lines ending in CRLF, as ``Mail`` guarantees; only a missing end of the last line is added
            here.
    """
    if content and not content.endswith(b"\r\n"):
        content += b"\r\n"
    if content.startswith(b"."):
        content = b"." + content
    return content.replace(b"\r\n.", b"\r\n..") if _LEADING_DOT.search(content) else content
