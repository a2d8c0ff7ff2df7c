"""Traces of runs, received by a real receiver of OTLP."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete

from digest.demo.publisher import Publisher
from digest.jobs.operations.tracing import tracer
from digest.jobs.operations.tracing.exporter import TraceExporter
from digest.jobs.operations.tracing.tracer import RunTracer, find_tracing_problem, is_tracing_configured
from digest.store.database.clock import set_note
from digest.store.database.engine import open_store
from digest.store.database.tables.digests import notes
from digest.testing.mail_server import MailServer
from tests.fakes.trace_receiver import TraceReceiver
from tests.support.workspace import Workspace, make_config

THURSDAY = datetime(2026, 5, 7, 5, 31, tzinfo=UTC)
MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@example.org>"
"""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[TraceReceiver]:
    with TraceReceiver() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
        yield receiver


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def workspace(tmp_path: Path, publisher: Publisher, server: MailServer) -> Workspace:
    return make_workspace(tmp_path, publisher, server)


def make_workspace(folder: Path, publisher: Publisher, server: MailServer) -> Workspace:
    workspace = Workspace(folder)
    config = make_config(publisher.url, to='"anna.lee@readers.example", "bob@readers.example", "files:mail"')
    workspace.write(config + MAIL.format(port=server.port))
    return workspace


def run(workspace: Workspace, now: datetime = THURSDAY, status: int = 0) -> str:
    return workspace.run("run", now=now, status=status).output


def count_runs(body: bytes) -> int:
    """Count the runs in a request."""
    return body.count(b"digest.period")


def forget_progress(workspace: Workspace) -> None:
    """Leave the database as a crash between an export and its note does."""
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", THURSDAY)
    with store.begin_write() as tx:
        tx.execute(delete(notes).where(notes.c.name == "traced_runs"))
    store.close()


def test_a_run_is_one_trace_from_its_firing_to_its_last_mail(
    workspace: Workspace, receiver: TraceReceiver, server: MailServer
) -> None:
    run(workspace)

    assert len(server.received) == 2
    names = [(span.name, span.attributes.get("digest.channel")) for span in receiver.spans]
    assert sorted(names, key=str) == [
        ("compose", None),
        ("deliver", "files"),
        ("deliver", "smtp"),
        ("run", None),
        ("shard", None),
        ("wait", None),
    ]
    assert len({span.trace for span in receiver.spans}) == 1
    assert len({span.id for span in receiver.spans}) == 6
    (root,), (compose,), (shard,), (wait,) = map(receiver.list_named, ("run", "compose", "shard", "wait"))
    assert root.parent == ""
    assert shard.parent == compose.id
    assert {span.parent for span in receiver.spans} == {"", root.id, compose.id}
    assert wait.began_at == root.began_at
    assert wait.ended_at == compose.began_at
    assert compose.began_at <= shard.began_at <= shard.ended_at <= compose.ended_at
    assert root.ended_at == max(span.ended_at for span in receiver.spans)
    assert all(span.began_at <= span.ended_at for span in receiver.spans)
    assert root.attributes.items() >= {"digest.run": 1, "digest.kind": "edition", "digest.shards": 1}.items()
    assert root.attributes["digest.deliveries.sent"] == 3
    assert wait.events == ("made",)


def test_a_trace_tells_nothing_of_readers_and_names_its_service(
    workspace: Workspace, receiver: TraceReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(workspace)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "our-digest")
    forget_progress(workspace)
    run(workspace, THURSDAY + timedelta(minutes=1))

    assert [resource["service.name"] for resource in receiver.resources] == ["digest", "our-digest"]
    for body in receiver.bodies:
        assert not [word for word in (b"anna", b"bob", b"readers", b"systems", b"KV cache") if word in body]


def test_each_run_is_exported_once(
    workspace: Workspace, receiver: TraceReceiver, publisher: Publisher
) -> None:
    run(workspace)
    run(workspace, THURSDAY + timedelta(minutes=1))
    assert len(receiver.bodies) == 1

    publisher.day += timedelta(1)
    run(workspace, THURSDAY + timedelta(days=1))
    assert [span.attributes["digest.run"] for span in receiver.list_named("run")] == [1, 2]
    assert len({span.trace for span in receiver.spans}) == 2


def test_a_crash_before_the_note_exports_the_same_spans_again(
    workspace: Workspace, receiver: TraceReceiver
) -> None:
    run(workspace)
    first = list(receiver.spans)
    forget_progress(workspace)
    run(workspace, THURSDAY + timedelta(minutes=1))

    assert receiver.spans == [*first, *first]


