"""What single values of the file mean: each reader takes the text and gives what it stands for.

What cannot be read is a ``ConfigError`` that says what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from digest.core.times.schedule import load_zone, parse_schedule
from digest.errors import ConfigError, QueryError

Read = TypeVar("Read")

_ADDRESS = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\W_](?:[\w.-]*[^\W_])?")
_LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
"""What may stand before the @ (RFC 5322, section 3.2.3; its length: RFC 5321, section 4.5.3.1.1)."""
_COMMENT = r"\((?:[^()\\]|\\.)*\)"
_MAILBOX = re.compile(
    rf"""\s*(?:(?:"(?:[^"\\]|\\.)*"|{_COMMENT}|[^"()<>@,:;\[\]\\])*<(?P<address>[^\s<>]*)>"""
    rf"""|(?P<alone>[^\s"()<>,:;]+))\s*(?:{_COMMENT}\s*)?"""
)
"""A name and an address in angle brackets, or an address alone. Signs that mean something stand in quotation marks only."""
_NAME_AND_ADDRESS = re.compile(r"\s*(?P<name>[^<>]+)<(?P<address>[^\s<>@,;:]+@[^\s<>@,;:]+)>\s*")
_SENDER_HINT = 'write it as "Digest <digest@example.org>": a name, and one address in angle brackets'
_LISTEN = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_DAYS = re.compile(r"\s*(\d{1,6})\s+(day|year)s?\s*")
_MIN_DAYS, _MAX_DAYS = 100, 36_600
"""What the store may be told to keep: a margin above the 90 days in which a paper is told once."""
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
"""The name of a host, in any script, or an address of IPv6."""
_LOCALES_FOLDER = Path(__file__).parents[1] / "locales"
"""A catalogue for each language but English."""
_PATH_CHARACTERS = "/%:@!$&'()*+,;=~"
"""What stands in a path as it is (RFC 3986, section 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """A From header: its name, which may be "", and bare address."""

    name: str
    address: str


# --- how a reader becomes a check -----------------------------------------------------------------


def make_validation_error(message: str) -> PydanticCustomError:
    """A mistake to be told at its place in the file."""
    return PydanticCustomError("meaning", "{told}", {"told": message})


def apply_reader(value: object, reader: Callable[[str], Read]) -> Read:
    """What a reader reads in a value; a mistake of this key if it is no text or cannot be read."""
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "write a string in quotes")
    try:
        return reader(value)
    except QueryError as error:
        context = {"told": str(error.args[0]), "query": error.query, "position": error.position}
        raise PydanticCustomError("query", "{told}", context) from None
    except ConfigError as error:
        raise make_validation_error(str(error)) from None


def read_by(reader: Callable[[str], Read]) -> BeforeValidator:
    """The check of a key whose text a reader reads."""
    return BeforeValidator(lambda value: apply_reader(value, reader), json_schema_input_type=str)


# --- the readers ----------------------------------------------------------------------------------


def read_url(text: str) -> str:
    """The address of a site, without a slash at the end; in ASCII (RFC 3987, section 3.1), as mail headers need it."""
    match = re.fullmatch(r"(https?://)([^\s/?#<>\"]+)((?:/[^\s?#]*)?)", text)
    host = match and _encode_host(match[2])
    if not match or not host:
        raise ConfigError(f"{text!r} is not the address of a site; write it as https://digest.example.org")
    return f"{match[1]}{host}{quote(match[3], safe=_PATH_CHARACTERS)}".rstrip("/")


def _encode_host(host: str) -> str:
    """A host, and what stands around it, as DNS has it; "" if it is none."""
    if host.isascii():
        return host
    import idna  # slow, and seldom needed

    name, colon, port = host.partition(":")
    try:
        return f"{idna.encode(name, uts46=True).decode()}{colon}{port}"
    except idna.IDNAError:
        return ""


def read_listen(text: str) -> str:
    """A host of this machine and a port, ``127.0.0.1:8080`` or ``[::1]:8080``; "" for none."""
    match = _LISTEN.fullmatch(text)
    if text and (match is None or int(match[2]) > 65535):
        raise ConfigError(
            f'{text!r} is not an address to listen on; write it as 127.0.0.1:8080, or "" to listen nowhere'
        )
    return text


def read_host(text: str) -> str:
    """The name of a mail server, or its IP address."""
    bare = re.sub(r"^\w+://", "", text).strip().strip("/")
    name, colon, port = bare.partition(":") if bare.count(":") == 1 else (bare, "", "")
    if "@" in text:
        raise ConfigError(
            f"{text!r} is an e-mail address; write the name of the mail server: smtp.example.org"
        )
    if colon and port.isdecimal():
        raise ConfigError(f'write the port separately: host = "{name}", and port = {port} on another line')
    if name != text or not _HOST.fullmatch(name):
        suggestion = f'write it as "{name}"' if _HOST.fullmatch(name) else "write it as smtp.example.org"
        raise ConfigError(f"{text!r} is not the name of a mail server; {suggestion}")
    return text


def read_address(text: str) -> str:
    """An e-mail address; its domain in ASCII, as DNS has it (RFC 5891)."""
    address = normalize_address(text)
    if address is None:
        raise ConfigError(f"{text!r} is not an e-mail address; write it as name@example.org")
    if not address.isascii():
        raise ConfigError(f"{text!r} has non-ASCII letters before the @, which digest does not support yet")
    if not _LOCAL_PART.fullmatch(address.rpartition("@")[0]):
        raise ConfigError(f"{text!r} is not an e-mail address: it has invalid characters before the @")
    return address


def normalize_address(text: str) -> str | None:
    """An address with its domain as DNS has it; None if it is none."""
    if not _ADDRESS.fullmatch(text) or ".." in text:
        return None
    local_part, _, domain = text.rpartition("@")
    if domain.isascii():
        return text if "_" not in domain else None
    import idna  # slow, and seldom needed

    try:
        return f"{local_part}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        return None


def read_sender(text: str) -> Sender:
    """An e-mail address with or without a name before it: one mailbox (RFC 5322, section 3.4), and no group.

    The syntax is checked here, for ``parseaddr`` finds an address in anything: in ``Lab: digests <a@b.org>`` it takes
    the colon for the end of a group's name and drops ``Lab``.
    """
    match = _MAILBOX.fullmatch(text)
    if match is None:
        raise ConfigError(f"{text!r} is not a single sender; {_suggest_sender(text)}")
    name, address = parseaddr(text)
    if address != (match["address"] or match["alone"]):
        raise ConfigError(f"{text!r} is not a single sender; {_SENDER_HINT}")
    return Sender(name=name, address=read_address(address))


def _suggest_sender(text: str) -> str:
    """What to write in place of a sender that is none."""
    match = _NAME_AND_ADDRESS.fullmatch(text)
    if match is None:
        return _SENDER_HINT
    name = re.sub(r'[\\"]', "", match["name"]).strip()
    return (
        "a name that contains : , ; @ or [ needs additional quotation marks; "
        f"write '\"{name}\" <{match['address']}>'"
    )


def read_store(text: str) -> str:
    """The URL of a database that the store can use. It may hold a password, so no message shows it."""
    scheme = text.partition(":")[0].partition("+")[0]
    if scheme == "sqlite" and not re.fullmatch(r"sqlite(\+\w+)?:///(?!:memory:).+", text):
        raise ConfigError("the database needs a file; write sqlite:///digest.db")
    if scheme not in {"sqlite", "postgresql"}:
        raise ConfigError(
            "the database must be SQLite or PostgreSQL; "
            "write sqlite:///digest.db or postgresql+psycopg://user@host/name"
        )
    return text


def read_keep(text: str) -> timedelta | None:
    """How long the store keeps what grows: days, or None for ever."""
    if text.strip().lower() == "forever":
        return None
    match = _DAYS.fullmatch(text.lower())
    if not match:
        raise ConfigError(f'{text!r} is not a number of days; write "400 days", or "forever"')
    days = int(match[1]) * (366 if match[2] == "year" else 1)
    if not _MIN_DAYS <= days <= _MAX_DAYS:
        raise ConfigError(
            f"{text!r} is out of range: editions of the last 90 days are needed to avoid repeating papers; "
            f'write at least "{_MIN_DAYS} days", at most "100 years", or "forever"'
        )
    return timedelta(days=days)


def read_name(text: str) -> str:
    """The name of a digest: fit for a file name, and for a List-Id (RFC 2919, section 2)."""
    if not _NAME.fullmatch(text) or len(text) > 64:
        raise ConfigError(
            f"{text!r} cannot be used in file names and list headers; "
            "use at most 64 letters, digits, - and _ (the title can be anything)"
        )
    return text


def read_zone(text: str) -> str:
    """An IANA zone; the machine's for ""."""
    name = text or _detect_zone()
    load_zone(name)
    return name


def _detect_zone() -> str:
    from tzlocal import get_localzone_name

    try:
        name = get_localzone_name()
    except (LookupError, ValueError, OSError):
        name = ""
    if not name:
        raise ConfigError(
            'the time zone of this machine is unknown; write it, for example timezone = "Europe/Berlin"'
        )
    return name


def read_language(text: str) -> str:
    """The name of a catalogue, ``de``; or "" for none in particular."""
    if text and not re.fullmatch(r"[A-Za-z]+([_-][A-Za-z0-9]+)*", text):
        raise ConfigError(f"{text!r} is not a language code; write it as `de`")
    return text


def list_languages(templates: Path | None) -> tuple[str, ...]:
    """The languages that readers can be told in.

    Args:
        templates: the folder of the user's own templates, in which there can be more catalogues.
    """
    folders = [_LOCALES_FOLDER, *([templates / "locales"] if templates else [])]
    return ("en", *sorted({file.stem for folder in folders for file in folder.glob("*.po")} - {"en"}))


def read_latest(text: str) -> str:
    """A wall clock, or "" for none."""
    return parse_schedule("daily 0:00", zone="UTC", latest=text).latest
