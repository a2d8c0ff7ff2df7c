"""Retries and drops of deliveries, in two steps: a page shows how many and which, and has one button."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import token_urlsafe

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.jobs.operations.decisions import drop_deliveries, retry_deliveries
from digest.model import Delivery
from digest.render.languages.english import format_count
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorButton,
    OperatorContent,
    OperatorRow,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import DELIVERIES_PATH
from digest.store.delivery.decisions import (
    RETRYABLE_STATES,
    DeliveryFilter,
    count_by_state,
    list_deliveries,
    list_droppable_states,
)
from digest.store.operations.delivery_counts import find_last_delivery
from digest.web.accounts.own_requests import UnknownFormError, read_number
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.deliveries.filters import SEARCHED_DELIVERIES, PageFilter, read_filter

_RETRY, _DROP = "retry", "drop"
_EXAMPLES = 10
_MAX_KEY = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryChangeRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, action: str, request: Request) -> Response:
        """Show how many deliveries a filter selects, and which, with the button."""
        return self.responder.respond_read(request, lambda operator: self._show(operator, action))

    def _show(self, operator: OperatorRequest, action: str) -> Response:
        page_filter = _require_filter(operator, action)
        selection = _load_selection(operator, action, page_filter)
        total = format_count(sum(selection.counts.values()), "delivery", "deliveries")
        examples = OperatorBlock(
            heading="Some of them" if selection.examples else "",
            rows=tuple(
                OperatorRow(title=f"{delivery.state} · {delivery.address}", details=(delivery.answer,))
                for delivery in selection.examples
            ),
        )
        rows = tuple((state, f"{count:,}") for state, count in sorted(selection.counts.items()))
        counts = OperatorBlock(
            table=OperatorTable(("State", "Deliveries"), rows),
            empty=f"None of the selected deliveries can be changed by {action}.",
        )
        button = _make_button(operator, action, page_filter, selection.last, total)
        decision = OperatorBlock(
            lines=(_describe_effect(action),) if rows else (),
            buttons=(button,) if rows else (),
            links=(Link(label="Back", href=operator.link(page_filter.format_address(DELIVERIES_PATH))),),
        )
        content = OperatorContent(
            title=f"{action.capitalize()} {total}?",
            section=DELIVERIES_PATH,
            blocks=(counts, examples, decision),
        )
        return self.responder.show(operator, content)

    async def change(self, action: str, request: Request) -> Response:
        """Change the deliveries that the page showed; of several clicks, the first one has an effect."""
        return await self.responder.respond_write(request, lambda operator: self._change(operator, action))

    def _change(self, operator: OperatorRequest, action: str) -> Response:
        page_filter, key = _require_filter(operator, action), operator.fields.get("key", "")
        if not 0 < len(key) <= _MAX_KEY:
            raise UnknownFormError
        store, delivery_filter = operator.app.store, page_filter.to_delivery_filter(_read_last(operator))
        if action == _RETRY:
            change = retry_deliveries(store, operator.actor, delivery_filter, operator.now, key)
        else:
            change = drop_deliveries(store, operator.actor, delivery_filter, operator.now)
        parameters = {"do": action, "changed": str(change.changed)}
        return self.responder.redirect(
            join_address(DELIVERIES_PATH, {**page_filter.make_parameters(), "state": "", **parameters})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """The deliveries that a page is about.

    Attributes:
        last: the highest number of a delivery; later ones are left alone.
        counts: how many can be changed, by state.
        examples: some of them.
    """

    last: int
    counts: Mapping[str, int]
    examples: Sequence[Delivery]


def _load_selection(operator: OperatorRequest, action: str, page_filter: PageFilter) -> _Selection:
    with operator.app.store.begin_read() as tx:
        last = find_last_delivery(tx)
        delivery_filter = page_filter.to_delivery_filter(last)
        states = _list_states(action, delivery_filter)
        all_counts = count_by_state(tx, delivery_filter)
        counts = {state: count for state, count in all_counts.items() if state in states}
        examples = [
            delivery
            for state in sorted(counts)
            for delivery in list_deliveries(tx, replace(delivery_filter, state=state), _EXAMPLES)
        ]
    return _Selection(last=last, counts=counts, examples=examples[:_EXAMPLES])


def _require_filter(operator: OperatorRequest, action: str) -> PageFilter:
    page_filter = read_filter(operator)
    if action not in {_RETRY, _DROP} or page_filter.is_empty:
        raise UnknownFormError
    return page_filter


def _read_last(operator: OperatorRequest) -> int:
    """Return the highest number that the page has seen, so that later deliveries are left alone."""
    return read_number(operator.fields, "last")


def _list_states(action: str, delivery_filter: DeliveryFilter) -> tuple[str, ...]:
    return RETRYABLE_STATES if action == _RETRY else list_droppable_states(delivery_filter)


def _describe_effect(action: str) -> str:
    scope = f"Without a run or an address, a page looks through {SEARCHED_DELIVERIES:,} deliveries; `digest deliveries {action}` has no limit."
    if action == _RETRY:
        return f"They are due at once, as if for the first time, and have the same Message-ID. {scope}"
    return f"They are not sent unless somebody retries them. {scope}"


def _make_button(
    operator: OperatorRequest, action: str, page_filter: PageFilter, last: int, total: str
) -> OperatorButton:
    fields = {**page_filter.make_parameters(), "last": str(last), "key": token_urlsafe(16)}
    return OperatorButton(
        f"Yes, {action} {total}",
        operator.link(f"{DELIVERIES_PATH}/{action}"),
        tuple(fields.items()),
        is_primary=True,
    )
