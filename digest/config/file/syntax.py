"""What is wrong where a file is not TOML, in our words and with the fix; the parser's own words name neither.

The parser stops at a character. What stands there, and on the lines before it, shows which of the mistakes of every day
it is; for any other the parser's words are all there is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_CURLY_QUOTES = "“”„‟«»‘’‚‛‹›′″´`"
"""Quotation marks that word processors, web pages and mail programs put in place of straight ones."""
_FULL_WIDTH_CHARACTERS = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        "、": ",",
        "。": ".",
        "【": "[",
        "】": "]",
    }
)
"""The signs that a Chinese or Japanese keyboard puts in place of those of ASCII (Unicode, block FF00)."""
_TEXT_OR_COMMENT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*")
"""A text in quotation marks, or a remark, on one line."""
_WORD_HINTS = {
    **dict.fromkeys(("true", "yes", "on"), "write true, in lower case and without quotes"),
    **dict.fromkeys(("false", "no", "off"), "write false, in lower case and without quotes"),
    **dict.fromkeys(("null", "none", "nil", "undefined"), "there is no such value; take the whole line away"),
}
_REPEATABLE_TABLES = frozenset(
    {"source", "digest", "enricher", "public_feed", "smtp.relay", "bounces.provider"}
)
"""Tables of which a file may have several."""


@dataclass(frozen=True, slots=True)
class _ParseStop:
    """Where the parser stopped.

    Attributes:
        text: of the file.
        index: the index of the character.
        message: what the parser says.
    """

    text: str
    index: int
    message: str

    @property
    def line_before(self) -> str:
        """The line up to there."""
        return self.text[self.text.rfind("\n", 0, self.index) + 1 : self.index]

    @property
    def line_after(self) -> str:
        """The line from there on."""
        return self.text[self.index :].partition("\n")[0]

    @property
    def line(self) -> str:
        """The whole line."""
        return self.line_before + self.line_after

    def find_line(self, pattern: str) -> int:
        """The number of the last line before this one that a pattern fits; 0 if there is none."""
        last_number = 0
        for number, line in enumerate(self.text[: self.index].split("\n")[:-1], 1):
            if re.match(pattern, line):
                last_number = number
        return last_number


def explain_syntax(text: str, index: int, message: str) -> str:
    """What is wrong, and what would be right.

    Args:
        text: of the file.
        index: the index of the character at which the parser stopped.
        message: what the parser says.
    """
    stop = _ParseStop(text, min(index, len(text)), message)
    if stripped := text.lstrip():
        if stripped[0] == "{":
            return 'this is JSON; the file is TOML, in which a key stands as use = "arxiv" below [[source]]'
        if re.match(r"(---\s|[\w-]+:\s*(#.*)?\n)", stripped):
            return 'this is YAML; the file is TOML, in which a key stands as use = "arxiv" below [[source]]'
    if explanation := _explain_odd_character(stop):
        return explanation
    for beginning, explain in _EXPLAINERS.items():
        if message.startswith(beginning) and (explanation := explain(stop)):
            return explanation
    return (
        "this is not TOML, and it is none of the usual mistakes: look for a missing or superfluous sign here"
    )


def find_mistake(text: str, index: int, message: str) -> int:
    """The index of the mistake: where a text has no end, that is its beginning, and not the end of the file.

    Args:
        text: of the file.
        index: the index of the character at which the parser stopped.
        message: what the parser says.
    """
    expected = re.match(r"Expected (['\"])(?P<mark>['\"]{1,3})\1$", message)
    opening = text.rfind(expected["mark"]) if expected and index >= len(text) else -1
    return opening if opening >= 0 else index


def _explain_odd_character(stop: _ParseStop) -> str:
    """What to say of a sign that looks like one of TOML's, or like nothing."""
    index = stop.index
    while stop.text[index : index + 1] in {" ", "\t"}:
        index += 1
    character = stop.text[index : index + 1]
    if character.translate(_FULL_WIDTH_CHARACTERS) == character:
        outside = _TEXT_OR_COMMENT.sub("", stop.line)
        character = next(
            (candidate for candidate in outside if candidate.translate(_FULL_WIDTH_CHARACTERS) != candidate),
            character,
        )
    if (plain := character.translate(_FULL_WIDTH_CHARACTERS)) != character:
        return (
            f"{character} is a full-width sign, as keyboards for Chinese and Japanese make it; write {plain}"
        )
    if character and character not in " \t\n" and character.isspace():
        return "there is a blank here that is none to TOML (copied from a page?); type it anew"
    if character and unicodedata.category(character) in {"Cf", "Cc"} and character not in "\t\n":
        return f"there is an invisible sign here (U+{ord(character):04X}, copied from a page?); take it away"
    return ""


# --- values ---------------------------------------------------------------------------------------


