"""Import arXiv's metadata snapshot, in small transactions that each store where to continue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice
from pathlib import Path

from digest.errors import ConfigError, DigestError
from digest.jobs.papers.record_file import Line, compute_hash, open_record_file
from digest.model import Paper, PaperImport, PaperSelection
from digest.sources.arxiv.metadata import SOURCE, MetadataRecord, make_record_reader
from digest.store.database.engine import Store
from digest.store.fetching.listings import import_records
from digest.store.papers import imports

_MAX_PAPERS = 500
"""Maximum number of papers in a transaction: a fraction of a second, in which nobody else can write to SQLite."""
_MAX_LINES = 20_000
"""Maximum number of lines in a transaction, so that the place in the file is stored even if few papers are selected."""
_MAX_BROKEN_RECORDS = 20
"""Maximum number of broken records that are described."""
_TRIAL_LINES = 100
"""Number of lines at the beginning of which one must be readable."""


class ImportContinuedElsewhereError(DigestError):
    """Another process continues the same import."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    """The progress of an import.

    Attributes:
        is_hashing: whether the hash of the file is computed, before anything is imported.
        bytes_read: the bytes of the file that are read.
        file_size: its size.
        papers: the number of papers that are stored.
    """

    is_hashing: bool
    bytes_read: int
    file_size: int
    papers: int = 0


ReportProgress = Callable[[ImportProgress], None]


def import_papers(
    store: Store,
    path: Path,
    selection: PaperSelection,
    now: Callable[[], datetime],
    report_progress: ReportProgress,
) -> PaperImport:
    """Import the papers of a file; an import that was interrupted continues, and a finished one changes nothing.

    Args:
        store: the store.
        path: the file, plain or compressed.
        selection: the part to import.
        now: returns the present time.
        report_progress: gets the progress after each chunk of the file and after each transaction.

    Returns:
        The finished import.

    Raises:
        ConfigError: the file cannot be read, or is another one than the snapshot.
        DamagedFileError: a compressed file is damaged; what was read before is imported.
        ImportContinuedElsewhereError: another process continues the same import.
    """
    _require_snapshot(path)
    paper_import = _open_import(store, path, selection, now(), report_progress)
    if paper_import.finished_at is not None:
        return paper_import
    file_size, reader = path.stat().st_size, make_record_reader(selection)
    with open_record_file(path) as record_file:
        lines = record_file.iter_lines(paper_import.position)
        for batch in _iter_batches(lines, reader, paper_import.position):
            paper_import = _save_batch(store, paper_import, batch)
            progress = ImportProgress(
                is_hashing=False,
                bytes_read=record_file.bytes_read,
                file_size=file_size,
                papers=paper_import.counts.papers,
            )
            report_progress(progress)
    return _finish(store, paper_import, now())


def _require_snapshot(path: Path) -> None:
    """Reject a file none of whose first lines can be read.

    Raises:
        ConfigError: it is another file than the snapshot.
    """
    reader = make_record_reader(PaperSelection())
    reason = "it is empty"
    with open_record_file(path) as record_file:
        for line in islice(record_file.iter_lines(0), _TRIAL_LINES):
            record = reader(line.content or b"")
            if isinstance(record, MetadataRecord):
                return
            reason = f"its first line has {record}" if line.content else "its first line is too long"
    raise ConfigError(f"{path} is not arXiv's metadata snapshot, which has one paper in each line: {reason}")


def _open_import(
    store: Store, path: Path, selection: PaperSelection, now: datetime, report_progress: ReportProgress
) -> PaperImport:
    file_size = path.stat().st_size

    def report_hashing(bytes_read: int) -> None:
        report_progress(ImportProgress(is_hashing=True, bytes_read=bytes_read, file_size=file_size))

    file_hash = compute_hash(path, report_hashing)
    with store.begin_write() as tx:
        return imports.open_import(
            tx, file_name=path.name, file_hash=file_hash, source=SOURCE, selection=selection, now=now
        )


# --- batches --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Batch:
    """Lines that are stored in one transaction.

    Attributes:
        end: the position behind the last line.
        papers: the selected papers.
        counts: the numbers of the other records.
        broken_records: descriptions of broken records.
        days: the first day of each paper, and the day of its last change.
    """

    end: int
    papers: list[Paper] = field(default_factory=list)
    unselected: int = 0
    broken_records: list[str] = field(default_factory=list)
    first_days: set[date] = field(default_factory=set)
    last_days: set[date] = field(default_factory=set)

    def add(self, line: Line, record: MetadataRecord | str | None) -> None:
        """Add what was read from a line."""
        self.end = line.end
        if record is None:
            self.unselected += 1
        elif isinstance(record, str):
            self.broken_records.append(record)
        else:
            self.papers.append(record.paper)
            if record.first_day:
                self.first_days.add(record.first_day)
            if record.last_day:
                self.last_days.add(record.last_day)

    @property
    def line_count(self) -> int:
        """The number of lines that are not empty."""
        return len(self.papers) + self.unselected + len(self.broken_records)


def _iter_batches(
    lines: Iterable[Line], read_record: Callable[[bytes], MetadataRecord | str | None], start: int
) -> Iterator[_Batch]:
    batch = _Batch(start)
    for line in lines:
        if line.content is None:
            batch.add(line, f"a line at byte {line.end:,} is too long")
        elif line.content.strip():
            batch.add(line, read_record(line.content))
        if len(batch.papers) == _MAX_PAPERS or batch.line_count == _MAX_LINES:
            yield batch
            batch = _Batch(line.end)
    yield batch


def _save_batch(store: Store, before: PaperImport, batch: _Batch) -> PaperImport:
    """Store the papers of a batch together with the place behind it."""
    with store.begin_ingest() as tx:
        counts = import_records(tx, before.source, batch.papers)
        counts = replace(counts, unselected=batch.unselected, broken=len(batch.broken_records))
        after = replace(
            before,
            position=batch.end,
            counts=before.counts + counts,
            broken_records=(*before.broken_records, *batch.broken_records)[:_MAX_BROKEN_RECORDS],
            first_day=min(filter(None, (before.first_day, *batch.first_days)), default=None),
            last_day=max(filter(None, (before.last_day, *batch.last_days)), default=None),
        )
        if not imports.save_progress(tx, before, after):
            raise ImportContinuedElsewhereError("another process is importing the same file")
    return after


def _finish(store: Store, before: PaperImport, now: datetime) -> PaperImport:
    after = replace(before, finished_at=now)
    with store.begin_write() as tx:
        if not imports.save_progress(tx, before, after):
            raise ImportContinuedElsewhereError("another process is importing the same file")
    return after
