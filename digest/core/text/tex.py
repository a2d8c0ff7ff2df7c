r"""TeX as people print it, in Unicode: ``H$_2$O`` is H₂O, ``Erd\H{o}s`` is Erdős, ``$\mathcal{O}(n)$`` is 𝒪(n).

What a macro stands for is pylatexenc's table. The reading is our own, because abstracts are not TeX
documents: a ``%`` is a per cent sign (one abstract of five has a bare one, and what follows it must not be
lost), a ``$`` may be money, braces are left open, and macros are the authors' own. So this reads token by
token, never fails, and drops signs but never words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from digest.core.text.accents import COMBINING
from digest.core.text.macros import ALPHABETS, DROPPED, FONT, OVER, OWN, symbols

_ANY_TEX = re.compile(r"[\\{}$^~`]|--|''|_[\d{\\]")
_SIGNS = ("\\", "{", "}", "$", "^", "~", "`", "_", "--", "''")
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
      | (?P<text>(?:[^\\{}$_^~`'h-]+|h(?!ttps?://))+|.)""",
    re.VERBOSE | re.DOTALL,
)
_ACCENTED = re.compile(r"(?:\{|\\[ij](?![A-Za-z])|[^\W\d_])")
_BEFORE_SIGN = re.compile(r"\s+(?=[,;:)\]]|\.(?!\d))")

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
_PRINTED = {"``": "“", "''": "”", "`": "‘", "--": "–", "\\": " "}
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac"})


def has_tex(text: str) -> bool:
    """Whether there may be TeX in a text: one of the signs that it is made of."""
    return any(map(text.__contains__, _SIGNS))


def tex_to_unicode(text: str) -> str:
    """A text without its TeX, on one line: for people to read, and what its words are taken from.

    Sub- and superscripts of digits and short ones in braces become Unicode's (H₂O, 10⁻³), longer words in
    braces stand on the line (``T_{eff}`` is Teff), before a bare letter the sign stays (``n_TOF``). ``--`` is
    a dash. Of macros that nobody knows what stands in their braces stays, or else their name.

    Args:
        text: as announced. Broken TeX is read as far as it goes.
    """
    if not (has_tex(text) and _ANY_TEX.search(text)):
        return " ".join(_composed(text).split())
    readable = " ".join(_composed(_Reader(text).read()).split())
    return _BEFORE_SIGN.sub("", readable)


_STAR = re.compile(r"(?<=\w)[\u2217\uff0a]")
"""The star of a name, C∗, as another sign: alone it is a convolution."""


def _composed(text: str) -> str:
    return text if text.isascii() else _STAR.sub("*", unicodedata.normalize("NFC", text))


# --- reading --------------------------------------------------------------------------------------

_Wish = tuple[str, str]
"""What is to happen to a macro's argument: a kind, and its detail."""
_DEEPEST = 50