def _explain_value(stop: _ParseStop) -> str:
    remainder = stop.line_after.strip()
    if not remainder or remainder[0] in "#,":
        key = stop.line_before.rpartition("=")[0].strip() or "the key"
        return f"there is no value here; write one behind {key} =, or take the line away"
    if explanation := _explain_curly(remainder):
        return explanation
    if remainder[0] == "=":
        return "there is one = too many; take it away"
    word = re.match(r"[^\s,\]}#\"']+", remainder)
    if word and word[0].lower() in _WORD_HINTS:
        return _WORD_HINTS[word[0].lower()]
    if word and remainder[len(word[0]) :].startswith('"'):
        return f'a quotation mark is missing before it; write "{word[0]}"'
    bare = (
        re.split(r"[,\]}#]", remainder)[0].strip()
        if stop.line_before.count("[")
        else remainder.partition(" #")[0].strip()
    )
    return f'a text needs quotation marks around it; write "{bare}"'


def _explain_curly(remainder: str) -> str:
    if remainder[0] not in _CURLY_QUOTES:
        return ""
    inside = re.match(rf"[{_CURLY_QUOTES}]+([^{_CURLY_QUOTES}\"\n]*)", remainder)
    return (
        f'these quotation marks are curly, and TOML has straight ones; write "{inside[1] if inside else "…"}"'
    )


def _explain_string(stop: _ParseStop) -> str:
    opening = re.search(r"[\"'][^\"']*$", stop.line)
    quote = opening[0][0] if opening else '"'
    if stop.message.startswith("Expected") and stop.text[stop.index : stop.index + 1] in {'"', "'"}:
        quote = stop.text[stop.index]
    curly = re.search(rf"[{_CURLY_QUOTES}]\s*[,\]}}]?\s*$", stop.line)
    if curly:
        return f"this text ends with a curly quotation mark; write a straight one: {quote}"
    return f"this text has no end; write {quote} behind it, on the same line"


def _explain_backslash(stop: _ParseStop) -> str:
    texts = re.findall(r'"([^"]*\\[^"]*)"?', stop.line)
    example = f": '{texts[0]}'" if texts else ""
    return f"a backslash means something else between double quotation marks; write single ones{example}"


def _explain_after_value(stop: _ParseStop) -> str:
    remainder, value = stop.line_after.strip(), stop.line_before.partition("=")[2].strip()
    if re.match(r"//|;|--|/\*", remainder):
        return "a remark begins with #"
    if explanation := _explain_punctuation(stop, remainder):
        return explanation
    if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", time := (value + remainder).split(" ")[0]):
        return f'a time needs quotation marks around it; write "{time}"'
    if re.fullmatch(r"[+-]?0", value) and remainder[:1].isdigit():
        return f"a number does not begin with 0; write {remainder.lstrip('0') or '0'}, or a text in quotation marks"
    if value and value[-1] in "\"'":
        if stop.line_before.count(value[-1]) % 2 == 0 and re.match(r"\w", remainder):
            return _explain_nested_quotes(stop)
        return "only a remark, which begins with #, may follow a value on its line"
    full_value = stop.line.partition("=")[2].partition(" #")[0].strip()
    return f'a text needs quotation marks around it; write "{full_value}"'


def _explain_punctuation(stop: _ParseStop, remainder: str) -> str:
    """What to say of a bracket or a comma behind a value; "" where none stands there."""
    if stop.line.lstrip().startswith("[") and remainder[:1] in {"[", "]"}:
        return _explain_header(stop)
    if re.fullmatch(r",\s*(#.*)?", remainder):
        return "no comma stands at the end of a line; take it away"
    if remainder[:1] in {",", "]"}:
        key, _, value_text = stop.line.partition("=")
        inside = re.split(r"\s+#", value_text)[0].strip().strip("[]").strip()
        return f"a list stands in brackets; write {key.strip()} = [{inside}]"
    return ""


def _explain_nested_quotes(stop: _ParseStop) -> str:
    key, _, value_text = stop.line.partition("=")
    inner = re.search(r'"(.*)"', value_text)
    example = f": {key.strip()} = '{inner[1]}'" if inner and "[" not in value_text else ": '…\"…\"…'"
    return f"quotation marks stand inside quotation marks; write single ones around the whole{example}"


# --- lists and tables -----------------------------------------------------------------------------


def _explain_list(stop: _ParseStop) -> str:
    remainder = stop.line_after.strip()
    text_before = stop.text[: stop.index].rstrip()
    if explanation := remainder and _explain_curly(remainder):
        return explanation
    if text_before.endswith('"') and re.match(r"\w", remainder) and not re.match(r"[\w.-]+\s*=", remainder):
        return _explain_nested_quotes(stop)
    if (
        remainder[:1] in {'"', "'", "{"}
        or (remainder[:1] == "[" and text_before[-1:] == "]")
        or remainder[:1].isdigit()
    ):
        return f"a comma is missing before {remainder[:1]}"
    first_line = stop.find_line(r"[^#\"']*=\s*\[(?!.*\][\s#,]*$)")
    location = f" that begins in line {first_line}" if first_line else ""
    return f"the list{location} has no end; write ] behind its last entry"


