"""What is wrong where a file is not TOML, in our words and with the fix; the parser's own words name neither.

The parser stops at a character. What stands there, and on the lines before it, shows which of the mistakes of every day
it is; for any other the parser's words are all there is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_CURLY = "“”„‟«»‘’‚‛‹›′″´`"
"""Quotation marks that word processors, web pages and mail programs put in place of straight ones."""
_FULL_WIDTH = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        "、": ",",
        "。": ".",
        "【": "[",
        "】": "]",
    }
)
"""The signs that a Chinese or Japanese keyboard puts in place of those of ASCII (Unicode, block FF00)."""
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*")
"""A text in quotation marks, or a remark, on one line."""
_WORDS = {
    **dict.fromkeys(("true", "yes", "on"), "write true, in lower case and without quotes"),
    **dict.fromkeys(("false", "no", "off"), "write false, in lower case and without quotes"),
    **dict.fromkeys(("null", "none", "nil", "undefined"), "there is no such value; take the whole line away"),
}
_SEVERAL = frozenset({"source", "digest", "enricher", "public_feed", "smtp.relay", "bounces.provider"})
"""Tables of which a file may have several."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where the parser stopped.

    Attributes:
        text: of the file.
        at: the index of the character.
        message: what the parser says.
    """

    text: str
    at: int
    message: str

    @property
    def before(self) -> str:
        """The line up to there."""
        return self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at]

    @property
    def rest(self) -> str:
        """The line from there on."""
        return self.text[self.at :].partition("\n")[0]

    @property
    def line(self) -> str:
        """The whole line."""
        return self.before + self.rest

    def line_of(self, pattern: str) -> int:
        """The number of the last line before this one that a pattern fits; 0 if there is none."""
        found = 0
        for number, line in enumerate(self.text[: self.at].split("\n")[:-1], 1):
            if re.match(pattern, line):
                found = number
        return found


def explain_syntax(text: str, at: int, message: str) -> str:
    """What is wrong, and what would be right.

    Args:
        text: of the file.
        at: the index of the character at which the parser stopped.
        message: what the parser says.
    """
    stop = _Stop(text, min(at, len(text)), message)
    if stripped := text.lstrip():
        if stripped[0] == "{":
            return 'this is JSON; the file is TOML, in which a key stands as use = "arxiv" below [[source]]'
        if re.match(r"(---\s|[\w-]+:\s*(#.*)?\n)", stripped):
            return 'this is YAML; the file is TOML, in which a key stands as use = "arxiv" below [[source]]'
    if told := _explain_odd_sign(stop):
        return told
    for beginning, explain in _EXPLAINED.items():
        if message.startswith(beginning) and (told := explain(stop)):
            return told
    return (
        "this is not TOML, and it is none of the usual mistakes: look for a missing or superfluous sign here"
    )


def place_of(text: str, at: int, message: str) -> int:
    """The index of the mistake: where a text has no end, that is its beginning, and not the end of the file.

    Args:
        text: of the file.
        at: the index of the character at which the parser stopped.
        message: what the parser says.
    """
    expected = re.match(r"Expected (['\"])(?P<mark>['\"]{1,3})\1$", message)
    opened = text.rfind(expected["mark"]) if expected and at >= len(text) else -1
    return opened if opened >= 0 else at


def _explain_odd_sign(stop: _Stop) -> str:
    """What to say of a sign that looks like one of TOML's, or like nothing."""
    at = stop.at
    while stop.text[at : at + 1] in {" ", "\t"}:
        at += 1
    sign = stop.text[at : at + 1]
    if sign.translate(_FULL_WIDTH) == sign:
        outside = _TEXT.sub("", stop.line)
        sign = next((one for one in outside if one.translate(_FULL_WIDTH) != one), sign)
    if (plain := sign.translate(_FULL_WIDTH)) != sign:
        return f"{sign} is a full-width sign, as keyboards for Chinese and Japanese make it; write {plain}"
    if sign and sign not in " \t\n" and sign.isspace():
        return "there is a blank here that is none to TOML (copied from a page?); type it anew"
    if sign and unicodedata.category(sign) in {"Cf", "Cc"} and sign not in "\t\n":
        return f"there is an invisible sign here (U+{ord(sign):04X}, copied from a page?); take it away"
    return ""


# --- values ---------------------------------------------------------------------------------------


