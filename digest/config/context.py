"""What all tables of the file have in common, and what they have to know beside themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationInfo

from digest.config.follow_values import FollowQuery
from digest.config.settings import LibrarySettings


class Table(BaseModel):
    """A table of the file; nothing in it is taken for something else than it is."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationContext:
    """What a table has to know beside itself.

    Attributes:
        folder: the file's.
        has_mail: whether there is an ``[smtp]`` or a ``[sendmail]``.
        name_counts: how many digests have each name, in lower case.
        libraries: those that have been read, by their path as written: several digests may follow one.
    """

    folder: Path
    has_mail: bool
    name_counts: Mapping[str, int]
    libraries: dict[str, tuple[LibrarySettings, tuple[FollowQuery, ...]]] = field(default_factory=dict)


def get_context(info: ValidationInfo) -> ValidationContext:
    """What surrounds the table that is being checked."""
    if not isinstance(info.context, ValidationContext):
        raise TypeError("the tables of a file are checked with their surroundings as context")
    return info.context


def wrap_in_table(key: str) -> Callable[[object], object]:
    """Let a bare text stand for the table with this one key."""

    def wrap(value: object) -> object:
        return {key: value} if isinstance(value, str) else value

    return wrap
