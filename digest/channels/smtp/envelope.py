"""What is said of a message before it: its commands, as far as the server understands them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from digest.model import Fault, Mail, Refused

_LEADING_DOT = re.compile(rb"\n\.")
"""As an expression it is looked for in half the time."""
_FORBIDDEN_CHARACTER = re.compile(r"[\x00-\x20\x7f<>]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The commands of a transaction, each with its line end."""

    mail: bytes
    rcpt: bytes


class _InvalidAddressError(Exception):
    """An address that cannot be written."""


def make_envelope(mail: Mail, extensions: Mapping[str, str], server: str) -> Envelope | Refused:
    """The envelope of a message; or why this server cannot take it, as it is known before asking.

    Args:
        mail: the message.
        extensions: what the server understands beyond SMTP, in lower case, with its argument.
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
    """An address as it is asked for: its domain as DNS has it, unless what is before the @ needs SMTPUTF8 anyway.

    Raises:
        _NoAddressError: it is none.
    """
    if _FORBIDDEN_CHARACTER.search(address):
        raise _InvalidAddressError(address)
    local, at, domain = address.rpartition("@")
    if address.isascii() or not (at and local.isascii()):
        return address
    import idna  # slow, and seldom needed

    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        raise _InvalidAddressError(address) from None


def _find_missing_extension(
    mail: Mail, addresses: str, extensions: Mapping[str, str], *, is_ascii: bool
) -> str:
    """What the message needs and the server does not offer, and why; "" if nothing is missing."""
    if not addresses.isascii() and "smtputf8" not in extensions:
        return (
            f"SMTPUTF8, which the letters in {mail.recipient if mail.sender.isascii() else mail.sender} need"
        )
    if not is_ascii and "8bitmime" not in extensions:
        return "8BITMIME, which the message needs"
    return ""


def _parse_max_size(extensions: Mapping[str, str]) -> int:
    """The greatest number of bytes that the server says it takes (RFC 1870, section 4); 0 if it does not say."""
    size = extensions.get("size", "")
    return int(size) if size.isascii() and size.isdecimal() else 0


def apply_dot_stuffing(content: bytes) -> bytes:
    """The message as DATA wants it: a dot that begins a line is doubled (RFC 5321, section 4.5.2).

    Args:
        content: its lines end in CRLF, as ``Mail`` promises; only the last end is put right here.
    """
    if content and not content.endswith(b"\r\n"):
        content += b"\r\n"
    if content.startswith(b"."):
        content = b"." + content
    return content.replace(b"\r\n.", b"\r\n..") if _LEADING_DOT.search(content) else content
