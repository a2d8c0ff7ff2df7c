"""The theme of mails and pages: what an operator changes of their looks without a template."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from digest.core.colours import DEFAULT_ACCENT, darken, lighten

_LIGHT_MARK, _DARK_MARK = "#fff0b8", "#51430f"
"""The backgrounds of marked words by day and by night, as in ``templates/_design.html``.

Of all backgrounds of links, these have the least contrast with them.
"""
_DARK_BACKGROUND = "#16181c"
"""The background by night, as in ``templates/_design.html``."""
_BAR_CONTRAST = 4.0
"""Contrast of bars with the background by night. It leaves at least as much with white, and graphics need 3
(WCAG 2.2, success criterion 1.4.11).
"""
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]]")
"""A web address in a text, without the punctuation after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The theme of mails and pages.

    Attributes:
        accent: the colour of links and buttons.
        marked_accent: its variant on the background of marked words.
        dark_accent: its variant by night.
        bar: its variant for bars, by day and by night.
        logo: the logo as a ``data:`` URI; "" for none.
        footer: the line at the foot; "" for none.
        footer_html: the same as HTML, with its web addresses as links.
    """

    accent: str
    marked_accent: str
    dark_accent: str
    bar: str
    logo: str
    footer: str
    footer_html: Markup


def make_theme(accent: str = DEFAULT_ACCENT, logo: str = "", footer: str = "") -> Theme:
    """Make a theme.

    Args:
        accent: ``#rrggbb``, readable on white.
        logo: a ``data:`` URI, or "".
        footer: one line of plain text, or "".
    """
    return Theme(
        accent=accent,
        marked_accent=darken(accent, _LIGHT_MARK),
        dark_accent=lighten(accent, _DARK_MARK),
        bar=lighten(accent, _DARK_BACKGROUND, _BAR_CONTRAST),
        logo=logo,
        footer=footer,
        footer_html=_link_addresses(footer),
    )


def _link_addresses(text: str) -> Markup:
    """Escape a text, and turn its web addresses into links."""
    html, end = Markup(), 0
    for match in _WEB_ADDRESS.finditer(text):
        link = Markup('<a href="{url}">{url}</a>').format(url=match[0])
        html += escape(text[end : match.start()]) + link
        end = match.end()
    return html + escape(text[end:])
