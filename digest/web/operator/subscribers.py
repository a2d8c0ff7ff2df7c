"""Subscribers: how many there are, how many come and go, and a search for a whole address."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.jobs.subscribers.decisions.readers import AddressNumber, AddressOwner, find_number
from digest.render.languages.english import format_count, format_short_day
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorContent,
    OperatorField,
    OperatorForm,
    OperatorTable,
)
from digest.render.publishing.operator_pages.operator_page import DESTINATIONS_PATH, SUBSCRIBERS_PATH
from digest.store.operations.growth import ReaderEvent, WeekCounts, count_subscribers, list_weeks
from digest.web.operator.access import OperatorRequest, OperatorResponder

_WEEKS = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriberRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show(self, request: Request) -> Response:
        """Show the search and the growth."""
        return self.responder.respond_read(request, self._show)

    def _show(self, operator: OperatorRequest) -> Response:
        with operator.app.store.begin_read() as tx:
            total, weeks = count_subscribers(tx), list_weeks(tx, _WEEKS)
        is_unknown = operator.fields.get("found") == "no"
        message = "No digest goes to this address, and it has no account." if is_unknown else ""
        address = OperatorField("address", "Whole address", is_required=True)
        form = OperatorForm(operator.link(SUBSCRIBERS_PATH), (address,), "Search", "search")
        content = OperatorContent(
            title="Subscribers",
            section=SUBSCRIBERS_PATH,
            message=message,
            blocks=(OperatorBlock(heading="Search", forms=(form,)), _make_growth(total, weeks)),
        )
        return self.responder.show(operator, content)

    async def search(self, request: Request) -> Response:
        """Lead to an address, which the address of its page must not contain."""
        return await self.responder.respond_write(request, self._search)

    def _search(self, operator: OperatorRequest) -> Response:
        address = operator.fields.get("address", "").strip()
        number = find_number(operator.app.store, address) if address else None
        path = (
            join_address(SUBSCRIBERS_PATH, {"found": "no"}) if number is None else format_number_path(number)
        )
        return self.responder.redirect(path)


def format_number_path(number: AddressNumber) -> str:
    """Return the path of the page of an address, which has a number in place of it."""
    is_reader = number.kind is AddressOwner.SUBSCRIBER
    return f"{SUBSCRIBERS_PATH if is_reader else DESTINATIONS_PATH}/{number.number}"


def _make_growth(total: int, weeks: tuple[WeekCounts, ...]) -> OperatorBlock:
    columns = ("Week", "New", "Sign-ups", "Left", "Deleted")
    rows = tuple(
        (format_short_day(week.monday), *(f"{week.counts.get(event, 0):,}" for event in ReaderEvent))
        for week in weeks
    )
    return OperatorBlock(
        heading="Growth",
        lines=(
            f"{format_count(total, 'address has', 'addresses have')} an account on the site.",
            "New readers, their sign-ups for digests, digests that they left, and readers who deleted everything, in each week from Monday on, UTC.",
        ),
        table=OperatorTable(columns, rows),
        empty="Nobody has signed up or left since this is counted.",
    )
