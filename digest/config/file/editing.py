"""Edits of a configuration that preserve comments, blank lines, order and line ends.

The parser finds the positions, the text is changed there, and the result is parsed again and compared with
the intended content.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit

from digest.config.file.layout import KeyPath, find_positions
from digest.errors import ConfigError


def add_library(text: str, digest_name: str, path: str) -> str:
    """Return the text of a configuration in which a digest also follows a library.

    Args:
        text: TOML that ``read_settings`` accepts.
        digest_name: the name of the digest.
        path: the path of the library, as it is to be written.

    Returns:
        The unchanged text if the digest already follows that file.

    Raises:
        ConfigError: there is no such digest, or its table is written in a way that cannot be edited.
    """
    document = tomllib.loads(text)
    tables = document.get("digest", [])
    names = [table["name"] for table in tables]
    if digest_name not in names:
        raise ConfigError(
            f"there is no digest {digest_name!r} in the file; digests: {', '.join(names) or 'none'}"
        )
    number = names.index(digest_name)
    escaped_path = path.replace("$", "$$")
    library_entries = tables[number].setdefault("library", [])
    if any(
        (entry.get("file") if isinstance(entry, dict) else entry) == escaped_path for entry in library_entries
    ):
        return text
    library_entries.append(escaped_path)
    for candidate in _write_candidates(text, number, escaped_path):
        if _parse_toml(candidate) == document:
            return candidate
    raise ConfigError(
        f'this command cannot edit the table of {digest_name!r}; write library = ["{escaped_path}"] there'
    )


def _parse_toml(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _write_candidates(text: str, number: int, path: str) -> Iterator[str]:
    """Yield possible texts with the library added to a digest; some of them may be invalid TOML.

    Args:
        text: the text to change.
        number: the index of the digest.
        path: the path as it is to be written.
    """
    positions = find_positions(text)
    parsed: Any = tomlkit.parse(text)
    table = parsed["digest"][number].value
    ends = {
        key: positions["digest", number, key][1] + len(table.item(key).as_string())
        for key in table
        if ("digest", number, key) in positions
    }
    if "library" not in ends:
        yield from _insert_line(text, positions, number, ends, path)
        return
    list_start = positions["digest", number, "library"][1]
    library = table.item("library")
    count = len(library)
    insert_index = list_start + 1  # after the bracket, or after the last entry
    if count and (last := positions.get(("digest", number, "library", count - 1))):
        insert_index = last[1] + len(list.__getitem__(library, count - 1).as_string())
    library.append(path)
    yield f"{text[:list_start]}{library.as_string()}{text[ends['library'] :]}"
    # tomlkit preserves the layout of lists, but fails if a comment follows an entry without a comma.
    yield f"{text[:insert_index]}{', ' if count else ''}{tomlkit.item(path).as_string()}{text[insert_index:]}"


def _insert_line(
    text: str, positions: Mapping[KeyPath, tuple[int, int]], number: int, ends: Mapping[str, int], path: str
) -> Iterator[str]:
    """Yield the text with a new line for the library, below the digest's last follow."""
    last_key = max(ends, key=lambda key: (key in _FOLLOW_KEYS, ends[key]), default="")
    if not last_key:
        return
    key_index = positions["digest", number, last_key][0]
    indent = text[text.rfind("\n", 0, key_index) + 1 : key_index]
    line_stop = text.find("\n", ends[last_key])
    line_stop = len(text) if line_stop < 0 else line_stop
    line_end = "\r\n" if text[:line_stop].endswith("\r") else "\n"
    line_stop -= len(line_end) - 1
    yield f"{text[:line_stop]}{line_end}{indent}library = {tomlkit.item([path]).as_string()}{text[line_stop:]}"


_FOLLOW_KEYS = frozenset(
    ("keywords", "queries", "authors", "institutions", "categories", "papers", "cites", "exclude")
)
"""The keys below which a line for a library is inserted."""
