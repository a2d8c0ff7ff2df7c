"""What browsers post from our pages: a few short fields."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

MAX_FORM_BYTES = 64 * 1024
"""Bytes of a request: a one-click POST has some hundred, whatever multipart makes of it. The same number stands in the
configuration of nginx that the documentation has."""
_MAX_FIELDS = 20


class FormTooLongError(Exception):
    """A body is longer than anything that we would read."""


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a form as browsers send them; nothing where it cannot be read.

    Raises:
        TooLongError: there is too much of it.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise FormTooLongError
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        return {}
