"""Charges and signs that are raised in print, and typed on the line: ``Ca(2+)``, ``CD4+T``, ``e+e-``."""

from __future__ import annotations

import re

_CHARGE = re.compile(
    r"(?<=[^\W_])\((?:(?P<number>[2-9]|[1-9]\d)(?P<sign>[+\-\u2212])|(?P<plus>\+))\)"
    r"|(?<=[^\W_])\((?P<apart>[2-9])\)\((?P<sign_apart>[+\-\u2212])\)"
    r"|(?<![^\W_])(?P<particle>[^\W\d_]{1,3})\+(?P=particle)[-\u2212](?!\w)"
    r"|(?<![^\W_])(?P<marker>[Cc][Dd]\d{1,3}[A-Za-z]{0,2})\+(?=[^\W\d_])"
    r"|(?<=[^\W_])(?P<before_marker>\+)(?=CD\d)"
)
"""PubMed's brackets, a pair of particles, and markers of cells (CD4) that are run together.

Any other ``+`` before a letter stays a separator: in the titles and abstracts of 168,546 papers there are 2,100 of them,
and all but a few are sums (``RGB+D``, ``CO2+H2``). So do ``(-)``, which is the place of an argument in mathematics, and
the limits ``u(0+)`` and ``f(1-)``.
"""
_RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
CHARGE_SIGNS = ("+", "-)", "\u2212)")
"""A text without these is left as it is by ``raise_charges``."""


def raise_charges(text: str) -> str:
    """A text with the charges that were typed on the line as raised signs: ``Ca(2+)`` is Ca²⁺, ``CD4+T`` is CD4⁺T."""
    return _CHARGE.sub(_raise_charge, text) if any(map(text.__contains__, CHARGE_SIGNS)) else text


def _raise_charge(match: re.Match[str]) -> str:
    if particle := match["particle"]:
        return f"{particle}⁺{particle}⁻"
    if marker := match["marker"]:
        return f"{marker}⁺"
    return match[0].translate(_RAISED).replace("(", "").replace(")", "")
