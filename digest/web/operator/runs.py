"""Runs: the last ones, and each with its deliveries; held ones are released or dropped there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from digest.core.publishing.address_parts import join_address
from digest.jobs.operations.decisions import drop_held_run, release_run
from digest.render.languages.english import format_count
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorButton,
    OperatorContent,
    OperatorRow,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import DELIVERIES_PATH, RUNS_PATH
from digest.store.operations.delivery_counts import COUNTED_DELIVERIES, count_of_run
from digest.store.operations.run_summaries import RunSummary, find_run, list_runs
from digest.web.accounts.own_requests import UnknownFormError
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.parts import (
    PAGE_SIZE,
    add_outcome,
    describe_outcome,
    format_utc,
    link_pages,
    read_optional_number,
)

_MAX_RUN = 10**18


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show the last runs."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        with operator.app.store.begin_read() as tx:
            runs = list_runs(tx, PAGE_SIZE + 1, read_optional_number(operator, "before"))
        page_runs, pages = link_pages(operator, RUNS_PATH, runs, [run.id for run in runs])
        rows = tuple(
            OperatorRow(
                title=f"Run {run.id} of {run.period}",
                href=operator.link(f"{RUNS_PATH}/{run.id}"),
                details=_describe_run(run),
                is_problem=run.is_held,
            )
            for run in page_runs
        )
        content = OperatorContent(
            title="Runs",
            section=RUNS_PATH,
            blocks=(OperatorBlock(rows=rows, empty="There are no runs yet."),),
            pages=pages,
        )
        return self.responder.show(operator, content)

    def show_run(self, run: int, request: Request) -> Response:
        """Show a run, with the buttons that decide about it if it is held."""
        return self.responder.respond_read(request, lambda operator: self._show_run(operator, run))

    def _show_run(self, operator: OperatorRequest, number: int) -> Response:
        with operator.app.store.begin_read() as tx:
            run = find_run(tx, number) if number < _MAX_RUN else None
            counts = count_of_run(tx, number) if run else {}
        if run is None:
            raise HTTPException(404)
        summary = OperatorBlock(rows=(OperatorRow(title=run.period, details=_describe_run(run)),))
        blocks = (summary, _make_counts(operator, run, counts))
        content = OperatorContent(
            title=f"Run {run.id}",
            section=RUNS_PATH,
            message=describe_outcome(operator),
            blocks=(*blocks, _make_decision(operator, run, counts)) if run.is_held else blocks,
        )
        return self.responder.show(operator, content)

    async def decide(self, run: int, request: Request) -> Response:
        """Release or drop a run; if it is not held any more, nothing happens."""
        return await self.responder.respond_write(request, lambda operator: self._decide(operator, run))

    def _decide(self, operator: OperatorRequest, run: int) -> Response:
        if run >= _MAX_RUN:
            raise UnknownFormError
        match operator.fields.get("do"):
            case "release":
                changed = release_run(operator.app.store, operator.actor, run, operator.now)
            case "drop":
                changed = drop_held_run(operator.app.store, operator.actor, run, operator.now)
            case _:
                raise UnknownFormError
        return self.responder.redirect(add_outcome(f"{RUNS_PATH}/{run}", is_changed=changed is not None))


def _describe_run(run: RunSummary) -> tuple[str, ...]:
    reason = f"held: {run.held}" if run.is_held else run.held
    numbers = f"{run.state}, due {format_utc(run.fire_at)}, {format_count(run.deliveries, 'delivery', 'deliveries')}"
    return tuple(filter(None, (reason, numbers)))


def _make_counts(operator: OperatorRequest, run: RunSummary, counts: Mapping[str, int]) -> OperatorBlock:
    rows = tuple((state, f"{count:,}") for state, count in sorted(counts.items()))
    href = operator.link(join_address(DELIVERIES_PATH, {"run": str(run.id)}))
    is_limited = sum(counts.values()) >= COUNTED_DELIVERIES
    return OperatorBlock(
        heading="Its deliveries by state",
        lines=(f"Of the first {COUNTED_DELIVERIES:,}.",) if is_limited else (),
        table=OperatorTable(("State", "Deliveries"), rows),
        empty="It has no deliveries.",
        links=(Link(label="List them", href=href),),
    )


def _make_decision(operator: OperatorRequest, run: RunSummary, counts: Mapping[str, int]) -> OperatorBlock:
    action = operator.link(f"{RUNS_PATH}/{run.id}")
    waiting = sum(counts.get(state, 0) for state in ("ready", "held"))
    deliveries = format_count(waiting, "delivery", "deliveries")
    return OperatorBlock(
        heading="Decide",
        lines=(
            f"Releasing sends {deliveries} with the next pass, and the run is not held again. Dropping sends none of them; you can retry them later.",
        ),
        buttons=(
            OperatorButton(f"Release run {run.id}", action, (("do", "release"),), is_primary=True),
            OperatorButton(f"Drop {deliveries}", action, (("do", "drop"),)),
        ),
    )
