"""Changes to a configuration that leave all else in it as it is: comments, blanks, order and line ends.

The places are found by the parser, the change is made in the text, and what it means is compared at the end.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit

from digest.config.file.layout import KeyPath, find_places
from digest.errors import ConfigError


def with_library(text: str, digest: str, file: str) -> str:
    """The text of a configuration in which a digest also follows a library.

    Args:
        text: TOML, which ``read_settings`` takes.
        digest: the name.
        file: the library's path, as it is to be written.

    Returns:
        The text as it was, if the digest follows that file already.

    Raises:
        ConfigError: there is no such digest, or its table is written in a way that this cannot change.
    """
    document = tomllib.loads(text)
    tables = document.get("digest", [])
    names = [table["name"] for table in tables]
    if digest not in names:
        raise ConfigError(f"there is no digest {digest!r} in the file; it has {', '.join(names) or 'none'}")
    number = names.index(digest)
    written = file.replace("$", "$$")
    followed = tables[number].setdefault("library", [])
    if any((entry.get("file") if isinstance(entry, dict) else entry) == written for entry in followed):
        return text
    followed.append(written)
    for changed in _changed(text, number, written):
        if _meaning(changed) == document:
            return changed
    raise ConfigError(
        f'the table of {digest!r} cannot be changed by this command; write library = ["{written}"] there'
    )


def _meaning(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _changed(text: str, number: int, file: str) -> Iterator[str]:
    """The text with the file in the library of a digest: ways to write that, of which some may be no TOML.

    Args:
        text: as it is.
        number: of the digest.
        file: as it is to be written.
    """
    places = find_places(text)
    parsed: Any = tomlkit.parse(text)
    table = parsed["digest"][number].value
    ends = {
        key: places["digest", number, key][1] + len(table.item(key).as_string())
        for key in table
        if ("digest", number, key) in places
    }
    if "library" not in ends:
        yield from _with_line(text, places, number, ends, file)
        return
    start = places["digest", number, "library"][1]
    library = table.item("library")
    count = len(library)
    at = start + 1  # behind the bracket, or behind the last entry
    if count and (last := places.get(("digest", number, "library", count - 1))):
        at = last[1] + len(list.__getitem__(library, count - 1).as_string())
    library.append(file)
    yield f"{text[:start]}{library.as_string()}{text[ends['library'] :]}"
    # tomlkit is good at keeping lists in shape, and fails where a remark follows an entry without a comma.
    yield f"{text[:at]}{', ' if count else ''}{tomlkit.item(file).as_string()}{text[at:]}"


def _with_line(
    text: str, places: Mapping[KeyPath, tuple[int, int]], number: int, ends: Mapping[str, int], file: str
) -> Iterator[str]:
    """The text with a line of its own for the library, below the other follows of the digest."""
    last = max(ends, key=lambda key: (key in _FOLLOWS, ends[key]), default="")
    if not last:
        return
    key_at = places["digest", number, last][0]
    indent = text[text.rfind("\n", 0, key_at) + 1 : key_at]
    end = text.find("\n", ends[last])
    end = len(text) if end < 0 else end
    line_end = "\r\n" if text[:end].endswith("\r") else "\n"
    end -= len(line_end) - 1
    yield f"{text[:end]}{line_end}{indent}library = {tomlkit.item([file]).as_string()}{text[end:]}"


_FOLLOWS = frozenset(
    ("keywords", "queries", "authors", "institutions", "categories", "papers", "cites", "exclude")
)
"""The keys that a library stands with."""
