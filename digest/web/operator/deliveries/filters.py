"""Which deliveries a page is about: its filter, as the address of the page and the fields of forms have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digest.core.publishing.address_parts import join_address
from digest.render.publishing.operator_pages.content import OperatorField
from digest.store.delivery.decisions import DeliveryFilter
from digest.store.delivery.outbox import STATES
from digest.web.accounts.own_requests import UnknownFormError
from digest.web.operator.access import OperatorRequest
from digest.web.operator.parts import read_optional_number

SEARCHED_DELIVERIES = 200_000
"""Number of deliveries that a page looks through, so that SQLite takes 0.2 s at most; older ones are on the next pages.

A run or an address is looked through as a whole, as indexes find its deliveries: a second for a run of a million.
"""
_MAX_TEXT = 254


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilter:
    """The filter of a page.

    Attributes:
        state: the state; "" for any.
        run: the number of the run; None for any.
        domain: the domain of the address; "" for any.
        code: a code in the last answer; "" for any.
        to: the number of a destination, whose address is meant; None for any.
        id: the number of a delivery; None for any.
        before: only deliveries with a lower number; None for all.
    """

    state: str = ""
    run: int | None = None
    domain: str = ""
    code: str = ""
    to: int | None = None
    id: int | None = None
    before: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it has no condition."""
        return self.to_delivery_filter(1).is_empty

    def make_parameters(self) -> Mapping[str, str]:
        """Return the parameters of its address."""
        values = {
            "state": self.state,
            "run": self.run,
            "domain": self.domain,
            "code": self.code,
            "to": self.to,
            "id": self.id,
            "before": self.before,
        }
        return {name: str(value) for name, value in values.items() if value not in {"", None}}

    def format_address(self, path: str, **more: str) -> str:
        """Return the address of a page with this filter; ``more`` are other parameters, or replace some."""
        return join_address(path, {**self.make_parameters(), **more})

    def list_numbers(self, last: int) -> range:
        """Return the range of numbers that a page looks through.

        Args:
            last: the highest number of a delivery.
        """
        stop = max(min(self.before, last + 1) if self.before is not None else last + 1, 1)
        is_indexed = any(number is not None for number in (self.run, self.to, self.id))
        return range(1 if is_indexed else max(stop - SEARCHED_DELIVERIES, 1), stop)

    def to_delivery_filter(self, last: int) -> DeliveryFilter:
        """Return the filter of the store.

        Args:
            last: the highest number of a delivery.
        """
        return DeliveryFilter(
            ids=() if self.id is None else (self.id,),
            state=self.state,
            run=self.run,
            code=self.code,
            address=f"@{self.domain}" if self.domain else "",
            destination=self.to,
            numbers=self.list_numbers(last),
        )

    def make_fields(self) -> tuple[OperatorField, ...]:
        """Return the fields of the form that changes it."""
        states = (("", "any"), *((state, state) for state in STATES))
        return (
            OperatorField("state", "State", self.state, states),
            OperatorField("run", "Run", "" if self.run is None else str(self.run), is_number=True),
            OperatorField("domain", "Domain", self.domain),
            OperatorField("code", "Code of the answer", self.code),
        )


def read_filter(operator: OperatorRequest) -> PageFilter:
    """Return the filter of a request.

    Raises:
        UnknownFormError: it is none that a page could have.
    """
    fields = {name: operator.fields.get(name, "").strip() for name in ("state", "domain", "code")}
    fields["domain"] = fields["domain"].rpartition("@")[2]  # who types an address means its domain
    if fields["state"] not in {"", *STATES} or "@" in fields["code"] or any(map(_is_wrong, fields.values())):
        raise UnknownFormError
    return PageFilter(
        state=fields["state"],
        run=read_optional_number(operator, "run"),
        domain=fields["domain"].lower(),
        code=fields["code"],
        to=read_optional_number(operator, "to"),
        id=read_optional_number(operator, "id"),
        before=read_optional_number(operator, "before"),
    )


def _is_wrong(text: str) -> bool:
    return len(text) > _MAX_TEXT or not text.isprintable()
