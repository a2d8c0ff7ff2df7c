"""Parsing of single values of the file: each function takes the text and returns what it means.

An invalid text is a ``ConfigError`` that says what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from digest.config.paths import expand_home
from digest.core.delivery.throttling.rates import Rate, parse_rate
from digest.core.times.schedule import load_zone, parse_schedule
from digest.errors import ConfigError, QueryError

Read = TypeVar("Read")

_ADDRESS = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\W_](?:[\w.-]*[^\W_])?")
_LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
"""Characters allowed before the @ (RFC 5322, section 3.2.3), and their number (RFC 5321, section 4.5.3.1.1)."""
_COMMENT = r"\((?:[^()\\]|\\.)*\)"
_MAILBOX = re.compile(
    rf"""\s*(?:(?:"(?:[^"\\]|\\.)*"|{_COMMENT}|[^"()<>@,:;\[\]\\])*<(?P<address>[^\s<>]*)>"""
    rf"""|(?P<alone>[^\s"()<>,:;]+))\s*(?:{_COMMENT}\s*)?"""
)
"""A name and an address in angle brackets, or an address alone. Special characters need quotation marks."""
_NAME_AND_ADDRESS = re.compile(r"\s*(?P<name>[^<>]+)<(?P<address>[^\s<>@,;:]+@[^\s<>@,;:]+)>\s*")
_SENDER_HINT = 'write it as "Digest <digest@example.org>": a name, and one address in angle brackets'
_LISTEN = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_DAYS = re.compile(r"\s*(\d{1,6})\s+(day|year)s?\s*")
_MIN_DAYS, _MAX_DAYS = 100, 36_600
"""Limits of ``keep``, in days. The minimum has a margin above the 90 days in which a paper is not reported again."""
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
"""The name of a host, in any script, or an IPv6 address."""
_LOCALES_FOLDER = Path(__file__).parents[1] / "locales"
"""The folder of the catalogues, one for each language except English."""
_PATH_CHARACTERS = "/%:@!$&'()*+,;=~"
"""Characters that are not percent-encoded in a path (RFC 3986, section 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """The content of a From header: a name, which may be "", and a bare address."""

    name: str
    address: str


# --- validators -----------------------------------------------------------------------------------


def make_validation_error(message: str) -> PydanticCustomError:
    """Return an error with this message, which pydantic reports with its place in the file."""
    return PydanticCustomError("meaning", "{told}", {"told": message})


def apply_reader(value: object, reader: Callable[[str], Read]) -> Read:
    """Apply a reader to a value; a value that is not a string or is invalid is a validation error of its key."""
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
    """Return the validator of a key whose text a reader parses."""
    return BeforeValidator(lambda value: apply_reader(value, reader), json_schema_input_type=str)


# --- readers --------------------------------------------------------------------------------------


def read_url(text: str) -> str:
    """Parse the address of a site: without a final slash, and in ASCII (RFC 3987, section 3.1) for mail headers."""
    match = re.fullmatch(r"(https?://)([^\s/?#<>\"]+)((?:/[^\s?#]*)?)", text)
    host = match and _encode_host(match[2])
    if not match or not host:
        raise ConfigError(f"{text!r} is not the address of a site; write it as https://digest.example.org")
    return f"{match[1]}{host}{quote(match[3], safe=_PATH_CHARACTERS)}".rstrip("/")


def _encode_host(host: str) -> str:
    """Return a host, with its port if there is one, in DNS form; "" if it is invalid."""
    if host.isascii():
        return host
    import idna  # slow to import, and seldom needed

    name, colon, port = host.partition(":")
    try:
        return f"{idna.encode(name, uts46=True).decode()}{colon}{port}"
    except idna.IDNAError:
        return ""


def read_listen(text: str) -> str:
    """Parse a local host and port, ``127.0.0.1:8080`` or ``[::1]:8080``; "" for none."""
    match = _LISTEN.fullmatch(text)
    if text and (match is None or int(match[2]) > 65535):
        raise ConfigError(
            f'{text!r} is not an address to listen on; write it as 127.0.0.1:8080, or "" to listen nowhere'
        )
    return text


def read_request_rate(text: str) -> Rate | None:
    """Parse a rate of requests, ``300/minute``; None for ``none``."""
    if text.strip().lower() == "none":
        return None
    try:
        return parse_rate(text)
    except ConfigError as error:
        raise ConfigError(str(error).replace("or remove it", 'or "none" for no limit')) from None


def read_network(text: str) -> str:
    """Parse an address or a network, ``127.0.0.1`` or ``10.0.0.0/8``."""
    try:
        return str(ip_network(text)) if "/" in text else str(ip_address(text))
    except ValueError:
        raise ConfigError(
            f"{text!r} is neither an address nor a network; write 127.0.0.1, or 10.0.0.0/8"
        ) from None


def read_host(text: str) -> str:
    """Parse the name or IP address of a mail server."""
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
    """Parse an e-mail address; its domain is returned in ASCII, as in DNS (RFC 5891)."""
    address = normalize_address(text)
    if address is None:
        raise ConfigError(f"{text!r} is not an e-mail address; write it as name@example.org")
    if not address.isascii():
        raise ConfigError(f"{text!r} has non-ASCII letters before the @, which digest does not support yet")
    local_part = address.rpartition("@")[0]
    # Some programs decode what looks like an encoded word even here, where RFC 2047 (section 5) forbids it.
    if not _LOCAL_PART.fullmatch(local_part) or "=?" in local_part:
        raise ConfigError(f"{text!r} is not an e-mail address: it has invalid characters before the @")
    return address


def normalize_address(text: str) -> str | None:
    """Return an address with its domain in DNS form; None if it is invalid."""
    if not _ADDRESS.fullmatch(text) or ".." in text:
        return None
    local_part, _, domain = text.rpartition("@")
    if domain.isascii():
        return text if "_" not in domain else None
    import idna  # slow to import, and seldom needed

    try:
        return f"{local_part}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError:
        return None


def read_mail_domain(text: str) -> str:
    """Parse the domain of mail addresses; it is returned in lower case and in DNS form."""
    address = normalize_address(f"name@{text}")
    if address is None or "." not in text:
        raise ConfigError(f"{text!r} is not the domain of an address; write it as example.org")
    return address.rpartition("@")[2].lower()


def read_sender(text: str) -> Sender:
    """Parse one mailbox (RFC 5322, section 3.4): an e-mail address with or without a name before it, and no group.

    The syntax is checked here because ``parseaddr`` finds an address in anything: in ``Lab: digests
    <a@b.org>`` it takes the colon for the end of a group's name and drops ``Lab``.
    """
    match = _MAILBOX.fullmatch(text)
    if match is None:
        raise ConfigError(f"{text!r} is not a single sender; {_suggest_sender(text)}")
    name, address = parseaddr(text)
    if address != (match["address"] or match["alone"]):
        raise ConfigError(f"{text!r} is not a single sender; {_SENDER_HINT}")
    return Sender(name=name, address=read_address(address))


def _suggest_sender(text: str) -> str:
    """Return a suggestion for an invalid sender."""
    match = _NAME_AND_ADDRESS.fullmatch(text)
    if match is None:
        return _SENDER_HINT
    name = re.sub(r'[\\"]', "", match["name"]).strip()
    return (
        "a name that contains : , ; @ or [ needs additional quotation marks; "
        f"write '\"{name}\" <{match['address']}>'"
    )


def read_path(text: str) -> str:
    """Parse a path, which stays as it is written until the folder is known in which it begins."""
    expand_home(text)
    return text


def read_store(text: str) -> str:
    """Parse the URL of a database. It may contain a password, so no message shows it."""
    scheme = text.partition(":")[0].partition("+")[0]
    if scheme == "sqlite" and not re.fullmatch(r"sqlite(\+\w+)?:///(?!:memory:).+", text):
        raise ConfigError("the database needs a file; write sqlite:///digest.db")
    if scheme not in {"sqlite", "postgresql"}:
        raise ConfigError(
            "the database must be SQLite or PostgreSQL; "
            "write sqlite:///digest.db or postgresql+psycopg://user@host/name"
        )
    if scheme == "sqlite":
        expand_home(split_store(text)[1])
    return text


def read_replica_url(text: str) -> str:
    """Parse the URL of a replica; it may contain a password, so no message shows it."""
    if text.partition(":")[0].partition("+")[0] != "postgresql":
        raise ConfigError("only PostgreSQL has replicas; write postgresql+psycopg://user@replica/name")
    return text


def read_listen_url(text: str) -> str:
    """Parse the URL of a PostgreSQL server; it may contain a password, so no message shows it."""
    if not text.startswith("postgresql"):
        raise ConfigError("only PostgreSQL tells of hints; write postgresql+psycopg://user@host/name")
    return text


def split_store(url: str) -> tuple[str, str, str]:
    """Split the URL of an SQLite database into what stands before its file, the file, and what stands after it."""
    scheme, separator, file_and_query = url.partition(":///")
    file, mark, query = file_and_query.partition("?")
    return f"{scheme}{separator}", file, f"{mark}{query}"


def read_keep(text: str) -> timedelta | None:
    """Parse how long data is kept: a number of days or years (of 366 days); None for ``forever``."""
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
    """Validate the name of a digest, which becomes part of file names and of a List-Id (RFC 2919, section 2)."""
    if not _NAME.fullmatch(text) or len(text) > 64:
        raise ConfigError(
            f"{text!r} cannot be used in file names and list headers; "
            "use at most 64 letters, digits, - and _ (the title can be anything)"
        )
    return text


def read_zone(text: str) -> str:
    """Validate an IANA time zone; "" stands for the zone of this machine."""
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
    """Validate the form of a language's name, such as ``de``; "" for none."""
    if text and not re.fullmatch(r"[A-Za-z]+([_-][A-Za-z0-9]+)*", text):
        raise ConfigError(f"{text!r} is not a language code; write it as `de`")
    return text


def list_languages(templates: Path | None) -> tuple[str, ...]:
    """Return the languages of all catalogues, and English.

    Args:
        templates: the folder of the user's own templates, which can contain more catalogues.
    """
    folders = [_LOCALES_FOLDER, *([templates / "locales"] if templates else [])]
    return ("en", *sorted({file.stem for folder in folders for file in folder.glob("*.po")} - {"en"}))


def read_latest(text: str) -> str:
    """Parse a time of day, ``HH:MM``, or "" for none."""
    return parse_schedule("daily 0:00", zone="UTC", latest=text).latest