@dataclass(slots=True)
class _Reader:
    """Goes through a text once.

    Attributes:
        parts: what has been read.
        wishes: what to do with the argument that comes next, the last one first.
        braces: the open ones: what is to be done to their content, and where in ``parts`` it starts.
        closed: the last token closed braces that were not empty.
    """

    text: str
    parts: list[str] = field(default_factory=list)
    wishes: tuple[_Wish, ...] = ()
    braces: list[tuple[tuple[_Wish, ...], int]] = field(default_factory=list)
    closed: bool = False

    def read(self) -> str:
        """The text, readable."""
        printed = _money(self.text) | _brackets(self.text)
        for token in _TOKEN.finditer(self.text):
            kind = token.lastgroup
            if kind in {"open", "close"} and token.start() in printed:
                self.closed = False
                self._put(token[0])
                continue
            if kind == "open":
                self._open()
                continue
            if kind == "close":
                self._close()
                continue
            self.closed = False
            if kind == "text":
                self._put(_PRINTED.get(token[0], token[0]))
            elif kind == "dollar":
                self._put(token[0] if token.start() in printed or len(token[0]) > 2 else "")
            elif token["macro"]:
                self._macro(token["macro"], token["gap"], self.text[token.end() : token.end() + 2])
            else:
                self._sign(token)
        while self.braces:
            self._close()
        return "".join(self.parts)

    def _sign(self, token: re.Match[str]) -> None:
        after = self.text[token.end() : token.end() + 1]
        if token["number"]:
            self._put("".join(_GLYPHS[token["script"]][sign] for sign in token["number"]))
        elif token["script"] and (token["bare"] or not after.strip()):
            self._put(token["script"])
        elif token["script"]:
            self._wish("script", token["script"])
        elif token["sign"]:
            self._escaped(token["sign"], token.end())
        elif token["over"]:
            self._part()
            self._grant(f"{token['over']}/{token['under']}", braced=True)
        elif token["url"]:
            self._put(re.sub(r"\\(.)", r"\1", token["url"]))
        elif token["tie"]:
            self._put(" ")
        elif not token["fence"]:
            self._put(_PRINTED.get(token[0]) or ("—" if token["dash"] else token[0]))

    def _escaped(self, sign: str, end: int) -> None:
        if sign in COMBINING and _ACCENTED.match(self.text, end):
            self._wish("accent", sign)
        else:
            self._put(_SPACING.get(sign, "‖" if sign == "|" else sign))

    def _macro(self, name: str, gap: str, after: str) -> None:
        braced = after[:1] in {"{", "\\"}
        if len(name) == 1 and name in COMBINING and (gap or braced):
            self._wish("accent", name)
        elif name in OVER:
            self._wish("over", OVER[name])
        elif name in ALPHABETS:
            self._wish("alphabet", ALPHABETS[name])
        elif name in _FRACTIONS:
            self._part()
            self.wishes = (("above", ""),)
        elif name == "sqrt":
            self._wish("root", "")
        elif name == "unicode":
            self._wish("sign", "")
        elif DROPPED.fullmatch(name):
            self.wishes = (("drop", ""),) if braced else ()
        elif symbol := OWN.get(name) or symbols().get(name):
            self._symbol(symbol, gap)
        elif not FONT.fullmatch(name):
            self._unknown(name, gap, after)

    def _unknown(self, name: str, gap: str, after: str) -> None:
        """What stands in a macro's braces stays; without any, its name is the best that is known of it."""
        braced = after[:1] == "{" and after != "{}"
        if not self.wishes:
            self._part()
        if not braced and (len(name) > 1 or name.isupper()):
            self._grant(name)
        self._put(gap)

    def _symbol(self, symbol: str, gap: str) -> None:
        blank = not self._last().strip()
        if len(symbol) > 1 and symbol[0].isalpha():  # log, max, km/s
            self._part()
        elif unicodedata.name(symbol[0], "").startswith("LATIN") or not (symbol.isalpha() or blank):
            gap = ""  # \o, \ss; and "x\in A" is x∈A
        self._grant(symbol)
        self.parts.append(gap)

    def _open(self) -> None:
        if self.closed and not self.wishes:
            self._part()
        self.closed = False
        deep = len(self.braces) >= _DEEPEST
        self.braces.append(((), 0) if deep else (self.wishes, len(self.parts)))
        self.wishes = ()

    def _close(self) -> None:
        self.wishes = ()
        if not self.braces:
            return
        wishes, start = self.braces.pop()
        self.closed = len(self.parts) > start
        if wishes:
            content = "".join(self.parts[start:])
            del self.parts[start:]
            self.wishes = wishes
            self._grant(content, braced=True)

    # what is read goes to its place

    def _last(self) -> str:
        return self.parts[-1][-1:] if self.parts else ""

    def _wish(self, kind: str, detail: str) -> None:
        if len(self.wishes) < _DEEPEST:
            self.wishes += ((kind, detail),)

    def _part(self) -> None:
        """Keep what comes from growing together with the word before it."""
        if self._last().isalnum():
            self.parts.append(" ")

    def _put(self, piece: str) -> None:
        """Take what is no argument as a whole: of it, a wish gets one sign."""
        if self.wishes:
            piece = piece.lstrip()
            self._grant(piece[:1])
            piece = piece[1:]
        if piece:
            self.parts.append(piece)

    def _grant(self, argument: str, *, braced: bool = False) -> None:
        """Do to an argument what was wished, and keep it."""
        if not argument and not braced:
            return
        wishes, self.wishes = self.wishes, ()
        for kind, detail in reversed(wishes):
            if kind == "script":
                argument = _script(detail, argument.strip(), braced=braced)
            elif kind == "drop":
                argument = ""
            elif kind == "above":
                argument = _bracketed(argument) + "/"
                self.wishes = (("below", ""),)
            else:
                argument = _CHANGES[kind](argument, detail)
        if argument:
            self.parts.append(argument)


