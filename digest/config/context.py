"""The base class of all tables of the file, and the context in which they are validated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationInfo

from digest.config.follow_values import FollowQuery
from digest.config.paths import expand_path, require_existing
from digest.config.settings import LibrarySettings
from digest.config.values import apply_reader


class Table(BaseModel):
    """A table of the file. Unknown keys are errors, and values are not converted to other types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationContext:
    """The facts about the rest of the file that the validation of a table needs.

    Attributes:
        folder: the folder of the file.
        has_mail: whether there is an ``[smtp]`` or a ``[sendmail]``.
        name_counts: number of digests by name, in lower case.
        libraries: cache of the libraries that were read, by their path as written; several digests may follow
            the same one.
    """

    folder: Path
    has_mail: bool
    name_counts: Mapping[str, int]
    libraries: dict[str, tuple[LibrarySettings, tuple[FollowQuery, ...]]] = field(default_factory=dict)


def get_context(info: ValidationInfo) -> ValidationContext:
    """Return the context of the table that is being validated."""
    if not isinstance(info.context, ValidationContext):
        raise TypeError("the tables of a file are checked with their surroundings as context")
    return info.context


def wrap_in_table(key: str) -> Callable[[object], object]:
    """Return a function that replaces a bare string by a table with this one key."""

    def wrap(value: object) -> object:
        return {key: value} if isinstance(value, str) else value

    return wrap


def resolve_existing_path(text: str, info: ValidationInfo) -> str:
    """Return the absolute path of a file or folder that exists; relative paths begin in the folder of the file."""
    folder = get_context(info).folder
    return apply_reader(text, lambda path: str(require_existing(expand_path(path, folder))))


def resolve_path(text: str, info: ValidationInfo) -> str:
    """Return an absolute path; relative paths begin in the folder of the file."""
    folder = get_context(info).folder
    return apply_reader(text, lambda path: str(expand_path(path, folder)))
