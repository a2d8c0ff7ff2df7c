"""Secrets of a configuration: all texts that its classes keep out of their ``repr``, and keys in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from digest.config.settings import EnricherSettings, ProviderSettings, Settings, SourceSettings
from digest.core.fetching.public_addresses import extract_credentials
from digest.redaction import select_uncommon

_SEPARATORS = re.compile(r"[/:?&=#\s]+")
_RANDOM_PIECE = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).{8,}|.{20,}")
"""A part of a chat's address, or of a text with blanks, that is a key; the others are words such as ``services``."""
_PUBLIC_PIECE = re.compile(
    r"(?:[^@\s/]+@)?(?:localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24})(?::\d+)?/?"
)
"""A host or a mailbox. Hosts are written in lower case, and the keys of chats that have a dot are not."""
_DATABASES = frozenset({"sqlite", "postgresql"})
_WEB = frozenset({"http", "https"})


def collect_secrets(settings: Settings, *plugins: object) -> frozenset[str]:
    """Collect all secrets that a configuration holds.

    Args:
        settings: the configuration.
        plugins: sources, enrichers and providers, made of its tables. Their classes declare what is secret by fields with
            ``repr=False``: texts or bytes, or collections, mappings and dataclasses of them, however deep.
    """
    secrets = {
        secret
        for owner in (settings, *plugins)
        for text in _iter_texts(owner)
        for secret in _split_secret(text)
    }
    plugin_tables = (settings.sources, settings.enrichers, settings.bounces.providers)
    options = [table.options for tables in plugin_tables for table in tables]
    # What lists its secrets has no others.
    for text in _iter_texts([one for one in options if "secrets" not in one], is_secret=True):
        if _is_web_address(text):
            secrets |= extract_credentials(text)
    return frozenset(filter(None, secrets))


def collect_service_secrets(service: object) -> frozenset[str]:
    """Collect the secrets that the host of a source or enricher is given, and may repeat.

    Args:
        service: the plug-in; what is secret in it is declared as for ``collect_secrets``. One that lists ``secrets`` has
            no others.
    """
    listed = getattr(service, "secrets", None)
    if isinstance(listed, tuple):
        return frozenset(filter(None, listed))
    secrets = {secret for text in _iter_texts(service) for secret in _split_secret(text)}
    if is_dataclass(service):
        values = [getattr(service, field.name) for field in fields(service)]
        addresses = [value for value in values if isinstance(value, str) and _is_web_address(value)]
        secrets = secrets.union(*map(extract_credentials, addresses))
    return select_uncommon(secrets)


def _is_web_address(text: str) -> bool:
    return text.startswith(("https://", "http://"))


def _iter_texts(value: object, *, is_secret: bool = False) -> Iterator[str]:
    """The secret texts in a value.

    Args:
        value: anything.
        is_secret: all texts in it are secret; else those alone that a dataclass in it keeps out of its ``repr``.
    """
    match value:
        case str() | bytes():
            if is_secret:
                yield value if isinstance(value, str) else value.decode("utf-8", "replace")
        case Mapping() | tuple() | list() | set() | frozenset():
            for element in value.values() if isinstance(value, Mapping) else value:
                yield from _iter_texts(element, is_secret=is_secret)
        case SourceSettings() | EnricherSettings() | ProviderSettings():
            return  # their options are the plug-in's, which declares the secret ones
        case _ if is_dataclass(value) and not isinstance(value, type):
            yield from _encode_logins(value)
            for field in fields(value):
                if field.init:  # the others are no options, but what an object keeps for itself
                    yield from _iter_texts(getattr(value, field.name), is_secret=is_secret or not field.repr)


def _encode_logins(record: Any) -> Iterator[str]:
    """What HTTP (RFC 7617) and mail servers (AUTH PLAIN, RFC 4616) are given in base64 at a login."""
    user, password = getattr(record, "username", None), getattr(record, "password", None)
    if isinstance(user, str) and isinstance(password, str) and user and password:
        yield f"{user}:{password}"
        yield f"\0{user}\0{password}"


def _split_secret(text: str) -> Iterator[str]:
    """A secret text, and those parts of it that are secrets by themselves."""
    if "://" in text:
        yield from _find_keys(text)
        return
    yield text
    # Several keys may stand in one text, with blanks between them; the words of a passphrase are words of any text.
    yield from (word for word in text.split() if _RANDOM_PIECE.fullmatch(word))


def _find_keys(address: str) -> Iterator[str]:
    """What is secret in an address that is a secret as a whole, a database's or a chat's."""
    try:
        parts = urlsplit(address)
    except ValueError:
        yield address
        return
    yield from _list_spellings(parts.password or "")
    if parts.scheme.partition("+")[0] in _DATABASES:
        yield from extract_credentials(parts._replace(netloc=parts.hostname or "").geturl())
        return
    remainder = address.partition("://")[2]
    if not _PUBLIC_PIECE.fullmatch(remainder):
        yield remainder
    for piece in _split_address(parts):
        if _RANDOM_PIECE.fullmatch(piece) and not _PUBLIC_PIECE.fullmatch(unquote(piece)):
            yield from _list_spellings(piece)


def _split_address(parts: SplitResult) -> Iterator[str]:
    """The parts of a chat's address. In the place of its host many chats have a key; behind a password it is a host."""
    user, _, host = parts.netloc.rpartition("@")
    has_host = parts.scheme in _WEB or bool(parts.password)
    for text in (user, "" if has_host else host, parts.path, parts.query, parts.fragment):
        yield from _SEPARATORS.split(text)


def _list_spellings(text: str) -> Iterator[str]:
    """A part of an address as it is written, and as it is meant."""
    yield text
    yield unquote(text)
