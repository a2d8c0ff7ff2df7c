"""Estimates of the size of a paper's line, which determine how many papers an edition can have.

A line is the least that is shown of a paper: its title, linked to its page, its authors, why it is there, and a mark. Papers
without room for a line wait for the next edition, so the sizes must be known before anything is rendered.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.delivery.mail import MAX_HTML_BYTES
from digest.render.environment import remove_unprintable

MAIL_LINES_BUDGET = MAX_HTML_BYTES - 20_000
"""Bytes available for the lines of a mail; the rest is for its head and foot, its account, and some papers in full."""
_MAIL_LINE_OVERHEAD = 121
"""Bytes of a line besides title, address and authors: 41 of tags, two marked words, ``late`` and ``and 3 more``, and 30
of the follows that it matches, which differ between readers; those of most lines are shorter.
"""
MAX_CHAT_TITLE = 300
"""Maximum length of a title in a chat, in characters."""
MAX_CHAT_DETAILS = 80
"""Maximum length of what a line in a chat says of its paper besides the title, in characters."""
_CHAT_LINE_OVERHEAD = 60 + MAX_CHAT_DETAILS
"""Bytes of a line in a chat besides title and address: 60 of markup, and what it says of its paper."""


def measure_mail_line(paper: Paper) -> int:
    """Return the size of a paper's line in the encoded HTML of a mail, in bytes; few lines are longer."""
    title = remove_unprintable(" ".join(tex_to_unicode(paper.title).split()))
    byline = " ".join(author.name for author in (*paper.authors[:1], *paper.authors[1:][-1:]))
    return _MAIL_LINE_OVERHEAD + sum(map(_measure_encoded, (title, paper.url, byline)))


def measure_chat_line(paper: Paper) -> int:
    """Return the maximum size of a paper's line in a chat, in bytes, for any markup."""
    title = remove_unprintable(" ".join(tex_to_unicode(paper.title).split()))[:MAX_CHAT_TITLE]
    return _CHAT_LINE_OVERHEAD + sum(
        len(escape(text).encode("utf-8", "replace")) for text in (title, paper.url)
    )


def _measure_encoded(text: str) -> int:
    """Return the size of a text in ASCII HTML, where other characters are references, in bytes."""
    return len(escape(text).encode("ascii", "xmlcharrefreplace"))


def count_fitting_lines(line_sizes: Iterable[int], budget: int) -> int:
    """Return the number of lines, from the first one, that fit into a budget; at least one if there are any.

    Args:
        line_sizes: the sizes of the lines, in bytes.
        budget: the available bytes.
    """
    count = 0
    for size in line_sizes:
        budget -= size
        if budget < 0 and count:
            break
        count += 1
    return count
