"""A line of the file that is not TOML, as its writer probably meant it.

The reader here takes what TOML does not: curly quotation marks, colons in place of =, lists in round brackets. What it makes
is a guess, so ``repair_line`` gives only a line that is TOML by itself; who shows it checks that it mends the file.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from typing import Literal, get_args, get_origin

from digest.config.file.problems import index_fields, iter_tables
from digest.config.tables import ConfigFile

Kind = Literal["text", "whole number", "number", "truth", "list"]

CURLY_QUOTES = "“”„‟«»‘’‚‛‹›′″´`"
"""Quotation marks that word processors, web pages and mail programs put in place of straight ones."""
FULL_WIDTH_CHARACTERS = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        "、": ",",
        "。": ".",
        "【": "[",
        "】": "]",
    }
)
"""The signs that a Chinese or Japanese keyboard puts in place of those of ASCII (Unicode, block FF00)."""
REPEATABLE_TABLES = frozenset(
    {"source", "digest", "enricher", "public_feed", "smtp.relay", "bounces.provider"}
)
"""Tables of which a file may have several."""
TABLE_NAMES = REPEATABLE_TABLES | ConfigFile.model_fields.keys()

_MAX_LENGTH = 120
"""Characters of the longest line that is worth showing as a whole."""
_SECRET_KEY = re.compile(r"password|secret|token|\bkey$|_key$", re.IGNORECASE)
"""Keys whose values are secrets; so may be addresses of webhooks and databases. No message repeats these."""
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on"), "true"),
    **dict.fromkeys(("false", "no", "off"), "false"),
}
_NO_VALUES = frozenset({"null", "none", "nil", "undefined"})
_TEXT_OR_REMARK = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?<!\S)(?:#|//|--|/\*).*")
_KEY_AND_VALUE = re.compile(
    r"(?P<key>[^=:\[\](){}<>#,]*?[^\s=:+\[\](){}<>#,-])\s*(?::=|=>|==|->|\+=|=(?!=)|:(?=\s|[\"'\[{]))\s*(?P<value>.*)"
)
_KEY_AND_BARE_VALUE = re.compile(r"(?P<key>[\w-]+)\s+(?P<value>[^=]+)")
_SIMPLE_KEY = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_FIRST_KEY = re.compile(r"\s*[\w.-]+\s*=")
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>\d{1,3}(?:[ ,'_]\d{3})+|\d*)(?:\.(?P<fraction>\d*))?(?:\s*[%;,.]|\s+[^\d\s=][^=]*)?"
)
_QUOTED = r"\"[^\"]*\"|'[^']*'"
_BARE = r"[^\s\"',;.\[\]{}][^\"',;\[\]{}]*"
_ENTRY = re.compile(rf"\s*(?P<entry>{_QUOTED}|{_BARE})\s*")
_ENTRIES = re.compile(rf"\s*(?:[,;]\s*|(?:{_QUOTED})\s*(?:[,;.]\s*|(?=[\"'])|$)|{_BARE}(?:[,;]\s*|$))*")
_HEADER = re.compile(r"\s*[\[(<{]*\s*(?P<name>[\w.-]+)\s*[\])>}]*\s*(?:[:,;=]|#.*|//.*)?\s*")


def repair_line(line: str, *, in_list: bool) -> str:
    """The line that was probably meant.

    Args:
        line: without its end.
        in_list: whether a list is open at its beginning.

    Returns:
        A line that is TOML; "" where it cannot be guessed, or is too long to show.
    """
    line = line.strip()
    # What is in quotation marks may be meant as it is: full-width signs are first replaced outside of them.
    visible = "".join(char for char in line if unicodedata.category(char) != "Cf")
    candidates = [_replace_outside_texts(visible), visible.translate(FULL_WIDTH_CHARACTERS)]
    for candidate in dict.fromkeys(candidates):
        repaired = (
            _repair_entries(candidate) if in_list else repair_header(candidate) or _repair_key(candidate)
        )
        whole_text = f"x = [{repaired.rstrip('],')}]" if in_list else repaired
        if repaired and len(repaired) <= _MAX_LENGTH and _is_toml(whole_text):
            return repaired
    return ""


def repair_header(line: str) -> str:
    """The header of a table that a line was meant to be; "" if it was meant to be something else."""
    match = _HEADER.fullmatch(line)
    if not match or not (line.startswith("[") or match["name"] in TABLE_NAMES):
        return ""
    name = match["name"]
    is_repeatable = name in REPEATABLE_TABLES or (line.startswith("[[") and name not in TABLE_NAMES)
    return f"[[{name}]]" if is_repeatable else f"[{name}]"


@cache
def list_keys() -> dict[str, Kind]:
    """The keys of all tables of the file, with what each wants; where tables differ, that of the outer one."""
    kinds: dict[str, Kind] = {}
    tables = [table for field in ConfigFile.model_fields.values() for table in iter_tables(field.annotation)]
    for table in tables:  # grows while it is walked
        for key, field in index_fields(table).items():
            kinds.setdefault(key, _classify_annotation(field.annotation))
            tables += [inner for inner in iter_tables(field.annotation) if inner not in tables]
    return kinds


def _classify_annotation(annotation: object) -> Kind:
    types = {annotation, *get_args(annotation)}
    if get_origin(annotation) is list:
        return "list"
    if types & {bool}:
        return "truth"
    return "whole number" if types & {int} else "number" if types & {float} else "text"


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return True


# --- signs ----------------------------------------------------------------------------------------


def _replace_outside_texts(line: str) -> str:
    """A line with plain signs for full-width ones, but for those in quotation marks."""
    parts = re.split(r"(\"[^\"]*\"|'[^']*')", line)
    return "".join(
        part if number % 2 else part.translate(FULL_WIDTH_CHARACTERS) for number, part in enumerate(parts)
    )


def _strip_remark(value: str) -> str:
    """A value without a remark behind it, also one as other languages write it."""
    kept = _TEXT_OR_REMARK.sub(lambda match: match[0] if match[0][0] in "\"'" else "", value)
    return kept.strip().removesuffix(";").removesuffix(",").strip()


# --- a key and its value --------------------------------------------------------------------------


def _repair_key(line: str) -> str:
    """A line with a key, an equals sign and a value; "" if it was not meant to be one, or that cannot be read."""
    if re.fullmatch(r"\"[^\"]*=[^\"]*\"|'[^']*=[^']*'", line):
        line = line[1:-1]
    line = re.sub(r"^[-*]\s+", "", line)
    match = _KEY_AND_VALUE.fullmatch(line)
    if not match and (match := _KEY_AND_BARE_VALUE.fullmatch(line)) and match["key"] not in list_keys():
        return ""
    key = _repair_key_name(match["key"]) if match else ""
    value = _strip_remark(match["value"]) if match else ""
    if not key or not value or value.lower() in _NO_VALUES:
        return ""
    repaired = _repair_value(value, list_keys().get(key))
    is_secret = (_SECRET_KEY.search(key) and "${" not in repaired) or "://" in repaired
    return f"{key} = {repaired}" if repaired and not is_secret else ""


def _repair_key_name(text: str) -> str:
    """A key without accents, blanks and words of programming languages; "" if it is none."""
    text = text.strip().strip("\"'")
    if _SIMPLE_KEY.fullmatch(text):
        return text
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    for candidate in ("_".join(plain.split()), plain.rpartition(" ")[2]):
        if candidate in list_keys():
            return candidate
    return ""


def _repair_value(value: str, kind: Kind | None) -> str:
    """A value of a kind; None for the kind is a key of which that is not known."""
    bare = value.strip("()[]{} \t\"'" + CURLY_QUOTES)
    match kind:
        case "truth":
            return _TRUTHS.get(bare.lower(), "")
        case "whole number" | "number":
            return _repair_number(bare, kind)
        case _ if kind == "list" or value[0] in "[(" or (value[0] == "{" and "=" not in value):
            return _repair_list(value)
        case None if bare.lower() in _TRUTHS:
            return _TRUTHS[bare.lower()]
        case _ if value[0] == "{":
            return re.sub(r"([\w-]+)\s*:(?=[\s\"'])", r"\1 =", value)
        case _:
            return _quote(value)


def _repair_number(text: str, kind: Kind) -> str:
    if kind == "number":
        text = re.sub(r"^(\d+),(\d{1,2})$", r"\1.\2", text)
    match = _NUMBER.fullmatch(text)
    if not match or not (match["whole"] or match["fraction"]):
        return ""
    whole = re.sub(r"\D", "", match["whole"]).lstrip("0") or "0"
    fraction = match["fraction"] or ""
    if kind == "whole number" and fraction.strip("0"):
        return ""
    return (
        f"{match['sign']}{whole}.{fraction}" if fraction and kind == "number" else f"{match['sign']}{whole}"
    )


def _repair_list(value: str) -> str:
    if value[0] in "[({" and re.search(r"[{=]", value[1:]):
        return ""  # tables in a list: there are too many ways to mean them
    inside = re.sub(r"^[\[({]+|[\])}]+$", "", value)
    entries = _split_entries(inside)
    return f"[{', '.join(entries)}]" if entries and all(entries) else ""


def _repair_entries(line: str) -> str:
    """A line in the middle of a list."""
    line, is_last = _strip_remark(line), False
    if line.endswith("]"):
        line, is_last = line[:-1], True
    if not line or _FIRST_KEY.match(line) or re.search(r"[\[\]{}]", line):
        return ""
    entries = _split_entries(line)
    return f"{', '.join(entries)}{']' if is_last else ','}" if entries and all(entries) else ""


def _split_entries(text: str) -> list[str]:
    """The entries of a list, each in quotation marks; "" for one that cannot be read."""
    text = re.sub(f"[{CURLY_QUOTES}]", '"', text) if _has_curly_quotes(text) else text
    parts = (
        [match["entry"] for match in _ENTRY.finditer(text)] if _ENTRIES.fullmatch(text) else text.split(",")
    )
    return [_quote(part) for part in parts if part.strip()]


def _has_curly_quotes(text: str) -> bool:
    """Whether curly quotation marks stand at the edges of texts, and are no apostrophes in them."""
    return bool(re.search(rf"(?:^|[,\s\[(])[{CURLY_QUOTES}]", text.strip()))


def _quote(text: str) -> str:
    """A text in quotation marks that fit what is in it; "" where it is not clear what that is."""
    text = text.strip()
    edges = f"\"'{CURLY_QUOTES}"
    mark = r"\\?" if text.startswith("\\") else ""
    if re.fullmatch(r"\$[A-Za-z_]\w*|\$\{\w+\}", text):
        return f'"${{{text.strip("${}")}}}"'
    if _is_toml(f"x = {text}") and re.match(r"[\"']", text):
        return text
    opening = re.match(rf"(?:{mark}[{edges}])+", text)
    closing = re.search(rf"(?:{mark}[{edges}])+$", text)
    inner = text
    if opening and (closing or text.count(opening[0][-1]) % 2):
        inner = inner[opening.end() :]
    elif opening and not re.search(r"<[^<>@\s]+@[^<>@\s]+>", text):
        return ""  # a text with an end, and something behind it
    if closing and (opening or text.count(closing[0][-1]) % 2 or closing[0][-1] in CURLY_QUOTES):
        kept_quotes = (
            closing[0][:-1] if opening and text[opening.end() : closing.start()].count('"') % 2 else ""
        )
        inner = inner.removesuffix(closing[0]) + kept_quotes
    if '"' not in inner and "\\" not in inner:
        return f'"{inner}"'
    return f"'{inner}'" if "'" not in inner else ""
