"""Publish: the feeds and the overview of the output folder, made anew from the editions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from digest.errors import ChannelError
from digest.model import Edition
from digest.store import digests, editions
from digest.store.digests import Digest
from digest.store.engine import Store
from digest.store.reading import Known

MOST_EDITIONS = 30
"""Editions that a feed reaches back."""

Render = Callable[[Sequence[tuple[Digest, tuple[Edition, ...]]]], Sequence[tuple[str, bytes]]]
"""Gives the files, by path below the folder, of digests with their editions, the newest first."""


def publish(store: Store, folder: Path, render: Render) -> tuple[Path, ...]:
    """Write the files that changed; what did not change keeps its time, and so its readers' caches.

    Returns:
        The files that were written.

    Raises:
        ChannelError: a file cannot be written.
    """
    known = Known()
    with store.reading() as tx:
        shown = [
            (digest, editions.last_of(tx, digest.id, MOST_EDITIONS, known))
            for digest in digests.standing_digests(tx)
        ]
    return tuple(path for name, content in render(shown) if _write(path := folder / name, content))


def _write(path: Path, content: bytes) -> bool:
    """Put a file in its place whole or not at all; says whether it was needed."""
    if path.is_file() and path.read_bytes() == content:
        return False
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise ChannelError(
            f"{path} cannot be written: {error.strerror}; the next cycle tries again"
        ) from error
    return True
