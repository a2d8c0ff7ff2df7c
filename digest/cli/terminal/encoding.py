"""Output that is not UTF-8: replace characters that it cannot encode by similar ones."""

from __future__ import annotations

import codecs
import sys

_NAME = "digest.plain"


def register_transliteration() -> None:
    """Replace characters that an output cannot encode: ``→`` becomes ``->``, ``ł`` becomes ``l``."""
    codecs.register_error(_NAME, _transliterate)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):  # a stream may be None, or replaced
            reconfigure(errors=_NAME)


def _transliterate(error: UnicodeError) -> tuple[str, int]:
    """Return a replacement for characters that cannot be encoded; ``?`` if there is none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    text = error.object[error.start : error.end].replace("→", "->")
    return anyascii(text) or "?", error.end
