"""Messages to Slack, posted to an incoming webhook or as a bot.

httpx tells whether a request failed before it was sent; if it failed later, the message may have arrived.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from digest import __version__
from digest.channels.notify.slack_address import SlackAddress
from digest.channels.notify.slack_errors import classify_response
from digest.core.delivery.slack_blocks import SlackMessage, make_slack_messages
from digest.model import Chat, Deferred, Fault, Receipt, Unknown

if TYPE_CHECKING:
    import httpx

_MAX_ANSWER_BYTES = 65_536
"""Maximum size of what is read of a response body: that of a bot repeats the message."""


class SlackService:
    """Posts chats to one address.

    Args:
        address: where they go.
        timeout: time limit for one message and its answer, in seconds.
        interval: minimum time between two messages, in seconds.
        keeps_body: whether receipts may contain what Slack answered, beside the status and the names of errors.
    """

    name = "Slack"

    def __init__(
        self, address: SlackAddress, timeout: float, interval: float, *, keeps_body: bool = True
    ) -> None:
        self._address = address
        self._timeout = timeout
        self._interval = interval
        self._keeps_body = keeps_body
        self._next_at = 0.0
        """The next message is not posted earlier, in seconds of ``time.monotonic``."""
        logging.getLogger("httpx").setLevel(logging.WARNING)  # its messages contain addresses

    def make_requests(self, chat: Chat) -> Sequence[Callable[[], Receipt]]:
        """Return for each message of a chat, in order, the function that sends it."""
        return [partial(self._send, message) for message in make_slack_messages(chat)]

    def _send(self, message: SlackMessage) -> Receipt:
        time.sleep(max(0.0, self._next_at - time.monotonic()))
        try:
            return self._post({**message, **self._address.fields})
        finally:
            self._next_at = time.monotonic() + self._interval

    def _post(self, payload: Mapping[str, Any]) -> Receipt:
        import httpx

        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": f"papers-digest/{__version__}",
        }
        if self._address.token:
            headers["Authorization"] = f"Bearer {self._address.token}"
        content = json.dumps(payload, ensure_ascii=False).encode(errors="replace")
        connections = _Connections()
        try:
            with (
                connections.limit_time(self._timeout),
                httpx.Client(timeout=self._timeout, follow_redirects=False) as client,
                client.stream(
                    "POST",
                    self._address.url,
                    content=content,
                    headers=headers,
                    extensions={"trace": connections.record_event},
                ) as response,
            ):
                status, retry_after = response.status_code, response.headers.get("Retry-After", "")
                body = _read_beginning(response)
        except httpx.HTTPError as error:
            return self._classify_error(error, is_late=connections.was_cut.is_set())
        text = body.decode(errors="replace")
        return classify_response(status, retry_after, text, keeps_body=self._keeps_body)

    def _classify_error(self, error: httpx.HTTPError, *, is_late: bool) -> Deferred | Unknown:
        import httpx

        reason = str(error) or type(error).__name__
        if isinstance(error, httpx.RemoteProtocolError) and not self._keeps_body:
            reason = type(error).__name__  # its text may repeat the answer
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
            return Deferred(answer=f"it cannot be reached: {reason}", fault=Fault.DOMAIN)
        if is_late or isinstance(error, httpx.TimeoutException):
            return Unknown(answer=f"there was no answer within {self._timeout:g} seconds")
        return Unknown(answer=f"there was no answer: {reason}")


class _Connections:
    """The connections of one request, which are closed at its deadline: the timeouts of httpx restart with each byte."""

    def __init__(self) -> None:
        self.was_cut = threading.Event()
        self._streams: list[Any] = []

    def record_event(self, event: str, info: Mapping[str, Any]) -> None:
        """Collect new connections from the trace events of httpcore."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._streams.append(info["return_value"])
            if self.was_cut.is_set():
                self._close_all()

    @contextmanager
    def limit_time(self, seconds: float) -> Iterator[None]:
        """Close the connections if the block takes longer."""
        timer = threading.Timer(seconds, self._close_all)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _close_all(self) -> None:
        self.was_cut.set()
        for stream in list(self._streams):
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _read_beginning(response: httpx.Response) -> bytes:
    """Read the beginning of a body; a body that breaks off does not change what the status says."""
    import httpx

    body = b""
    with suppress(httpx.HTTPError):
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) >= _MAX_ANSWER_BYTES:
                break
    return body
