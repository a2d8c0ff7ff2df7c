"""Guesses of what was probably meant by a line of the file that is not TOML.

The parser here accepts what TOML does not: curly quotation marks, colons instead of =, lists in round
brackets. Its result is a guess, so ``repair_line`` returns only lines that are valid TOML by themselves; the
caller checks that the whole file becomes valid.
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
"""Quotation marks that word processors, web pages and mail programs use instead of straight ones."""
FULL_WIDTH_CHARACTERS = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        "、": ",",
        "。": ".",
        "【": "[",
        "】": "]",
    }
)
"""Replacements of the characters that Chinese and Japanese keyboards type instead of those of ASCII (Unicode
block FF00).
"""
REPEATABLE_TABLES = frozenset(
    {"source", "digest", "enricher", "public_feed", "public_digest", "smtp.relay", "bounces.provider"}
)
"""Tables that a file may have several times."""
TABLE_NAMES = REPEATABLE_TABLES | ConfigFile.model_fields.keys()

_MAX_LENGTH = 120
"""Maximum length of a suggested line, in characters."""
_SECRET_KEY = re.compile(r"password|secret|token|\bkey$|_key$", re.IGNORECASE)
"""Keys with secret values. No message repeats these, nor addresses, because those of webhooks and databases may
be secret.
"""
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
    """Return the line that was probably meant.

    Args:
        line: the line, without its end.
        in_list: whether the line begins inside of a list.

    Returns:
        A line that is valid TOML; "" if it cannot be guessed, or is too long to show.
    """
    line = line.strip()
    # Quoted text may be meant literally, so the first candidate replaces full-width characters outside of it only.
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
    """Return the header of a table that a line was meant to be; "" if it was meant to be something else."""
    match = _HEADER.fullmatch(line)
    if not match or not (line.startswith("[") or match["name"] in TABLE_NAMES):
        return ""
    name = match["name"]
    is_repeatable = name in REPEATABLE_TABLES or (line.startswith("[[") and name not in TABLE_NAMES)
    return f"[[{name}]]" if is_repeatable else f"[{name}]"


@cache
def list_keys() -> dict[str, Kind]:
    """Return the keys of all tables of the file with the types of their values; outer tables take precedence."""
    kinds: dict[str, Kind] = {}
    tables = [table for field in ConfigFile.model_fields.values() for table in iter_tables(field.annotation)]
    for table in tables:  # the loop also visits the inner tables that it appends
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


# --- characters -----------------------------------------------------------------------------------


def _replace_outside_texts(line: str) -> str:
    """Replace full-width characters by plain ones, except in quotation marks."""
    parts = re.split(r"(\"[^\"]*\"|'[^']*')", line)
    return "".join(
        part if number % 2 else part.translate(FULL_WIDTH_CHARACTERS) for number, part in enumerate(parts)
    )


def _strip_remark(value: str) -> str:
    """Return a value without the comment after it, in the syntax of TOML or of other languages."""
    kept = _TEXT_OR_REMARK.sub(lambda match: match[0] if match[0][0] in "\"'" else "", value)
    return kept.strip().removesuffix(";").removesuffix(",").strip()


# --- keys and values ------------------------------------------------------------------------------


def _repair_key(line: str) -> str:
    """Return a line of the form ``key = value``; "" if none was meant, if it cannot be read, or if it may be secret."""
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
    """Return a key without accents, spaces and keywords of programming languages; "" if no key is left."""
    text = text.strip().strip("\"'")
    if _SIMPLE_KEY.fullmatch(text):
        return text
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    for candidate in ("_".join(plain.split()), plain.rpartition(" ")[2]):
        if candidate in list_keys():
            return candidate
    return ""


def _repair_value(value: str, kind: Kind | None) -> str:
    """Return a value in the syntax of its type; the type is None if the key is unknown."""
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
        return ""  # tables in a list can be meant in too many ways
    inside = re.sub(r"^[\[({]+|[\])}]+$", "", value)
    entries = _split_entries(inside)
    return f"[{', '.join(entries)}]" if entries and all(entries) else ""


def _repair_entries(line: str) -> str:
    """Repair a line in the middle of a list."""
    line, is_last = _strip_remark(line), False
    if line.endswith("]"):
        line, is_last = line[:-1], True
    if not line or _FIRST_KEY.match(line) or re.search(r"[\[\]{}]", line):
        return ""
    entries = _split_entries(line)
    return f"{', '.join(entries)}{']' if is_last else ','}" if entries and all(entries) else ""


def _split_entries(text: str) -> list[str]:
    """Split the entries of a list and quote each; "" for one that cannot be read."""
    text = re.sub(f"[{CURLY_QUOTES}]", '"', text) if _has_curly_quotes(text) else text
    parts = (
        [match["entry"] for match in _ENTRY.finditer(text)] if _ENTRIES.fullmatch(text) else text.split(",")
    )
    return [_quote(part) for part in parts if part.strip()]


def _has_curly_quotes(text: str) -> bool:
    """Whether curly quotation marks enclose texts, rather than being apostrophes inside of them."""
    return bool(re.search(rf"(?:^|[,\s\[(])[{CURLY_QUOTES}]", text.strip()))


def _quote(text: str) -> str:
    """Return a text in suitable quotation marks; "" if it is unclear where the text begins and ends."""
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
        return ""  # a complete quoted text with something after it
    if closing and (opening or text.count(closing[0][-1]) % 2 or closing[0][-1] in CURLY_QUOTES):
        kept_quotes = (
            closing[0][:-1] if opening and text[opening.end() : closing.start()].count('"') % 2 else ""
        )
        inner = inner.removesuffix(closing[0]) + kept_quotes
    if '"' not in inner and "\\" not in inner:
        return f'"{inner}"'
    return f"'{inner}'" if "'" not in inner else ""
