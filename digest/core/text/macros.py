"""Replacements for TeX macros: pylatexenc's table, and macros that it lacks and papers use."""

from __future__ import annotations

import re
from functools import cache

FONT_MACROS = re.compile(
    "(?:text|math)[a-z]+|emph|bm|boldsymbol|[mh]box|ensuremath|operatorname|u(?:nder)?line|xspace|protect|rm|bf|it|s[cfl]"
    "|text|itshape|slshape|scshape|(?:tt|sf|rm)family|bfseries|normalfont|space|newline|thinspace|mkern|noindent|par|item|hfill|nonumber|middle|strut|allowbreak|char"
    "|tt|em|up|(?:display|text|(?:script)+)style|tiny|(?:script|footnote|normal)size|small|[lL]arge|LARGE|[hH]uge"
    "|[bB]igg?[lr]?|limits|nolimits"
)
DROPPED_MACROS = re.compile(
    r"texorpdfstring|cite[a-z]*|(?:eq|page|auto|c)?ref|label|begin|end|textcolor|color|[hv]space|vskip"
)
ALPHABETS = {
    "mathbb": "DOUBLE-STRUCK",
    "Bbb": "DOUBLE-STRUCK",
    "mathds": "DOUBLE-STRUCK",
    "mathcal": "SCRIPT",
    "cal": "SCRIPT",
    "mathscr": "SCRIPT",
    "mathfrak": "FRAKTUR",
    "frak": "FRAKTUR",
}
ACCENT_MACROS = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "bar": "\u0304",
    "overline": "\u0304",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "check": "\u030c",
    "not": "\u0338",
}
EXTRA_SYMBOLS = {
    "R": "ℝ",
    "C": "ℂ",
    "Z": "ℤ",
    "Q": "ℚ",
    "N": "ℕ",
    "ne": "≠",
    "neg": "¬",
    "land": "∧",
    "lor": "∨",
    "bot": "⊥",
    "implies": "⟹",
    "iff": "⟺",
    "Box": "□",
    "imath": "ı",
    "jmath": "ȷ",
    "colon": ":",
    "degree": "°",
    "arcsec": "″",
    "arcmin": "′",
    "eg": "e.g.",
    "ie": "i.e.",
    "kms": "km/s",
    "msun": "M⊙",
    "Msun": "M⊙",
    "percent": "%",
    "pct": "%",
    "slash": "/",
    "lsim": "≲",
    "gsim": "≳",
    "farcs": "″",
    "varDelta": "Δ",
    "models": "⊨",
    "etal": "et al.",
    "Re": "Re",
    "backslash": "∖",
    "setminus": "∖",
    "deg": "°",
    "prime": "′",
    "over": "/",
    "lVert": "‖",
    "rVert": "‖",
    "Vert": "‖",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "euro": "€",
    "ast": "*",
}


@cache
def load_symbols() -> dict[str, str]:
    """Return pylatexenc's replacements for macros, by the name of the macro."""
    from pylatexenc import latex2text

    macros = latex2text.get_default_latex_context_db().iter_macro_specs()
    return {
        macro.macroname: macro.simplify_repl
        for macro in macros
        if isinstance(macro.simplify_repl, str) and macro.simplify_repl and "%" not in macro.simplify_repl
    }
