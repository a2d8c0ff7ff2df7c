"""Explanations of syntax errors in our words, with the fix; the parser's messages name neither mistake nor fix.

The parser stops at a character. The text at that position, and the lines before it, show which of the common
mistakes it is; for all others there is a general explanation.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from digest.config.file.line_repair import (
    CURLY_QUOTES,
    FULL_WIDTH_CHARACTERS,
    REPEATABLE_TABLES,
    TABLE_NAMES,
    list_keys,
    repair_line,
)

_TEXT_OR_COMMENT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*")
"""A quoted text or a comment on one line."""
_WORD_HINTS = {
    **dict.fromkeys(("true", "yes", "on"), "true must be in lower case and without quotes"),
    **dict.fromkeys(("false", "no", "off"), "false must be in lower case and without quotes"),
    **dict.fromkeys(("null", "none", "nil", "undefined"), "TOML has no such value; remove the whole line"),
}
_NO_NUMBER = "this is not a number; numbers look like 25 or 0.5"
_OWN_LINE = "start a new line before it"


@dataclass(frozen=True, slots=True)
class _ParseStop:
    """The position at which the parser stopped.

    Attributes:
        text: the text of the file.
        index: the index of the character.
        message: the message of the parser.
    """

    text: str
    index: int
    message: str

    @property
    def line_before(self) -> str:
        """The part of the line before the position."""
        return self.text[self.text.rfind("\n", 0, self.index) + 1 : self.index]

    @property
    def line_after(self) -> str:
        """The part of the line from the position on."""
        return self.text[self.index :].partition("\n")[0]

    @property
    def line(self) -> str:
        """The whole line."""
        return self.line_before + self.line_after

    def find_line(self, pattern: str) -> int:
        """Return the number of the last earlier line that matches a pattern; 0 if there is none."""
        last_number = 0
        for number, line in enumerate(self.text[: self.index].split("\n")[:-1], 1):
            if re.match(pattern, line):
                last_number = number
        return last_number


def explain_syntax(text: str, index: int, message: str) -> str:
    """Return what is wrong, and how to fix it: the corrected line if it is sure to be TOML, else a hint or nothing.

    Args:
        text: the text of the file.
        index: the index of the character at which the parser stopped.
        message: the message of the parser.
    """
    stop = _ParseStop(text, min(index, len(text)), message)
    if stripped := text.lstrip():
        if stripped[0] == "{":
            return 'this is JSON, but the file must be TOML, for example use = "arxiv" below [[source]]'
        if re.match(r"(---\s|[\w-]+:\s*(#.*)?\n)", stripped):
            return 'this is YAML, but the file must be TOML, for example use = "arxiv" below [[source]]'
    explanation = _explain(stop)
    if line := _find_repair(stop):
        return f"{explanation.partition('; ')[0]}; write {line}"
    return explanation


def _explain(stop: _ParseStop) -> str:
    """Return what is wrong and often, after a semicolon, how to fix it."""
    if explanation := _explain_odd_character(stop) or _explain_odd_line(stop):
        return explanation
    for beginning, explain in _EXPLAINERS.items():
        if stop.message.startswith(beginning) and (explanation := explain(stop)):
            return explanation
    return "this is not valid TOML, for an unusual reason: look for a missing or extra character here"


def _find_repair(stop: _ParseStop) -> str:
    """Return the line that was probably meant, if the file is valid up to it and on the next line; else ""."""
    start = stop.index - len(stop.line_before)
    before, after = stop.text[:start], stop.text[start + len(stop.line) :]
    line = repair_line(stop.line, in_list=not _find_error_line(f"{before}]"))
    error_line = _find_error_line(f"{before}{line}{after}") if line else 1
    return line if not error_line or error_line > before.count("\n") + 2 else ""


def _find_error_line(text: str) -> int:
    """Return the number of the line with the first mistake in a text; 0 if there is none."""
    try:
        tomllib.loads(text)
    except RecursionError:
        return 1
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+), column \d+\)$", str(error))
        return int(match[1]) if match else text.count("\n") + 1
    return 0


def find_mistake(text: str, index: int, message: str) -> int:
    """Return the index of the mistake: if a text is not closed, its beginning instead of the end of the file.

    Args:
        text: the text of the file.
        index: the index of the character at which the parser stopped.
        message: the message of the parser.
    """
    if index < len(text):
        return index
    expected = re.match(r"Expected (['\"])(?P<mark>['\"]{1,3})\1$", message)
    marks = [expected["mark"]] if expected else ['"""', "'''"] if message == "Unterminated string" else []
    return max((opening for mark in marks if (opening := text.rfind(mark)) >= 0), default=index)


