"""Forms that browsers post from our pages: a few short fields."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

MAX_FORM_BYTES = 64 * 1024
"""Maximum size of a form, in bytes; a one-click POST has some hundred, even as multipart.

The same number is in the nginx configuration in the documentation.
"""
_MAX_FIELDS = 40


class FormTooLongError(Exception):
    """A form is longer than the limit."""


async def read_fields(request: Request) -> dict[str, str]:
    """Read the fields of a form as browsers send them; empty if it cannot be parsed.

    Raises:
        FormTooLongError: the form is too long.
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
