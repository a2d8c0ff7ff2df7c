"""How many bytes a paper takes as a line: by that an edition is composed of as many papers as have room in its messages.

A line is the least that is shown of a paper: its title, which leads to its page, its authors and a mark. What does not
even have room for that waits for the next edition, so it must be known before anything is rendered.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from digest.core.text.words import tex_to_unicode
from digest.model import Paper
from digest.render.delivery.mail import MAX_HTML_BYTES
from digest.render.environment import remove_unprintable

MAIL_LINES_BUDGET = MAX_HTML_BYTES - 20_000
"""For the lines of a mail: head, foot, the account of its days, and some papers in full take the others."""
_MAIL_LINE_OVERHEAD = 91
"""Bytes around title, address and authors: 41 of tags, the others for two words marked, ``late`` and ``and 3 more``."""
_CHAT_LINE_OVERHEAD = 60
_MAX_CHAT_TITLE = 300
"""Characters of a title that a chat shows."""


def measure_mail_line(paper: Paper) -> int:
    """The bytes that the line of a paper takes in the HTML of a mail, as it is encoded; few take more."""
    title = remove_unprintable(" ".join(tex_to_unicode(paper.title).split()))
    byline = " ".join(author.name for author in paper.authors[:2])
    return _MAIL_LINE_OVERHEAD + sum(map(_measure_encoded, (title, paper.url, byline)))


def measure_chat_line(paper: Paper) -> int:
    """The most bytes that the line of a paper takes in a chat, whatever its markup."""
    title = remove_unprintable(" ".join(tex_to_unicode(paper.title).split()))[:_MAX_CHAT_TITLE]
    return _CHAT_LINE_OVERHEAD + sum(
        len(escape(text).encode("utf-8", "replace")) for text in (title, paper.url)
    )


def _measure_encoded(text: str) -> int:
    """The bytes of a text in HTML that is in ASCII, where other letters are references."""
    return len(escape(text).encode("ascii", "xmlcharrefreplace"))


def count_fitting_lines(line_sizes: Iterable[int], budget: int) -> int:
    """How many of some lines have room together, the first ones; one has in any case.

    Args:
        line_sizes: the bytes that each takes.
        budget: the bytes that there are.
    """
    count = 0
    for size in line_sizes:
        budget -= size
        if budget < 0 and count:
            break
        count += 1
    return count
