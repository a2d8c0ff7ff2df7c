"""The archive of an account as a ZIP file: the same files give the same bytes, and one from outside cannot do harm."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable
from io import BytesIO
from zlib import error as ZlibError  # noqa: N812 - an exception

from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file can contain; times would make equal archives different."""
_END_RECORD, _END_RECORD_LENGTH = b"PK\x05\x06", 22
_MAX_DIRECTORY_BYTES = 64 * 1024
"""Size of the list of files, so that one of a million files is not read."""
_MAX_MEMBER_BYTES = 64 * 1024 * 1024
"""Size of an unpacked file; 20 digests with 5,000 papers each take 20 MB."""
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1


def write_archive(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP file with some files, each with its name, in their order."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            archive.writestr(info, body)
    return content.getvalue()


def read_archived_text(content: bytes, name: str) -> str:
    """Return a text file of an archive.

    Args:
        content: the ZIP file.
        name: the name of the text file in it.

    Raises:
        ImportContentError: it is no such archive, or the file is too large.
    """
    _require_small_directory(content)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            info = archive.getinfo(name)
            if info.compress_type not in _METHODS or info.flag_bits & _ENCRYPTED:
                raise ImportContentError(ImportMistake.NO_ARCHIVE)
            with archive.open(info) as file:  # the size that the directory states may be wrong
                body = file.read(_MAX_MEMBER_BYTES + 1)
    except (KeyError, ValueError, EOFError, OSError, struct.error, zipfile.BadZipFile, ZlibError):
        raise ImportContentError(ImportMistake.NO_ARCHIVE) from None
    except (NotImplementedError, RuntimeError):  # a version or a method that the library does not know
        raise ImportContentError(ImportMistake.NO_ARCHIVE) from None
    if len(body) > _MAX_MEMBER_BYTES:
        raise ImportContentError(ImportMistake.TOO_MUCH)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ImportContentError(ImportMistake.NO_ARCHIVE) from None


def _require_small_directory(content: bytes) -> None:
    start = content.rfind(_END_RECORD)
    record = content[start : start + _END_RECORD_LENGTH] if start >= 0 else b""
    if len(record) < _END_RECORD_LENGTH:
        raise ImportContentError(ImportMistake.NO_ARCHIVE)
    (directory_bytes,) = struct.unpack_from("<L", record, 12)
    if directory_bytes > _MAX_DIRECTORY_BYTES:
        raise ImportContentError(ImportMistake.TOO_MUCH)
