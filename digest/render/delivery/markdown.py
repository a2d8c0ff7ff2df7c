"""An edition as Markdown, for a wiki, an issue or a chat.

Whatever a title says, it stays on its line and stays a title: what means something to Markdown is escaped
(https://spec.commonmark.org/0.31.2/, sections 2.4, 4 and 5).
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.editions.edition_view import ViewLimits, make_edition_view
from digest.render.environment import fill

_ABSTRACT_LIMIT = 700
"""Characters, as in a mail."""
_SPECIAL_CHARACTER = re.compile(r"[\\`*_\[\]<>&~$#]")
"""What means something anywhere in a line; `~` and `$` do to programs that know more than CommonMark."""
_LINE_START = re.compile(r"(\d*)([-+=.)])")
"""What makes a list or a rule of a line."""
_TAG = re.compile(r"</?([bi])>")
_MARKS = {"b": "**", "i": "*"}


def render_markdown(environment: jinja2.Environment, edition: Edition, branding: Branding) -> str:
    """All of an edition: the papers and links of its mail, and those that found no room there.

    Raises:
        RenderError: the template is missing or broken.
    """
    view_limits = ViewLimits(
        abstract_limit=_ABSTRACT_LIMIT,
        full=len(edition.items),
        lines=len(edition.items) + len(edition.overflow),
    )
    variables = {
        "edition": make_edition_view(edition, branding, view_limits),
        "md": escape_markdown,
        "target": escape_target,
    }
    return fill(environment, "mail/edition.md", variables)


def escape_markdown(text: str) -> str:
    """A text on one line in which nothing means anything to Markdown; words marked in HTML stay marked."""
    if not isinstance(text, Markup):
        line = _escape_line(text)
    else:  # a card's: texts with <b> and <i> around words, so that each second part is a tag's name
        line = "".join(
            _MARKS[part] if index % 2 else _escape_line(unescape(part))
            for index, part in enumerate(_TAG.split(text))
        )
    line = " ".join(line.split())
    start_match = _LINE_START.match(line)
    return f"{start_match[1]}\\{start_match[2]}{line[start_match.end() :]}" if start_match else line


def escape_target(url: str) -> str:
    """An address for the round brackets of a link, in which nothing ends them."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._", errors="replace").replace("&", "&amp;")


def _escape_line(text: str) -> str:
    return _SPECIAL_CHARACTER.sub(r"\\\g<0>", text)
