"""The state of a scheduled job: a folder of text from which the next run goes on, on whatever machine.

The same store gives the same bytes, and a day adds lines to some files: it can be kept in a branch of its own.
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
from digest.jobs.operations.snapshot_privacy import Hiding, Veil
from digest.store.database.engine import HEAD, Store, Transaction
from digest.store.operations import restore
from digest.store.operations import snapshot as rows

_FORM = 1
"""Of the folder; one that is greater is of a newer release."""
_INDEX = "state.json"
_APART = {"statements": 0, "authorships": 0}
"""Tables that are many files, each of a thousand papers: by the place of the paper's number in a row."""
_THOUSAND = 1000
_PATH = re.compile(r"[a-z_]+(/\d+)?\.jsonl")
LONGEST = timedelta(hours=2)
"""A run that began to send longer ago, and has not told since that it ended, did not end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a folder holds.

    Attributes:
        folder: where.
        tables: the migration that its rows were taken at.
        at: when.
        begun: since when a run sends what it holds, and has not ended; None for none.
        files: their hashes, by path below the folder.
        removed: files of the state before it; some are still there where the process died that was to remove them.
    """

    folder: Path
    tables: str
    at: datetime
    begun: datetime | None
    files: Mapping[str, str]
    removed: frozenset[str]

    @property
    def name(self) -> str:
        """Another one for each other state."""
        return _hash(json.dumps(self.files, sort_keys=True).encode())

    def is_being_sent(self, now: datetime) -> bool:
        """Whether a run is at it just now; a time in the future is a wrong clock's."""
        return self.begun is not None and abs(now - self.begun) < LONGEST

    def rows(self) -> Iterator[tuple[str, Sequence[str], list[list[Any]]]]:
        """Table, names of columns and rows, those first that others refer to.

        Raises:
            StoreError: a file is not there, or not as it was written.
        """
        for path in self.files:
            text = _whole(self.folder / path, self.files[path]).decode()
            columns, *found = map(json.loads, text.removesuffix("\n").split("\n"))
            yield path.partition("/")[0].removesuffix(".jsonl"), columns, found


# --- writing --------------------------------------------------------------------------------------


def write(store: Store, folder: Path, veil: Veil, now: datetime, *, begun: bool) -> None:
    """Write the state of a store into a folder; files that stay as they are are left alone.

    Args:
        store: whose.
        folder: made if need be; files in it that are not named as those of a state are left alone, and only those that
            the last state names are removed.
        veil: takes out what is secret.
        now: the time.
        begun: what is in it is about to be sent.

    Raises:
        StoreError: it cannot be written, or what is there is no state of ours.
    """
    last = _read_index(folder)
    if last is None:
        _demand_free(folder)
    _demand_no_links(folder)
    before = frozenset({*last.files, *last.removed} if last else ())
    files: dict[str, str] = {}
    try:
        if last is None:
            # What a process that dies leaves without it would look like files of somebody else.
            _put_index(folder, now, files={}, removed=(), begun=False)
        with store.reading() as tx:
            hiding = veil.hiding(rows.addresses(tx))
            for path, content in _files(tx, hiding, now):
                _put(folder / path, content)
                files[path] = _hash(content)
        removed = sorted(path for path in before - files.keys() if os.path.lexists(folder / path))
        _put_index(folder, now, files=files, removed=removed, begun=begun)
        for old in removed:
            (folder / old).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"the state cannot be written to {folder}: {error.strerror}") from error
    made = State(folder=folder, tables=HEAD, at=now, begun=None, files=files, removed=frozenset())
    with store.writing() as tx:
        restore.note_state(tx, made.name)


def _files(tx: Transaction, hiding: Hiding, now: datetime) -> Iterator[tuple[str, bytes]]:
    for table, (columns, found) in rows.taken(tx, now):
        told = (hiding.row(table, dict(zip(columns, row, strict=True))) for row in found)
        shown = [list(row.values()) for row in told if row is not None]
        for path, some in _parted(table, columns, shown):
            if some:
                yield path, "".join(f"{_line(one)}\n" for one in (columns, *some)).encode()


