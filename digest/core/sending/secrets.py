"""What others say of an address of ours, without what is secret in it."""

from __future__ import annotations

import re
from urllib.parse import unquote

_PARTS = re.compile(r"[/@:?&=#,\s]+")
_LEAST = 4
"""Characters of a piece that is looked for; shorter ones are words of any text."""


def without_secrets(text: str, *secrets: str) -> str:
    """A text in which nothing stands of addresses and passwords but scheme and words too short to tell.

    Args:
        text: what somebody said, who may repeat what he was asked.
        secrets: addresses, of which all behind the scheme is secret, and other secrets.
    """
    pieces: set[str] = set()
    for secret in secrets:
        rest = secret.rpartition("://")[2] if "://" in secret else secret
        pieces.update(one for one in (rest, *_PARTS.split(rest)) if len(one) >= _LEAST)
    for piece in sorted(pieces | set(map(unquote, pieces)), key=len, reverse=True):
        text = text.replace(piece, "…")
    return text