def test_two_databases_never_have_the_same_trace(
    tmp_path: Path, publisher: Publisher, server: MailServer, receiver: TraceReceiver
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        run(make_workspace(tmp_path / name, publisher, server))

    assert len({span.trace for span in receiver.spans}) == 2


def test_a_run_is_exported_when_the_last_of_its_mails_has_gone_out(
    workspace: Workspace, receiver: TraceReceiver, server: MailServer
) -> None:
    server.refusals["bob@readers.example"] = "451 4.2.0 later"
    run(workspace, status=1)
    assert receiver.spans == []

    server.refusals.clear()
    later = THURSDAY + timedelta(hours=3)
    run(workspace, later)
    (root,) = receiver.list_named("run")
    assert root.attributes["digest.deliveries.sent"] == 3
    assert root.ended_at >= later.timestamp()


def test_a_run_that_never_ends_is_exported_after_a_week(
    workspace: Workspace, receiver: TraceReceiver, server: MailServer
) -> None:
    server.refusals["bob@readers.example"] = "451 4.2.0 later"
    run(workspace, status=1)
    server.refusals.clear()
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", THURSDAY)
    with store.begin_write() as tx:
        tx.exec_driver_sql("UPDATE deliveries SET state = 'held' WHERE state = 'ready'")
    store.close()
    run(workspace, THURSDAY + timedelta(days=6))
    assert 1 not in [span.attributes["digest.run"] for span in receiver.list_named("run")]

    run(workspace, THURSDAY + timedelta(days=7, hours=1))
    (root,) = [span for span in receiver.list_named("run") if span.attributes["digest.run"] == 1]
    assert root.attributes.items() >= {"digest.state": "composed", "digest.deliveries.held": 1}.items()


@pytest.mark.parametrize("status", [400, 503])
def test_a_receiver_in_trouble_costs_no_mail_and_gets_the_trace_later(
    status: int, workspace: Workspace, receiver: TraceReceiver, server: MailServer
) -> None:
    receiver.status = status
    run(workspace)
    assert len(server.received) == 2
    assert len(receiver.bodies) >= 1

    receiver.status = 200
    run(workspace, THURSDAY + timedelta(minutes=5))
    assert len(receiver.list_named("run")) == 1


def test_what_no_receiver_took_for_eight_days_is_dropped(
    workspace: Workspace, receiver: TraceReceiver
) -> None:
    receiver.status = 400
    run(workspace)
    run(workspace, THURSDAY + timedelta(days=7))

    receiver.status = 200
    run(workspace, THURSDAY + timedelta(days=8, minutes=5))
    assert [span.attributes["digest.run"] for span in receiver.list_named("run")] == [2, 3]


def test_while_a_receiver_is_in_trouble_one_run_finds_out(
    workspace: Workspace, receiver: TraceReceiver
) -> None:
    receiver.status = 400
    for days in (0, 1, 4):
        run(workspace, THURSDAY + timedelta(days=days))
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", THURSDAY)
    clock = iter(THURSDAY + timedelta(days=5, minutes=minute) for minute in range(5))
    run_tracer = RunTracer(
        store=store, exporter=TraceExporter(), load_key=lambda: b"key", clock=lambda: next(clock)
    )
    receiver.bodies.clear()
    run_tracer.trace_runs()
    run_tracer.trace_runs()
    assert [count_runs(body) for body in receiver.bodies] == [3, 1]

    receiver.status = 200
    run_tracer.trace_runs()
    run_tracer.trace_runs()
    store.close()
    assert sorted(span.attributes["digest.run"] for span in receiver.list_named("run")) == [1, 2, 3]


def test_a_look_that_a_wrong_clock_put_off_for_a_year_is_taken_at_once(
    workspace: Workspace, receiver: TraceReceiver
) -> None:
    receiver.status = 400
    run(workspace)
    store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", THURSDAY)
    with store.begin_write() as tx:
        set_note(tx, "traced_runs", json.dumps([1, {"1": (THURSDAY + timedelta(days=365)).isoformat()}]))
    store.close()

    receiver.status = 200
    run(workspace, THURSDAY + timedelta(minutes=5))
    assert len(receiver.list_named("run")) == 1


def test_a_receiver_that_does_not_answer_does_not_keep_a_command_from_ending(
    workspace: Workspace, receiver: TraceReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracer, "_CLOSE_SECONDS", 0.2)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "600")
    receiver.gate.clear()
    run(workspace)  # the test ends only if it does


def test_trouble_with_the_receiver_is_told_once(
    workspace: Workspace, receiver: TraceReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.status = 400
    run(workspace)

    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warned] == [
        "Traces cannot be exported: the endpoint of OpenTelemetry does not take them. It is tried again each minute."
    ]


def test_an_environment_with_which_opentelemetry_cannot_start_costs_no_mail(
    workspace: Workspace,
    receiver: TraceReceiver,
    server: MailServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("OTEL_SPAN_EVENT_COUNT_LIMIT", "many")

    run(workspace)

    assert len(server.received) == 2
    assert receiver.bodies == []
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "OTEL_SPAN_EVENT_COUNT_LIMIT" in record.getMessage()


def test_a_sampler_of_the_environment_holds(
    workspace: Workspace, receiver: TraceReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    run(workspace)
    monkeypatch.delenv("OTEL_TRACES_SAMPLER")
    run(workspace, THURSDAY + timedelta(minutes=1))

    assert receiver.bodies == []


def test_a_rehearsal_is_not_traced(workspace: Workspace, receiver: TraceReceiver) -> None:
    workspace.run("run", "--dry-run", now=THURSDAY)

    assert receiver.bodies == []


ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, False),
        (ENDPOINT, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        (ENDPOINT | {"OTEL_SDK_DISABLED": "true"}, False),
        (ENDPOINT | {"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_SERVICE_NAME": "digest"}, False),
    ],
)
def test_traces_are_exported_only_if_the_environment_says_where_to(
    environ: dict[str, str], *, expected: bool
) -> None:
    assert is_tracing_configured(environ) is expected
    assert find_tracing_problem(environ) == ""


def test_a_protocol_that_is_not_supported_is_a_warning(
    workspace: Workspace, receiver: TraceReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")

    assert "by http/protobuf only, but OTEL_EXPORTER_OTLP_PROTOCOL is grpc" in run(workspace)
    assert receiver.bodies == []
