"""Every exception that digest raises on purpose.

::

    DigestError
    ├── ConfigError        the file, an option or a command line is wrong        exit 2
    │   ├── QueryError     a follow or a query cannot be read
    │   └── OptionError    an option of a source or channel is wrong
    ├── StoreError         the database cannot be opened, read or written        exit 1
    │   └── StoreBusyError others hold what is needed, and did not let go in time   told, a source is asked again later
    ├── SourceError        a source's answer is refused, broken or not its own   told, the cycle goes on
    ├── ReportError        who reports bounces is not who he says, or cannot be read   told, the report is left
    │   └── TransientReportError  what is needed to judge that cannot be had now  told, and asked for it again
    ├── ChannelError       a channel cannot be used at all                       told, the cycle goes on
    ├── RenderError        a template does not give a message                    told, the edition waits
    ├── ListenError        nobody can be answered at an address of ours          exit 1
    └── OutOfMemoryError   there is not enough memory for the work               exit 1; told, the service goes on

A message is a whole sentence that says what is wrong and, where it can, what to do.
Failures that are part of the day's work (a source that is down, an address that is refused) are
caught where they happen and become values: see ``Receipt`` in ``digest.model`` and ``FetchResult`` in ``digest.jobs.http.fetch_results``.
"""

from __future__ import annotations

import errno
import unicodedata


class DigestError(Exception):
    """Anything that digest says went wrong; the message is meant to be read by people."""


class ConfigError(DigestError):
    """The configuration or the command line is wrong."""


class QueryError(ConfigError):
    """A follow cannot be read.

    Args:
        message: what is wrong and how to write it.
        query: the text as written.
        position: where in it, in characters from 0.
    """

    def __init__(self, message: str, query: str, position: int) -> None:
        super().__init__(message)
        self.query = query
        self.position = position

    def __str__(self) -> str:
        """The message, then the query, or of a long one what is around the place, with a mark below that."""
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
"""So many characters of a query are shown before and behind a place in it."""


def _make_printable(char: str) -> str:
    """A character as it can stand in a line above a mark."""
    return char if char.isprintable() else " "


def _measure_width(char: str) -> int:
    """How many columns a terminal takes for a character (Unicode Standard Annex 11)."""
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1


class OptionError(ConfigError):
    """An option of a source or channel is wrong.

    Args:
        message: what is wrong and what would be right.
        key: which option; who knows its place in a file adds it.
    """

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


class StoreError(DigestError):
    """The database cannot be opened, read or written."""


class StoreBusyError(StoreError):
    """Somebody else held the database, or what is needed of it, for too long; the same may succeed later."""


class SourceError(DigestError):
    """An answer of a source is refused, broken, or not what was asked for."""


class ReportError(DigestError):
    """What should tell of bounces cannot be had, cannot be read, or is not from whom it says."""


class TransientReportError(ReportError):
    """What is needed to judge a report cannot be had at this moment: who sent it is to send it again."""


class ChannelError(DigestError):
    """A channel cannot be used at all."""


class RenderError(DigestError):
    """A template does not give a message."""


class ListenError(DigestError):
    """We cannot listen where we are to answer."""


class OutOfMemoryError(DigestError):
    """There is not enough memory for the work."""

    def __init__(self) -> None:
        super().__init__(
            "there is not enough memory. Nothing is lost: stop other programs or allow digest more memory (containers and services have their own limits; `ulimit -v` shows that of a shell), then run it again"
        )


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether an exception, or one behind it, says that there is not enough memory.

    The system says it in several ways: also where a library cannot be loaded or a thread cannot begin.
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
            )  # C code that forgot to say it
        ):
            return True
        error = error.__cause__ or error.__context__
    return False


_LOAD_FAILURES = ("failed to map segment", "cannot allocate memory", "Cannot allocate memory")
"""What dlopen(3) says of a library for which there is no room."""


def forget_frames(error: BaseException | None) -> None:
    """Let go of what the frames of an exception and of those behind it hold: to say what is wrong takes memory, too."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
