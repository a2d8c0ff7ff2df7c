"""The positions of keys and values in a TOML file.

The parser of tomlkit does not report positions, so a subclass records them while it parses. It overrides
private methods: the version is pinned, and any failure here only costs the line number.
"""

from __future__ import annotations

from collections.abc import Iterator

from tomlkit.container import Container
from tomlkit.items import AoT, Array, InlineTable, Item, Key, Table
from tomlkit.parser import Parser

KeyPath = tuple[str | int, ...]
"""The path of a key: ``("digest", 0, "queries", 1, "weight")``."""


def find_positions(text: str) -> dict[KeyPath, tuple[int, int]]:
    """Return the character indexes of each key and of its value in a TOML text; empty if they cannot be determined.

    For an element of a list, both are the index of its value; for a table, both are that of its header.
    """
    parser = _PositionParser(text)
    try:
        return dict(_walk(parser, parser.parse(), ()))
    except Exception:  # noqa: BLE001 - another tomlkit may fail in any way; a line number is not worth a crash
        return {}


class _PositionParser(Parser):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._starts: dict[int, int] = {}
        self._referenced: list[object] = []

    def get_start(self, element: object) -> int | None:
        return self._starts.get(id(element))

    def _note(self, element: object, start: int) -> None:
        self._starts.setdefault(id(element), start)
        self._referenced.append(element)  # keeps it alive, or another object could get its id

    def _parse_simple_key(self) -> Key:
        start = self._idx
        key = super()._parse_simple_key()
        blanks = len(key.as_string()) - len(key.as_string().lstrip())
        self._note(key, start + blanks)
        return key

    def _parse_value(self) -> Item:
        start = self._idx
        value = super()._parse_value()
        self._note(value, start)
        return value

    def _parse_table(
        self, parent_name: Key | None = None, parent: Table | None = None
    ) -> tuple[Key, Table | AoT]:
        start = self._idx
        key, table = super()._parse_table(parent_name, parent)
        self._note(table.body[0] if isinstance(table, AoT) else table, start)
        return key, table


def _walk(parser: _PositionParser, item: object, path: KeyPath) -> Iterator[tuple[KeyPath, tuple[int, int]]]:
    for key, child, child_path in _iter_children(item, path):
        value_start = parser.get_start(child)
        key_start = parser.get_start(key) if key is not None else value_start
        if key_start is None:
            key_start = value_start
        if key_start is not None:
            yield child_path, (key_start, key_start if value_start is None else value_start)
        yield from _walk(parser, child, child_path)


def _iter_children(item: object, path: KeyPath) -> Iterator[tuple[Key | None, object, KeyPath]]:
    match item:
        case Container():
            for key, child in item.body:
                if key is not None:
                    yield key, child, (*path, key.key)
        case Table() | InlineTable():
            yield from _iter_children(item.value, path)
        case AoT():
            for number, table in enumerate(item.body):
                yield None, table, (*path, number)
        case Array():
            for number, element in enumerate(list.__iter__(item)):
                yield None, element, (*path, number)
        case _:
            return
