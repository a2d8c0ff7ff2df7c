"""The spans of a run, made of its times."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from digest.jobs.operations.tracing.run_trace import TraceIds, make_run_spans
from digest.model import RunState
from digest.store.operations.run_times import DeliveryTimes, RunTimes, ShardTimes

FIRED = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return FIRED + timedelta(seconds=seconds)


TIMES = RunTimes(
    id=12,
    period="2026-06-12T07:30",
    state=RunState.COMPOSED,
    fire_at=FIRED,
    made_at=at(5),
    closed_at=at(60),
    composed_at=at(90),
    shard_count=2,
    shards=(
        ShardTimes(number=0, token=7, claimed_at=at(61), composed_at=at(80)),
        ShardTimes(number=1, token=8, claimed_at=at(62), composed_at=at(90)),
    ),
    deliveries=(
        DeliveryTimes(channel="smtp", state="sent", count=900, first_sent_at=at(85), last_sent_at=at(3_600)),
        DeliveryTimes(channel="smtp", state="refused", count=3, first_sent_at=None, last_sent_at=None),
        DeliveryTimes(channel="slack", state="refused", count=1, first_sent_at=None, last_sent_at=None),
    ),
)


def test_spans_show_waiting_composing_and_delivering() -> None:
    spans = {
        span.path: (span.parent, span.began_at, span.ended_at) for span in make_run_spans(TIMES, at(9e4))
    }

    assert spans == {
        "run": ("", FIRED, at(3_600)),
        "wait": ("run", FIRED, at(60)),
        "compose": ("run", at(60), at(90)),
        "compose/0": ("compose", at(61), at(80)),
        "compose/1": ("compose", at(62), at(90)),
        "deliver/smtp": ("run", at(85), at(3_600)),
    }


def test_the_root_comes_first_and_counts_deliveries_of_all_channels() -> None:
    root = make_run_spans(TIMES, at(9e4))[0]

    assert root.attributes == {
        "digest.run": 12,
        "digest.period": "2026-06-12T07:30",
        "digest.kind": "edition",
        "digest.shards": 2,
        "digest.deliveries.refused": 4,
        "digest.deliveries.sent": 900,
    }


def test_clocks_that_differ_make_no_span_that_ends_before_it_begins() -> None:
    behind = replace(TIMES, closed_at=at(-60), composed_at=at(-90), made_at=at(-70))

    assert all(span.began_at <= span.ended_at for span in make_run_spans(behind, at(9e4)))


def test_a_run_that_is_still_open_is_only_its_root_until_now() -> None:
    still_open = replace(
        TIMES, state=RunState.OPEN, closed_at=None, composed_at=None, shards=(), shard_count=0, deliveries=()
    )
    (root,) = make_run_spans(still_open, at(9e4))

    assert (root.began_at, root.ended_at) == (FIRED, at(9e4))
    assert root.attributes["digest.state"] == "open"


def test_a_run_of_an_earlier_release_has_spans_of_what_is_known() -> None:
    earlier = replace(TIMES, composed_at=None, shards=())

    assert {span.name for span in make_run_spans(earlier, at(9e4))} == {"run", "wait", "deliver"}


def test_ids_are_those_of_the_key_and_the_run_and_no_others() -> None:
    ids = TraceIds(b"key", 12)

    assert ids.trace_id == TraceIds(b"key", 12).trace_id < 1 << 128
    assert ids.get_span_id("run") == TraceIds(b"key", 12).get_span_id("run") < 1 << 64
    assert ids.trace_id not in {TraceIds(b"key", 13).trace_id, TraceIds(b"other", 12).trace_id}
    assert ids.get_span_id("run") != ids.get_span_id("wait")
