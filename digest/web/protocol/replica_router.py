"""The choice between the primary and a replica, for each request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from anyio import to_thread

from digest.errors import StoreError
from digest.store.database.replica import Replica
from digest.web.protocol.response_cache import AsgiMessage
from digest.web.protocol.write_mark import Headers, make_write_mark, read_write_mark

_FORM_TYPES = (b"application/x-www-form-urlencoded", b"multipart/form-data")
_READ_METHODS = frozenset({"GET", "HEAD"})

Asgi = Callable[[Any, Any, Any], Any]


class ReplicaRouter:
    """Lets the replica answer what is only read, and the primary everything else.

    The replica may only give good answers. If it answers that something does not exist or cannot be shown, the primary
    answers instead. So a page that the replica does not have yet is found, and nobody sees its errors.

    Args:
        primary_api: the application on the primary.
        replica_api: the application on the replica, with the routes that it can answer.
        replica: the replica.
        keys: the keys that sign the position that a browser must see.
        url: the address of the site, without a slash at the end.
    """

    def __init__(
        self, primary_api: Asgi, replica_api: Asgi, replica: Replica, keys: Sequence[bytes], url: str
    ) -> None:
        self._primary_api = primary_api
        self._replica_api = replica_api
        self._replica = replica
        self._keys = keys
        self._url = url

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Respond to an ASGI request."""
        if scope["type"] != "http":
            await self._primary_api(scope, receive, send)
        elif scope["method"] not in _READ_METHODS:
            await self._primary_api(scope, receive, self._mark_write(send) if _is_form(scope) else send)
        elif not (self._is_for_replica(scope) and await self._ask_replica(scope, receive, send)):
            await self._primary_api(scope, receive, send)

    def _is_for_replica(self, scope: Any) -> bool:
        return not self._replica.trouble and self._replica.has_replayed(
            read_write_mark(scope["headers"], self._keys)
        )

    def may_be_cached(self, headers: Headers) -> bool:
        """Whether a request may get what was in the cache before it: not if its browser has written something newer."""
        return self._replica.has_settled(read_write_mark(headers, self._keys))

    async def _ask_replica(self, scope: Any, receive: Any, send: Any) -> bool:
        """Let the replica answer; return whether it did."""
        scope.setdefault("state", {})  # both applications see the same one
        original_scope = dict(scope)
        attempt = _Attempt(send)
        try:
            await self._replica_api(scope, receive, attempt.send)
        except Exception:
            if attempt.is_good:
                raise
        if not attempt.is_good:
            scope.clear()  # routing has added what it found
            scope.update(original_scope)
        return attempt.is_good

    def _mark_write(self, send: Any) -> Any:
        """Return a function that sends a response with the position of the primary after what a form has changed."""

        async def send_marked(message: AsgiMessage) -> None:
            # What was refused has changed nothing, and a flood of it must not reach the primary.
            if message["type"] == "http.response.start" and not 400 <= message["status"] < 500:
                with suppress(StoreError):  # then it cannot have changed anything either
                    position = await to_thread.run_sync(self._replica.read_write_position)
                    cookie = make_write_mark(position, self._keys, self._url)
                    message = {**message, "headers": [*message["headers"], cookie]}
            await send(message)

        return send_marked


class _Attempt:
    """Passes a good answer on, and drops every other one.

    Args:
        send: sends the messages of an answer.
    """

    def __init__(self, send: Any) -> None:
        self.is_good = False
        self._send = send

    async def send(self, message: AsgiMessage) -> None:
        """Send a message."""
        if message["type"] == "http.response.start":
            self.is_good = message["status"] < 400
        if self.is_good:
            await self._send(message)


def _is_form(scope: Any) -> bool:
    """Whether a request has a form of a browser; programs, which get no cookies, send other documents."""
    return any(
        name == b"content-type" and value.lower().startswith(_FORM_TYPES) for name, value in scope["headers"]
    )
