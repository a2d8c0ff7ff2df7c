"""The archive of an account as a ZIP file: the same files give the same bytes, and one from outside cannot do harm."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from zlib import error as ZlibError  # noqa: N812 - an exception

from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file can contain; times would make equal archives different."""
_END_RECORD, _END_RECORD_LENGTH = b"PK\x05\x06", 22
_MAX_DIRECTORY_BYTES = 64 * 1024
"""Size of the list of files, so that one of a million files is not read."""
_MAX_UNPACKED_BYTES = 64 * 1024 * 1024
"""Size of all unpacked files; 20 digests with 5,000 papers each take 20 MB, and 10,000 saved papers 25 MB."""
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


def read_archived_texts(content: bytes, names: Sequence[str]) -> dict[str, str]:
    """Return text files of an archive by name; "" for one that it does not contain.

    Args:
        content: the ZIP file.
        names: the names of the text files; it must contain the first one.

    Raises:
        ImportContentError: it is no such archive, or the files are too large together.
    """
    _require_small_directory(content)
    texts = dict.fromkeys(names, "")
    room = _MAX_UNPACKED_BYTES
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            contained = {names[0], *archive.namelist()}
            for name in texts.keys() & contained:
                body = _read_member(archive, name, room)
                room -= len(body)
                texts[name] = body.decode("utf-8-sig")
    except (KeyError, ValueError, EOFError, OSError, struct.error, zipfile.BadZipFile, ZlibError):
        raise ImportContentError(ImportMistake.NO_ARCHIVE) from None
    except (NotImplementedError, RuntimeError):  # a version or a method that the library does not know
        raise ImportContentError(ImportMistake.NO_ARCHIVE) from None
    return texts


def _read_member(archive: zipfile.ZipFile, name: str, room: int) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type not in _METHODS or info.flag_bits & _ENCRYPTED:
        raise ImportContentError(ImportMistake.NO_ARCHIVE)
    with archive.open(info) as file:  # the size that the directory states may be wrong
        body = file.read(room + 1)
    if len(body) > room:
        raise ImportContentError(ImportMistake.TOO_MUCH)
    return body


def _require_small_directory(content: bytes) -> None:
    start = content.rfind(_END_RECORD)
    record = content[start : start + _END_RECORD_LENGTH] if start >= 0 else b""
    if len(record) < _END_RECORD_LENGTH:
        raise ImportContentError(ImportMistake.NO_ARCHIVE)
    (directory_bytes,) = struct.unpack_from("<L", record, 12)
    if directory_bytes > _MAX_DIRECTORY_BYTES:
        raise ImportContentError(ImportMistake.TOO_MUCH)
