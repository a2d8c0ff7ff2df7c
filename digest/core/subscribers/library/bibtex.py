"""Parser for BibTeX and BibLaTeX, based on pybtex.

A file is first parsed as a whole. If that fails, it is parsed entry by entry: after an error, pybtex only
continues at the next ``@`` that it has not reached yet, so an unclosed brace would swallow all entries after
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from digest.core.subscribers.library.entries import LibraryRecord

ENTRY_START = r"@[^\S\n]*\w[\w:+-]*\s*[{(]"
"""Pattern of the beginning of an entry."""
_ENTRY = re.compile(rf"(?:^|(?<=[\s}}])){ENTRY_START}", re.MULTILINE)
_ENTRY_HEAD = re.compile(
    r"@\s*(?P<type>[\w:+-]+)\s*(?P<open>[{(])(?:\s*(?P<key>[^\s=,{}\"#()][^=,{}\"#]*?)?\s*,)?"
)
_SIMPLE_FIELD = re.compile(r"\b(\w+)\s*=\s*[{\"]+([^{}\"\n]+)[}\"]+\s*(?=[,}\n]|$)")
"""A field without nested braces, which can be read even in an entry with a syntax error."""
_NON_ENTRIES = frozenset({"string", "preamble", "comment"})
_MAX_MACRO_LENGTH = 1_000
_MAX_MACRO_OUTPUT = 10_000_000


class _Macros(dict[str, str]):
    """Values of ``@string`` macros, by name in any case.

    The total length of what they expand to is limited, because each can consist of several of the previous
    one, and grow exponentially.
    """

    output_length = 0

    def __setitem__(self, name: str, text: str) -> None:
        super().__setitem__(name.lower(), text[:_MAX_MACRO_LENGTH])

    def __getitem__(self, name: str) -> str:
        text = super().__getitem__(name.lower())
        self.output_length += len(text)
        return text if self.output_length <= _MAX_MACRO_OUTPUT else ""


def find_entries(text: str) -> Iterator[re.Match[str]]:
    """Find where entries begin, including those that are not of papers."""
    return _ENTRY.finditer(text)


def read_bibtex(text: str) -> tuple[list[LibraryRecord], list[str]]:
    """Return the records of a file, and a sentence about each problem."""
    from pybtex.scanner import PybtexSyntaxError

    try:
        return list(_read_complete(text)), []
    except PybtexSyntaxError:
        return _read_each(text)


def _read_complete(text: str) -> Iterator[LibraryRecord]:
    def raise_if_lossy(error: Any) -> None:
        if _is_lossy(error):
            raise error

    for command, content in _make_parser(text, _Macros(), raise_if_lossy):
        if command.lower() not in _NON_ENTRIES:
            key, fields = content
            yield LibraryRecord(place=key, fields=_collect_fields(fields))


def _is_lossy(error: Any) -> bool:
    """Return True if an error loses data.

    It does not if a macro is undefined, which is then empty, or if the ``@`` does not begin an entry, as in a
    mail address.
    """
    from pybtex.database.input.bibtex import UndefinedMacro

    parser = error.parser
    return not isinstance(error, UndefinedMacro) and bool(
        _ENTRY_HEAD.match(parser.text, parser.command_start)
    )


def _collect_fields(pairs: list[tuple[str, list[str]]]) -> dict[str, str]:
    """Return the fields by name; the first of several with the same name counts, as in BibTeX."""
    return {name.lower(): "".join(parts) for name, parts in reversed(pairs)}


def _read_each(text: str) -> tuple[list[LibraryRecord], list[str]]:
    records: list[LibraryRecord] = []
    broken: list[str] = []
    macros = _Macros()
    starts = [match.start() for match in find_entries(text)]
    line, counted_to = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, counted_to = line + text.count("\n", counted_to, start), start
        _read_entry(text[start:end], line, macros, records, broken)
    return records, broken


def _read_entry(
    chunk: str, line: int, macros: _Macros, records: list[LibraryRecord], broken: list[str]
) -> None:
    """Parse one entry, whatever characters its key contains."""
    head = _ENTRY_HEAD.match(chunk)
    if head is None:
        return
    is_entry = head["type"].lower() not in _NON_ENTRIES
    has_key = is_entry and head["key"] is not None
    if is_entry and head[0].endswith(","):
        chunk = f"@{head['type']}{head['open']},{chunk[head.end() :]}"
    mistakes: list[Any] = []
    parser = _make_parser(chunk, macros, mistakes.append, is_keyless=is_entry)
    parsed = next(iter(parser), None)
    mistake = next(filter(_is_lossy, mistakes), None)
    place = head["key"] if has_key else f"line {line}"
    if mistake is not None:
        broken.append(f"{place} is broken in line {line + mistake.lineno - 1}: {mistake.args[0]}.")
    if is_entry:
        fields = _collect_fields(parsed[1][1]) if parsed else {}
        if mistake is not None:
            fields = {name.lower(): value for name, value in _SIMPLE_FIELD.findall(chunk)} | fields
        records.append(LibraryRecord(place=place, fields=fields, broken=mistake is not None))


# --- pybtex ---------------------------------------------------------------------------------------


def _make_parser(text: str, macros: _Macros, handle_error: Any, *, is_keyless: bool = False) -> Any:
    """Return a parser of entries that does not parse the names of authors, which takes most of pybtex's time."""
    from pybtex.database.input.bibtex import LowLevelParser

    parser = LowLevelParser(text, keyless_entries=is_keyless, macros=macros, handle_error=handle_error)
    # pybtex searches the rest of the text for each sign separately, which takes quadratic time if one is missing.
    parser.skip_to = partial(_skip_to, parser)
    return parser


@cache
def _compile_signs(*patterns: Any) -> tuple[re.Pattern[str], dict[str, Any]]:
    """Return a pattern that finds the first of several one-character patterns, and these by character."""
    by_sign = {pattern.description[1]: pattern for pattern in patterns}
    return re.compile(f"[{re.escape(''.join(by_sign))}]"), by_sign


def _skip_to(parser: Any, patterns: list[Any]) -> Any:
    """Do what pybtex's ``Scanner.skip_to`` does, for one-character patterns."""
    from pybtex.scanner import Token

    any_sign, by_sign = _compile_signs(*patterns)
    match = any_sign.search(parser.text, parser.pos)
    if match is None:
        return None
    start, end = parser.pos, match.end()
    parser.pos = end
    parser.lineno += parser.text.count("\n", start, end)  # other line ends have been converted
    return Token(parser.text[start:end], by_sign[match[0]])
