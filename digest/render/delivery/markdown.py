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
from digest.render.branding import Masthead
from digest.render.editions.edition_view import Shape, contents
from digest.render.environment import fill

_ABSTRACT = 700
"""Characters, as in a mail."""
_ANYWHERE = re.compile(r"[\\`*_\[\]<>&~$#]")
"""What means something anywhere in a line; `~` and `$` do to programs that know more than CommonMark."""
_AT_THE_START = re.compile(r"(\d*)([-+=.)])")
"""What makes a list or a rule of a line."""
_TAG = re.compile(r"</?([bi])>")
_MARKS = {"b": "**", "i": "*"}


def markdown(environment: jinja2.Environment, edition: Edition, masthead: Masthead) -> str:
    """All of an edition: the papers and links of its mail, and those that found no room there.

    Raises:
        RenderError: the template is missing or broken.
    """
    whole = Shape(abstract=_ABSTRACT, full=len(edition.items), lines=len(edition.items) + len(edition.rest))
    variables = {"edition": contents(edition, masthead, whole), "md": md, "target": target}
    return fill(environment, "mail/edition.md", variables)


def md(text: str) -> str:
    """A text on one line in which nothing means anything to Markdown; words marked in HTML stay marked."""
    if not isinstance(text, Markup):
        line = _escaped(text)
    else:  # a card's: texts with <b> and <i> around words, so that each second part is a tag's name
        line = "".join(
            _MARKS[part] if place % 2 else _escaped(unescape(part))
            for place, part in enumerate(_TAG.split(text))
        )
    line = " ".join(line.split())
    start = _AT_THE_START.match(line)
    return f"{start[1]}\\{start[2]}{line[start.end() :]}" if start else line


def target(url: str) -> str:
    """An address for the round brackets of a link, in which nothing ends them."""
    return quote(url, safe="%/:?#@!$&'*+,;=~-._", errors="replace").replace("&", "&amp;")


def _escaped(text: str) -> str:
    return _ANYWHERE.sub(r"\\\g<0>", text)
