"""Publish: the feeds, the overview and the pages of the file's digests in the output folder, where there are new editions.

Beside them lies what they were made of, in a hidden file: a thousand digests without a new edition cost a look at
that, and no rendering.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from digest.errors import ChannelError
from digest.jobs.publishing.public import Public, PublicFeed
from digest.jobs.publishing.static_site import Site
from digest.model import Edition
from digest.render.publishing.feeds import FORMS
from digest.render.publishing.public_feed import public_path
from digest.store.database.engine import Store
from digest.store.editions import editions
from digest.store.editions.edition_loader import Known
from digest.store.subscribers import digests
from digest.store.subscribers.digests import Digest

MOST_EDITIONS = 30
"""Editions that a feed reaches back."""
_MANY = 100
"""Of more digests than these the overview shows the last edition of each, and no other page is made."""
_STATE, _PUBLIC_STATE = ".published.json", ".public.json"

Shown = Sequence[tuple[Digest, tuple[Edition, ...]]]
"""Digests with their editions, the newest first."""
Render = Callable[[Shown, Collection[str]], Sequence[tuple[str, bytes]]]
"""Gives the overview of digests and the feeds of those named, by path below the folder."""


def publish(store: Store, site: Site, render: Render, made_by: str) -> tuple[Path, ...]:
    """Write the files that changed; what did not change keeps its time, and so its readers' caches.

    Args:
        store: whose editions.
        site: the pages of the output folder.
        render: makes its feeds and the overview.
        made_by: another one where the same editions give other files: by other templates, or another release.

    Returns:
        The files that were written.

    Raises:
        ChannelError: a file cannot be written.
    """
    folder = site.folder
    with store.reading() as tx:
        standing = digests.digests_of_file(tx)
        newest = editions.newest(tx, [one.id for one in standing])
        now = {one.name: _made_of(one, newest.get(one.id)) for one in standing}
        before = _state(folder, made_by)
        changed = {
            one.name for one in standing if now[one.name] != before.get(one.name) or _gone(folder, one)
        }
        if not changed and now.keys() == before.keys() and (folder / "index.html").is_file():
            return ()
        known = Known()
        shown = [
            (one, editions.last_of(tx, one.id, _most(one.name in changed, len(standing)), known))
            for one in standing
        ]
        fresh = [one for one in standing if one.name in changed] if len(standing) <= _MANY else []
        pages = list(site.files(tx, fresh, now, anew=not before))
    files = [*render(shown, changed), *pages]
    written = tuple(path for name, content in files if _write(path := folder / name, content))
    _write(folder / _STATE, json.dumps({"made_by": made_by, "digests": now}, ensure_ascii=False).encode())
    return written


def publish_public(
    public: Public, folder: Path, render: Callable[[PublicFeed], Sequence[tuple[str, bytes]]], made_by: str
) -> tuple[Path, ...]:
    """Write the feeds for everybody that have changed.

    Args:
        public: what everybody can read.
        folder: of the output.
        render: gives the files of a feed, by path below the folder.
        made_by: as ``publish`` has it.

    Returns:
        The files that were written.

    Raises:
        ChannelError: a file cannot be written.
    """
    standing = {public_path(one.sort, one.name, ""): one for one in public.standing()}
    before = _state(folder, made_by, _PUBLIC_STATE)
    now = {path: hashlib.sha256(repr(one).encode()).hexdigest() for path, one in standing.items()}
    if now == before:
        return ()
    for gone in before.keys() - now.keys():  # it is not for everybody any more, or has nothing to tell
        for ending in FORMS:
            (folder / f"{gone}{ending}").unlink(missing_ok=True)
    fresh = [one for where, one in standing.items() if now[where] != before.get(where)]
    files = (file for one in fresh for file in render(one))
    written = tuple(path for name, content in files if _write(path := folder / name, content))
    _write(folder / _PUBLIC_STATE, json.dumps({"made_by": made_by, "digests": now}).encode())
    return written


def _most(is_changed: bool, standing: int) -> int:  # noqa: FBT001 - what it is about
    return MOST_EDITIONS if is_changed or standing <= _MANY else 1


def _made_of(digest: Digest, newest: tuple[int, datetime] | None) -> str:
    """All of a digest that its files show, as a hash: where it lies everybody may read it."""
    folders = [address for _, channel, address in digest.destinations if channel == "files"]
    what = (newest, digest.title, digest.feed, digest.feed_entries, digest.language, folders)
    return hashlib.sha256(repr(what).encode(errors="replace")).hexdigest()


def _gone(folder: Path, digest: Digest) -> bool:
    """Whether somebody has taken one of its feeds away."""
    endings = ("rss", "atom", "json") if digest.feed else ()
    return not all((folder / "feeds" / f"{digest.name}.{ending}").is_file() for ending in endings)


def _state(folder: Path, made_by: str, name: str = _STATE) -> Mapping[str, Any]:
    """What the files of each digest or feed were made of; nothing where they were made in another way."""
    try:
        kept = json.loads((folder / name).read_bytes())
        found: Mapping[str, Any] = kept["digests"] if kept["made_by"] == made_by else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found


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
