"""Text from outside, cleaned once where it comes in."""

from __future__ import annotations

import re

# Control characters, and the format characters that hide in text or change how other text is shown.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    "\ud800-\udfff]"  # halves of a character, which JSON lets through and no file or database takes
)
_MARKUP = re.compile(r"<(a|b|em|i|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MAX_DEPTH = 8
"""How many levels of markup are taken away; what is nested deeper was not typed by a person."""


def normalize_line(text: str) -> str:
    """One line of text from a source whose texts are no HTML.

    Whitespace is collapsed, unseen characters are taken out. ``<`` stays: in TeX ``a < b`` is mathematics, and
    ``<think>`` a token. Only line breaks and the pairs that people type for emphasis and links are markup.
    """
    if not text.isprintable() or "  " in text:
        text = _INVISIBLE.sub("", " ".join(text.split()))
    if "</" in text or "<br" in text.lower():
        for _ in range(_MAX_DEPTH):
            text = _MARKUP.sub(r"\2", text)
        text = _BREAK.sub(" ", text)
    return " ".join(text.split())
