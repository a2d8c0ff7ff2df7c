"""A mistake in the file, and where in it that is."""

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
        path: the key it is about.
        told: what is wrong and what would be right.
        on_key: whether the key itself is the mistake, not its value.
        part: a piece of the value's text, and how many characters into it the mistake is.
        variable: the variable that the environment lacks, where that is the mistake: it is told once, with all places.
    """

    path: KeyPath
    told: str
    on_key: bool = False
    part: tuple[str, int] = ("", 0)
    variable: str = ""


class Locator:
    """Says where in a file something is; finds the places when it is first asked."""

    def __init__(self, file: str, text: str) -> None:
        """Take the file's name, as messages shall show it, and its text, with line ends of one character."""
        self._file = file
        self._text = text

    @cached_property
    def _places(self) -> dict[KeyPath, tuple[int, int]]:
        from digest.config.file.layout import find_places

        return find_places(self._text)

    def where(self, problem: Problem) -> str:
        """The place of a problem: ``digest.toml:16:24: digest[0].schedule``."""
        key = name_of(problem.path)
        return f"{self._file}{self._line_and_column(problem)}: {key}" if key else self._file

    def line_and_key(self, problem: Problem) -> str:
        """The place of a problem in words: ``in line 16, smtp.host``."""
        index = self._index(problem)
        line = "" if index is None else f"in line {self._text.count(chr(10), 0, index) + 1}, "
        return f"{line}{name_of(problem.path)}"

    def order(self, problem: Problem) -> int:
        """Where in the text it is, to sort by."""
        return self._index(problem) or 0

    def _line_and_column(self, problem: Problem) -> str:
        index = self._index(problem)
        if index is None:
            return ""
        return f":{self._text.count(chr(10), 0, index) + 1}:{index - self._text.rfind(chr(10), 0, index)}"

    def _index(self, problem: Problem) -> int | None:
        path = problem.path
        while path and path not in self._places:
            path = path[:-1]
        if not path:
            return None
        key_at, value_at = self._places[path]
        if problem.on_key:
            return key_at
        piece, offset = problem.part
        quoted = piece and self._text[value_at : value_at + 1 + len(piece)][1:] == piece
        return value_at + 1 + offset if quoted else value_at


def name_of(path: KeyPath) -> str:
    """A path as people write it: ``digest[0].queries[1].weight``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def config_error(problems: Iterable[Problem], locator: Locator) -> ConfigError:
    """One error that tells all problems, a line each, in the order of the file."""
    same: dict[object, list[Problem]] = {}
    for number, one in enumerate(sorted(problems, key=locator.order)):
        same.setdefault(one.variable or number, []).append(one)
    lines = [
        f"{locator.where(first)}: {first.told}"
        + "".join(f"; also {locator.line_and_key(one)}" for one in others)
        for first, *others in same.values()
    ]
    return ConfigError("\n".join(lines))
