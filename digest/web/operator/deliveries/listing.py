"""Deliveries: by state and domain, and those that a filter selects. An address is searched for by a form that posts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.jobs.subscribers.decisions.readers import find_destination
from digest.model import Delivery
from digest.render.languages.operator_texts import describe_delivery
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorContent,
    OperatorField,
    OperatorForm,
    OperatorRow,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import DELIVERIES_PATH
from digest.store.delivery.decisions import list_deliveries
from digest.store.delivery.outbox import count_last_by_state
from digest.store.delivery.reports import StoredReport, load_last_by_delivery
from digest.store.operations.delivery_counts import (
    COUNTED_DELIVERIES,
    DomainCounts,
    count_by_domain,
    find_last_delivery,
)
from digest.web.accounts.own_requests import UnknownFormError, read_number
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.deliveries.filters import PageFilter, read_filter
from digest.web.operator.parts import PAGE_SIZE, format_utc, make_page_links

_MAX_DOMAINS = 30
_PROBLEM_STATES = frozenset({"refused", "unknown", "expired", "held"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show the deliveries of a filter; without one, also how many there are."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        page_filter = read_filter(operator)
        with operator.app.store.begin_read() as tx:
            last = find_last_delivery(tx)
            numbers = page_filter.list_numbers(last)
            deliveries = list_deliveries(tx, page_filter.to_delivery_filter(last), PAGE_SIZE + 1)
            reports = load_last_by_delivery(tx, [delivery.id for delivery in deliveries])
            is_start = page_filter.is_empty and page_filter.before is None
            states = count_last_by_state(tx, COUNTED_DELIVERIES) if is_start else {}
            domains = count_by_domain(tx, _MAX_DOMAINS) if is_start else ()
        before = deliveries[PAGE_SIZE - 1].id if len(deliveries) > PAGE_SIZE else numbers.start
        has_older = len(deliveries) > PAGE_SIZE or numbers.start > 1
        search = _make_search(operator, page_filter)
        results = _make_list(operator, page_filter, deliveries[:PAGE_SIZE], reports, numbers)
        first_page = operator.link(page_filter.format_address(DELIVERIES_PATH, before=""))
        older = operator.link(page_filter.format_address(DELIVERIES_PATH, before=str(before)))
        content = OperatorContent(
            title="Deliveries",
            section=DELIVERIES_PATH,
            message=_describe_outcome(operator),
            blocks=(*_make_counts(operator, states, domains), search, results),
            pages=make_page_links(
                first_page if page_filter.before is not None else "", older if has_older else ""
            ),
        )
        return self.responder.show(operator, content)

    async def search(self, request: Request) -> Response:
        """Lead to the deliveries of a filter, or to an address, which the address of the page must not contain."""
        return await self.responder.respond_write(request, self._search)

    def _search(self, operator: OperatorRequest) -> Response:
        if operator.fields.get("do") == "filter":
            return self.responder.redirect(read_filter(operator).format_address(DELIVERIES_PATH))
        address = operator.fields.get("address", "").strip()
        destination = find_destination(operator.app.store, address) if address else None
        parameters = {"found": "no"} if destination is None else {"to": str(destination)}
        return self.responder.redirect(join_address(DELIVERIES_PATH, parameters))


def _describe_outcome(operator: OperatorRequest) -> str:
    if operator.fields.get("found") == "no":
        return "No digest goes to this address."
    if "changed" not in operator.fields:
        return ""
    count = read_number(operator.fields, "changed")
    match operator.fields.get("do"):
        case "retry":
            return f"{count:,} due now; the next pass sends them." if count else "Nothing was changed."
        case "drop":
            return f"{count:,} dropped." if count else "Nothing was changed."
        case _:
            raise UnknownFormError


def _make_counts(
    operator: OperatorRequest, states: Mapping[str, int], domains: Sequence[DomainCounts]
) -> tuple[OperatorBlock, ...]:
    if not domains:
        return ()
    by_state = OperatorTable(
        ("State", "Deliveries"), tuple((state, f"{count:,}") for state, count in sorted(states.items()))
    )
    by_domain = tuple(
        OperatorRow(
            title=entry.domain or "folders and chats",
            href=operator.link(join_address(DELIVERIES_PATH, {"domain": entry.domain}))
            if entry.domain
            else "",
            details=(", ".join(f"{count:,} {state}" for state, count in sorted(entry.states.items())),),
        )
        for entry in domains
    )
    scope = f"Of the last {COUNTED_DELIVERIES:,} deliveries"
    return (
        OperatorBlock(heading="By state", lines=(f"{scope}.",), table=by_state),
        OperatorBlock(heading="By domain", lines=(f"{scope}, the {_MAX_DOMAINS} largest.",), rows=by_domain),
    )


def _make_search(operator: OperatorRequest, page_filter: PageFilter) -> OperatorBlock:
    action = operator.link(DELIVERIES_PATH)
    address = OperatorField("address", "Whole address", is_required=True)
    return OperatorBlock(
        heading="Search",
        forms=(
            OperatorForm(action, page_filter.make_fields(), "Filter", "filter"),
            OperatorForm(action, (address,), "Search for the address", "search"),
        ),
    )


def _make_list(
    operator: OperatorRequest,
    page_filter: PageFilter,
    deliveries: Sequence[Delivery],
    reports: Mapping[int, StoredReport],
    numbers: range,
) -> OperatorBlock:
    links = [
        Link(label=label, href=operator.link(page_filter.format_address(f"{DELIVERIES_PATH}/{action}")))
        for action, label in (("retry", "Retry these deliveries"), ("drop", "Drop these deliveries"))
    ]
    return OperatorBlock(
        heading="Latest deliveries" if page_filter.is_empty else "Selected deliveries",
        lines=(f"Among the deliveries {numbers.start:,} to {numbers.stop - 1:,}.",)
        if numbers.start > 1
        else (),
        rows=tuple(_make_row(operator, delivery, reports.get(delivery.id)) for delivery in deliveries),
        empty="There is no such delivery here.",
        links=() if page_filter.is_empty or not deliveries else tuple(links),
    )


def _make_row(operator: OperatorRequest, delivery: Delivery, report: StoredReport | None) -> OperatorRow:
    meaning = describe_delivery(delivery, report.finding if report else None)
    answers = [delivery.answer, report.answer if report else ""]
    at = f"sent {format_utc(delivery.sent_at)}" if delivery.sent_at else f"due {format_utc(delivery.due_at)}"
    return OperatorRow(
        title=f"{delivery.state} · {delivery.address}",
        href=operator.link(join_address(DELIVERIES_PATH, {"id": str(delivery.id)})),
        details=tuple(
            dict.fromkeys(
                filter(
                    None,
                    (
                        meaning,
                        *answers,
                        f"delivery {delivery.id}, run {delivery.run} of {delivery.period}, {at}, attempts: {delivery.attempts}",
                    ),
                )
            )
        ),
        is_problem=delivery.state in _PROBLEM_STATES or report is not None,
    )
