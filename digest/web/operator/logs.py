"""Notices to operators, and the audit log."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request, Response

from digest.core.publishing.address_parts import join_address
from digest.render.languages.operator_texts import describe_actor, describe_change, describe_notice_state
from digest.render.publishing.operator_pages.content import OperatorBlock, OperatorContent, OperatorRow
from digest.render.publishing.operator_pages.operator_page import AUDIT_PATH, NOTICES_PATH
from digest.store.operations.audit import AuditEntry, list_entries
from digest.store.operations.notices import Notice, list_newest
from digest.web.accounts.own_requests import UnknownFormError
from digest.web.operator.access import OperatorRequest, OperatorResponder
from digest.web.operator.parts import PAGE_SIZE, format_utc, link_pages, make_page_links, read_optional_number

_MAX_PAGE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRoutes:
    """The handlers.

    Attributes:
        responder: answers requests of operators.
    """

    responder: OperatorResponder

    def show_notices(self, request: Request) -> Response:
        """Show the notices of the last 90 days."""
        return self.responder.respond_read(request, self._show_notices)

    def _show_notices(self, operator: OperatorRequest) -> Response:
        number = read_optional_number(operator, "page") or 1
        if number > _MAX_PAGE:
            raise UnknownFormError
        with operator.app.store.begin_read() as tx:
            notices = list_newest(tx, PAGE_SIZE + 1, (number - 1) * PAGE_SIZE)
        older = operator.link(join_address(NOTICES_PATH, {"page": str(number + 1)}))
        content = OperatorContent(
            title="Notices",
            section=NOTICES_PATH,
            blocks=(
                OperatorBlock(
                    lines=("Each problem is noted at most once a day, and sent to [operator] notify.",),
                    rows=tuple(map(_make_notice_row, notices[:PAGE_SIZE])),
                    empty="There are no notices.",
                ),
            ),
            pages=make_page_links(
                operator.link(NOTICES_PATH) if number > 1 else "", older if len(notices) > PAGE_SIZE else ""
            ),
        )
        return self.responder.show(operator, content)

    def show_audit(self, request: Request) -> Response:
        """Show who changed what in the last year."""
        return self.responder.respond_read(request, self._show_audit)

    def _show_audit(self, operator: OperatorRequest) -> Response:
        with operator.app.store.begin_read() as tx:
            entries = list_entries(tx, PAGE_SIZE + 1, read_optional_number(operator, "before"))
        page_entries, pages = link_pages(operator, AUDIT_PATH, entries, [entry.id for entry in entries])
        content = OperatorContent(
            title="Audit log",
            section=AUDIT_PATH,
            blocks=(
                OperatorBlock(
                    lines=("Changes by commands, on these pages and by API tokens, for a year.",),
                    rows=tuple(map(_make_audit_row, page_entries)),
                    empty="No changes are recorded yet.",
                ),
            ),
            pages=pages,
        )
        return self.responder.show(operator, content)


def _make_notice_row(notice: Notice) -> OperatorRow:
    is_due = notice.due_at is not None
    state = describe_notice_state(is_due=is_due, attempts=notice.attempts, channels=len(notice.delivered_to))
    return OperatorRow(title=notice.text, details=(f"{format_utc(notice.noted_at)}, {state}",))


def _make_audit_row(entry: AuditEntry) -> OperatorRow:
    actor = describe_actor(entry.actor.kind.value, entry.address, entry.actor.name)
    change = describe_change(entry.action, entry.subject, entry.amount)
    return OperatorRow(
        title=f"{change[0].upper()}{change[1:]}", details=(f"{format_utc(entry.at)}, by {actor}",)
    )
