r"""Conversion of TeX to readable Unicode: ``H$_2$O`` becomes H₂O, ``$\mathcal{O}(n)$`` becomes 𝒪(n).

The replacements of macros come from pylatexenc. The parser is our own, because abstracts are not TeX
documents: ``%`` is a per cent sign (one abstract of five has a bare one, and the text after it must not be
lost), ``$`` may mean dollars, braces are left open, and authors use macros of their own. So this parser goes
token by token, never fails, and drops signs but never words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from digest.core.text.accents import COMBINING
from digest.core.text.charges import CHARGE_SIGNS, raise_charges
from digest.core.text.macros import (
    ACCENT_MACROS,
    ALPHABETS,
    DROPPED_MACROS,
    EXTRA_SYMBOLS,
    FONT_MACROS,
    load_symbols,
)

_ANY_TEX = re.compile(r"[\\{}$^~`]|--|''|_[\d{\\]")
_TEX_SIGNS = ("\\", "{", "}", "$", "^", "~", "`", "_", "--", "''")
_READ_SIGNS = (*_TEX_SIGNS, *CHARGE_SIGNS)
_TOKEN = re.compile(
    r"""(?P<url>https?://(?:\\[_%#&~]|[^\s\\{}$<>"])+)
      | (?P<fence>\\(?:left|right)(?![A-Za-z])\.?)
      | \\[dtc]?frac\s*(?P<over>[0-9])\s*(?P<under>[0-9])
      | \\(?P<macro>[A-Za-z]+)\*?(?P<gap>\s*)
      | \\(?P<sign>.)
      | (?P<script>[_^])(?:(?P<number>[+-]?[0-9]+)|(?=(?P<bare>[^\W\d_]|[(\[]))|)
      | (?P<open>\{) | (?P<close>\})
      | (?P<dash>-{2,}) | (?P<quote>``|''|`)
      | (?P<tie>(?<=[\w.,;:)\]}$%])~(?=\S))
      | (?P<dollar>\$+)
      | (?P<text>(?:[^\\{}$_^~`'h-]+|h(?!ttps?://)|-(?!-)|'(?!'))+|.)""",
    re.VERBOSE | re.DOTALL,
)
_FIRST_SIGN = re.compile(r"[\\{}$_^~`]|--|''|https?://")
"""The first sign of a text that may be anything but text."""
_ARGUMENT_PIECE = re.compile(r"[-']|[^-']+")
"""A piece of a text that may be the argument of a macro; a second argument comes from the next piece."""
_ACCENT_TARGET = re.compile(r"(?:\{|\\[ij](?![A-Za-z])|[^\W\d_])")
_BEFORE_SIGN = re.compile(r" (?=[,;:)\]]|\.(?!\d))")
"""A blank that TeX leaves before a sign, in a text whose blanks are single."""
_LOOSE_SIGNS = (" ,", " ;", " :", " )", " ]", " .")

_SPACING = dict.fromkeys(",;: \\\n\t>", " ") | dict.fromkeys("!/-@()[]", "")
_RAISED = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        strict=True,
    )
)
_LOWERED = dict(zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_GLYPHS = {"^": _RAISED, "_": _LOWERED}
SCRIPT_GLYPHS = "".join(dict.fromkeys((*_RAISED.values(), *_LOWERED.values())))
"""Raised and lowered signs that exist in Unicode."""
_REPLACEMENTS = {"``": "“", "''": "”", "`": "‘", "--": "–", "\\": " "}
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac"})


def is_readable(text: str) -> bool:
    """Return True if ``tex_to_unicode`` certainly changes nothing in a text but its blanks."""
    return text.isascii() and not any(map(text.__contains__, _READ_SIGNS))


def tex_to_unicode(text: str) -> str:
    """Return a text without TeX, as one line, for readers and for tokenization.

    Sub- and superscripts become Unicode's if they are digits, or short and in braces (H₂O, 10⁻³). Longer
    words in braces are put on the line (``T_{eff}`` becomes Teff), and before a bare letter the sign stays
    (``n_TOF``). ``--`` becomes a dash. An unknown macro is replaced by the content of its braces, or by its
    name if it has none. Charges that were typed on the line are raised, too: ``Ca(2+)`` becomes Ca²⁺.

    Args:
        text: as announced. Broken TeX is converted as far as possible.
    """
    if not (any(map(text.__contains__, _TEX_SIGNS)) and _ANY_TEX.search(text)):
        return " ".join(_compose_unicode(text).split())
    readable = " ".join(_compose_unicode(_TexReader(text).convert()).split())
    return _BEFORE_SIGN.sub("", readable) if any(map(readable.__contains__, _LOOSE_SIGNS)) else readable


_OTHER_STARS = ("\u2217", "\uff0a")
_STAR = re.compile(rf"(?<=\w)[{''.join(_OTHER_STARS)}]")
"""Other star signs in a name such as C∗; a star that stands alone is a convolution."""
_STAR_SIGNS = "*\u2217\u204e\u22c6\u2605\ufe61\uff0a"
_NAME_STAR = re.compile(rf"(?<=[\w{_STAR_SIGNS}])[{_STAR_SIGNS}]")


def _compose_unicode(text: str) -> str:
    text = raise_charges(text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    return _STAR.sub("*", text) if any(map(text.__contains__, _OTHER_STARS)) else text


def normalize_stars(text: str) -> str:
    """Replace the star signs of names by ``*``, for comparison: ``A⋆`` becomes ``A*``. All positions stay the same.

    Texts for readers keep the printed sign: M⋆ is the mass of a star.
    """
    return text if text.isascii() else _NAME_STAR.sub("*", text)


# --- the converter --------------------------------------------------------------------------------

_Operation = tuple[str, str]
"""An operation on the argument of a macro: its kind and a detail."""
_MAX_DEPTH = 50


@dataclass(slots=True)
class _TexReader:
    """Converter that passes over a text once.

    Attributes:
        parts: the output.
        pending: operations to apply to the next argument, the last one first.
        braces: for each open brace, the operations to apply to its content, and the index in ``parts`` where
            that starts.
        has_closed: whether the last token closed braces that were not empty.
    """

    text: str
    parts: list[str] = field(default_factory=list)
    pending: tuple[_Operation, ...] = ()
    braces: list[tuple[tuple[_Operation, ...], int]] = field(default_factory=list)
    has_closed: bool = False

    def convert(self) -> str:
        """Return the text in readable form."""
        literal_positions = _find_dollar_amounts(self.text) | _find_printed_braces(self.text)
        first_sign = _FIRST_SIGN.search(self.text)
        start = self.text.rfind(" ", 0, first_sign.start()) + 1 if first_sign else len(self.text)
        self.parts.append(self.text[:start])
        for token in _TOKEN.finditer(self.text, start):
            if token.lastgroup == "text" and not self.pending:  # most tokens
                self.has_closed = False
                self.parts.append(_REPLACEMENTS.get(token[0], token[0]))
            else:
                self._convert_token(token, is_literal=token.start() in literal_positions)
        while self.braces:
            self._close_brace()
        return "".join(self.parts)

    def _convert_token(self, token: re.Match[str], *, is_literal: bool) -> None:
        kind = token.lastgroup
        if kind == "open" and not is_literal:
            self._open_brace()
            return
        if kind == "close" and not is_literal:
            self._close_brace()
            return
        self.has_closed = False
        if kind in {"open", "close"}:
            self._append_text(token[0])
        elif kind == "text":
            for piece in _ARGUMENT_PIECE.findall(_REPLACEMENTS.get(token[0], token[0])):
                self._append_text(piece)
        elif kind == "dollar":
            self._append_text(token[0] if is_literal or len(token[0]) > 2 else "")
        elif token["macro"]:
            self._handle_macro(token["macro"], token["gap"], self.text[token.end() : token.end() + 2])
        else:
            self._handle_sign(token)

    def _handle_sign(self, token: re.Match[str]) -> None:
        after = self.text[token.end() : token.end() + 1]
        if token["number"]:
            self._append_text("".join(_GLYPHS[token["script"]][character] for character in token["number"]))
        elif token["script"] and (token["bare"] or not after.strip()):
            self._append_text(token["script"])
        elif token["script"]:
            self._queue_operation("script", token["script"])
        elif token["sign"]:
            self._handle_escape(token["sign"], token.end())
        elif token["over"]:
            self._add_separator()
            self._apply_operations(f"{token['over']}/{token['under']}", is_braced=True)
        elif token["url"]:
            self._append_text(re.sub(r"\\(.)", r"\1", token["url"]))
        elif token["tie"]:
            self._append_text(" ")
        elif not token["fence"]:
            self._append_text(_REPLACEMENTS.get(token[0]) or ("—" if token["dash"] else token[0]))

    def _handle_escape(self, character: str, end: int) -> None:
        if character in COMBINING and _ACCENT_TARGET.match(self.text, end):
            self._queue_operation("accent", character)
        else:
            self._append_text(_SPACING.get(character, "‖" if character == "|" else character))

    def _handle_macro(self, name: str, gap: str, after: str) -> None:
        is_braced = after[:1] in {"{", "\\"}
        if len(name) == 1 and name in COMBINING and (gap or is_braced):
            self._queue_operation("accent", name)
        elif name in ACCENT_MACROS:
            self._queue_operation("over", ACCENT_MACROS[name])
        elif name in ALPHABETS:
            self._queue_operation("alphabet", ALPHABETS[name])
        elif name in _FRACTIONS:
            self._add_separator()
            self.pending = (("above", ""),)
        elif name == "sqrt":
            self._queue_operation("root", "")
        elif name == "unicode":
            self._queue_operation("sign", "")
        elif DROPPED_MACROS.fullmatch(name):
            self.pending = (("drop", ""),) if is_braced else ()
        elif symbol := EXTRA_SYMBOLS.get(name) or load_symbols().get(name):
            self._handle_symbol(symbol, gap)
        elif not FONT_MACROS.fullmatch(name):
            self._handle_unknown(name, gap, after)

    def _handle_unknown(self, name: str, gap: str, after: str) -> None:
        """Handle an unknown macro: keep the content of its braces, or its name if it has none."""
        is_braced = after[:1] == "{" and after != "{}"
        if not self.pending:
            self._add_separator()
        if not is_braced and (len(name) > 1 or name.isupper()):
            self._apply_operations(name)
        self._append_text(gap)

    def _handle_symbol(self, symbol: str, gap: str) -> None:
        is_after_blank = not self._get_last().strip()
        if len(symbol) > 1 and symbol[0].isalpha():  # a word, as log, max, km/s
            self._add_separator()
        elif unicodedata.name(symbol[0], "").startswith("LATIN") or not (symbol.isalpha() or is_after_blank):
            gap = ""  # the blank only ends the macro: \o, \ss; and "x\in A" is x∈A
        self._apply_operations(symbol)
        self.parts.append(gap)

    def _open_brace(self) -> None:
        if self.has_closed and not self.pending:
            self._add_separator()
        self.has_closed = False
        is_too_deep = len(self.braces) >= _MAX_DEPTH
        self.braces.append(((), 0) if is_too_deep else (self.pending, len(self.parts)))
        self.pending = ()

    def _close_brace(self) -> None:
        self.pending = ()
        if not self.braces:
            return
        operations, start = self.braces.pop()
        self.has_closed = len(self.parts) > start
        if operations:
            content = "".join(self.parts[start:])
            del self.parts[start:]
            self.pending = operations
            self._apply_operations(content, is_braced=True)

    # output

    def _get_last(self) -> str:
        return self.parts[-1][-1:] if self.parts else ""

    def _queue_operation(self, kind: str, detail: str) -> None:
        if len(self.pending) < _MAX_DEPTH:
            self.pending += ((kind, detail),)

    def _add_separator(self) -> None:
        """Append a blank if the next piece would otherwise join the word before it."""
        if self._get_last().isalnum():
            self.parts.append(" ")

    def _append_text(self, piece: str) -> None:
        """Append text; if operations are pending, only its first character is their argument."""
        if self.pending:
            piece = piece.lstrip()
            self._apply_operations(piece[:1])
            piece = piece[1:]
        if piece:
            self.parts.append(piece)

    def _apply_operations(self, argument: str, *, is_braced: bool = False) -> None:
        """Apply the pending operations to an argument, and append the result."""
        if not argument and not is_braced:
            return
        operations, self.pending = self.pending, ()
        for kind, detail in reversed(operations):
            if kind == "script":
                argument = _format_script(detail, argument.strip(), is_braced=is_braced)
            elif kind == "drop":
                argument = ""
            elif kind == "above":
                argument = _wrap_in_brackets(argument) + "/"
                self.pending = (("below", ""),)
            else:
                argument = _TRANSFORMS[kind](argument, detail)
        if argument:
            self.parts.append(argument)


def _find_dollar_amounts(text: str) -> frozenset[int]:
    """Return the positions of ``$`` that mean dollars.

    Such a sign is before an amount and has no second one that could end a formula, or is the only one in a
    text without macros.
    """
    if "$" not in text:
        return frozenset()
    positions = [match.start() for match in re.finditer(r"\$(?!\$)(?<![\\$]\$)", text)]
    if len(positions) == 1 and "\\" not in text:
        return frozenset(positions)
    amounts = set()
    index = 0
    while index < len(positions):
        start, end = positions[index], positions[index + 1] if index + 1 < len(positions) else len(text)
        is_amount = text[start + 1 : start + 2].isdecimal()
        is_alone = end == len(text) or text[end - 1].isspace() or text[end + 1 : end + 2].isdecimal()
        if is_amount and is_alone:
            amounts.add(start)
            index += 1
        else:
            index += 2
    return frozenset(amounts)


def _find_printed_braces(text: str) -> frozenset[int]:
    """Return the positions of braces that are printed, in a text without macros: those of a set, or without a partner."""
    if "\\" in text or ("{" not in text and "}" not in text):
        return frozenset()
    open_braces: list[int] = []
    printed_braces: list[int] = []
    for match in re.finditer(r"[{}]", text):
        position = match.start()
        if match[0] == "{":
            open_braces.append(position)
        elif not open_braces:
            printed_braces.append(position)
        else:
            start = open_braces.pop()
            is_set = (
                text.find(",", start, position) > 0
                and position > start + 2
                and text[start - 1 : start] not in {"^", "_"}
            )
            if is_set and (start, position) != (0, len(text) - 1):
                printed_braces += (start, position)
    return frozenset((*printed_braces, *open_braces))


# --- operations -----------------------------------------------------------------------------------

_STAR_AND_GLYPHS = re.compile(rf"([{_STAR_SIGNS}]+)\s*([{re.escape(''.join(_RAISED))}]+)")


def _format_script(mark: str, text: str, *, is_braced: bool) -> str:
    glyphs = _GLYPHS[mark]
    if mark == "^" and text in {"∘", "°"}:
        return "°"
    if mark == "^" and (starred := _STAR_AND_GLYPHS.fullmatch(text)):  # K^{*0} is K*⁰
        return starred[1] + _format_script(mark, starred[2], is_braced=is_braced)
    characters = "".join(text.split())
    if (
        all(character in glyphs for character in characters)
        and sum(map(str.isalpha, characters)) <= 2
        and (is_braced or len(characters) == 1)
    ):
        return "".join(glyphs[character] for character in characters)
    if not any(map(str.isalnum, text)) or (is_braced and text.isalnum()):
        return text
    return f"{mark}({text})" if is_braced and not (text[0] == "(" and text[-1] == ")") else mark + text


def _apply_accent(text: str, sign: str) -> str:
    base = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1])
    accented = unicodedata.normalize("NFC", base + COMBINING[sign])
    if sign == '"' and base not in set("aeiouyAEIOUY"):
        return sign + text
    return (accented if len(accented) == 1 else base) + text[1:]


def _apply_mark(text: str, mark: str) -> str:
    return unicodedata.normalize("NFC", text + mark) if len(text) == 1 else text


def _apply_alphabet(text: str, style: str) -> str:
    if len(text) != 1 or not text.isascii() or not text.isalnum():
        return text
    name = unicodedata.name(text).replace("LATIN ", "").replace("LETTER ", "")
    for form in (f"{style} {name}", f"{style.replace('FRAKTUR', 'BLACK-LETTER')} {name}"):
        for prefix in ("", "MATHEMATICAL "):
            try:
                return unicodedata.lookup(prefix + form)
            except KeyError:
                continue
    return text


def _wrap_in_brackets(text: str, _: str = "") -> str:
    text = text.strip()
    return text if re.fullmatch(r"[\w.]*", text) else f"({text})"


def _decode_sign(code: str) -> str:
    """Return the character with a number: ``8523`` or ``x2013``."""
    try:
        return chr(int(code[1:], 16) if code[:1] in {"x", "X"} else int(code))
    except (ValueError, OverflowError):
        return code


_TRANSFORMS: dict[str, Callable[[str, str], str]] = {
    "accent": _apply_accent,
    "over": _apply_mark,
    "alphabet": _apply_alphabet,
    "root": lambda text, _: "√" + _wrap_in_brackets(text),
    "below": _wrap_in_brackets,
    "sign": lambda text, _: _decode_sign(text),
}
