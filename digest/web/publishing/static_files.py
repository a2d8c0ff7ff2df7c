"""Style and script of the public pages: files with a hash in their names, which clients may store for a year."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from digest.web.protocol.response_cache import (
    PUBLIC_SAFETY_HEADERS,
    CachedResponse,
    make_cached_response,
)

_SCRIPTS = Path(__file__).parents[1] / "scripts"
SCRIPT_SOURCE = _SCRIPTS / "htmx-2.0.11.min.js"
"""HTMX, which loads more papers into a page and searches while the reader types. Pages work without it."""
ZONE_SCRIPT_SOURCE = _SCRIPTS / "zone.js"
"""Tells forms the time zone of the browser. They work without it."""
_FRESH_SECONDS = 365 * 24 * 3600
"""Period in which a file need not be requested again, in seconds: its address changes with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFile:
    """A file that never changes under its name.

    Attributes:
        name: its name, with a hash of its content.
        response: the response with it.
    """

    name: str
    response: CachedResponse


def make_style_file(style: bytes) -> StaticFile:
    """Make the file of the style."""
    return StaticFile(name=f"{_hash(style)}.css", response=_make_response(style, "text/css; charset=utf-8"))


def load_script_file(source: Path) -> StaticFile:
    """Load the file of a script."""
    script = source.read_bytes()
    name = source.name.partition("-")[0].removesuffix(".js")
    return StaticFile(
        name=f"{name}-{_hash(script)}.js", response=_make_response(script, "text/javascript; charset=utf-8")
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _make_response(content: bytes, media_type: str) -> CachedResponse:
    return make_cached_response(
        content,
        media_type=media_type,
        modified=None,
        fresh_seconds=_FRESH_SECONDS,
        is_shared=True,
        is_immutable=True,
        safety_headers=PUBLIC_SAFETY_HEADERS,
    )
