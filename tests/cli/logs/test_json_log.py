"""The log of a service as JSON: what is in it, and that no address is."""

from __future__ import annotations

import base64
import json
import logging
import re
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from digest import __version__
from digest.app import open_app
from digest.cli.logs.json_reporter import JsonReporter
from digest.cli.logs.reporters import make_reporter
from digest.core.delivery.throttling.pauses import ServerFailure
from digest.demo.publisher import Publisher
from digest.errors import StoreError
from digest.event_log import (
    EVENT_FIELDS,
    LogEvent,
    log_crash,
    log_crashes,
    log_event,
    name_worker,
    write_json_log,
)
from digest.jobs.cycle import RunsPostponed, run_cycle
from digest.jobs.delivery.bounces.bounce_events import MailboxRead
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.editions.compose import WaitingRun
from digest.jobs.enrich import EnrichmentResult
from digest.jobs.fetching.pull import PullProgress
from digest.model import Deferred, Fault, Receipt, Refused, Run, RunState, Sent, SubjectKind, Unknown
from digest.redaction import forget_secrets, register_secrets
from digest.store.editions.held_runs import HeldRun
from digest.testing.mail_server import MailServer
from tests.cli.terminal.test_run_summary import delivered
from tests.support.workspace import Workspace, make_config

THURSDAY = datetime(2026, 5, 7, 5, 31, tzinfo=UTC)
COMMON = ("time", "level", "event", "message")


class Log:
    """What was written to a log, in order."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.text = ""

    def read(self) -> list[dict[str, Any]]:
        output, errors = self._capsys.readouterr()
        assert errors == ""
        self.text += output
        return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[Log]:
    with write_json_log(logging.DEBUG):
        yield Log(capsys)


MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "Lab digest <digest@lab.example>"

[delivery]
most_bounces = 0
"""

# --- no addresses ---------------------------------------------------------------------------------

LOCAL_PARTS = (
    *(
        "{}",
        "{}.{}",
        "{}+kv",
        "o'{}",
        "{}/{}",
        "{}!{}",
        "{{{}}}",
        "{}=40{}",
        "{}%40{}",
        "{}_{}",
        "#{}",
        "{}?{}",
    ),
    *("${}", "{}&{}", "*{}", "-{}-", "{}|{}", "`{}`", "^{}", "~{}"),
)
REPLIES = (
    "550 5.1.1 <{address}>: user {local} unknown",
    "550 No mailbox here by the name of {local}",
    "550 5.1.1 {upper} is unknown",
    "550 5.7.1 {quoted}: relaying denied",
    "550 5.1.1 see https://errors.example/?to={quoted}",
    "550 {base64} does not exist",
    "451 4.2.1 {local} gets too much mail; try {address} later",
    "451 4.3.0 <{address}>: temporary lookup failure of {local}",
    "452 4.2.2 the mailbox of {name} ({address}) is full",
    "554 5.6.0 {local} at {domain}",
)


def make_names(number: int) -> tuple[str, str]:
    """Two names that occur nowhere else."""
    return f"quixote{number:03}", f"Dulcinea{number:03}"


def make_addresses() -> dict[str, Sequence[str]]:
    """Make addresses, each with the parts of it that must be nowhere."""
    addresses: dict[str, Sequence[str]] = {}
    for number in range(300):
        names = make_names(number)
        pattern = LOCAL_PARTS[number % len(LOCAL_PARTS)]
        domain = f"mail.reader{number:03}.example"
        addresses[f"{pattern.format(*names)}@{domain}"] = (*(n.lower() for n in names), f"reader{number:03}")
    return addresses


class QuotingServer(MailServer):
    """A mail server that refuses most recipients, and quotes their address in its answers."""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802 - of aiosmtpd
        number = next(n for n in range(300) if f"reader{n:03}" in address.lower())
        if number % 3:
            reply = await super().handle_RCPT(server, session, envelope, address, options)
            assert isinstance(reply, str)
            return reply
        local, _, domain = address.rpartition("@")
        return REPLIES[number // 3 % len(REPLIES)].format(
            address=address,
            local=local,
            domain=domain,
            upper=address.upper(),
            quoted=quote(address),
            base64=base64.b64encode(address.encode()).decode(),
            name=make_names(number)[1],
        )


