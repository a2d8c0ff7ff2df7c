"""What providers post to our site about our mail. Everything else that comes there changes nothing, and learns nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from anyio import to_thread
from fastapi import Request, Response

from digest.errors import ReportError, TransientReportError
from digest.jobs.delivery.bounces import CountedReport, ReportReceiver
from digest.ports import PostedRequest, Provider
from digest.web.documents import DocumentCache

MAX_POST_BYTES = 1024 * 1024
"""Bytes of what is posted. A message of SNS has 256 KiB, and twice as many when its quotation marks are escaped once more.
Postmark's ``Content`` is the whole bounce with our mail in it, whose HTML of up to 90 kB and text grow likewise. The same
number stands in the configuration of nginx that the documentation has."""
MAX_TOTAL_BYTES = 16 * MAX_POST_BYTES
"""Bytes of what is being posted by all together: a stranger can send as much as a provider."""
_MAX_NOTIFIED = 100
_RETRY_AFTER = "60"
"""Seconds until what could not be judged may come again."""


@dataclass(slots=True)
class _ReceivedSize:
    """What is being posted, as far as it has come. Only the loop that answers requests counts it."""

    byte_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRoutes:
    """Where providers post to.

    Attributes:
        providers: by the last part of the path.
        report_receiver: takes what they report.
        documents: fetches documents of theirs.
        notify: is told, in a sentence, what came, and once what is wrong with what somebody posts.
    """

    providers: Mapping[str, Provider]
    report_receiver: ReportReceiver
    documents: DocumentCache
    notify: Callable[[str], None]
    _notified: set[str] = field(default_factory=set, init=False)
    _received: _ReceivedSize = field(default_factory=_ReceivedSize, init=False)

    async def receive_post(self, name: str, request: Request) -> Response:
        """Take what is posted: 200 when it is kept, and also where it is about nothing of ours."""
        provider = self.providers.get(name)
        if provider is None:
            return Response(status_code=404)
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                self._received.byte_count += len(chunk)
                if len(body) > MAX_POST_BYTES:
                    return Response(status_code=413, headers={"connection": "close"})
                if self._received.byte_count > MAX_TOTAL_BYTES:
                    return Response(
                        status_code=503, headers={"retry-after": _RETRY_AFTER, "connection": "close"}
                    )
        finally:
            self._received.byte_count -= len(body)
        headers = tuple((key.lower(), value) for key, value in request.headers.items())
        posted_request = PostedRequest(headers=headers, body=bytes(body))
        return await to_thread.run_sync(self._record_reports, name, provider, posted_request)

    def _record_reports(self, name: str, provider: Provider, posted_request: PostedRequest) -> Response:
        try:
            reports = provider.read_reports(posted_request, self.report_receiver.clock(), self.documents.get)
        except TransientReportError as error:
            # Amazon takes most other answers for the last word, and the report would be lost.
            self._notify_once(
                f"A request to /bounces/{name} could not be checked; the sender is asked to repeat it: {error}."
            )
            return Response(status_code=503, headers={"retry-after": _RETRY_AFTER})
        except ReportError as error:
            self._notify_once(f"A request to /bounces/{name} was rejected: {error}.")
            return Response(status_code=403)
        for report in reports:
            event = self.report_receiver.receive(report, name)
            if isinstance(event, CountedReport):
                self.notify(event.text)
        return Response(status_code=200)

    def _notify_once(self, text: str) -> None:
        """Whoever posts nonsense all day is told of once."""
        if text not in self._notified and len(self._notified) < _MAX_NOTIFIED:
            self._notified.add(text)
            self.notify(text)
