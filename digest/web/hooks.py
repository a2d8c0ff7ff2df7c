"""Webhooks to which mail providers post bounces and complaints.

Requests of anybody else change nothing and reveal nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from anyio import to_thread
from fastapi import Request, Response

from digest.errors import ReportError, TransientReportError
from digest.jobs.delivery.bounces.bounce_events import CountedReport
from digest.jobs.delivery.bounces.receiver import ReportReceiver
from digest.ports import PostedRequest, Provider
from digest.web.documents import DocumentCache

MAX_POST_BYTES = 1024 * 1024
"""Maximum size of a posted report, in bytes.

A message of SNS has up to 256 KiB, and twice that if its quotation marks are escaped again. Postmark's
``Content`` is the whole bounce with our mail in it, whose HTML of up to 90 kB and text grow in the same way.
The same number is in the nginx configuration in the documentation.
"""
MAX_TOTAL_BYTES = 16 * MAX_POST_BYTES
"""Maximum size of all reports that are being received together, in bytes.

Anybody can post to the address of a provider, so a limit for each request is not enough.
"""
_MAX_NOTIFIED = 100
_RETRY_AFTER = "60"
"""Retry-After header of a report that cannot be verified now, in seconds."""


@dataclass(slots=True)
class _ReceivedSize:
    """The bytes of all reports that are being received. Only the event loop changes it, so it needs no lock."""

    byte_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRoutes:
    """The handlers of webhooks.

    Attributes:
        providers: the providers, by the last part of the path.
        report_receiver: stores the reports.
        documents: the cache of providers' documents.
        notify: gets a sentence about each counted report, and once about each kind of invalid request.
    """

    providers: Mapping[str, Provider]
    report_receiver: ReportReceiver
    documents: DocumentCache
    notify: Callable[[str], None]
    _notified: set[str] = field(default_factory=set, init=False)
    _received: _ReceivedSize = field(default_factory=_ReceivedSize, init=False)

    async def receive_post(self, name: str, request: Request) -> Response:
        """Receive a report: the status is 200 if it is stored, and also if it is not about our mail."""
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
            # Amazon considers most other statuses final, and the report would be lost.
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
                self.notify(event.anonymous_text)
        return Response(status_code=200)

    def _notify_once(self, text: str) -> None:
        """Report each kind of invalid request only once."""
        if text not in self._notified and len(self._notified) < _MAX_NOTIFIED:
            self._notified.add(text)
            self.notify(text)
