"""BibTeX and BibLaTeX, read by pybtex.

A file is read as a whole first. If that fails it is read entry by entry: pybtex goes on after a mistake, but not
before the next ``@`` that it has not passed yet, and an open brace takes all that follow with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from digest.core.subscribers.library.entries import Record

BEGINNING = r"@[^\S\n]*\w[\w:+-]*\s*[{(]"
"""How an entry begins."""
_ENTRY = re.compile(rf"(?:^|(?<=[\s}}])){BEGINNING}", re.MULTILINE)
_HEAD = re.compile(r"@\s*(?P<type>[\w:+-]+)\s*(?P<open>[{(])(?:\s*(?P<key>[^\s=,{}\"#()][^=,{}\"#]*?)?\s*,)?")
_SIMPLE = re.compile(r"\b(\w+)\s*=\s*[{\"]+([^{}\"\n]+)[}\"]+\s*(?=[,}\n]|$)")
"""A field without braces in it: what a mistake does not keep from being read."""
_NO_ENTRIES = frozenset({"string", "preamble", "comment"})
_LONGEST_MACRO = 1_000
_MOST_OF_MACROS = 10_000_000


class _Macros(dict[str, str]):
    """Texts that an ``@string`` names, in any case.

    What they give is bounded: each can be made of several of the one before, and grow without end.
    """

    given = 0

    def __setitem__(self, name: str, text: str) -> None:
        super().__setitem__(name.lower(), text[:_LONGEST_MACRO])

    def __getitem__(self, name: str) -> str:
        text = super().__getitem__(name.lower())
        self.given += len(text)
        return text if self.given <= _MOST_OF_MACROS else ""


def read(text: str) -> tuple[list[Record], list[str]]:
    """The records of a file, and what is broken in it, a sentence each."""
    from pybtex.scanner import PybtexSyntaxError

    try:
        return list(_whole(text)), []
    except PybtexSyntaxError:
        return _one_by_one(text)


def _whole(text: str) -> Iterator[Record]:
    def judge(error: Any) -> None:
        if _counts(error):
            raise error

    for command, content in _parser(text, _Macros(), judge):
        if command.lower() not in _NO_ENTRIES:
            key, fields = content
            yield Record(place=key, fields=_fields(fields))


def _counts(error: Any) -> bool:
    """Whether a mistake loses anything: a name without an ``@string`` is empty, an address of mail no entry."""
    from pybtex.database.input.bibtex import UndefinedMacro

    parser = error.parser
    return not isinstance(error, UndefinedMacro) and bool(_HEAD.match(parser.text, parser.command_start))


def _fields(found: list[tuple[str, list[str]]]) -> dict[str, str]:
    """By name; the first counts if there are two of one name, as it does for BibTeX."""
    return {name.lower(): "".join(parts) for name, parts in reversed(found)}


def _one_by_one(text: str) -> tuple[list[Record], list[str]]:
    records: list[Record] = []
    broken: list[str] = []
    macros = _Macros()
    starts = [found.start() for found in _ENTRY.finditer(text)]
    line, counted = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, counted = line + text.count("\n", counted, start), start
        _read_one(text[start:end], line, macros, records, broken)
    return records, broken


def _read_one(chunk: str, line: int, macros: _Macros, records: list[Record], broken: list[str]) -> None:
    """Read what begins like one entry; whatever its key looks like."""
    head = _HEAD.match(chunk)
    if head is None:
        return
    is_entry = head["type"].lower() not in _NO_ENTRIES
    named = is_entry and head["key"] is not None
    if is_entry and head[0].endswith(","):
        chunk = f"@{head['type']}{head['open']},{chunk[head.end() :]}"
    mistakes: list[Any] = []
    parser = _parser(chunk, macros, mistakes.append, keyless=is_entry)
    found = next(iter(parser), None)
    told = next(filter(_counts, mistakes), None)
    place = head["key"] if named else f"line {line}"
    if told is not None:
        broken.append(f"{place} is broken in line {line + told.lineno - 1}: {told.args[0]}.")
    if is_entry:
        fields = _fields(found[1][1]) if found else {}
        if told is not None:
            fields = {name.lower(): value for name, value in _SIMPLE.findall(chunk)} | fields
        records.append(Record(place=place, fields=fields, broken=told is not None))


# --- pybtex ---------------------------------------------------------------------------------------


def _parser(text: str, macros: _Macros, judge: Any, *, keyless: bool = False) -> Any:
    """Reads entries without making persons of their authors, which takes most of pybtex's time."""
    from pybtex.database.input.bibtex import LowLevelParser

    parser = LowLevelParser(text, keyless_entries=keyless, macros=macros, handle_error=judge)
    # Its own looks for each sign in turn through all that is left, which takes for ever where one is missing.
    parser.skip_to = partial(_skip_to, parser)
    return parser


@cache
def _signs(*patterns: Any) -> tuple[re.Pattern[str], dict[str, Any]]:
    """What finds the first of patterns that are one sign each, and the pattern of each sign."""
    by_sign = {pattern.description[1]: pattern for pattern in patterns}
    return re.compile(f"[{re.escape(''.join(by_sign))}]"), by_sign


def _skip_to(parser: Any, patterns: list[Any]) -> Any:
    """What pybtex's ``Scanner.skip_to`` does, for patterns that are one sign each."""
    from pybtex.scanner import Token

    any_sign, by_sign = _signs(*patterns)
    found = any_sign.search(parser.text, parser.pos)
    if found is None:
        return None
    start, end = parser.pos, found.end()
    parser.pos = end
    parser.lineno += parser.text.count("\n", start, end)  # there is no other line end any more
    return Token(parser.text[start:end], by_sign[found[0]])
