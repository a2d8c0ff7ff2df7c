"""The body of an answer, under a cap also where it is packed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import httpx


class BodyError(Exception):
    """A body cannot be used; the message goes behind the source's name."""


class BrokenOffError(Exception):
    """A packed body ends before its end."""


def read_body(answer: httpx.Response, max_bytes: int) -> bytes:
    """The body, decompressed by ourselves: a small answer can unpack to any size, and httpx takes half of one.

    Args:
        answer: one whose headers have come.
        max_bytes: a longer one is given up.

    Raises:
        BodyError: it is too long, or not packed as it says, or as was not asked for.
        BrokenOffError: see there.
    """
    encoding = answer.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"gzip", "x-gzip"}:
        chunks = _decompress_chunks(answer.iter_raw(), max_bytes)
    elif encoding == "identity":
        chunks = answer.iter_raw()
    else:
        raise BodyError(f"it answered with the encoding {encoding!r}, which was not requested")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > max_bytes:
            raise BodyError(f"its answer is longer than {max_bytes:,} bytes")
    return bytes(body)


def _decompress_chunks(chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    decompressor = _make_decompressor()
    for chunk in chunks:
        remainder = chunk
        while remainder:
            if decompressor.eof:  # one more member: a file can have several (RFC 1952, section 2.2)
                decompressor = _make_decompressor()
            try:
                yield decompressor.decompress(remainder, max_bytes + 1)
            except zlib.error as error:
                raise BodyError("its answer is declared as gzip, but is not") from error
            remainder = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail
    if not decompressor.eof:
        raise BrokenOffError


def _make_decompressor() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
