"""Export of spans by OTLP over HTTP, as the environment variables of OpenTelemetry say.

https://opentelemetry.io/docs/specs/otel/protocol/exporter/
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from digest import __version__
from digest.jobs.operations.tracing.run_trace import TraceIds, TraceSpan


class _ChosenIds(IdGenerator):
    """Gives the next span the ids that were chosen for it."""

    def __init__(self) -> None:
        self.trace_id = self.span_id = 1

    def generate_trace_id(self) -> int:
        """Return the id of the trace."""
        return self.trace_id

    def generate_span_id(self) -> int:
        """Return the id of the next span."""
        return self.span_id


class TraceExporter:
    """Exports the spans of runs. Used by one thread, except ``shut_down``."""

    def __init__(self) -> None:
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # the caller reports failures, once
        self._ids = _ChosenIds()
        self._ended = InMemorySpanExporter()
        resource = Resource({"service.name": "digest", "service.version": __version__})
        provider = TracerProvider(
            resource=resource.merge(OTELResourceDetector().detect()),
            id_generator=self._ids,
            shutdown_on_exit=False,
        )
        provider.add_span_processor(SimpleSpanProcessor(self._ended))
        self._tracer = provider.get_tracer("digest", __version__)
        self._exporter = OTLPSpanExporter()

    def export(self, traces: Sequence[tuple[TraceIds, Sequence[TraceSpan]]]) -> bool:
        """Export traces; return whether the receiver has them. Takes at most ``OTEL_EXPORTER_OTLP_TIMEOUT``."""
        self._ended.clear()
        for ids, spans in traces:
            flags = TraceFlags.get_default()
            for span in spans:  # the root first: whether it is sampled holds for all
                flags = self._record(ids, span, flags)
        spans_to_export = self._ended.get_finished_spans()
        # A sampler of the environment may have chosen none.
        return not spans_to_export or self._exporter.export(spans_to_export) is SpanExportResult.SUCCESS

    def _record(self, ids: TraceIds, span: TraceSpan, flags: TraceFlags) -> TraceFlags:
        """Record a span, and return whether it is sampled."""
        self._ids.trace_id, self._ids.span_id = ids.trace_id, ids.get_span_id(span.path)
        context = None
        if span.parent:
            parent = SpanContext(
                ids.trace_id, ids.get_span_id(span.parent), is_remote=False, trace_flags=flags
            )
            context = set_span_in_context(NonRecordingSpan(parent))
        recorded = self._tracer.start_span(
            span.name, context, attributes=dict(span.attributes), start_time=_to_nanoseconds(span.began_at)
        )
        for name, at in span.events.items():
            recorded.add_event(name, timestamp=_to_nanoseconds(at))
        recorded.end(_to_nanoseconds(span.ended_at))
        return recorded.get_span_context().trace_flags

    def shut_down(self) -> None:
        """End an export that is being repeated."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]  # it has no annotations


def _to_nanoseconds(instant: datetime) -> int:
    return round(instant.timestamp() * 1_000_000) * 1_000