@contextmanager
def run_service_cycle(workspace: Workspace, now: datetime) -> Iterator[JsonReporter]:
    """Run a cycle as a service does."""
    with open_app(workspace.folder / "digest.toml", now, {}) as app, app.open_steps(command="serve") as steps:
        reporter = make_reporter()
        assert isinstance(reporter, JsonReporter)
        app.apply_config(allows_other_file=True)
        for event in run_cycle(steps, wait=False, wait_for_retry=lambda _: False):
            reporter(event)
        reporter.finish_pass()
        yield reporter


def test_no_line_of_a_cycle_has_any_part_of_an_address(
    tmp_path: Path, publisher: Publisher, log: Log
) -> None:
    addresses = make_addresses()
    with QuotingServer() as server:
        config = make_config(publisher.url, to=", ".join(json.dumps(address) for address in addresses))
        config += MAIL.format(port=server.port)
        workspace = Workspace(tmp_path)
        workspace.write(config)
        with run_service_cycle(workspace, THURSDAY):
            pass
        with run_service_cycle(workspace, THURSDAY + timedelta(hours=2)):
            pass

    lines = log.read()
    results = [line["result"] for line in lines if line["event"] == "delivery"]
    assert {"sent", "refused", "deferred"} <= set(results)
    assert results.count("sent") == len(server.received) > 150
    assert results.count("refused") > 30
    assert {"bounce", "deliveries", "shard_composed", "pull"} <= {line["event"] for line in lines}
    text = log.text.lower()
    assert "@" not in text
    assert [part for parts in addresses.values() for part in parts if part in text] == []
    for address in addresses:
        assert base64.b64encode(address.encode()).decode()[:12] not in log.text


def test_each_line_has_its_common_fields_first_and_only_fields_of_its_event(
    tmp_path: Path, publisher: Publisher, log: Log
) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url))
    with run_service_cycle(workspace, THURSDAY):
        pass

    lines = log.read()
    for line in lines:
        assert tuple(line)[:4] == COMMON
        assert set(line) <= {*COMMON, *EVENT_FIELDS[LogEvent(line["event"])], "worker", "logger"}
        assert line["time"].endswith("Z")
        assert datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0)
        assert line["message"].endswith(".")
    by_event = {line["event"]: line for line in lines}
    assert (
        by_event["shard_composed"].items() >= {"run": 1, "shard": 0, "editions": 1, "deliveries": 1}.items()
    )
    assert by_event["delivery"].items() >= {"run": 1, "edition": 1, "delivery": 1, "result": "sent"}.items()
    assert len({line["worker"] for line in lines if "worker" in line}) == 1
    order = [line["event"] for line in lines]
    steps = ["run_fired", "pull", "run_closed", "shard_composed", "run_composed", "deliveries"]
    assert [order.index(step) for step in steps] == sorted(order.index(step) for step in steps)


@pytest.mark.parametrize(
    "text",
    [
        "the database says: duplicate key: Key (mailbox)=(anna.lee@example.org) already exists",
        'it knows no "anna lee"@example.org',
        'it knows no "anna.lee\\" x"@example.org',
        "it knows no anna.lee=40example.org",
        "see https://example.net/?a=anna.lee%40example.org",
        "it knows no anna.lee&#64;example.org",
        "it knows no anna.lee＠example.org",
    ],
)
def test_addresses_in_messages_of_others_are_masked(text: str, log: Log) -> None:
    make_reporter()(StoreError(text))
    logging.getLogger("somelibrary").warning("%s", text)
    log_crash(ValueError(text))

    assert len(log.read()) == 3
    assert "lee" not in log.text
    assert "example.org" not in log.text


def test_the_documentation_lists_every_event_with_its_fields() -> None:
    page = (Path(__file__).parents[3] / "docs" / "howto" / "logs-and-traces.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| ((?:`[a-z_]+`(?:, )?)*) ?\| .+ \|$", page, re.MULTILINE)

    listed = {event: tuple(re.findall(r"`([a-z_]+)`", fields)) for event, fields in rows}
    assert listed == {event.value: fields for event, fields in EVENT_FIELDS.items()}