def _explain_odd_character(stop: _ParseStop) -> str:
    """Explain a character that looks like one of TOML's, or is invisible; return "" if there is none."""
    index = stop.index
    while stop.text[index : index + 1] in {" ", "\t"}:
        index += 1
    character = stop.text[index : index + 1]
    if character.translate(FULL_WIDTH_CHARACTERS) == character:
        outside = _TEXT_OR_COMMENT.sub("", stop.line)
        character = next(
            (candidate for candidate in outside if candidate.translate(FULL_WIDTH_CHARACTERS) != candidate),
            character,
        )
    if (plain := character.translate(FULL_WIDTH_CHARACTERS)) != character:
        return (
            f"{character} is a full-width character, as typed with a Chinese or Japanese keyboard; "
            f"replace it by {plain}"
        )
    if character == "\r":
        return "the file has old Mac line endings (CR); save it with Unix or Windows line endings"
    if character and character not in " \t\n" and character.isspace():
        return "there is a space here that TOML does not accept (copied from a web page?); type it again"
    if character and unicodedata.category(character) in {"Cf", "Cc"} and character not in "\t\n":
        return f"there is an invisible character here (U+{ord(character):04X}, copied from a web page?); remove it"
    return ""


def _explain_odd_line(stop: _ParseStop) -> str:
    """Explain a line whose syntax as a whole is not TOML's; return "" for any other line."""
    line = stop.line.strip()
    if re.match(r"(<{7}|={7}|>{7})(\s|$)", line):
        return "git left this line in a merge conflict; remove it, and one of the two versions"
    if re.fullmatch(r"<(\w+)[^<>]*>.*</\1>|<!--.*-->", line):
        return "this is XML, but the file must be TOML, for example limit = 25"
    header = re.match(r"(\[+\s*[\w.-]+\s*\]+)[\s:,;]*(?P<key>[\w-]+)\s*=", line)
    if header:
        return f"{header['key']} is on the same line as the header of its table; {_OWN_LINE}"
    bare_header = re.fullmatch(r"[\[(<{]*\s*(?P<name>[\w.-]+)\s*[\])>}]*[:,;]?", line)
    if bare_header and bare_header["name"] in TABLE_NAMES and not line.startswith("["):
        return f"{bare_header['name']} is a table; its name must be in square brackets, on a separate line"
    return ""


# --- values ---------------------------------------------------------------------------------------


def _is_number_wanted(stop: _ParseStop) -> bool:
    return list_keys().get(stop.line.partition("=")[0].strip()) in {"whole number", "number"}


def _explain_bare_text(stop: _ParseStop) -> str:
    word = re.match(r"[^\s,\]}#\"']+", remainder := stop.line_after.strip())
    if word and word[0].lower() in _WORD_HINTS:
        return _WORD_HINTS[word[0].lower()]
    if word and remainder[len(word[0]) :].startswith('"'):
        return "a quotation mark is missing before it"
    return _explain_missing_quotes(stop)


def _explain_missing_quotes(stop: _ParseStop) -> str:
    return (
        _NO_NUMBER
        if _is_number_wanted(stop)
        else "a string needs quotation marks; put them around the whole string"
    )


def _explain_value(stop: _ParseStop) -> str:
    remainder = stop.line_after.strip()
    if remainder.startswith(",") and stop.line_before.rstrip().endswith(("[", ",")):
        return "there is an extra comma, or no value before it; remove it"
    if not remainder or remainder[0] in "#,":
        key = stop.line_before.rpartition("=")[0].strip() or "the key"
        return f"{key} has no value; add one, or remove the line"
    if explanation := _explain_curly(remainder):
        return explanation
    if remainder[0] == "=":
        return "there is an extra =; remove it"
    if remainder[0] == "(":
        return _NO_NUMBER if _is_number_wanted(stop) else "a list needs square brackets, not ( )"
    if remainder[:2] in {'\\"', "\\'"}:
        return "there must be no backslash before the quotation marks of a string; remove it"
    if re.match(r"[\w-]+\s*=", remainder):
        return _explain_open_list(stop)
    return _explain_bare_text(stop)


def _explain_curly(remainder: str) -> str:
    return (
        "these quotation marks are curly, but TOML needs straight ones; replace them"
        if remainder[0] in CURLY_QUOTES
        else ""
    )


