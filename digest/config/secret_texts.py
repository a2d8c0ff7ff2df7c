"""Secrets of a configuration: all texts that its classes keep out of their ``repr``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any
from urllib.parse import urlsplit

from digest.config.settings import Settings
from digest.core.pulling.public_addresses import secret_parts

_PIECES = re.compile(r"[/:?&=#\s]+")
_RANDOM_PIECE = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).{8,}|.{20,}")
"""A part of a chat's address that is a key; the others are words such as ``services``."""


def secrets_of(settings: Settings, *plugins: object) -> frozenset[str]:
    """All secrets that a configuration holds.

    Args:
        settings: the configuration.
        plugins: what is made of its tables: sources and enrichers, whose options say themselves what is secret.
    """
    found = {text for one in (settings, *plugins) for text in _hidden(one)}
    found |= {text for one in settings.sources for text in _in_addresses(one.options)}
    return frozenset(filter(None, found))


def _hidden(one: object) -> Iterator[str]:
    if isinstance(one, tuple):
        for part in one:
            yield from _hidden(part)
    if not is_dataclass(one):
        return
    values = {field.name: getattr(one, field.name) for field in fields(one)}
    hidden = {field.name for field in fields(one) if not field.repr}
    for name, value in values.items():
        if name not in hidden:
            yield from _hidden(value)
        elif isinstance(value, str) and "://" not in value:
            yield from (value, *value.split())
        elif isinstance(value, str):
            yield from _keys_in(value)
    if values.get("username") and values.get("password"):
        yield f"\0{values['username']}\0{values['password']}"  # a login by AUTH PLAIN is its base64 (RFC 4616)


def _keys_in(address: str) -> Iterator[str]:
    """What is secret in an address that is a secret as a whole, a database's or a chat's."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    yield parts.password or ""
    if parts.scheme.partition("+")[0] not in {"sqlite", "postgresql"}:
        rest = address.partition("://")[2]
        yield rest
        yield from (piece for piece in _PIECES.split(rest) if _RANDOM_PIECE.fullmatch(piece))


def _in_addresses(options: Mapping[str, Any]) -> Iterator[str]:
    for value in options.values():
        if isinstance(value, str) and value.startswith(("https://", "http://")):
            yield from secret_parts(value)
