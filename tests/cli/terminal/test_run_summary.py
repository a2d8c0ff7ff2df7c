"""What a cycle came to is told in a bounded number of lines and entries, however many mails it sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from digest.cli.logs.text_reporter import TextReporter
from digest.cli.terminal.run_summary import MAX_LINES, MAX_LISTED, LineLimiter, RunSummary
from digest.jobs.delivery.bounces.bounce_events import CountedReport, ReportAction
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.http.fetch_errors import MAYBE_OFFLINE
from digest.model import BounceClass, Delivery, Receipt, Refused, Sent
from digest.store.delivery.reports import StoredReport

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
    serve_reporter = TextReporter(quiet=False)
    for _ in range(2):
        for number in range(MAX_LINES + 1_234):
            serve_reporter(delivered(number, Sent()))
        serve_reporter.finish_pass()
    serve_reporter.finish_pass()

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * (MAX_LINES + 1)
    assert lines[MAX_LINES] == lines[-1] == "1,234 more: sent."
    assert serve_reporter.counts["delivered"] == 2 * (MAX_LINES + 1_234)


def test_a_service_with_sign_ups_names_deliveries_and_no_addresses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    serve_reporter = TextReporter(quiet=False)
    serve_reporter.shows_addresses = False
    report = StoredReport(
        id=1,
        delivery=0,
        mailbox="8@example.org",
        kind="bounce",
        finding=BounceClass.GONE,
        status="5.1.1",
        answer="550 <8@Example.org> unknown",
        road="mailbox",
        at=NOW,
        forgiven=False,
    )
    serve_reporter(delivered(7, Refused(answer="550 <7@EXAMPLE.org> unknown")))
    for number in (0, 8):
        counted = replace(report, delivery=number)
        serve_reporter(CountedReport(report=counted, digest="systems", action=ReportAction.SUPPRESSED))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "systems, 2026-06-12T07:30 → delivery 7: refused (550 <delivery 7> unknown)"
    assert [line.partition(":")[0] for line in lines[1:]] == ["an address", "delivery 8"]
    assert not any("example" in line.lower() for line in lines)


def test_a_service_without_sign_ups_names_the_addresses_of_its_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    TextReporter(quiet=False)(delivered(7, Sent()))

    assert "7@example.org" in capsys.readouterr().out


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