def _explain_value(stop: _Stop) -> str:
    rest = stop.rest.strip()
    if not rest or rest[0] in "#,":
        key = stop.before.rpartition("=")[0].strip() or "the key"
        return f"there is no value here; write one behind {key} =, or take the line away"
    if told := _explain_curly(rest):
        return told
    if rest[0] == "=":
        return "there is one = too many; take it away"
    word = re.match(r"[^\s,\]}#\"']+", rest)
    if word and word[0].lower() in _WORDS:
        return _WORDS[word[0].lower()]
    if word and rest[len(word[0]) :].startswith('"'):
        return f'a quotation mark is missing before it; write "{word[0]}"'
    bare = (
        re.split(r"[,\]}#]", rest)[0].strip() if stop.before.count("[") else rest.partition(" #")[0].strip()
    )
    return f'a text needs quotation marks around it; write "{bare}"'


def _explain_curly(rest: str) -> str:
    if rest[0] not in _CURLY:
        return ""
    inside = re.match(rf"[{_CURLY}]+([^{_CURLY}\"\n]*)", rest)
    return (
        f'these quotation marks are curly, and TOML has straight ones; write "{inside[1] if inside else "…"}"'
    )


def _explain_string(stop: _Stop) -> str:
    opened = re.search(r"[\"'][^\"']*$", stop.line)
    mark = opened[0][0] if opened else '"'
    if stop.message.startswith("Expected") and stop.text[stop.at : stop.at + 1] in {'"', "'"}:
        mark = stop.text[stop.at]
    curly = re.search(rf"[{_CURLY}]\s*[,\]}}]?\s*$", stop.line)
    if curly:
        return f"this text ends with a curly quotation mark; write a straight one: {mark}"
    return f"this text has no end; write {mark} behind it, on the same line"


def _explain_backslash(stop: _Stop) -> str:
    found = re.findall(r'"([^"]*\\[^"]*)"?', stop.line)
    shown = f": '{found[0]}'" if found else ""
    return f"a backslash means something else between double quotation marks; write single ones{shown}"


def _explain_after_value(stop: _Stop) -> str:
    rest, value = stop.rest.strip(), stop.before.partition("=")[2].strip()
    if re.match(r"//|;|--|/\*", rest):
        return "a remark begins with #"
    if told := _explain_punctuation(stop, rest):
        return told
    if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", time := (value + rest).split(" ")[0]):
        return f'a time needs quotation marks around it; write "{time}"'
    if re.fullmatch(r"[+-]?0", value) and rest[:1].isdigit():
        return (
            f"a number does not begin with 0; write {rest.lstrip('0') or '0'}, or a text in quotation marks"
        )
    if value and value[-1] in "\"'":
        if stop.before.count(value[-1]) % 2 == 0 and re.match(r"\w", rest):
            return _quoted_twice(stop)
        return "only a remark, which begins with #, may follow a value on its line"
    whole = stop.line.partition("=")[2].partition(" #")[0].strip()
    return f'a text needs quotation marks around it; write "{whole}"'


def _explain_punctuation(stop: _Stop, rest: str) -> str:
    """What to say of a bracket or a comma behind a value; "" where none stands there."""
    if stop.line.lstrip().startswith("[") and rest[:1] in {"[", "]"}:
        return _explain_header(stop)
    if re.fullmatch(r",\s*(#.*)?", rest):
        return "no comma stands at the end of a line; take it away"
    if rest[:1] in {",", "]"}:
        key, _, written = stop.line.partition("=")
        inside = re.split(r"\s+#", written)[0].strip().strip("[]").strip()
        return f"a list stands in brackets; write {key.strip()} = [{inside}]"
    return ""


def _quoted_twice(stop: _Stop) -> str:
    key, _, written = stop.line.partition("=")
    inner = re.search(r'"(.*)"', written)
    shown = f": {key.strip()} = '{inner[1]}'" if inner and "[" not in written else ": '…\"…\"…'"
    return f"quotation marks stand inside quotation marks; write single ones around the whole{shown}"


# --- lists and tables -----------------------------------------------------------------------------


def _explain_list(stop: _Stop) -> str:
    rest = stop.rest.strip()
    behind = stop.text[: stop.at].rstrip()
    if told := rest and _explain_curly(rest):
        return told
    if behind.endswith('"') and re.match(r"\w", rest) and not re.match(r"[\w.-]+\s*=", rest):
        return _quoted_twice(stop)
    if rest[:1] in {'"', "'", "{"} or (rest[:1] == "[" and behind[-1:] == "]") or rest[:1].isdigit():
        return f"a comma is missing before {rest[:1]}"
    began = stop.line_of(r"[^#\"']*=\s*\[(?!.*\][\s#,]*$)")
    where = f" that begins in line {began}" if began else ""
    return f"the list{where} has no end; write ] behind its last entry"


