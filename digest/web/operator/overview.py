"""The overview: what needs the operator, and what is under way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.jobs.operations.overview import Overview, load_overview
from digest.render.languages.english import format_count
from digest.render.publishing.operator_pages.content import OperatorBlock, OperatorContent, OperatorRow
from digest.render.publishing.operator_pages.operator_page import (
    BOUNCES_PATH,
    DELIVERIES_PATH,
    NOTICES_PATH,
    RUNS_PATH,
    SOURCES_PATH,
)
from digest.render.publishing.public_pages.links import OPERATOR_PATH
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.parts import format_age, format_utc


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show what needs attention."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        overview = load_overview(operator.app.store, operator.now)
        problems = OperatorBlock(
            heading="Needs attention",
            rows=tuple(_iter_problems(operator, overview)),
            empty="Nothing needs attention.",
        )
        state = OperatorBlock(heading="Under way", rows=tuple(_iter_state(operator, overview)))
        workers = OperatorBlock(heading="Workers", rows=tuple(_iter_workers(overview)))
        blocks = (problems, state, workers) if overview.workers else (problems, state)
        content = OperatorContent(title="Overview", section=OPERATOR_PATH, blocks=blocks)
        return self.responder.show(operator, content)


def _iter_problems(operator: OperatorRequest, overview: Overview) -> Iterator[OperatorRow]:
    if overview.restored_from is not None:
        detail = f"from a backup of {format_utc(overview.restored_from)}; `digest check --restored` shows what would be sent again"
        yield _make_problem("The database was restored, and nothing is sent", detail)
    for run in overview.held_runs:
        href = operator.link(f"{RUNS_PATH}/{run.id}")
        yield _make_problem(f"Run {run.id} of {run.period} is held", run.reason, href)
    for server, failure in overview.servers.items():
        detail = f"{failure.reason}; next attempt {format_utc(failure.until)}"
        yield _make_problem(f"{server} is in trouble", detail)
    for domain, slowdown in overview.domains.items():
        until = f"nothing is sent until {format_utc(slowdown.until)}, then " if slowdown.is_paused else ""
        detail = f"{until}sending {slowdown.factor:g} times slower for now"
        yield _make_problem(f"{domain} accepts less", detail)
    for trouble in overview.worker_troubles:
        yield _make_problem("A worker needs attention", trouble.text)
    if overview.all_fail:
        detail = "Editions wait for three hours, or until one source answers."
        yield _make_problem("All sources fail", detail, operator.link(SOURCES_PATH))
    if overview.missing_days:
        title = f"{format_count(overview.missing_days, 'announcement day')} incomplete"
        yield _make_problem(title, "papers may be missing", operator.link(SOURCES_PATH))
    if overview.undelivered_notices:
        title = f"{format_count(len(overview.undelivered_notices), 'notice')} not delivered"
        since = format_utc(overview.undelivered_notices[0].noted_at)
        yield _make_problem(title, f"to all of [operator] notify since {since}", operator.link(NOTICES_PATH))
    for report in overview.our_refusals:
        href = operator.link(BOUNCES_PATH)
        yield _make_problem(f"Refused for a reason on our side: {report.mailbox}", report.answer, href)


def _iter_workers(overview: Overview) -> Iterator[OperatorRow]:
    for worker, age in overview.workers:
        queues = f"serves {', '.join(worker.queues)}" if worker.queues else ""
        yield OperatorRow(
            title=f"{worker.command or 'digest'} on {worker.host}",
            details=tuple(
                filter(
                    None,
                    [
                        f"{worker.activity or 'waiting'}; last heard of {max(age, 0.0):.0f} s ago",
                        queues,
                        f"release {worker.release}, since {format_utc(worker.started_at)}",
                    ],
                )
            ),
        )


def _make_problem(title: str, detail: str, href: str = "") -> OperatorRow:
    return OperatorRow(title=title, href=href, details=(detail,), is_problem=True)


def _iter_state(operator: OperatorRequest, overview: Overview) -> Iterator[OperatorRow]:
    ready = operator.link(join_address(DELIVERIES_PATH, {"state": "ready"}))
    oldest = (
        f"the oldest one for {format_age(operator.now - overview.oldest_due)}" if overview.oldest_due else ""
    )
    yield OperatorRow(
        title=f"{format_count(overview.due, 'delivery', 'deliveries')} due",
        href=ready,
        details=tuple(filter(None, [oldest])),
    )
    cycle = overview.last_cycle
    title = f"Last cycle ended {format_utc(cycle.ended_at)}" if cycle else "No cycle has ended yet"
    duration = f"it took {format_age(cycle.ended_at - cycle.began_at)}" if cycle else ""
    yield OperatorRow(title=title, details=tuple(filter(None, [duration])))
