"""The state of a scheduled job: a folder of text files from which the next run continues, on any machine.

The same store gives the same bytes, and each day adds lines to some files, so the folder can be kept in a
branch.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from digest import __version__
from digest.errors import StoreError
from digest.jobs.backups.snapshot_privacy import Pseudonymizer, StorePseudonymizer
from digest.store.backups import restore
from digest.store.backups import snapshot as rows
from digest.store.database.engine import LATEST_MIGRATION, Store, Transaction

_FORMAT_VERSION = 1
"""Version of the format of the folder; a higher one was written by a newer release."""
_INDEX_FILE = "state.json"
_SPLIT_TABLES = frozenset({"statements", "authorships"})
"""Tables that are split into files of a thousand papers each."""
_PAPERS_PER_FILE = 1000
_PATH = re.compile(r"[a-z_]+(/\d+)?\.jsonl")
MAX_SEND_DURATION = timedelta(hours=2)
"""Maximum duration of sending; a run that began earlier, and has not recorded its end, has crashed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The content of a folder.

    Attributes:
        folder: the folder.
        migration: the migration at which its rows were written.
        written_at: when it was written, UTC.
        sending_since: when a run began to send its deliveries, if it has not ended; None otherwise.
        files: hashes of the files, by path below the folder.
        removed: files of the previous state; some may still exist if the process that was to remove them
            crashed.
    """

    folder: Path
    migration: str
    written_at: datetime
    sending_since: datetime | None
    files: Mapping[str, str]
    removed: frozenset[str]

    @property
    def name(self) -> str:
        """A hash that identifies the state."""
        return _hash(json.dumps(self.files, sort_keys=True).encode())

    def is_being_sent(self, now: datetime) -> bool:
        """Whether a run is sending it at the moment; a time in the future comes from a wrong clock."""
        return self.sending_since is not None and abs(now - self.sending_since) < MAX_SEND_DURATION

    def iter_tables(self) -> Iterator[tuple[str, Sequence[str], list[list[Any]]]]:
        """Iterate over table, names of columns and rows; referenced tables come first.

        Raises:
            StoreError: a file is missing or was changed.
        """
        for path in self.files:
            text = _read_verified(self.folder / path, self.files[path]).decode()
            columns, *table_rows = map(json.loads, text.removesuffix("\n").split("\n"))
            yield path.partition("/")[0].removesuffix(".jsonl"), columns, table_rows


# --- writing --------------------------------------------------------------------------------------


def write_snapshot(
    store: Store, folder: Path, privacy: Pseudonymizer, now: datetime, *, is_sending: bool
) -> None:
    """Write the state of a store into a folder; unchanged files are not written again.

    Args:
        store: the store.
        folder: the folder, created if necessary. Files without the name of a file of a state are left alone,
            and only files that the previous state lists are removed.
        privacy: pseudonymizes addresses and removes secrets.
        now: the current time, UTC.
        is_sending: whether its deliveries are about to be sent.

    Raises:
        StoreError: it cannot be written, or the folder contains something else.
    """
    last_snapshot = _read_index(folder)
    if last_snapshot is None:
        _require_free(folder)
    _require_no_links(folder)
    previous_paths = frozenset({*last_snapshot.files, *last_snapshot.removed} if last_snapshot else ())
    files: dict[str, str] = {}
    try:
        if last_snapshot is None:
            # Without an index, files that a crashed process leaves would look like files of another program.
            _write_index(folder, now, files={}, removed=(), is_sending=False)
        with store.begin_read() as tx:
            redaction = privacy.make_for_store(rows.list_addresses(tx))
            for path, content in _list_files(tx, redaction, now):
                _write_file(folder / path, content)
                files[path] = _hash(content)
        removed = sorted(path for path in previous_paths - files.keys() if os.path.lexists(folder / path))
        _write_index(folder, now, files=files, removed=removed, is_sending=is_sending)
        for removed_path in removed:
            (folder / removed_path).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"the state cannot be written to {folder}: {error.strerror}") from error
    snapshot = Snapshot(
        folder=folder,
        migration=LATEST_MIGRATION,
        written_at=now,
        sending_since=None,
        files=files,
        removed=frozenset(),
    )
    with store.begin_write() as tx:
        restore.note_state(tx, snapshot.name)


def _list_files(tx: Transaction, redaction: StorePseudonymizer, now: datetime) -> Iterator[tuple[str, bytes]]:
    for table, (columns, table_rows) in rows.iter_tables(tx, now):
        hidden_rows = (redaction.hide_row(table, dict(zip(columns, row, strict=True))) for row in table_rows)
        visible_rows = [list(row.values()) for row in hidden_rows if row is not None]
        for path, file_rows in _split_table(table, columns, visible_rows):
            if file_rows:
                yield (
                    path,
                    "".join(f"{_encode_row(output_row)}\n" for output_row in (columns, *file_rows)).encode(),
                )


def _split_table(
    table: str, columns: Sequence[str], table_rows: Sequence[list[Any]]
) -> Iterator[tuple[str, Sequence[list[Any]]]]:
    """Return the files of a table, with their rows; a large table is split by papers."""
    if table not in _SPLIT_TABLES:
        yield f"{table}.jsonl", table_rows
        return
    column_index = columns.index("paper_id")
    rows_by_part: dict[int, list[list[Any]]] = {}
    for row in table_rows:
        rows_by_part.setdefault(row[column_index] // _PAPERS_PER_FILE, []).append(row)
    for part_number, part_rows in sorted(rows_by_part.items()):
        yield f"{table}/{part_number:06}.jsonl", part_rows


def _write_index(
    folder: Path, now: datetime, *, files: Mapping[str, str], removed: Sequence[str], is_sending: bool
) -> None:
    index = {
        "form": _FORMAT_VERSION,
        "made_by": __version__,
        "tables": LATEST_MIGRATION,
        "at": now.isoformat(timespec="seconds"),
        "begun": now.isoformat(timespec="seconds") if is_sending else None,
        "files": files,
        "removed": removed,
    }
    _write_file(folder / _INDEX_FILE, f"{json.dumps(index, indent=1)}\n".encode())


_encode_row = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _write_file(path: Path, content: bytes) -> None:
    """Replace a file atomically; a link is replaced, too, and its target is left alone."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    temporary.unlink(missing_ok=True)
    with temporary.open("xb") as file:  # "x" does not follow a link
        file.write(content)
    temporary.replace(path)


