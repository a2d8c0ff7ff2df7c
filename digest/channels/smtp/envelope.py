"""What is said of a message before it: its commands, as far as the server understands them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from digest.model import Blame, Mail, Refused

_DOT = re.compile(rb"\n\.")
"""As an expression it is looked for in half the time."""
_BREAKS = re.compile(r"[\x00-\x20\x7f<>]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The commands of a transaction, each with its line end."""

    mail: bytes
    rcpt: bytes


class _NoAddressError(Exception):
    """An address that cannot be written."""


def addressed(mail: Mail, offers: Mapping[str, str], place: str) -> Envelope | Refused:
    """The envelope of a message; or why this server cannot take it, as it is known before asking.

    Args:
        mail: the message.
        offers: what the server understands beyond SMTP, in lower case, with its argument.
        place: the server, for messages.
    """
    try:
        sender, recipient = _written(mail.sender), _written(mail.recipient)
    except _NoAddressError as error:
        ours = mail.sender == error.args[0]
        return Refused(answer=f"{error.args[0]!r} is no address", blame=Blame.OURS if ours else Blame.ADDRESS)
    plain = mail.content.isascii()
    missing = _missing(mail, sender + recipient, offers, plain=plain)
    if missing:
        return Refused(answer=f"{place} does not offer {missing}", blame=Blame.OURS)
    most = _most(offers)
    if 0 < most < len(mail.content):
        return Refused(
            answer=f"{place} takes {most:,} bytes at most, and the message has {len(mail.content):,}",
            blame=Blame.OURS,
        )
    # RFC 1870, section 5; RFC 6152, section 2; RFC 6531, section 3.4
    size = f" SIZE={len(mail.content)}" if "size" in offers else ""
    eight_bits = "" if plain else " BODY=8BITMIME"
    letters = "" if (sender + recipient).isascii() else " SMTPUTF8"
    return Envelope(
        mail=f"MAIL FROM:<{sender}>{size}{eight_bits}{letters}\r\n".encode(),
        rcpt=f"RCPT TO:<{recipient}>\r\n".encode(),
    )


def _written(address: str) -> str:
    """An address as it is asked for: its domain as DNS has it, unless what is before the @ needs SMTPUTF8 anyway.

    Raises:
        _NoAddressError: it is none.
    """
    if _BREAKS.search(address):
        raise _NoAddressError(address)
    local, at, domain = address.rpartition("@")
    if address.isascii() or not (at and local.isascii()):
        return address
    import idna  # slow, and seldom needed

    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        raise _NoAddressError(address) from None


def _missing(mail: Mail, addresses: str, offers: Mapping[str, str], *, plain: bool) -> str:
    """What the message needs and the server does not offer, and why; "" if nothing is missing."""
    if not addresses.isascii() and "smtputf8" not in offers:
        return (
            f"SMTPUTF8, which the letters in {mail.recipient if mail.sender.isascii() else mail.sender} need"
        )
    if not plain and "8bitmime" not in offers:
        return "8BITMIME, which the message needs"
    return ""


def _most(offers: Mapping[str, str]) -> int:
    """The greatest number of bytes that the server says it takes (RFC 1870, section 4); 0 if it does not say."""
    told = offers.get("size", "")
    return int(told) if told.isascii() and told.isdecimal() else 0


def stuffed(content: bytes) -> bytes:
    """The message as DATA wants it: a dot that begins a line is doubled (RFC 5321, section 4.5.2).

    Args:
        content: its lines end in CRLF, as ``Mail`` promises; only the last end is put right here.
    """
    if content and not content.endswith(b"\r\n"):
        content += b"\r\n"
    if content.startswith(b"."):
        content = b"." + content
    return content.replace(b"\r\n.", b"\r\n..") if _DOT.search(content) else content
