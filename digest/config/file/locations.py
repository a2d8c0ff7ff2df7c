"""Mistakes in the file, and their places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from digest.errors import ConfigError

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One mistake.

    Attributes:
        path: the path of the key.
        message: what is wrong, and what to write instead.
        on_key: whether the mistake is the key itself, not its value.
        part: an excerpt of the value, and the offset of the mistake in it, in characters.
        variable: the missing environment variable, if that is the mistake; it is reported once, with all its
            places.
    """

    path: KeyPath
    message: str
    on_key: bool = False
    part: tuple[str, int] = ("", 0)
    variable: str = ""


class Locator:
    """Finds the places of problems in a file; the file is parsed for this when the first place is needed."""

    def __init__(self, file: str, text: str) -> None:
        """Store the name of the file, as messages show it, and its text, whose lines end in LF."""
        self._file = file
        self._text = text

    @cached_property
    def _positions(self) -> dict[KeyPath, tuple[int, int]]:
        from digest.config.file.layout import find_positions

        return find_positions(self._text)

    def locate(self, problem: Problem) -> str:
        """Return the place of a problem: ``digest.toml:16:24: digest[0].schedule``."""
        key = format_path(problem.path)
        return f"{self._file}{self._format_line_and_column(problem)}: {key}" if key else self._file

    def describe_location(self, problem: Problem) -> str:
        """Return the place of a problem in words: ``in line 16, smtp.host``."""
        index = self._find_index(problem)
        line = "" if index is None else f"in line {self._text.count(chr(10), 0, index) + 1}, "
        return f"{line}{format_path(problem.path)}"

    def get_sort_index(self, problem: Problem) -> int:
        """Return the index of a problem in the text, as a sort key."""
        return self._find_index(problem) or 0

    def _format_line_and_column(self, problem: Problem) -> str:
        index = self._find_index(problem)
        if index is None:
            return ""
        return f":{self._text.count(chr(10), 0, index) + 1}:{index - self._text.rfind(chr(10), 0, index)}"

    def _find_index(self, problem: Problem) -> int | None:
        path = problem.path
        while path and path not in self._positions:
            path = path[:-1]
        if not path:
            return None
        key_start, value_start = self._positions[path]
        if problem.on_key:
            return key_start
        excerpt, offset = problem.part
        is_quoted = excerpt and self._text[value_start : value_start + 1 + len(excerpt)][1:] == excerpt
        return value_start + 1 + offset if is_quoted else value_start


def format_path(path: KeyPath) -> str:
    """Format a path as people write it: ``digest[0].queries[1].weight``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def make_config_error(problems: Iterable[Problem], locator: Locator) -> ConfigError:
    """Make one error of all problems, one line each, in the order of the file."""
    groups: dict[object, list[Problem]] = {}
    for number, problem in enumerate(sorted(problems, key=locator.get_sort_index)):
        groups.setdefault(problem.variable or number, []).append(problem)
    lines = [
        f"{locator.locate(first)}: {first.message}"
        + "".join(f"; also {locator.describe_location(problem)}" for problem in others)
        for first, *others in groups.values()
    ]
    return ConfigError("\n".join(lines))