def _parted(
    table: str, columns: Sequence[str], found: Sequence[list[Any]]
) -> Iterator[tuple[str, Sequence[list[Any]]]]:
    """A table's files and what is in them; one that is large is parted by papers."""
    if table not in _APART:
        yield f"{table}.jsonl", found
        return
    place = columns.index("paper_id")
    parts: dict[int, list[list[Any]]] = {}
    for row in found:
        parts.setdefault(row[place] // _THOUSAND, []).append(row)
    for number, some in sorted(parts.items()):
        yield f"{table}/{number:06}.jsonl", some


def _put_index(
    folder: Path, now: datetime, *, files: Mapping[str, str], removed: Sequence[str], begun: bool
) -> None:
    index = {
        "form": _FORM,
        "made_by": __version__,
        "tables": HEAD,
        "at": now.isoformat(timespec="seconds"),
        "begun": now.isoformat(timespec="seconds") if begun else None,
        "files": files,
        "removed": removed,
    }
    _put(folder / _INDEX, f"{json.dumps(index, indent=1)}\n".encode())


_line = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _put(path: Path, content: bytes) -> None:
    """Put a file into place whole; what a link in its place leads to is somebody else's, and stays as it is."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with part.open("xb") as file:  # not through a link either
        file.write(content)
    part.replace(path)


def _demand_no_links(folder: Path) -> None:
    """Refuse folders of a state that are links: what is in them is somebody else's.

    Raises:
        StoreError: one is.
    """
    for name in sorted(_APART):
        if (folder / name).is_symlink():
            raise StoreError(
                f"{folder / name} is a link, and a state is never written through one: remove the link"
            )


# --- reading --------------------------------------------------------------------------------------


def demand_own(folder: Path) -> None:
    """Refuse a folder that holds something else and no state; what is hidden, as ``.git``, does not count.

    Raises:
        StoreError: it does.
    """
    if not folder.is_dir() or (folder / _INDEX).exists():
        return
    ours = {path.partition("/")[0] for path in _ours_in(folder)}
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if foreign := [name for name in names if name not in ours]:
        raise StoreError(
            f"{folder} holds something else ({foreign[0]}), and no state: name an empty folder, "
            f"or say --state-into {folder}, which puts the state beside it"
        )


def read(folder: Path) -> State | None:
    """The state in a folder; None where there is none. What else is in the folder does not matter.

    Raises:
        StoreError: it is of a newer release, or damaged.
    """
    found = _read_index(folder)
    if found is None:
        _demand_free(folder)
        return None
    if not found.files:
        return None  # the first one was not written to its end
    for path, hashed in found.files.items():
        _whole(folder / path, hashed)
    return found


def _read_index(folder: Path) -> State | None:
    try:
        told = json.loads((folder / _INDEX).read_bytes())
        if told["form"] > _FORM or told["tables"] > HEAD:
            raise StoreError(
                f"the state in {folder} is of a newer digest ({told['made_by']}): upgrade this one, {__version__}"
            )
        found = State(
            folder=folder,
            tables=told["tables"],
            at=datetime.fromisoformat(told["at"]),
            begun=datetime.fromisoformat(told["begun"]) if told["begun"] else None,
            files={str(path): str(there) for path, there in told["files"].items()},
            removed=frozenset(map(str, told.get("removed", ()))),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(_damaged(folder, f"{_INDEX} cannot be read")) from error
    if odd := sorted(path for path in (*found.files, *found.removed) if not _is_ours(path)):
        raise StoreError(_damaged(folder, f"{_INDEX} names {odd[0]}"))
    return found


def _demand_free(folder: Path) -> None:
    """Refuse files of somebody else that have names of ours."""
    if ours := sorted(_ours_in(folder)):
        raise StoreError(
            f"{folder} holds {ours[0]}, a name that files of a state have, and no {_INDEX} that names it: "
            f"name another folder, or put back the {_INDEX} if it is a state"
        )


def _ours_in(folder: Path) -> AbstractSet[str]:
    """The files below a folder that are named as those of a state."""
    return {
        path
        for path in (one.relative_to(folder).as_posix() for one in folder.rglob("*.jsonl"))
        if _is_ours(path)
    }


def _is_ours(path: str) -> bool:
    table, _, number = path.removesuffix(".jsonl").partition("/")
    return _PATH.fullmatch(path) is not None and table in (_APART if number else rows.TABLES)


def take(url: str, found: State, veil: Veil, host: str) -> None:
    """Make a new store of a state.

    Args:
        url: of a store that is new.
        found: the state.
        veil: puts back what was taken out of it.
        host: that Message-IDs end in.

    Raises:
        StoreError: it does not fit, or the store cannot be written.
    """

    def fill(tx: Transaction) -> None:
        for table, columns, some in found.rows():
            shown = [veil.show(table, dict(zip(columns, row, strict=True)), host) for row in some]
            restore.put(tx, table, columns, [list(row.values()) for row in shown])
        restore.note_state(tx, found.name)

    restore.begin(url, found.tables, fill)


def _whole(path: Path, hashed: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(_damaged(path.parent, f"{path.name} cannot be read")) from error
    if _hash(content) != hashed:
        raise StoreError(_damaged(path.parent, f"{path.name} is not as it was written"))
    return content


def _damaged(folder: Path, why: str) -> str:
    return (
        f"the state in {folder} is damaged, {why}: put back an earlier one, or remove it all to begin anew, "
        "with the last announcement day"
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
