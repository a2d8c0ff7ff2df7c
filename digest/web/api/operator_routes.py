"""Routes by which programs of operators see how the service is, and decide on held runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Query, Request, Response

from digest.app import App
from digest.core.subscribers.api_tokens import ApiToken
from digest.jobs.operations import decisions
from digest.jobs.operations.status import load_status
from digest.jobs.subscribers.tokens.api_tokens import make_token_actor
from digest.store.database.engine import Store
from digest.store.delivery.outbox import count_by_state
from digest.store.editions import held_runs
from digest.store.editions.runs import list_runs_without_reader_names
from digest.store.operations.audit import Actor, AuditAction, list_entries
from digest.web.api.api_responder import make_private_document
from digest.web.api.document_reader import ProblemError
from digest.web.api.operator_documents import (
    AuditLogDocument,
    DecisionDocument,
    DeliveriesDocument,
    RunsDocument,
    StatusDocument,
    make_audit_log_document,
    make_held_run_document,
    make_run_document,
    make_status_document,
)
from digest.web.api.own.own_responder import OwnApiResponder
from digest.web.api.own.token_guard import get_token

_MAX_NAMES, _MAX_ENTRIES = 5, 100
_MAX_NUMBER = (1 << 63) - 1
"""Databases refuse to look up greater numbers."""
_Decide = Callable[[Store, Actor, int, datetime], int | None]
"""A decision about a held run; returns the number of changed deliveries, or None if it is not held."""
_Limit = Annotated[int, Query(ge=1, le=_MAX_ENTRIES, description="Maximum number of entries")]
_Before = Annotated[
    int | None,
    Query(ge=1, le=_MAX_NUMBER, description="Where the page begins: next_cursor of the page before"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRoutes:
    """The routes. They need a token with the scope ``operate`` of a reader who is an operator now.

    Attributes:
        api: the helpers of all routes.
    """

    api: OwnApiResponder

    def read_status(self, request: Request) -> Response:
        """Return what arrived, what is missing, and what is due next."""

        def load(_token: ApiToken) -> StatusDocument:
            app = self._app
            status = load_status(app.store, app.clock(), app.settings.delivery, limit=_MAX_NAMES)
            with app.store.begin_read() as tx:
                runs = list_runs_without_reader_names(tx, len(status.runs), _MAX_NAMES)
            return make_status_document(status, runs)

        return self.api.respond_read(request, AuditAction.READ_STATUS, load)

    def read_deliveries(self, request: Request) -> Response:
        """Return the number of deliveries by state."""

        def load(_token: ApiToken) -> DeliveriesDocument:
            with self._app.store.begin_read() as tx:
                return DeliveriesDocument(deliveries=count_by_state(tx))

        return self.api.respond_read(request, AuditAction.READ_DELIVERIES, load)

    def read_runs(self, request: Request, limit: _Limit = 20) -> Response:
        """Return the last runs, newest first, and those that are held."""

        def load(_token: ApiToken) -> RunsDocument:
            with self._app.store.begin_read() as tx:
                return RunsDocument(
                    runs=[
                        make_run_document(run, digests)
                        for run, digests in list_runs_without_reader_names(tx, limit, _MAX_NAMES)
                    ],
                    held=list(map(make_held_run_document, held_runs.list_held_runs(tx))),
                )

        return self.api.respond_read(request, AuditAction.READ_RUNS, load)

    def read_audit_log(self, request: Request, cursor: _Before = None, limit: _Limit = 50) -> Response:
        """Return the audit log, newest first."""

        def load(_token: ApiToken) -> AuditLogDocument:
            with self._app.store.begin_read() as tx:
                return make_audit_log_document(list_entries(tx, limit, cursor), limit)

        return self.api.respond_read(request, AuditAction.READ_AUDIT_LOG, load)

    # decisions

    def release_run(self, run: int, request: Request) -> Response:
        """Send the deliveries of a held run, which is not held again."""
        return self._decide(decisions.release_run, run, request)

    def drop_run(self, run: int, request: Request) -> Response:
        """Drop all deliveries of a held run that are not sent yet."""
        return self._decide(decisions.drop_held_run, run, request)

    def _decide(self, decide: _Decide, run: int, request: Request) -> Response:
        amount = decide(self._app.store, make_token_actor(get_token(request)), run, self._app.clock())
        if amount is None:
            raise ProblemError(404, f"run {run} is not held")
        return make_private_document(DecisionDocument(deliveries=amount))

    @property
    def _app(self) -> App:
        return self.api.responder.app
