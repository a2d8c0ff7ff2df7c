"""Changes to a configuration that leave all else in it as it is: comments, blanks, order and line ends.

The places are found by the parser, the change is made in the text, and what it means is compared at the end.
"""

from __future__ import annotations

import tomllib
from typing import Any

import tomlkit

from digest.config.layout import find_places
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
    changed = _changed(text, number, written)
    if _meaning(changed) != document:
        raise ConfigError(
            f'the table of {digest!r} cannot be changed by this command; write library = ["{written}"] there'
        )
    return changed


def _meaning(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _changed(text: str, number: int, file: str) -> str:
    """The text with the file in the library of a digest; it may be none any more if the layout is unusual."""
    places = find_places(text)
    parsed: Any = tomlkit.parse(text)
    table = parsed["digest"][number].value
    ends = {
        key: places["digest", number, key][1] + len(table.item(key).as_string())
        for key in table
        if ("digest", number, key) in places
    }
    if "library" in ends:
        start = places["digest", number, "library"][1]
        library = table.item("library")
        library.append(file)
        return f"{text[:start]}{library.as_string()}{text[ends['library'] :]}"
    last = max(ends, key=lambda key: (key in _FOLLOWS, ends[key]), default="")
    if not last:
        return text
    begins = text.rfind("\n", 0, places["digest", number, last][0]) + 1
    indent = text[begins : places["digest", number, last][0]]
    line_end = text.find("\n", ends[last])
    line_end = len(text) if line_end < 0 else line_end
    new_line = "\r\n" if text[:line_end].endswith("\r") else "\n"
    at = line_end - text[:line_end].endswith("\r")
    return f"{text[:at]}{new_line}{indent}library = {tomlkit.item([file]).as_string()}{text[at:]}"


_FOLLOWS = frozenset(
    ("keywords", "queries", "authors", "institutions", "categories", "papers", "cites", "exclude")
)
"""The keys that a library stands with."""
