"""Conversion of HTML from outside to plain text.

The cost is bounded: length and number of tags are limited, because the time of the HTML cleaner grows with
the square of the nesting depth.
"""

from __future__ import annotations

import html
import re

from digest.core.text.cleaning import normalize_line

_MAX_LENGTH = 32_768
"""Maximum length of HTML that is read, in characters; no abstract is as long."""
_MAX_TAGS = 1_000
"""Maximum number of tags that the HTML cleaner gets; from a text with more, all tags are removed beforehand."""
_TAG = re.compile(r"<[^<>]*>")
_BLOCK_TAG = re.compile(
    r"<(?=/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li"
    r"|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)\b)",
    re.IGNORECASE,
)


def convert_html_to_text(markup: str) -> str:
    """Return the words of a piece of HTML as one line, without tags, scripts and styles and with entities resolved.

    Args:
        markup: complete or truncated, well-formed or not; anything beyond 32,768 characters is ignored.
    """
    import nh3

    markup = markup[:_MAX_LENGTH].encode("utf-8", "ignore").decode()
    if "<" in markup and markup.count("<") > _MAX_TAGS:
        markup = _TAG.sub(" ", markup)
    markup = _BLOCK_TAG.sub(" <", markup)
    cleaned = nh3.clean(markup, tags=set(), clean_content_tags={"script", "style"})
    return normalize_line(html.unescape(cleaned))
