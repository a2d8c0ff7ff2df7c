"""Charges and signs that are raised in print but were typed on the line: ``Ca(2+)``, ``CD4+T``, ``e+e-``."""

from __future__ import annotations

import re

_CHARGE = re.compile(
    r"(?<=[^\W_])\((?:(?P<number>[2-9]|[1-9]\d)(?P<sign>[+\-\u2212])|(?P<plus>\+))\)"
    r"|(?<=[^\W_])\((?P<apart>[2-9])\)\((?P<sign_apart>[+\-\u2212])\)"
    r"|(?<![^\W_])(?P<particle>[^\W\d_]{1,3})\+(?P=particle)[-\u2212](?!\w)"
    r"|(?<![^\W_])(?P<marker>[Cc][Dd]\d{1,3}[A-Za-z]{0,2})\+(?=[^\W\d_])"
    r"|(?<=[^\W_])(?P<before_marker>\+)(?=CD\d)"
)
"""Charges in brackets as PubMed writes them, pairs of particles, and cell markers (CD4) before or after another word.

Any other ``+`` before a letter stays a separator: of 2,100 in the titles and abstracts of 168,546 papers, all
but a few are sums (``RGB+D``, ``CO2+H2``). ``(-)`` stays as it is, because it is a placeholder for an
argument in mathematics, and so do the limits ``u(0+)`` and ``f(1-)``.
"""
_RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
CHARGE_SIGNS = ("+", "-)", "\u2212)")
"""Ends of charges; ``raise_charges`` leaves a text without any of them unchanged."""
_BRACKETED_SIGNS = ("+)", "-)", "\u2212)")
_PLUS_INSIDE_WORD = re.compile(r"\+(?<=[^\W_]\+)(?=[^\W\d_])")
"""What all charges without brackets have; few of the texts with a plus have it, and it is found ten times as fast."""


def raise_charges(text: str) -> str:
    """Return a text with charges that were typed on the line as raised signs: ``Ca(2+)`` becomes Ca²⁺.

    ``CD4+T`` becomes CD4⁺T.
    """
    may_have_charge = any(map(text.__contains__, _BRACKETED_SIGNS)) or (
        "+" in text and _PLUS_INSIDE_WORD.search(text)
    )
    return _CHARGE.sub(_raise_charge, text) if may_have_charge else text


def _raise_charge(match: re.Match[str]) -> str:
    if particle := match["particle"]:
        return f"{particle}⁺{particle}⁻"
    if marker := match["marker"]:
        return f"{marker}⁺"
    return match[0].translate(_RAISED).replace("(", "").replace(")", "")
