"""The trace of a run: spans that show how long it waited, was composed and delivered.

``run{wait, compose{shard …}, deliver …}``
All ids come from the key of the database and the number of the run. So whoever exports a run twice exports the same spans.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from digest.model import ALERT_PREFIX
from digest.store.operations.run_times import DeliveryTimes, RunTimes

ROOT = "run"
"""Path of the span of the whole run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpan:
    """A span.

    Attributes:
        path: its place in the trace, from which its id comes.
        name: its name, which is the same in all traces.
        parent: the path of its parent; "" for the root.
        began_at: its begin, UTC.
        ended_at: its end, UTC, not before its begin.
        attributes: what it says; nothing of a reader.
        events: instants with their names.
    """

    path: str
    name: str
    parent: str = ROOT
    began_at: datetime
    ended_at: datetime
    attributes: Mapping[str, str | int] = field(default_factory=dict)
    events: Mapping[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TraceIds:
    """Maker of the ids of a run's trace.

    Args:
        key: a secret key of the database, so that no other database makes the same ids.
        run: the number of the run.
    """

    key: bytes
    run: int

    @property
    def trace_id(self) -> int:
        """The id of the trace: 16 bytes (W3C Trace Context, section 3.2.2.3)."""
        return self._derive("", 16)

    def get_span_id(self, path: str) -> int:
        """Return the id of a span: 8 bytes."""
        return self._derive(path, 8)

    def _derive(self, path: str, size: int) -> int:
        text = f"trace of run {self.run}/{path}"
        return int.from_bytes(hmac.digest(self.key, text.encode(), hashlib.sha256)[:size]) or 1  # 0 is no id


def make_run_spans(times: RunTimes, now: datetime) -> Sequence[TraceSpan]:
    """Make the spans of a run, the root first.

    Args:
        times: its times.
        now: the present time, at which the spans of a run end that is not finished.
    """
    if times.closed_at is None:
        children: list[TraceSpan] = []
    else:
        children = [
            _make_span("wait", times.fire_at, times.closed_at, events={"made": times.made_at}),
            *_iter_composing(times, times.closed_at),
            *_iter_delivering(times),
        ]
    ended_at = max((child.ended_at for child in children), default=now)
    counts: dict[str, int] = {}
    for delivery in times.deliveries:
        counts[delivery.state] = counts.get(delivery.state, 0) + delivery.count
    attributes: dict[str, str | int] = {
        "digest.run": times.id,
        "digest.period": times.period,
        "digest.kind": "alert" if times.period.startswith(ALERT_PREFIX) else "edition",
        "digest.shards": times.shard_count,
        **{f"digest.deliveries.{state}": count for state, count in sorted(counts.items())},
    }
    if not times.is_finished:
        attributes["digest.state"] = times.state.value
        ended_at = max(ended_at, now)
    root = TraceSpan(
        path=ROOT,
        name="run",
        parent="",
        began_at=times.fire_at,
        ended_at=max(times.fire_at, ended_at),
        attributes=attributes,
    )
    return [root, *children]


def _iter_composing(times: RunTimes, closed_at: datetime) -> Iterator[TraceSpan]:
    ended_at = times.composed_at or max((shard.composed_at for shard in times.shards), default=None)
    if ended_at is None:
        return
    yield _make_span("compose", closed_at, ended_at)
    for shard in times.shards:
        yield _make_span(
            "shard",
            shard.claimed_at,
            shard.composed_at,
            path=f"compose/{shard.number}",
            parent="compose",
            attributes={"digest.shard": shard.number, "digest.worker": str(shard.token)},
        )


def _iter_delivering(times: RunTimes) -> Iterator[TraceSpan]:
    """Yield a span for each channel, from the first mail to the last one."""
    by_channel: dict[str, list[DeliveryTimes]] = {}
    for delivery in times.deliveries:
        by_channel.setdefault(delivery.channel, []).append(delivery)
    for channel, entries in sorted(by_channel.items()):
        first = min((entry.first_sent_at for entry in entries if entry.first_sent_at), default=None)
        last = max((entry.last_sent_at for entry in entries if entry.last_sent_at), default=None)
        if first is not None and last is not None:
            counts = {f"digest.deliveries.{entry.state}": entry.count for entry in entries}
            yield _make_span(
                "deliver",
                first,
                last,
                path=f"deliver/{channel}",
                attributes={"digest.channel": channel, **counts},
            )


def _make_span(
    name: str,
    began_at: datetime,
    ended_at: datetime,
    *,
    path: str = "",
    parent: str = ROOT,
    attributes: Mapping[str, str | int] | None = None,
    events: Mapping[str, datetime] | None = None,
) -> TraceSpan:
    return TraceSpan(
        path=path or name,
        name=name,
        parent=parent,
        began_at=began_at,
        ended_at=max(began_at, ended_at),  # the clocks of two machines may differ
        attributes=attributes or {},
        events=events or {},
    )
