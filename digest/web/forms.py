"""What browsers post from our pages: a few short fields."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

LONGEST = 64 * 1024
"""Bytes of a request: a one-click POST has some hundred, whatever multipart makes of it. The same number stands in the
configuration of nginx that the documentation has."""
_MOST_FIELDS = 20


class TooLongError(Exception):
    """A body is longer than anything that we would read."""


async def fields(request: Request) -> dict[str, str]:
    """The fields of a form as browsers send them; nothing where it cannot be read.

    Raises:
        TooLongError: there is too much of it.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST:
            raise TooLongError
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        return {}