def _require_no_links(folder: Path) -> None:
    """Check that the folders of split tables are not links, which lead to files of others.

    Raises:
        StoreError: one of them is a link.
    """
    for name in sorted(_SPLIT_TABLES):
        if (folder / name).is_symlink():
            raise StoreError(
                f"{folder / name} is a link, and a state is never written through links; remove the link"
            )


# --- reading --------------------------------------------------------------------------------------


def require_own_folder(folder: Path) -> None:
    """Check that a folder with other files contains a state; hidden files such as ``.git`` do not count.

    Raises:
        StoreError: it contains other files and no state.
    """
    if not folder.is_dir() or (folder / _INDEX_FILE).exists():
        return
    own_names = {path.partition("/")[0] for path in _find_own_files(folder)}
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if foreign := [name for name in names if name not in own_names]:
        raise StoreError(
            f"{folder} contains something else ({foreign[0]}) and no state; name an empty folder, or use --state-into {folder} to put the state beside it"
        )


def read_snapshot(folder: Path) -> Snapshot | None:
    """Read and verify the state in a folder; return None if there is none. Other files are ignored.

    Raises:
        StoreError: it was written by a newer release, or is damaged.
    """
    snapshot = _read_index(folder)
    if snapshot is None:
        _require_free(folder)
        return None
    if not snapshot.files:
        return None  # the first state was not completed
    for path, expected_hash in snapshot.files.items():
        _read_verified(folder / path, expected_hash)
    return snapshot


def _read_index(folder: Path) -> Snapshot | None:
    try:
        index = json.loads((folder / _INDEX_FILE).read_bytes())
        if index["form"] > _FORMAT_VERSION or index["tables"] > LATEST_MIGRATION:
            raise StoreError(
                f"the state in {folder} was written by a newer digest ({index['made_by']}); upgrade this one, {__version__}"
            )
        snapshot = Snapshot(
            folder=folder,
            migration=index["tables"],
            written_at=datetime.fromisoformat(index["at"]),
            sending_since=datetime.fromisoformat(index["begun"]) if index["begun"] else None,
            files={str(path): str(content_hash) for path, content_hash in index["files"].items()},
            removed=frozenset(map(str, index.get("removed", ()))),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(_format_damage(folder, f"{_INDEX_FILE} cannot be read")) from error
    if unknown_paths := sorted(
        path for path in (*snapshot.files, *snapshot.removed) if not _is_own_path(path)
    ):
        raise StoreError(_format_damage(folder, f"{_INDEX_FILE} names {unknown_paths[0]}"))
    return snapshot


def _require_free(folder: Path) -> None:
    """Check that a folder without a state has no files with the names of files of a state.

    Raises:
        StoreError: there is such a file.
    """
    if own_files := sorted(_find_own_files(folder)):
        raise StoreError(
            f"{folder} contains {own_files[0]}, a file name that states use, but no {_INDEX_FILE} that lists it; name another folder, or restore the {_INDEX_FILE} if this is a state"
        )


def _find_own_files(folder: Path) -> AbstractSet[str]:
    """Find the files below a folder that have names of files of a state."""
    return {
        path
        for path in (file.relative_to(folder).as_posix() for file in folder.rglob("*.jsonl"))
        if _is_own_path(path)
    }


def _is_own_path(path: str) -> bool:
    table, _, number = path.removesuffix(".jsonl").partition("/")
    return _PATH.fullmatch(path) is not None and table in (_SPLIT_TABLES if number else rows.TABLES)


def load_snapshot(url: str, snapshot: Snapshot, privacy: Pseudonymizer, host: str) -> None:
    """Create a store from a state.

    Args:
        url: the address of the new store.
        snapshot: the state.
        privacy: restores the pseudonymized addresses.
        host: the host with which Message-IDs end.

    Raises:
        StoreError: the state does not fit, or the store cannot be written.
    """

    def fill_tables(tx: Transaction) -> None:
        for table, columns, table_rows in snapshot.iter_tables():
            revealed_rows = [
                privacy.restore_row(table, dict(zip(columns, row, strict=True)), host) for row in table_rows
            ]
            restore.insert_rows(tx, table, columns, [list(row.values()) for row in revealed_rows])
        restore.note_state(tx, snapshot.name)

    restore.create_store(url, snapshot.migration, fill_tables)


def _read_verified(path: Path, expected_hash: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(_format_damage(path.parent, f"{path.name} cannot be read")) from error
    if _hash(content) != expected_hash:
        raise StoreError(_format_damage(path.parent, f"{path.name} was changed after it was written"))
    return content


def _format_damage(folder: Path, reason: str) -> str:
    return f"the state in {folder} is damaged: {reason}; restore an earlier one, or remove all of it to start again with the last announcement day"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
