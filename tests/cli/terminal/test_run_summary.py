"""What a cycle came to is told in a bounded number of lines and entries, however many mails it sent."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from digest.cli.operations.serve import ServeReporter
from digest.cli.terminal.run_summary import MAX_LINES, MAX_LISTED, LineLimiter, RunSummary
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch_errors import MAYBE_OFFLINE
from digest.model import Delivery, Receipt, Refused, Sent

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)


def delivered(number: int, receipt: Receipt) -> DeliveryAttempt:
    return DeliveryAttempt(
        delivery=Delivery(
            id=number,
            edition=number,
            run=1,
            destination=number,
            digest="systems",
            period="2026-06-12T07:30",
            channel="smtp",
            address=f"{number}@example.org",
            domain="example.org",
            form="",
            state="leased",
            due_at=NOW,
            main_query=0,
            paced=False,
            attempts=1,
            unknown=0,
            message_id=f"<{number}@example.org>",
            answer="",
            blame="",
            expires_at=None,
            failed_at=None,
            sent_at=None,
            token=1,
        ),
        receipt=receipt,
    )


def test_of_many_mails_the_first_have_a_line_and_the_others_are_counted() -> None:
    lines = LineLimiter()

    lineses = [lines.list_lines(delivered(number, Sent())) for number in range(1_000)]
    (refused,) = lines.list_lines(delivered(1_000, Refused(answer="550 no such user")))

    assert sum(map(len, lineses)) == MAX_LINES
    assert refused.failed
    assert lines.list_omitted() == [("980 more: sent.", False)]


def test_the_json_document_lists_the_first_deliveries_and_counts_all() -> None:
    mails = [delivered(number, Sent()) for number in range(1_500)]
    account = RunSummary([*mails, delivered(1_500, Refused(answer="550 no such user"))])

    document = account.make_document()

    assert len(document["deliveries"]) == MAX_LISTED + 1
    assert document["receipts"] == {"sent": 1_500, "deferred": 0, "refused": 1, "unknown": 0, "rehearsed": 0}
    assert document["failed"]


def test_a_service_tells_of_each_large_pass_in_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    serve_reporter = ServeReporter(quiet=False)
    for _ in range(2):
        for number in range(MAX_LINES + 1_234):
            serve_reporter(delivered(number, Sent()))
        serve_reporter.finish_pass()
    serve_reporter.finish_pass()

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * (MAX_LINES + 1)
    assert lines[MAX_LINES] == lines[-1] == "1,234 more: sent."
    assert serve_reporter.counts["delivered"] == 2 * (MAX_LINES + 1_234)


def unresolved(host: str) -> PullProgress:
    error = f"the name of its host, {host}, cannot be resolved{MAYBE_OFFLINE}"
    return PullProgress(
        source=host, section="feed", route="feed", name=host, error=error, is_unreachable=True
    )


def test_where_no_name_can_be_resolved_one_line_says_so_whatever_is_asked_later() -> None:
    lines = LineLimiter()

    assert lines.list_lines(unresolved("one.example")) == []
    assert lines.list_lines(unresolved("two.example")) == []
    line, delivery = lines.list_lines(delivered(1, Sent()))
    assert line == (
        "Nothing was fetched: none of 2 host names can be resolved; is this machine offline?",
        True,
    )
    assert not delivery.failed
    assert lines.list_lines(unresolved("three.example")) == []
    assert lines.list_omitted() == []


def test_where_another_host_answers_each_name_that_cannot_be_resolved_has_its_line() -> None:
    lines = LineLimiter()
    answered = PullProgress(source="here", section="feed", route="feed", name="here.example", received=1)

    for host in ("one.example", "two.example"):
        assert lines.list_lines(unresolved(host)) == []
    first, second, third = lines.list_lines(answered)
    assert ("one.example" in first.text, "two.example" in second.text) == (True, True)
    assert (first.failed, second.failed, third.failed) == (True, True, False)
    assert lines.list_lines(unresolved("one.example")) == []


def test_a_single_name_that_cannot_be_resolved_is_told_at_the_end_at_the_latest() -> None:
    lines = LineLimiter()
    assert lines.list_lines(unresolved("one.example")) == []
    (line,) = lines.list_omitted()
    assert "one.example" in line.text
