"""Bounces and complaints, and the addresses that get nothing because of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from fastapi import Request, Response

from digest.jobs.subscribers.subscriptions import SuppressionFilter, lift_suppressions
from digest.model import BounceClass
from digest.render.languages.english import BOUNCE_MEANINGS
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorButton,
    OperatorContent,
    OperatorRow,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import (
    BOUNCES_PATH,
    DESTINATIONS_PATH,
    SUPPRESSIONS_PATH,
)
from digest.store.delivery import reports, suppressions
from digest.store.delivery.reports import StoredReport
from digest.store.delivery.suppressions import Suppression
from digest.store.operations.readers import find_destinations
from digest.web.accounts.own_requests import UnknownFormError, read_number
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.parts import (
    PAGE_SIZE,
    add_outcome,
    describe_outcome,
    format_utc,
    link_pages,
    read_optional_number,
)

_RECENT = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show the last bounces and complaints, and how many there were in a week."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        with operator.app.store.begin_read() as tx:
            entries = reports.list_newest(tx, PAGE_SIZE + 1, read_optional_number(operator, "before"))
            counts = reports.count_by_finding(tx, operator.now - _RECENT)
            destinations = find_destinations(tx, {report.mailbox for report in entries})
        page_entries, pages = link_pages(operator, BOUNCES_PATH, entries, [report.id for report in entries])
        table_rows = tuple(
            (BOUNCE_MEANINGS[BounceClass(finding)], f"{count:,}") for finding, count in counts.items()
        )
        rows = tuple(make_report_row(operator, report, destinations) for report in page_entries)
        content = OperatorContent(
            title="Bounces and complaints",
            section=BOUNCES_PATH,
            blocks=(
                OperatorBlock(
                    heading="In the last seven days",
                    table=OperatorTable(("What happened", "Reports"), table_rows),
                    empty="None.",
                ),
                OperatorBlock(heading="Latest", rows=rows, empty="There are no bounces."),
            ),
            pages=pages,
        )
        return self.responder.show(operator, content)

    def show_suppressions(self, request: Request) -> Response:
        """Show the suppressed addresses."""
        return self.responder.respond_read(request, self._show_suppressions)

    def _show_suppressions(self, operator: OperatorRequest) -> Response:
        before = read_optional_number(operator, "before")
        with operator.app.store.begin_read() as tx:
            entries = suppressions.list_newest(tx, PAGE_SIZE + 1, before)
            counts = suppressions.count_by_state(tx)
            destinations = find_destinations(tx, {suppression.mailbox for suppression in entries})
        numbers = [suppression.report for suppression in entries]
        page_entries, pages = link_pages(operator, SUPPRESSIONS_PATH, entries, numbers)
        rows = tuple(
            _make_suppression_row(operator, suppression, destinations) for suppression in page_entries
        )
        amounts = (("suppressed", "until somebody resumes them"), ("resting", "suspended for some days"))
        lines = (
            "These addresses get nothing, because mail bounced or because of the provider. Lifting a suppression forgives the bounces; readers who unsubscribed or complained stay unsubscribed.",
        )
        content = OperatorContent(
            title="Suppressed addresses",
            section=SUPPRESSIONS_PATH,
            message=describe_outcome(operator),
            blocks=(
                OperatorBlock(
                    lines=lines,
                    table=OperatorTable(
                        ("State", "Addresses"),
                        tuple((text, f"{counts[state]:,}") for state, text in amounts if state in counts),
                    ),
                ),
                OperatorBlock(rows=rows, empty="No address is suppressed."),
            ),
            pages=pages,
        )
        return self.responder.show(operator, content)

    async def lift(self, request: Request) -> Response:
        """Lift the suppression that a report caused; if there is none any more, nothing happens."""
        return await self.responder.respond_write(request, self._lift)

    def _lift(self, operator: OperatorRequest) -> Response:
        if operator.fields.get("do") != "lift":
            raise UnknownFormError
        is_lifted = lift_suppression(operator, read_number(operator.fields, "report"))
        return self.responder.redirect(add_outcome(SUPPRESSIONS_PATH, is_changed=is_lifted))


def lift_suppression(operator: OperatorRequest, report: int) -> bool:
    """Lift the suppression that a report caused; return whether there was one."""
    with operator.app.store.begin_read() as tx:
        suppression = suppressions.find_suppression(tx, report)
    if suppression is None:
        return False
    lifted = lift_suppressions(
        operator.app.store, operator.actor, SuppressionFilter(), [suppression], operator.now
    )
    return bool(lifted)


def describe_suppression(suppression: Suppression) -> str:
    """Say since when and why an address gets nothing."""
    until = f", until {format_utc(suppression.until)}" if suppression.until else ""
    return f"suppressed since {format_utc(suppression.since)}{until}: {suppression.answer}".rstrip(": ")


def make_report_row(
    operator: OperatorRequest, report: StoredReport, destinations: Mapping[str, int]
) -> OperatorRow:
    """Make the row of a report.

    Args:
        operator: the request.
        report: the report.
        destinations: the number of some destination of each address.
    """
    forgiven = ", forgiven since" if report.forgiven else ""
    about = f", delivery {report.delivery}" if report.delivery else ""
    return OperatorRow(
        title=report.mailbox,
        href=_link_destination(operator, destinations.get(report.mailbox)),
        details=tuple(
            filter(
                None,
                (
                    BOUNCE_MEANINGS[report.finding],
                    report.answer,
                    f"{format_utc(report.at)}, reported by {report.road}{about}{forgiven}",
                ),
            )
        ),
        is_problem=not report.forgiven,
    )


def _make_suppression_row(
    operator: OperatorRequest, suppression: Suppression, destinations: Mapping[str, int]
) -> OperatorRow:
    fields = (("do", "lift"), ("report", str(suppression.report)))
    spoken = f"Lift the suppression of {suppression.mailbox}"
    return OperatorRow(
        title=suppression.mailbox,
        href=_link_destination(operator, destinations.get(suppression.mailbox)),
        details=(describe_suppression(suppression),),
        buttons=(OperatorButton("Lift", operator.link(SUPPRESSIONS_PATH), fields, spoken),),
    )


def _link_destination(operator: OperatorRequest, destination: int | None) -> str:
    return "" if destination is None else operator.link(f"{DESTINATIONS_PATH}/{destination}")