def _money(text: str) -> frozenset[int]:
    """Where a dollar is a dollar: before an amount, with no second one that could end a formula; or alone in a text."""
    signs = [found.start() for found in re.finditer(r"(?<![\\$])\$(?!\$)", text)]
    if len(signs) == 1 and "\\" not in text:
        return frozenset(signs)
    money = set()
    at = 0
    while at < len(signs):
        start, end = signs[at], signs[at + 1] if at + 1 < len(signs) else len(text)
        amount = text[start + 1 : start + 2].isdecimal()
        alone = end == len(text) or text[end - 1].isspace() or text[end + 1 : end + 2].isdecimal()
        if amount and alone:
            money.add(start)
            at += 1
        else:
            at += 2
    return frozenset(money)


def _brackets(text: str) -> frozenset[int]:
    """Where a brace is one that people print: of a set, or without its other half, in a text that holds no macro."""
    if "\\" in text or ("{" not in text and "}" not in text):
        return frozenset()
    opened: list[int] = []
    printed: list[int] = []
    for found in re.finditer(r"[{}]", text):
        place = found.start()
        if found[0] == "{":
            opened.append(place)
        elif not opened:
            printed.append(place)
        else:
            start = opened.pop()
            is_set = (
                text.find(",", start, place) > 0
                and place > start + 2
                and text[start - 1 : start] not in {"^", "_"}
            )
            if is_set and (start, place) != (0, len(text) - 1):
                printed += (start, place)
    return frozenset((*printed, *opened))


# --- arguments ------------------------------------------------------------------------------------


def _script(mark: str, text: str, *, braced: bool) -> str:
    glyphs = _GLYPHS[mark]
    if mark == "^" and text in {"∘", "°"}:
        return "°"
    signs = "".join(text.split())
    if (
        all(sign in glyphs for sign in signs)
        and sum(map(str.isalpha, signs)) <= 2
        and (braced or len(signs) == 1)
    ):
        return "".join(glyphs[sign] for sign in signs)
    if not any(map(str.isalnum, text)) or (braced and text.isalnum()):
        return text
    return f"{mark}({text})" if braced and not (text[0] == "(" and text[-1] == ")") else mark + text


def _accent(text: str, sign: str) -> str:
    first = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1])
    accented = unicodedata.normalize("NFC", first + COMBINING[sign])
    if sign == '"' and first not in set("aeiouyAEIOUY"):
        return sign + text
    return (accented if len(accented) == 1 else first) + text[1:]


def _over(text: str, mark: str) -> str:
    return unicodedata.normalize("NFC", text + mark) if len(text) == 1 else text


def _alphabet(text: str, style: str) -> str:
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


def _bracketed(text: str, _: str = "") -> str:
    text = text.strip()
    return text if re.fullmatch(r"[\w.]*", text) else f"({text})"


def _sign(code: str) -> str:
    """The sign of a number, ``8523`` or ``x2013``."""
    try:
        return chr(int(code[1:], 16) if code[:1] in {"x", "X"} else int(code))
    except (ValueError, OverflowError):
        return code


_CHANGES: dict[str, Callable[[str, str], str]] = {
    "accent": _accent,
    "over": _over,
    "alphabet": _alphabet,
    "root": lambda text, _: "√" + _bracketed(text),
    "below": _bracketed,
    "sign": lambda text, _: _sign(text),
}
