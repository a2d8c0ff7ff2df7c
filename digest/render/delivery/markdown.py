"""An edition as Markdown, for a wiki, an issue or a chat.

Characters with a meaning in Markdown are escaped (https://spec.commonmark.org/0.31.2/, sections 2.4, 4 and
5), so that no text changes the structure.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from digest.model import Edition
from digest.render.branding import Branding
from digest.render.editions.edition_view import make_page_view
from digest.render.environment import fill

_SPECIAL_CHARACTER = re.compile(r"[\\`*_\[\]<>&~$#]")
"""Characters with a meaning anywhere in a line; `~` and `$` have one in dialects of CommonMark."""
_LINE_START = re.compile(r"(\d*)([-+=.)])")
"""The beginning of a line that would make it a list item or a rule."""
_TAG = re.compile(r"</?([bi])>")
_MARKS = {"b": "**", "i": "*"}


def render_markdown(environment: jinja2.Environment, edition: Edition, branding: Branding) -> str:
    """Render all of an edition, including the papers for which its mail has no room, with as much of their abstracts.

    Raises:
        RenderError: the template is missing or broken.
    """
    variables = {
        "edition": make_page_view(edition, branding, edition.abstracts),
        "md": escape_markdown,
        "target": escape_target,
    }
    return fill(environment, "mail/edition.md", variables)


def escape_markdown(text: str) -> str:
    """Return a text on one line, escaped for Markdown; words that are marked in HTML are marked in Markdown."""
    if not isinstance(text, Markup):
        line = _escape_line(text)
    else:  # a paper's text with <b> and <i> around words, so every second part is the name of a tag
        line = "".join(
            _MARKS[part] if index % 2 else _escape_line(unescape(part))
            for index, part in enumerate(_TAG.split(text))
        )
    line = " ".join(line.split())
    start_match = _LINE_START.match(line)
    return f"{start_match[1]}\\{start_match[2]}{line[start_match.end() :]}" if start_match else line


def escape_target(url: str) -> str:
    """Return an address that is safe between the round brackets of a link."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._", errors="replace").replace("&", "&amp;")


def _escape_line(text: str) -> str:
    return _SPECIAL_CHARACTER.sub(r"\\\g<0>", text)