def _explain_inline_table(stop: _Stop) -> str:
    before = stop.text[: stop.at].rstrip()
    if before.endswith(",") and stop.rest.startswith("}"):
        return "no comma stands before the } of a table; take it away"
    if before.endswith(("{", ",")) and "{" in stop.text[: stop.at]:
        opened = stop.text.rfind("{", 0, stop.at)
        if "\n" in stop.text[opened : stop.at + 1]:
            return "a table in { } stands on one line; join its lines"
    if re.match(r"\s*([\w-]+|\"[^\"]*\")\s*=", stop.rest):
        return f"a comma is missing before {stop.rest.split('=')[0].strip()}"
    if stop.message.startswith("Unclosed"):
        if before[-1:] in {'"', "'"} and re.match(r"\s*[\w\"']", stop.rest):
            return "there is a quotation mark too many, or a comma is missing before this"
        return "the table that begins with { has no end; write } behind its last value, on the same line"
    return ""


def _explain_table_twice(stop: _Stop) -> str:
    name = ".".join(re.findall(r"'([^']*)'", stop.message))
    line = stop.line_of(rf"\s*\[+\s*{re.escape(name)}\s*\]")
    if name in _SEVERAL:
        return f"write [[{name}]] in double brackets, here and in line {line}: there can be several"
    return f"[{name}] is there already, in line {line}; put the keys of both below one of them"


def _explain_key_twice(stop: _Stop) -> str:
    key = stop.before.partition("=")[0].strip() or stop.line.partition("=")[0].strip()
    line = stop.line_of(rf"\s*{re.escape(key)}\s*=")
    there = f", in line {line}" if line else ""
    return f"`{key}` is there already{there}; take one of them away"


def _explain_header(stop: _Stop) -> str:
    written = stop.line.partition("#")[0].strip()
    name = written.strip("[] \t")
    if not name:
        return "a table has a name; write, for example, [smtp]"
    if not re.fullmatch(r"[\w.-]+", name):
        return f"the name of a table is made of letters, digits, - and _; here stands {name}"
    brackets = ("[[", "]]") if written.startswith("[[") else ("[", "]")
    right = f"{brackets[0]}{name}{brackets[1]}"
    if len(written) > len(right):
        return f"there is a bracket too many; write {right}"
    return f"a bracket is missing; write {right}"


# --- keys -----------------------------------------------------------------------------------------


def _explain_equals(stop: _Stop) -> str:
    key = stop.before.strip()
    rest = stop.rest.strip()
    odd = stop.rest[:1]
    if odd and odd.isspace() and odd not in " \t\n":
        return "there is a blank here that is none to TOML (copied from a page?); type it anew"
    if rest.startswith(":"):
        return f"write = in place of the colon: {key} = …"
    if not rest:
        return f"`{key}` has no value; write {key} = … , or # before it if it is a remark"
    if stop.text[stop.at : stop.at + 1] in _CURLY:
        return "these quotation marks are curly, and TOML has straight ones"
    return f"= is missing between a key and its value; write {key} = {rest}, or # before it if it is a remark"


def _explain_key(stop: _Stop) -> str:
    if told := _explain_inline_table(stop):
        return told
    if stop.rest.startswith(("//", ";", "--", "/*")):
        return "a remark begins with #"
    if stop.rest[:1] and stop.rest[0] in _CURLY:
        return _explain_curly(stop.rest)
    if stop.before.lstrip().startswith("[") and not stop.before.partition("=")[1]:
        return _explain_header(stop)
    if re.match(r"[\]})]", stop.rest):
        return f"{stop.rest[0]} closes nothing here; take it away"
    return ""


def _explain_first_sign(stop: _Stop) -> str:
    return (
        _explain_key(stop)
        or f"a key begins with a letter, a digit or a quotation mark, and not with {stop.rest[:1]}"
    )


def _explain_statement(stop: _Stop) -> str:
    return _explain_key(stop) or "a line begins with a key, as limit = 25, with a table, as [smtp], or with #"


_EXPLAINED: dict[str, Callable[[_Stop], str]] = {
    "Invalid value": _explain_value,
    "Illegal character": _explain_string,
    "Unterminated string": _explain_string,
    "Expected '\"": _explain_string,
    "Expected \"'": _explain_string,
    "Invalid hex value": _explain_backslash,
    "Unescaped '\\'": _explain_backslash,
    "Escaped character": _explain_backslash,
    "Expected newline or end of document": _explain_after_value,
    "Unclosed array": _explain_list,
    "Unclosed inline table": _explain_inline_table,
    "Invalid initial character": _explain_first_sign,
    "Cannot declare": _explain_table_twice,
    "Cannot mutate": _explain_table_twice,
    "Cannot overwrite": _explain_key_twice,
    "Duplicate inline table key": _explain_key_twice,
    "Expected ']": _explain_header,
    "Expected '='": _explain_equals,
    "Invalid statement": _explain_statement,
}
"""How messages of the parser begin, and who knows what is meant."""
