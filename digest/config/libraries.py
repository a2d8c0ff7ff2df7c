"""Libraries that digests follow: files that lie beside the configuration, and what to follow of each."""

from __future__ import annotations

from pathlib import Path

from digest.config.follow_values import Wish
from digest.config.settings import LibrarySettings
from digest.core.language import query
from digest.core.subscribers.library import MOST_BYTES, Library, read_library
from digest.errors import ConfigError
from digest.model import PaperKey


def read_library_file(written: str, folder: Path) -> tuple[LibrarySettings, tuple[Wish, ...]]:
    """A library, and what to follow of each paper in it that has an id or an address.

    Args:
        written: its path.
        folder: what a relative path starts from.
    """
    path = folder / Path(written).expanduser()
    try:
        library = library_at(path)
    except ConfigError as error:
        raise ConfigError(f"{path.name} cannot be followed: {error}") from None
    followed = tuple(Wish(text=entry.title or key, query=library_query(key)) for key, entry in library.papers)
    if not followed:
        raise ConfigError(
            f"{path.name} cannot be followed: none of its entries has an id of arXiv, a DOI or an address; "
            f"`digest import {written}` lists them"
        )
    about = LibrarySettings(
        path=path,
        form=library.form,
        papers=len(followed),
        without_id=len(library.without_id),
        broken=library.broken,
    )
    return about, followed


def library_at(path: Path) -> Library:
    """The library in a file.

    Raises:
        ConfigError: there is none that can be read.
    """
    if not path.exists():
        raise ConfigError(f"there is no {path}")
    if not path.is_file():
        raise ConfigError("it is no file; name the library itself, not the folder that it is in")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"it cannot be opened: {error.strerror}") from None
    return read_library(content)


def library_query(key: PaperKey) -> str:
    """The canonical query of a paper in a library: what happens to it, and who cites it.

    It is written down, not read like others: a library has thousands.
    """
    what = "kind:code OR kind:published OR kind:version"
    return f"{query.cites(key)} OR ({query.fact('id', key)} AND ({what}))"