def _explain_inline_table(stop: _ParseStop) -> str:
    text_before = stop.text[: stop.index].rstrip()
    if text_before.endswith(",") and stop.line_after.startswith("}"):
        return "no comma stands before the } of a table; take it away"
    if text_before.endswith(("{", ",")) and "{" in stop.text[: stop.index]:
        opening = stop.text.rfind("{", 0, stop.index)
        if "\n" in stop.text[opening : stop.index + 1]:
            return "a table in { } stands on one line; join its lines"
    if re.match(r"\s*([\w-]+|\"[^\"]*\")\s*=", stop.line_after):
        return f"a comma is missing before {stop.line_after.split('=')[0].strip()}"
    if stop.message.startswith("Unclosed"):
        if text_before[-1:] in {'"', "'"} and re.match(r"\s*[\w\"']", stop.line_after):
            return "there is a quotation mark too many, or a comma is missing before this"
        return "the table that begins with { has no end; write } behind its last value, on the same line"
    return ""


def _explain_table_twice(stop: _ParseStop) -> str:
    name = ".".join(re.findall(r"'([^']*)'", stop.message))
    line = stop.find_line(rf"\s*\[+\s*{re.escape(name)}\s*\]")
    if name in _REPEATABLE_TABLES:
        return f"write [[{name}]] in double brackets, here and in line {line}: there can be several"
    return f"[{name}] is there already, in line {line}; put the keys of both below one of them"


def _explain_key_twice(stop: _ParseStop) -> str:
    key = stop.line_before.partition("=")[0].strip() or stop.line.partition("=")[0].strip()
    line = stop.find_line(rf"\s*{re.escape(key)}\s*=")
    location = f", in line {line}" if line else ""
    return f"`{key}` is there already{location}; take one of them away"


def _explain_header(stop: _ParseStop) -> str:
    header = stop.line.partition("#")[0].strip()
    name = header.strip("[] \t")
    if not name:
        return "a table has a name; write, for example, [smtp]"
    if not re.fullmatch(r"[\w.-]+", name):
        return f"the name of a table is made of letters, digits, - and _; here stands {name}"
    brackets = ("[[", "]]") if header.startswith("[[") else ("[", "]")
    corrected = f"{brackets[0]}{name}{brackets[1]}"
    if len(header) > len(corrected):
        return f"there is a bracket too many; write {corrected}"
    return f"a bracket is missing; write {corrected}"


# --- keys -----------------------------------------------------------------------------------------


def _explain_equals(stop: _ParseStop) -> str:
    key = stop.line_before.strip()
    remainder = stop.line_after.strip()
    first_character = stop.line_after[:1]
    if first_character and first_character.isspace() and first_character not in " \t\n":
        return "there is a blank here that is none to TOML (copied from a page?); type it anew"
    if remainder.startswith(":"):
        return f"write = in place of the colon: {key} = …"
    if not remainder:
        return f"`{key}` has no value; write {key} = … , or # before it if it is a remark"
    if stop.text[stop.index : stop.index + 1] in _CURLY_QUOTES:
        return "these quotation marks are curly, and TOML has straight ones"
    return f"= is missing between a key and its value; write {key} = {remainder}, or # before it if it is a remark"


def _explain_key(stop: _ParseStop) -> str:
    if explanation := _explain_inline_table(stop):
        return explanation
    if stop.line_after.startswith(("//", ";", "--", "/*")):
        return "a remark begins with #"
    if stop.line_after[:1] and stop.line_after[0] in _CURLY_QUOTES:
        return _explain_curly(stop.line_after)
    if stop.line_before.lstrip().startswith("[") and not stop.line_before.partition("=")[1]:
        return _explain_header(stop)
    if re.match(r"[\]})]", stop.line_after):
        return f"{stop.line_after[0]} closes nothing here; take it away"
    return ""


def _explain_first_character(stop: _ParseStop) -> str:
    return (
        _explain_key(stop)
        or f"a key begins with a letter, a digit or a quotation mark, and not with {stop.line_after[:1]}"
    )


def _explain_statement(stop: _ParseStop) -> str:
    return _explain_key(stop) or "a line begins with a key, as limit = 25, with a table, as [smtp], or with #"


_EXPLAINERS: dict[str, Callable[[_ParseStop], str]] = {
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
    "Invalid initial character": _explain_first_character,
    "Cannot declare": _explain_table_twice,
    "Cannot mutate": _explain_table_twice,
    "Cannot overwrite": _explain_key_twice,
    "Duplicate inline table key": _explain_key_twice,
    "Expected ']": _explain_header,
    "Expected '='": _explain_equals,
    "Invalid statement": _explain_statement,
}
"""How messages of the parser begin, and who knows what is meant."""