def _explain_string(stop: _ParseStop) -> str:
    opening = re.search(r"[\"']", _TEXT_OR_COMMENT.sub("", stop.line))
    quote = opening[0] if opening else '"'
    if stop.message.startswith("Expected") and stop.text[stop.index : stop.index + 1] in {'"', "'"}:
        quote = stop.text[stop.index]
    if re.search(rf"[{CURLY_QUOTES}]\s*[,\]}}]?\s*$", stop.line):
        return f"this string ends with a curly quotation mark; end it with {quote}"
    if (other := "'" if quote == '"' else '"') == stop.line.rstrip(" ,]}")[-1:]:
        return f"this string begins with {quote} and ends with {other}; end it with {quote}"
    return f"this string has no end; add {quote} after it, on the same line"


def _explain_backslash(stop: _ParseStop) -> str:  # noqa: ARG001 - all explainers have this parameter
    return "a backslash has a special meaning in double quotation marks; use single ones around the string"


def _explain_after_value(stop: _ParseStop) -> str:
    remainder, value = stop.line_after.strip(), stop.line_before.partition("=")[2].strip()
    if re.match(r"//|;|--|/\*", remainder):
        return "a comment begins with #"
    if explanation := _explain_punctuation(stop, remainder):
        return explanation
    if second_key := re.match(r"(?P<key>[\w-]+)\s*=(?!=)", remainder):
        return f"this line has a second key, {second_key['key']}; {_OWN_LINE}"
    if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", (value + remainder).split(" ")[0]):
        return "a time needs quotation marks around it"
    if re.fullmatch(r"[+-]?0", value) and remainder[:1].isdigit():
        return "a number must not begin with 0; remove the 0, or use quotation marks for a string"
    if value and value[-1] in "\"'":
        if stop.line_before.count(value[-1]) % 2 == 0 and re.match(r"\w", remainder):
            return _explain_nested_quotes(stop)
        return "only a comment, which begins with #, may follow a value on the same line"
    return _explain_missing_quotes(stop)


def _explain_punctuation(stop: _ParseStop, remainder: str) -> str:
    """Explain a bracket or a comma after a value; return "" if there is none."""
    if stop.line.lstrip().startswith("["):
        return _explain_header(stop)
    if re.fullmatch(r",\s*(#.*)?", remainder):
        return "there must be no comma at the end of a line; remove it"
    if remainder[:1] in {",", "]"}:
        return (
            _NO_NUMBER
            if _is_number_wanted(stop)
            else "a list needs square brackets; put them around the whole list"
        )
    return ""


def _explain_nested_quotes(stop: _ParseStop) -> str:
    if re.search(r"[\"']\s+and?\b", stop.line_before) or re.fullmatch(
        r"[^\"'=]*=\s*(\"[^\"]*\"|'[^']*')[^\"']*", stop.line
    ):
        return "only a comment, which begins with #, may follow a value on the same line"
    return "this string contains quotation marks of the kind around it; use the other kind around the string"


# --- lists and tables -----------------------------------------------------------------------------


def _explain_list(stop: _ParseStop) -> str:
    remainder = stop.line_after.strip()
    text_before = stop.text[: stop.index].rstrip()
    if explanation := remainder and _explain_curly(remainder):
        return explanation
    if (
        text_before.endswith('"')
        and re.match(r"[\w<]", remainder)
        and not re.match(r"[\w.-]+\s*=", remainder)
    ):
        return _explain_nested_quotes(stop)
    if (
        remainder[:1] in {'"', "'", "{"}
        or (remainder[:1] == "[" and text_before[-1:] == "]")
        or remainder[:1].isdigit()
    ):
        return f"a comma is missing before {remainder[:1]}"
    if remainder[:1] in {")", "}"}:
        return f"a list ends with ], not with {remainder[0]}; replace it by ]"
    if remainder[:1] in {";", "."}:
        return f"entries of a list are separated by commas; replace {remainder[0]} by a comma"
    return _explain_open_list(stop)


def _explain_open_list(stop: _ParseStop) -> str:
    first_line = stop.find_line(r"[^#\"']*=\s*\[(?!.*\][\s#,]*$)")
    location = f" that begins in line {first_line}" if first_line else ""
    return f"the list{location} has no end; add ] after its last entry"


