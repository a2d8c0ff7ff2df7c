"""Reading the lines of a large file, plain or compressed, from any place on and in bounded memory."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from digest.errors import ConfigError, DigestError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK_SIZE = 1 << 20
"""Bytes that are read at once."""
_ZSTD_CHUNK_SIZE = 1 << 15
"""Compressed bytes that are read at once; the text of metadata is four times as long."""
MAX_LINE_LENGTH = 8 << 20
"""Maximum length of a line in bytes; a paper of three thousand authors has a quarter of a megabyte."""
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
"""First bytes of compressed files."""


class DamagedFileError(DigestError):
    """A compressed file that ends too early or is damaged."""


class Line(NamedTuple):
    """A line of a file.

    Attributes:
        content: its bytes; None if it is longer than ``MAX_LINE_LENGTH``.
        end: the position behind it, in bytes of uncompressed text.
    """

    content: bytes | None
    end: int


def compute_hash(path: Path, report_progress: Callable[[int], None]) -> str:
    """Return the SHA-256 of a file, in hexadecimal.

    Args:
        path: the file.
        report_progress: gets the number of bytes that are read.
    """
    file_hash = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_SIZE):
            file_hash.update(chunk)
            report_progress(file.tell())
    return file_hash.hexdigest()


class RecordFile:
    """A file that is open for reading.

    Args:
        raw: the file itself.
        text: its uncompressed text; None if the file is not compressed.
        path: its path, for messages.
    """

    def __init__(self, raw: BinaryIO, text: BinaryIO | io.BufferedIOBase | None, path: Path) -> None:
        self._raw = raw
        self._text = text or raw
        self._is_compressed = text is not None
        self._path = path

    @property
    def bytes_read(self) -> int:
        """The number of bytes of the file itself that are read."""
        return self._raw.tell()

    def iter_lines(self, start: int) -> Iterator[Line]:
        """Yield the lines from a position on.

        Args:
            start: the position, in bytes of uncompressed text.

        Raises:
            DamagedFileError: the file ends too early or is damaged.
        """
        try:
            self._skip_to(start)
            position = start
            while content := self._text.readline(MAX_LINE_LENGTH):
                position += len(content)
                is_whole = content.endswith(b"\n")
                while not is_whole and (rest := self._text.readline(MAX_LINE_LENGTH)):
                    position += len(rest)
                    is_whole = rest.endswith(b"\n")
                    content = b""
                yield Line(content or None, position)
        except _get_damage_errors() as error:
            raise DamagedFileError(f"{self._path} is damaged, or its end is missing: {error}") from error

    def _skip_to(self, start: int) -> None:
        if not self._is_compressed:
            self._raw.seek(start)
            return
        while start and (chunk := self._text.read(min(start, _CHUNK_SIZE))):
            start -= len(chunk)


@contextmanager
def open_record_file(path: Path) -> Iterator[RecordFile]:
    """Open a file: plain, or compressed by gzip or zstd, whatever its name says.

    Raises:
        ConfigError: it is a ZIP archive, or cannot be opened.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    with raw:
        beginning = raw.read(4)
        raw.seek(0)
        if beginning == _ZIP:
            raise ConfigError(f"{path} is a ZIP archive; unpack it first")
        if beginning[:2] == _GZIP:
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield RecordFile(raw, unpacked, path)
        elif beginning == _ZSTD:
            yield RecordFile(raw, io.BufferedReader(_ZstdText(raw), _CHUNK_SIZE), path)
        else:
            yield RecordFile(raw, None, path)


class _ZstdText(io.RawIOBase):
    """Uncompressed text of a file; unlike the reader of the library it detects that the end is missing."""

    def __init__(self, raw: BinaryIO) -> None:
        try:
            from zstandard import ZstdDecompressor
        except ModuleNotFoundError:
            raise ConfigError(
                "a file compressed by zstd needs a library; run pip install zstandard"
            ) from None
        self._raw = raw
        self._decompressor = ZstdDecompressor(max_window_size=1 << 31)
        self._frame = self._decompressor.decompressobj()
        self._is_between_frames = True
        self._pending = memoryview(b"")

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Write the next text into a buffer, and return its length; 0 at the end."""
        while not self._pending:
            chunk = self._raw.read(_ZSTD_CHUNK_SIZE)
            if not chunk:
                if not self._is_between_frames:
                    raise EOFError("the last frame is not complete")
                return 0
            self._pending = memoryview(b"".join(self._decompress(chunk)))
        target = memoryview(buffer).cast("B")
        count = min(len(target), len(self._pending))
        target[:count] = self._pending[:count]
        self._pending = self._pending[count:]
        return count

    def _decompress(self, chunk: bytes) -> Iterator[bytes]:
        while chunk:
            yield self._frame.decompress(chunk)
            self._is_between_frames = self._frame.eof
            chunk = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = self._decompressor.decompressobj()


def _get_damage_errors() -> tuple[type[Exception], ...]:
    errors: tuple[type[Exception], ...] = (EOFError, gzip.BadGzipFile, zlib.error)
    try:
        from zstandard import ZstdError
    except ModuleNotFoundError:
        return errors
    return (*errors, ZstdError)
