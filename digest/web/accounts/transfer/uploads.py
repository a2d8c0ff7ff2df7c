"""Files and texts that readers upload: only from who is signed in, of bounded size, and few at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anyio import CapacityLimiter, WouldBlock, to_thread
from fastapi import Request, Response
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from digest.core.subscribers.transfer.reader import MAX_IMPORT_BYTES
from digest.web import notices
from digest.web.accounts.own_requests import OwnRequest, OwnResponder
from digest.web.forms import FormTooLongError

MAX_UPLOAD_BYTES = MAX_IMPORT_BYTES + 64 * 1024
"""Maximum size of a form with a file, in bytes; the same number is in the nginx configuration in the documentation."""
_IMPORT_PATH = re.compile(r"/account/(?:digests/[0-9]+/)?import")
_MAX_UPLOADS, _MAX_FIELDS = 4, 20
"""Number of uploads that are received at a time, as each is in memory; and of the fields of a form."""


def is_upload_path(path: str) -> bool:
    """Whether forms with files are posted to a path."""
    return _IMPORT_PATH.fullmatch(path) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadRequest:
    """A request of a reader who is signed in, with a file or a text.

    Attributes:
        own: the request.
        content: the file, or the text if there is no file.
    """

    own: OwnRequest
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadResponder:
    """Answers forms with files.

    Attributes:
        own: answers requests of readers who are signed in.
    """

    own: OwnResponder
    _receivers: CapacityLimiter = field(default_factory=partial(CapacityLimiter, _MAX_UPLOADS))
    _readers: CapacityLimiter = field(default_factory=partial(CapacityLimiter, 1))
    """One file is read at a time, because that takes seconds of a processor that others wait for."""

    async def respond(self, request: Request, respond: Callable[[UploadRequest], Response]) -> Response:
        """Answer a form with a file, if it was on a page of this site and has the token of the session.

        The body is received only from somebody who is signed in.
        """
        refusal = await to_thread.run_sync(partial(self.own.refuse_write, request))
        if refusal is not None:
            return refusal
        try:
            self._receivers.acquire_on_behalf_of_nowait(request)
        except WouldBlock:
            return await to_thread.run_sync(self._make_busy)
        try:
            fields, content = await _read_form(request)
            answer = partial(self._respond_fields, request, fields, content, respond)
            return await to_thread.run_sync(answer, limiter=self._readers)
        except FormTooLongError:
            return await to_thread.run_sync(self.own.public.responder.make_too_large)
        finally:
            self._receivers.release_on_behalf_of(request)

    def _respond_fields(
        self,
        request: Request,
        fields: Mapping[str, str],
        content: bytes,
        respond: Callable[[UploadRequest], Response],
    ) -> Response:
        content = content or fields.get("text", "").encode("utf-8", "replace")
        return self.own.respond_fields(
            request, lambda own: respond(UploadRequest(own=own, content=content)), fields
        )

    def _make_busy(self) -> Response:
        responder = self.own.public.responder
        return responder.make_notice(notices.make_try_later, status=503, headers={"retry-after": "60"})


async def _read_form(request: Request) -> tuple[dict[str, str], bytes]:
    """Read the fields of a form and its file; empty if it cannot be parsed.

    Raises:
        FormTooLongError: the form is too long.
    """
    received = 0

    async def receive() -> Any:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > MAX_UPLOAD_BYTES:
            raise FormTooLongError
        return message

    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return {}, b""
    try:
        form = await Request(request.scope, receive).form(
            max_files=1, max_fields=_MAX_FIELDS, max_part_size=MAX_UPLOAD_BYTES
        )
    except HTTPException:
        return {}, b""
    try:
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
        return fields, await files[0].read() if files else b""
    finally:
        await form.close()
