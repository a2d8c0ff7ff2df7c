"""Publish: write the feeds, the overview and the pages of digests with new editions into the output folder.

A hidden file records what the files were made from, so a thousand digests without a new edition cost one
comparison, and no rendering.
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

from digest import plugins
from digest.errors import ChannelError
from digest.jobs.publishing.public import PublicFeed, PublicFeedLoader
from digest.jobs.publishing.static_site import StaticSite
from digest.model import Edition, EditionForm, MessageForm
from digest.render.publishing.feeds import FEED_FORMATS
from digest.render.publishing.public_feed import make_public_path
from digest.store.database.engine import Store, Transaction
from digest.store.editions import editions
from digest.store.editions.edition_loader import EditionLoader
from digest.store.subscribers import digests
from digest.store.subscribers.digests import Digest

MAX_EDITIONS = 30
"""Maximum number of editions in a feed."""
MAX_FULL_DIGESTS = 100
"""Number of digests above which the overview shows only the last edition of each, and no pages are made."""
_STATE_FILE, _PUBLIC_STATE_FILE = ".published.json", ".public.json"

DigestEditions = Sequence[tuple[Digest, tuple[Edition, ...]]]
"""Digests with their editions, newest first."""
RenderFiles = Callable[[DigestEditions, Collection[str]], Sequence[tuple[str, bytes]]]
"""Renders the overview of digests and the feeds of those named, by path below the folder."""


def publish_digests(store: Store, site: StaticSite, render: RenderFiles, made_by: str) -> tuple[Path, ...]:
    """Write the files that changed; the others keep their modification time, so that caches stay valid.

    Args:
        store: the store.
        site: the pages of the output folder.
        render: renders the feeds and the overview.
        made_by: a fingerprint that changes if the same editions give other files (other templates, another
            release).

    Returns:
        The files that were written.

    Raises:
        ChannelError: a file cannot be written.
    """
    folder = site.folder
    with store.begin_read() as tx:
        active_digests = digests.load_configured_digests(tx)
        newest = editions.find_newest(tx, [digest.id for digest in active_digests])
        fingerprints = {
            digest.name: _fingerprint_digest(digest, newest.get(digest.id)) for digest in active_digests
        }
        previous = _read_state(folder, made_by)
        changed = {
            digest.name
            for digest in active_digests
            if fingerprints[digest.name] != previous.get(digest.name) or _has_missing_feed(folder, digest)
        }
        if not changed and fingerprints.keys() == previous.keys() and (folder / "index.html").is_file():
            return ()
        digest_editions = _load_digest_editions(tx, active_digests, changed)
        changed_digests = (
            [digest for digest in active_digests if digest.name in changed]
            if len(active_digests) <= MAX_FULL_DIGESTS
            else []
        )
        pages = list(site.list_files(tx, changed_digests, fingerprints, remake_last=not previous))
    files = [*render(digest_editions, changed), *pages]
    written_paths = tuple(
        path for relative_path, content in files if _write(path := folder / relative_path, content)
    )
    _write(
        folder / _STATE_FILE,
        json.dumps({"made_by": made_by, "digests": fingerprints}, ensure_ascii=False).encode(),
    )
    return written_paths


def publish_public_feeds(
    public: PublicFeedLoader,
    folder: Path,
    render: Callable[[PublicFeed], Sequence[tuple[str, bytes]]],
    made_by: str,
) -> tuple[Path, ...]:
    """Write the public feeds that changed.

    Args:
        public: loads the public feeds.
        folder: the output folder.
        render: renders the files of a feed, by path below the folder.
        made_by: as for ``publish_digests``.

    Returns:
        The files that were written.

    Raises:
        ChannelError: a file cannot be written.
    """
    feeds_by_path = {
        make_public_path(public_feed.sort, public_feed.name, ""): public_feed
        for public_feed in public.list_feeds()
    }
    previous = _read_state(folder, made_by, _PUBLIC_STATE_FILE)
    fingerprints = {
        path: hashlib.sha256(repr(public_feed).encode()).hexdigest()
        for path, public_feed in feeds_by_path.items()
    }
    if fingerprints == previous:
        return ()
    for removed_path in previous.keys() - fingerprints.keys():  # the feed is no longer public, or is empty
        for extension in FEED_FORMATS:
            (folder / f"{removed_path}{extension}").unlink(missing_ok=True)
    changed_feeds = [
        public_feed
        for feed_path, public_feed in feeds_by_path.items()
        if fingerprints[feed_path] != previous.get(feed_path)
    ]
    files = (file for public_feed in changed_feeds for file in render(public_feed))
    written_paths = tuple(
        path for relative_path, content in files if _write(path := folder / relative_path, content)
    )
    _write(folder / _PUBLIC_STATE_FILE, json.dumps({"made_by": made_by, "digests": fingerprints}).encode())
    return written_paths


def _load_digest_editions(
    tx: Transaction, active_digests: Sequence[Digest], changed: Collection[str]
) -> DigestEditions:
    """Load digests with the last editions that their files show; unchanged digests may need only one."""
    edition_loader = EditionLoader()
    return [
        (
            digest,
            editions.load_last(
                tx,
                digest.id,
                _choose_edition_limit(digest.name in changed, len(active_digests)),
                edition_loader,
            ),
        )
        for digest in active_digests
    ]


def _choose_edition_limit(is_changed: bool, digest_count: int) -> int:  # noqa: FBT001 - the flag is the subject of the function
    return MAX_EDITIONS if is_changed or digest_count <= MAX_FULL_DIGESTS else 1


def list_file_folders(digest: Digest) -> list[str]:
    """List the folders into which editions of a digest are written as pages, texts and mails."""
    return [
        destination.address
        for destination in digest.destinations
        if plugins.load_channel(destination.channel).form is MessageForm.FILES
        and destination.form == EditionForm.STANDARD
    ]


def _fingerprint_digest(digest: Digest, newest: tuple[int, datetime] | None) -> str:
    """Hash everything of a digest that its files show; it is a hash because the file with it may be public."""
    folders = list_file_folders(digest)
    parts = (
        newest,
        digest.title,
        digest.options.feed,
        digest.options.feed_entries,
        digest.options.language,
        folders,
    )
    return hashlib.sha256(repr(parts).encode(errors="replace")).hexdigest()


def _has_missing_feed(folder: Path, digest: Digest) -> bool:
    """Whether one of the digest's feed files has been removed."""
    extensions = ("rss", "atom", "json") if digest.options.feed else ()
    return not all((folder / "feeds" / f"{digest.name}.{extension}").is_file() for extension in extensions)


def _read_state(folder: Path, made_by: str, name: str = _STATE_FILE) -> Mapping[str, Any]:
    """Read what the files of each digest or feed were made from; empty if ``made_by`` differs."""
    try:
        stored = json.loads((folder / name).read_bytes())
        fingerprints: Mapping[str, Any] = stored["digests"] if stored["made_by"] == made_by else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return fingerprints


def _write(path: Path, content: bytes) -> bool:
    """Replace a file atomically if its content changed, and return whether it did.

    Raises:
        ChannelError: it cannot be written.
    """
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
