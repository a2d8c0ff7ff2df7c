"""Cleaning of text from outside, done once when it is received."""

from __future__ import annotations

import re

# Control characters, and format characters that are invisible or change how other text is displayed.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    "\ud800-\udfff]"  # lone surrogates, which JSON lets through and no file or database accepts
)
_MARKUP = re.compile(r"<(a|b|em|i|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MAX_DEPTH = 8
"""Maximum number of nested levels of markup that are removed; nobody types deeper ones."""


def normalize_line(text: str) -> str:
    """Return a text as one line, for sources whose texts are not HTML.

    Whitespace is collapsed, and invisible characters are removed. ``<`` stays: in TeX, ``a < b`` is
    mathematics, and ``<think>`` is a token. Only line breaks and the pairs of tags that people type for
    emphasis and links count as markup.
    """
    text = " ".join(text.split())
    if not text.isprintable():  # all invisible characters are not printable
        text = _INVISIBLE.sub("", text)
    if "<" in text and ("</" in text or "<br" in text.lower()):
        for _ in range(_MAX_DEPTH):
            text = _MARKUP.sub(r"\2", text)
        text = _BREAK.sub(" ", text)
    return " ".join(text.split()) if "  " in text or text != text.strip() else text
