"""A receiver of traces by OTLP over HTTP on loopback, which decodes what it gets."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True, slots=True)
class ReceivedSpan:
    """A span, in plain values.

    Attributes:
        parent: the id of its parent, in hexadecimal; "" for a root.
        began_at: seconds since 1970.
        ended_at: seconds since 1970.
    """

    trace: str
    id: str
    parent: str
    name: str
    began_at: float
    ended_at: float
    attributes: dict[str, str | int]
    events: tuple[str, ...]


class TraceReceiver(AbstractContextManager["TraceReceiver"]):
    """An HTTP server that takes spans.

    Attributes:
        bodies: the requests, undecoded.
        spans: the spans of all accepted requests, in order.
        resources: the attributes of the resource of each accepted request.
        status: the status with which it answers.
        gate: cleared to let requests hang.
    """

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.spans: list[ReceivedSpan] = []
        self.resources: list[dict[str, str | int]] = []
        self.status = 200
        self.gate = threading.Event()
        self.gate.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.take(self.path, self.rfile.read(int(self.headers["content-length"])))
                receiver.gate.wait()
                answer = ExportTraceServiceResponse().SerializeToString()
                self.send_response(receiver.status)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        """What OTEL_EXPORTER_OTLP_ENDPOINT is to be."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def take(self, path: str, body: bytes) -> None:
        """Keep a request, and its spans if it is accepted."""
        assert path == "/v1/traces"
        self.bodies.append(body)
        if self.status != 200:
            return
        request = ExportTraceServiceRequest.FromString(body)
        for resource_spans in request.resource_spans:
            self.resources.append(_read_attributes(resource_spans.resource.attributes))
            for scope_spans in resource_spans.scope_spans:
                self.spans += map(_read_span, scope_spans.spans)

    def list_named(self, name: str) -> list[ReceivedSpan]:
        """List the spans with a name."""
        return [span for span in self.spans if span.name == name]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _read_span(span: Span) -> ReceivedSpan:
    return ReceivedSpan(
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        name=span.name,
        began_at=span.start_time_unix_nano / 1e9,
        ended_at=span.end_time_unix_nano / 1e9,
        attributes=_read_attributes(span.attributes),
        events=tuple(event.name for event in span.events),
    )


def _read_attributes(attributes: object) -> dict[str, str | int]:
    return {
        entry.key: getattr(entry.value, entry.value.WhichOneof("value"))
        for entry in attributes  # type: ignore[attr-defined]  # a container of protobuf
    }
