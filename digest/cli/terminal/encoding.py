"""Terminals and files that are not UTF-8: what they cannot show is written in letters that they have."""

from __future__ import annotations

import codecs
import sys

_NAME = "digest.plain"


def register_transliteration() -> None:
    """Let no character that an output cannot encode end a command; ``→`` becomes ``->``, ``ł`` becomes ``l``."""
    codecs.register_error(_NAME, _transliterate)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(
            stream, "reconfigure", None
        ):  # none is there where there is no terminal at all
            reconfigure(errors=_NAME)


def _transliterate(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that cannot be encoded; ``?`` where even that is not known."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    text = error.object[error.start : error.end].replace("→", "->")
    return anyascii(text) or "?", error.end
