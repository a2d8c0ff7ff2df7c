"""Text from outside, cleaned once where it comes in."""

from __future__ import annotations

import re

# Control characters, and the format characters that hide in text or change how other text is shown.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MARKUP = re.compile(r"<(a|b|em|i|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def plain_line(written: str) -> str:
    """One line of text from a source whose texts are no HTML.

    Whitespace is collapsed, unseen characters are taken out. `<` stays: in TeX ``a < b`` is mathematics, and
    ``<think>`` a token. Only line breaks and the pairs that people type for emphasis and links are markup.
    """
    written = written.strip()
    # Most lines are ASCII, which is known without looking; searched backwards two blanks are found faster.
    if written.isascii():
        clean = not ("\n" in written or "\t" in written or "\r" in written or "\x7f" in written)
    else:
        clean = written.isprintable()
    if not clean or written.rfind("  ") >= 0:
        written = " ".join(_UNSEEN.sub("", " ".join(written.split())).split())
    if "<" in written and ("</" in written or "<br" in written.lower()):
        written = _without_markup(written)
    return written


def _without_markup(written: str) -> str:
    previous = ""
    while previous != written:
        previous, written = written, _MARKUP.sub(r"\2", written)
    return " ".join(_BREAK.sub(" ", written).split())
