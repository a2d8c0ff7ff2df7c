"""Every exception that digest raises on purpose.

::

    DigestError
    ├── ConfigError                 invalid file, option or command line     exit status 2
    │   ├── QueryError              invalid follow or query
    │   └── OptionError             invalid option of a plug-in
    ├── StoreError                  database cannot be used                  exit status 1
    │   ├── NotUpgradedError        tables of an earlier release             exit status 1; a worker waits
    │   ├── TooOldError             tables of a later release                exit status 1; a service stops
    │   ├── StoreBusyError          database was locked for too long         reported; retried later
    │   └── OtherDatabaseError      connection reaches another database      reported; nothing is done there
    ├── SourceError                 unusable answer of a source              reported; the cycle continues
    ├── CursorError                 invalid link to further results          the page says so
    ├── ReportError                 unusable or forged bounce report         reported; the report is ignored
    │   └── TransientReportError    report cannot be verified now            reported; its sender is to retry
    ├── ChannelError                channel cannot be used at all            reported; the cycle continues
    ├── HostBlockedError            host must not be connected to            the delivery is refused
    ├── RenderError                 template yields no message               reported; the edition waits
    ├── ListenError                 address of the web server is not free    exit status 1
    └── OutOfMemoryError            not enough memory                        exit status 1; a service goes on

A message is a whole sentence that says what is wrong and, if possible, what to do. Failures that are part of
normal operation (a source that is down, an address that is refused) are caught where they occur and become
values: see ``Receipt`` in ``digest.model`` and ``FetchResult`` in ``digest.jobs.http.fetch_results``.
"""

from __future__ import annotations

import errno
import unicodedata


class DigestError(Exception):
    """Base of all exceptions that digest raises on purpose; the message is written for users."""


class ConfigError(DigestError):
    """The configuration or the command line is wrong."""


class QueryError(ConfigError):
    """A follow or query cannot be parsed.

    Args:
        message: what is wrong and how to write it.
        query: the text as written.
        position: the position of the error in the text, in characters from 0.
    """

    def __init__(self, message: str, query: str, position: int) -> None:
        super().__init__(message)
        self.query = query
        self.position = position

    def __str__(self) -> str:
        """Return the message, the query and a caret below the position; a long query is cut around it."""
        if not self.query.strip():
            return str(self.args[0])
        start = self.position - _CONTEXT_LENGTH if self.position > _CONTEXT_LENGTH + 1 else 0
        end = (
            self.position + _CONTEXT_LENGTH
            if len(self.query) > self.position + _CONTEXT_LENGTH + 1
            else len(self.query)
        )
        before = "…" * (start > 0) + "".join(map(_make_printable, self.query[start : self.position]))
        after = "".join(map(_make_printable, self.query[self.position : end])) + "…" * (end < len(self.query))
        return f"{self.args[0]}\n  {before}{after}\n  {' ' * sum(map(_measure_width, before))}^"


_CONTEXT_LENGTH = 60
"""Number of characters of a long query that are shown before and after the position of an error."""


def _make_printable(char: str) -> str:
    """Return a character, or a space if it is not printable, so that the caret below stays aligned."""
    return char if char.isprintable() else " "


def _measure_width(char: str) -> int:
    """Return the number of terminal columns that a character takes (Unicode Standard Annex 11)."""
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1


class OptionError(ConfigError):
    """An option of a plug-in is wrong.

    Args:
        message: what is wrong and what would be right.
        key: the name of the option; the caller adds its place in the file.
    """

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


class StoreError(DigestError):
    """The database cannot be opened, read or written."""


class NotUpgradedError(StoreError):
    """The tables are those of an earlier release, and nobody has upgraded them yet."""


class TooOldError(StoreError):
    """The tables were upgraded so far by a later release that this one cannot work on them.

    Args:
        version: the migration of the tables.
    """

    def __init__(self, version: str) -> None:
        super().__init__(
            f"the database was upgraded by a newer digest (tables {version}), and this one is too old for it; "
            "install the new release here and start it"
        )


class StoreBusyError(StoreError):
    """The database was locked for too long; the same operation may succeed later."""


class OtherDatabaseError(StoreError):
    """A connection reaches another database than the earlier ones of this process."""


class SourceError(DigestError):
    """An answer of a source is a refusal, is broken, or is about something else."""


class CursorError(DigestError):
    """The position in the results of a search is damaged, or belongs to another search."""


class ReportError(DigestError):
    """A bounce report cannot be fetched or read, or does not come from the claimed sender."""


class TransientReportError(ReportError):
    """A report cannot be verified at the moment; its sender is to send it again."""


class ChannelError(DigestError):
    """A channel cannot be used at all."""


class HostBlockedError(DigestError):
    """A reader's address leads to a host that is not on the public internet."""


class RenderError(DigestError):
    """A template does not yield a message."""


class ListenError(DigestError):
    """The web server cannot listen at its address."""


class OutOfMemoryError(DigestError):
    """There is not enough memory for the work."""

    def __init__(self) -> None:
        super().__init__(
            "there is not enough memory. Nothing is lost: stop other programs or allow digest more memory (containers and services have their own limits; `ulimit -v` shows that of a shell), then run it again"
        )


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether an exception, or one that caused it, says that there is not enough memory.

    The system reports this in several ways, also when a library cannot be loaded or a thread cannot be
    started.
    """
    while error is not None:
        text = str(error)
        if (
            isinstance(error, MemoryError)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or (isinstance(error, ImportError) and any(phrase in text for phrase in _LOAD_FAILURES))
            or (isinstance(error, RuntimeError) and "can't start new thread" in text)
            or (
                isinstance(error, SystemError) and "without exception set" in text
            )  # C code that failed without setting an exception
        ):
            return True
        error = error.__cause__ or error.__context__
    return False


_LOAD_FAILURES = ("failed to map segment", "cannot allocate memory", "Cannot allocate memory")
"""Error messages of dlopen(3) for a library that does not fit into memory."""


def forget_frames(error: BaseException | None) -> None:
    """Release what the frames of an exception and of its causes hold: reporting it needs memory, too."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