def _explain_inline_table(stop: _ParseStop) -> str:
    text_before = stop.text[: stop.index].rstrip()
    if text_before.endswith(",") and stop.line_after.startswith("}"):
        return "there must be no comma before the } of a table; remove it"
    if text_before.endswith(("{", ",")) and "{" in stop.text[: stop.index]:
        opening = stop.text.rfind("{", 0, stop.index)
        if "\n" in stop.text[opening : stop.index + 1]:
            return "a table in { } must be on one line; join its lines"
    if re.match(r"\s*([\w-]+|\"[^\"]*\")\s*=", stop.line_after):
        return f"a comma is missing before {stop.line_after.split('=')[0].strip()}"
    if stop.message.startswith("Unclosed"):
        if text_before[-1:] in {'"', "'"} and re.match(r"\s*[\w\"']", stop.line_after):
            return "there is an extra quotation mark, or a comma is missing before this"
        return "the table that begins with { has no end; add } after its last value, on the same line"
    return ""


def _explain_table_twice(stop: _ParseStop) -> str:
    name = ".".join(re.findall(r"'([^']*)'", stop.message))
    line = stop.find_line(rf"\s*\[+\s*{re.escape(name)}\s*\]")
    if name in REPEATABLE_TABLES:
        return f"there can be several of these tables; write [[{name}]] in double brackets, here and in line {line}"
    return f"[{name}] exists already, in line {line}; put all its keys below one header"


def _explain_key_twice(stop: _ParseStop) -> str:
    key = stop.line_before.partition("=")[0].strip() or stop.line.partition("=")[0].strip()
    line = stop.find_line(rf"\s*{re.escape(key)}\s*=")
    location = f", in line {line}" if line else ""
    return f"`{key}` exists already{location}; remove one of the two"


def _explain_header(stop: _ParseStop) -> str:
    header = stop.line.partition("#")[0].strip()
    name = header.strip("[] \t")
    if not name:
        return "a table needs a name, such as [smtp]"
    if re.fullmatch(r"\[+[^\[\]]*\]+[^\]]+", header):
        return "only a comment, which begins with #, may follow the header of a table"
    if not re.fullmatch(r"[\w.-]+", name):
        return f"the name of a table consists of letters, digits, - and _, but this one is {name}"
    is_double = name in REPEATABLE_TABLES or (header.startswith("[[") and name not in TABLE_NAMES)
    is_longer = len(header) > len(name) + (4 if is_double else 2)
    return "there is an extra bracket; remove it" if is_longer else "a bracket is missing"


# --- keys -----------------------------------------------------------------------------------------


def _explain_equals(stop: _ParseStop) -> str:
    key = stop.line_before.strip()
    remainder = stop.line_after.strip()
    first_character = stop.line_after[:1]
    if first_character and first_character.isspace() and first_character not in " \t\n":
        return "there is a space here that TOML does not accept (copied from a web page?); type it again"
    if remainder.startswith(":"):
        return "a key and its value are separated by =, not by a colon; replace it"
    if not remainder:
        return f"`{key}` has no value; add one, or begin the line with # if it is a comment"
    if stop.text[stop.index : stop.index + 1] in CURLY_QUOTES:
        return "these quotation marks are curly, but TOML needs straight ones"
    if stop.line_before.rstrip().endswith(("{", ",")) or re.search(r"\{\s*[\"']?[^=]*$", stop.line_before):
        return '{ } contains keys with values, such as { keyword = "…" }; a list needs [ ]'
    if first_character.isalpha() and not stop.line_before.endswith((" ", "\t")):
        return f"a key consists of letters without accents, digits, - and _, and cannot contain {first_character}"
    if re.match(r"[\w\s-]*=", remainder):
        return "a key is one word; join its parts, or put _ between them"
    return "= is missing between a key and its value; begin the line with # if it is a comment"


def _explain_key(stop: _ParseStop) -> str:
    if explanation := _explain_inline_table(stop):
        return explanation
    if stop.line_after.startswith(("//", ";", "--", "/*")):
        return "a comment begins with #"
    if stop.line_after[:1] and stop.line_after[0] in CURLY_QUOTES:
        return _explain_curly(stop.line_after)
    if stop.line_before.lstrip().startswith("[") and not stop.line_before.partition("=")[1]:
        return _explain_header(stop)
    if re.match(r"[\]})]", stop.line_after):
        return f"{stop.line_after[0]} closes nothing here; remove it"
    return ""


def _explain_first_character(stop: _ParseStop) -> str:
    return (
        _explain_key(stop)
        or f"a key begins with a letter, a digit or a quotation mark, not with {stop.line_after[:1]}"
    )


def _explain_statement(stop: _ParseStop) -> str:
    return _explain_key(stop) or "a line begins with a key (limit = 25), a table ([smtp]) or #"


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
"""The functions that explain errors, by the beginning of the parser's message."""