# --- lines ----------------------------------------------------------------------------------------


def test_secrets_are_masked_in_texts_and_numbers_stay_numbers(log: Log) -> None:
    register_secrets(["xK9-w2vQ", "20260612"])
    try:
        log_event(LogEvent.RUN_FIRED, "The password is xK9-w2vQ.", run=20260612, period="xK9-w2vQ")
    finally:
        forget_secrets()

    (line,) = log.read()
    assert line["run"] == 20260612
    assert "w2vQ" not in log.text


def test_a_field_that_its_event_does_not_have_is_not_written(log: Log) -> None:
    log_event(LogEvent.RUN_FIRED, "It fired.", run=1, address="anna")

    (line,) = log.read()
    assert set(line) == {*COMMON, "run"}


def test_the_number_of_a_worker_is_text_since_programs_round_such_numbers(log: Log) -> None:
    with name_worker(2**61 + 1):
        log_event(LogEvent.CYCLE, "It ended.")
    log_event(LogEvent.CYCLE, "It ended.")

    first, second = log.read()
    assert first["worker"] == str(2**61 + 1)
    assert "worker" not in second


def test_warnings_of_libraries_are_lines_and_what_else_they_say_is_left_out(log: Log) -> None:
    library = logging.getLogger("httpx")
    library.warning("it is slow")
    library.info("GET https://hooks.example/secret")
    logging.getLogger("digest.jobs.workers").info("no heartbeat: it is down")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("it goes away", DeprecationWarning, stacklevel=1)

    slow, heartbeat, deprecated = log.read()
    assert (
        slow.items()
        >= {"event": "log", "level": "warning", "logger": "httpx", "message": "it is slow"}.items()
    )
    assert heartbeat["logger"] == "digest.jobs.workers"
    assert "it goes away" in deprecated["message"]


def test_an_exception_that_ends_a_thread_or_a_process_is_one_line(log: Log) -> None:
    def fail() -> None:
        raise ValueError("it broke")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    with pytest.raises(SystemExit), log_crashes():
        fail()

    for line in log.read():
        assert line["level"] == "critical"
        assert line["message"] == "ValueError: it broke"
        assert "in fail" in line["traceback"]


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    with write_json_log(logging.INFO):
        log_event(LogEvent.CYCLE, "It ended.", level=logging.DEBUG)
        log_event(LogEvent.RUN_FIRED, "It fired.")

    assert len(capsys.readouterr().out.splitlines()) == 1


def test_without_a_log_as_json_events_write_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    log_event(LogEvent.RUN_FIRED, "It fired.", level=logging.ERROR)

    assert capsys.readouterr() == ("", "")


def write_mails(log_level: int, *receipts: Receipt) -> None:
    with write_json_log(log_level):
        reporter = make_reporter()
        for number, receipt in enumerate(receipts):
            reporter(delivered(number, receipt))
        reporter.finish_pass()
        reporter.finish_pass()


def test_mails_that_arrive_are_only_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write_mails(logging.INFO, *[Sent()] * 3_000, Unknown(answer="it hung up"))

    unknown, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert (unknown["event"], unknown["result"], unknown["level"]) == ("delivery", "unknown", "warning")
    assert summary.items() >= {"event": "deliveries", "sent": 3_000, "unknown": 1, "refused": 0}.items()


def test_a_server_that_refuses_everything_does_not_fill_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    write_mails(logging.INFO, *[Refused(answer="550 5.7.1 no")] * 3_000)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 101
    assert lines[0].items() >= {"status": "550 5.7.1", "fault": "address"}.items()
    assert lines[-1]["refused"] == 3_000


