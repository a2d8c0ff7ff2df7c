"""Read the body of a response, with a limit of its decompressed size."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import httpx


class BodyError(Exception):
    """A body cannot be used; the message follows the name of the source."""


class BrokenOffError(Exception):
    """A compressed body is truncated."""


def read_body(answer: httpx.Response, max_bytes: int) -> bytes:
    """Read a body and decompress it ourselves: httpx has no limit of the size, and accepts truncated bodies.

    Args:
        answer: a response whose headers have been read.
        max_bytes: the maximum size after decompression; a longer body is an error.

    Raises:
        BodyError: the body is too long, or its encoding is wrong or was not requested.
        BrokenOffError: the compressed body is truncated.
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
            if decompressor.eof:  # another member: a gzip file may have several (RFC 1952, section 2.2)
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
