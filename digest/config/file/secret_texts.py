"""The secrets of a configuration: all fields that its classes exclude from their ``repr``, and keys in addresses."""

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
"""A part of a chat's address, or of a text with spaces, that looks like a key, and not like a word such as
``services``.
"""
_PUBLIC_PIECE = re.compile(
    r"(?:[^@\s/]+@)?(?:localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24})(?::\d+)?/?"
)
"""A host or a mailbox. Hosts are written in lower case; keys of chats that contain a dot are not."""
_DATABASES = frozenset({"sqlite", "postgresql"})
_WEB = frozenset({"http", "https"})


def collect_secrets(settings: Settings, *plugins: object) -> frozenset[str]:
    """Collect all secrets of a configuration.

    Args:
        settings: the configuration.
        plugins: sources, enrichers and providers made from its tables. Their classes mark secret fields by
            ``repr=False``: texts or bytes, or collections, mappings and dataclasses that contain them at any
            depth.
    """
    secrets = {
        secret
        for owner in (settings, *plugins)
        for text in _iter_texts(owner)
        for secret in _split_secret(text)
    }
    plugin_tables = (settings.sources, settings.enrichers, settings.bounces.providers)
    options = [table.options for tables in plugin_tables for table in tables]
    # Options with a key ``secrets`` list all their secrets there.
    for text in _iter_texts([one for one in options if "secrets" not in one], is_secret=True):
        if _is_web_address(text):
            secrets |= extract_credentials(text)
    return frozenset(filter(None, secrets))


def collect_service_secrets(service: object) -> frozenset[str]:
    """Collect the secrets that are sent to the host of a source or enricher, and that it may repeat.

    Args:
        service: the plug-in, whose secret fields are marked as for ``collect_secrets``. If it has a tuple
            ``secrets``, that is the complete list.
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
    """Yield the secret texts in a value.

    Args:
        value: any object.
        is_secret: whether all texts in it are secret; if not, only fields that a dataclass excludes from its
            ``repr`` are.
    """
    match value:
        case str() | bytes():
            if is_secret:
                yield value if isinstance(value, str) else value.decode("utf-8", "replace")
        case Mapping() | tuple() | list() | set() | frozenset():
            for element in value.values() if isinstance(value, Mapping) else value:
                yield from _iter_texts(element, is_secret=is_secret)
        case SourceSettings() | EnricherSettings() | ProviderSettings():
            return  # their options belong to the plug-in, which marks the secret ones
        case _ if is_dataclass(value) and not isinstance(value, type):
            yield from _encode_logins(value)
            for field in fields(value):
                if field.init:  # the other fields are internal state
                    yield from _iter_texts(getattr(value, field.name), is_secret=is_secret or not field.repr)


def _encode_logins(record: Any) -> Iterator[str]:
    """Yield the texts that HTTP (RFC 7617) and mail servers (AUTH PLAIN, RFC 4616) receive in base64 at a login."""
    user, password = getattr(record, "username", None), getattr(record, "password", None)
    if isinstance(user, str) and isinstance(password, str) and user and password:
        yield f"{user}:{password}"
        yield f"\0{user}\0{password}"


def _split_secret(text: str) -> Iterator[str]:
    """Yield a secret text, and its parts that are secrets by themselves."""
    if "://" in text:
        yield from _find_keys(text)
        return
    yield text
    # One text may contain several keys separated by spaces, but the words of a passphrase are ordinary words.
    yield from (word for word in text.split() if _RANDOM_PIECE.fullmatch(word))


def _find_keys(address: str) -> Iterator[str]:
    """Yield the secret parts of an address that is a secret as a whole: of a database or a chat."""
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
    """Yield the parts of a chat's address. Many have a key instead of the host; after a password it is a host."""
    user, _, host = parts.netloc.rpartition("@")
    has_host = parts.scheme in _WEB or bool(parts.password)
    for text in (user, "" if has_host else host, parts.path, parts.query, parts.fragment):
        yield from _SEPARATORS.split(text)


def _list_spellings(text: str) -> Iterator[str]:
    """Yield a part of an address as written, and decoded."""
    yield text
    yield unquote(text)