def test_a_log_with_all_lines_has_each_mail(capsys: pytest.CaptureFixture[str]) -> None:
    write_mails(logging.DEBUG, *[Sent()] * 150, *[Refused(answer="550 no")] * 150)

    assert len(capsys.readouterr().out.splitlines()) == 301


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("550 5.1.1 <anna@example.org> unknown", "550 5.1.1"),
        ("550 anna is unknown", "550"),
        ("550 sorry, no anna here. (#5.1.1)", "550 5.1.1"),
        ("HTTP 503 anna", "HTTP 503"),
        ("anna cannot be reached", None),
    ],
)
def test_of_an_answer_only_the_codes_are_written(answer: str, expected: str | None, log: Log) -> None:
    make_reporter()(delivered(1, Deferred(answer=answer, fault=Fault.DOMAIN)))

    (line,) = log.read()
    assert line.get("status") == expected
    assert "anna" not in log.text


@pytest.mark.parametrize(
    ("channel", "reason", "expected"),
    [
        ("smtp", "one: 451 4.3.0 <anna@example.org>: lookup of anna failed", "451 4.3.0"),
        ("smtp", "421 anna is busy", "421"),
        ("smtp", "login failed: 535 5.7.8 anna has a wrong password", "login failed: 535 5.7.8"),
        (
            "smtp",
            "one:587 cannot be reached: connection refused",
            "one:587 cannot be reached: connection refused",
        ),
        ("sendmail", "exit status 75: anna could not be looked up", "it failed"),
        ("webhook", "HTTP 503 anna is busy", "HTTP 503"),
    ],
)
def test_why_a_server_is_paused_is_told_without_the_words_of_its_replies(
    channel: str, reason: str, expected: str, log: Log
) -> None:
    failure = ServerFailure(reason=reason, until=THURSDAY, since=THURSDAY, took_others=False)
    make_reporter()(ServerPaused(channel=channel, server="one", failure=failure, replaced=False))

    (line,) = log.read()
    assert line["message"].startswith(f"one is in trouble: {expected}. Next attempt: 2026-05-07")
    assert line.items() >= {"event": "server_paused", "server": "one", "channel": channel}.items()
    assert "anna" not in log.text


def test_what_a_run_waits_for_is_written_once(log: Log) -> None:
    run = Run(id=7, slot=1, period="p", state=RunState.OPEN, fire_at=THURSDAY, made_at=THURSDAY)
    postponed = RunsPostponed(waiting=(WaitingRun(run=run, batches=(), until=THURSDAY),))
    reporter = make_reporter()
    for event in (postponed, postponed, RunsPostponed(waiting=()), postponed):
        reporter(event)

    lines = log.read()
    assert [line["run"] for line in lines] == [7, 7]
    assert lines[0]["event"] == "run_waiting"


def test_what_can_go_wrong_is_a_warning(log: Log) -> None:
    reporter = make_reporter()
    pulled = PullProgress(source="arxiv", section="cs.LG", route="rss", name="arXiv cs.LG")
    for event in (
        PullProgress(source="arxiv", section="cs.LG", route="rss", name="arXiv cs.LG", error="it is down"),
        EnrichmentResult(name="OpenAlex", kind=SubjectKind.PAPER, requested=9, error="it is down"),
        MailboxRead(error="it is down"),
        HeldRun(
            id=3,
            period="p",
            reason="9 of the last 100 answered mails were refused, the last one with: 550 anna",
        ),
    ):
        reporter(event)
    warned = log.read()
    reporter(pulled)
    (usual,) = log.read()

    assert [line["level"] for line in warned] == ["warning"] * 4
    assert warned[3]["message"].startswith(
        "Run 3 of p is held: 9 of the last 100 answered mails were refused. "
    )
    assert usual["level"] == "info"


def test_a_start_says_which_release_it_is(log: Log) -> None:
    make_reporter().print_line("Running.", LogEvent.STARTED)
    make_reporter().print_line("Somebody signed up.")

    started, site = log.read()
    assert started["release"] == __version__
    assert (site["event"], "release" in site) == ("site", False)


def test_attempts_are_counted_for_the_summary_of_a_service(log: Log) -> None:
    reporter = make_reporter()
    attempt = delivered(1, Sent())
    assert isinstance(attempt, DeliveryAttempt)
    reporter(attempt)
    reporter(StoreError("it is down"))

    assert reporter.counts == {"pulled": 0, "delivered": 1, "failed": 1}
    log.read()
