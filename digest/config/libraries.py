"""Libraries that digests follow: files next to the configuration, and the queries for their papers."""

from __future__ import annotations

from pathlib import Path

from digest.config.follow_values import FollowQuery
from digest.config.paths import expand_path
from digest.config.settings import LibrarySettings
from digest.core.subscribers.library import MAX_LIBRARY_BYTES, Library, read_library
from digest.core.subscribers.library.queries import build_library_query
from digest.errors import ConfigError


def read_library_file(path_text: str, folder: Path) -> tuple[LibrarySettings, tuple[FollowQuery, ...]]:
    """Read a library, and make a query for each paper in it that has an id or an address.

    Args:
        path_text: its path.
        folder: the folder that a relative path starts from.
    """
    path = expand_path(path_text, folder)
    try:
        library = load_library(path)
    except ConfigError as error:
        raise ConfigError(f"{path.name} cannot be followed: {error}") from None
    queries = tuple(
        FollowQuery(text=entry.title or key, query=build_library_query(key)) for key, entry in library.papers
    )
    if not queries:
        raise ConfigError(
            f"{path.name} cannot be followed: none of its entries has an arXiv id, a DOI or an address; "
            f"`digest import {path_text}` lists them"
        )
    library_settings = LibrarySettings(
        path=path,
        form=library.format_name,
        papers=len(queries),
        without_id=len(library.without_id),
        broken=library.broken,
    )
    return library_settings, queries


def load_library(path: Path) -> Library:
    """Read the library in a file.

    Raises:
        ConfigError: the file does not exist, or contains no library that can be read.
    """
    try:
        if not path.exists():
            raise ConfigError(f"there is no {path}")
        if not path.is_file():
            raise ConfigError("this is not a file; name the library itself, not its folder")
        with path.open("rb") as file:
            content = file.read(MAX_LIBRARY_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"it cannot be opened: {error.strerror}") from None
    return read_library(content)
