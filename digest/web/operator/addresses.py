"""The page of an address: its digests in numbers and states, its bounces, and what an operator can do for its reader.

It shows nothing of what a reader follows or reads, and no titles of their digests, which are made from searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from digest.core.publishing.address_parts import join_address
from digest.jobs.subscribers.decisions.readers import (
    AddressNumber,
    AddressOverview,
    AddressOwner,
    load_address,
)
from digest.render.languages.english import format_count
from digest.render.papers.links import Link
from digest.render.publishing.operator_pages.content import (
    OperatorBlock,
    OperatorContent,
    OperatorRow,
)
from digest.render.publishing.operator_pages.operator_page import DELIVERIES_PATH, SUBSCRIBERS_PATH
from digest.store.subscribers.subscribers import Subscriber
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.address_changes import (
    AddressChanger,
    can_resume,
    is_changeable,
    make_address_buttons,
    make_confirmation,
    make_end_link,
    make_pause_button,
)
from digest.web.operator.bounces import describe_suppression, make_report_row
from digest.web.operator.parts import add_outcome, describe_outcome, format_utc
from digest.web.operator.subscribers import format_number_path


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show_subscriber(self, number: int, request: Request) -> Response:
        """Show the address of a subscriber."""
        return self._respond_read(AddressNumber(kind=AddressOwner.SUBSCRIBER, number=number), request)

    def show_destination(self, number: int, request: Request) -> Response:
        """Show the address of a destination."""
        return self._respond_read(AddressNumber(kind=AddressOwner.DESTINATION, number=number), request)

    async def change_subscriber(self, number: int, request: Request) -> Response:
        """Do what a button on the page of a subscriber says."""
        return await self._respond_write(AddressNumber(kind=AddressOwner.SUBSCRIBER, number=number), request)

    async def change_destination(self, number: int, request: Request) -> Response:
        """Do what a button on the page of a destination says."""
        return await self._respond_write(AddressNumber(kind=AddressOwner.DESTINATION, number=number), request)

    def _respond_read(self, number: AddressNumber, request: Request) -> Response:
        return self.responder.respond_read(request, lambda operator: self._show(operator, number))

    async def _respond_write(self, number: AddressNumber, request: Request) -> Response:
        return await self.responder.respond_write(request, lambda operator: self._change(operator, number))

    def _show(self, operator: OperatorRequest, number: AddressNumber) -> Response:
        overview = _require_address(operator, number)
        path = format_number_path(number)
        destinations = {entry.mailbox: entry.destination for entry in overview.destinations}
        blocks = [
            OperatorBlock(
                heading="State",
                lines=(overview.address, *_iter_facts(overview)),
                buttons=make_address_buttons(operator, overview, path),
                links=tuple(_iter_links(operator, overview, path)),
            ),
            OperatorBlock(
                heading="Digests",
                rows=tuple(
                    _make_digest_row(operator, overview, entry, path) for entry in overview.destinations
                ),
                empty="No digest goes here.",
            ),
            OperatorBlock(
                heading="Bounces and complaints",
                rows=tuple(
                    make_report_row(operator, report, destinations)._replace(href="")
                    for report in overview.reports
                ),
                empty="None.",
            ),
        ]
        if overview.subscriber is not None:
            export = "`digest subscribers export ADDRESS` writes what its reader follows, saved and said to a file."
            blocks.append(OperatorBlock(heading="Export", lines=(export,)))
        content = OperatorContent(
            # browsers keep titles in their history, so the address is not in it
            title=f"{number.kind.value.capitalize()} {number.number}",
            section=SUBSCRIBERS_PATH,
            message=describe_outcome(operator),
            blocks=(*make_confirmation(operator, overview, path), *blocks),
        )
        return self.responder.show(operator, content)

    def _change(self, operator: OperatorRequest, number: AddressNumber) -> Response:
        overview = _require_address(operator, number)
        is_changed = AddressChanger(operator=operator, overview=overview).change()
        return self.responder.redirect(add_outcome(format_number_path(number), is_changed=is_changed))


def _require_address(operator: OperatorRequest, number: AddressNumber) -> AddressOverview:
    overview = load_address(operator.app.store, number, operator.now)
    if overview is None:
        raise HTTPException(404)
    return overview


def _iter_facts(overview: AddressOverview) -> Iterator[str]:
    standing = overview.standing
    yield (
        f"It has an account: subscriber {overview.subscriber}."
        if overview.subscriber is not None
        else "It has no account."
    )
    if standing.suppression is not None:
        yield f"It is {describe_suppression(standing.suppression)}."
    if standing.complaint is not None:
        yield f"Its reader complained on {format_utc(standing.complaint.at)}."
    if standing.score.bounces:
        yield f"{format_count(standing.score.bounces, 'recent bounce')} counted."


def _iter_links(operator: OperatorRequest, overview: AddressOverview, path: str) -> Iterator[Link]:
    if can_resume(overview):
        yield Link(label="Resume delivery…", href=operator.link(join_address(path, {"ask": "resume"})))
    if overview.destinations:
        parameters = {"to": str(overview.destinations[0].destination)}
        yield Link(label="Its deliveries", href=operator.link(join_address(DELIVERIES_PATH, parameters)))


def _make_digest_row(
    operator: OperatorRequest, overview: AddressOverview, entry: Subscriber, path: str
) -> OperatorRow:
    period = overview.periods.get(entry.digest_id)
    editions = (
        f"{format_count(period.count, 'edition')}, the first one {format_utc(period.first_at)}, the last one {format_utc(period.last_at)}"
        if period
        else "no editions yet"
    )
    is_own = is_changeable(overview, entry)
    name = "of a reader" if entry.made_on_site else f"of the file: {entry.digest}"
    return OperatorRow(
        title=f"Digest {entry.digest_id}, {name}",
        details=(f"{_describe_state(entry)}, by {entry.channel}", editions),
        is_problem=entry.came_back and not entry.digest_ended,
        buttons=(make_pause_button(operator, entry, path),) if is_own else (),
        links=(make_end_link(operator, entry, path),) if is_own else (),
    )


def _describe_state(entry: Subscriber) -> str:
    if entry.digest_ended:
        return "ended"
    pause = ", paused" if entry.digest_paused else ""
    return f"{'unsubscribed' if entry.stopped else entry.state}{pause}"
