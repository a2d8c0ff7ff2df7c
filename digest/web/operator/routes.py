"""The routes of the operator's pages."""

from __future__ import annotations

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from digest.jobs.subscribers.signup.link_mailer import LinkMailer
from digest.render.publishing.operator_pages.operator_page import (
    AUDIT_PATH,
    BOUNCES_PATH,
    DELIVERIES_PATH,
    DESTINATIONS_PATH,
    NOTICES_PATH,
    OPERATOR_SIGN_IN_PATH,
    RUNS_PATH,
    SOURCES_PATH,
    SUBSCRIBERS_PATH,
    SUPPRESSIONS_PATH,
)
from digest.render.publishing.public_pages.links import OPERATOR_PATH
from digest.web.accounts.own_requests import OwnResponder
from digest.web.operator.access import OperatorResponder
from digest.web.operator.addresses import AddressRoutes
from digest.web.operator.bounces import BounceRoutes
from digest.web.operator.deliveries.changes import DeliveryChangeRoutes
from digest.web.operator.deliveries.listing import DeliveryRoutes
from digest.web.operator.logs import LogRoutes
from digest.web.operator.overview import OverviewRoutes
from digest.web.operator.runs import RunRoutes
from digest.web.operator.sources import SourceRoutes
from digest.web.operator.subscribers import SubscriberRoutes
from digest.web.protocol.path_numbers import PATH_NUMBER

_READ_METHODS, _WRITE_METHODS = ["GET", "HEAD"], ["POST"]


def is_operator_path(path: str) -> bool:
    """Whether a path is that of an operator's page, or would be; its methods must not tell that it is one."""
    return path == OPERATOR_PATH or path.startswith(f"{OPERATOR_PATH}/")


def make_operator_routes(own: OwnResponder, mailer: LinkMailer) -> list[BaseRoute]:
    """Make the routes.

    Args:
        own: answers requests of readers who are signed in.
        mailer: sends links to sign in.
    """
    responder = OperatorResponder(own=own, mailer=mailer)
    runs, bounces = RunRoutes(responder=responder), BounceRoutes(responder=responder)
    deliveries = DeliveryRoutes(responder=responder)
    changes = DeliveryChangeRoutes(responder=responder)
    subscribers, addresses = SubscriberRoutes(responder=responder), AddressRoutes(responder=responder)
    logs = LogRoutes(responder=responder)
    run_path, change_path = f"{RUNS_PATH}/{{run:{PATH_NUMBER}}}", f"{DELIVERIES_PATH}/{{action}}"
    subscriber_path = f"{SUBSCRIBERS_PATH}/{{number:{PATH_NUMBER}}}"
    destination_path = f"{DESTINATIONS_PATH}/{{number:{PATH_NUMBER}}}"
    return [
        APIRoute(OPERATOR_PATH, OverviewRoutes(responder=responder).show, methods=_READ_METHODS),
        APIRoute(OPERATOR_SIGN_IN_PATH, responder.sign_in_again, methods=_WRITE_METHODS),
        APIRoute(SOURCES_PATH, SourceRoutes(responder=responder).show, methods=_READ_METHODS),
        APIRoute(RUNS_PATH, runs.show, methods=_READ_METHODS),
        APIRoute(run_path, runs.show_run, methods=_READ_METHODS),
        APIRoute(run_path, runs.decide, methods=_WRITE_METHODS),
        APIRoute(DELIVERIES_PATH, deliveries.show, methods=_READ_METHODS),
        APIRoute(DELIVERIES_PATH, deliveries.search, methods=_WRITE_METHODS),
        APIRoute(change_path, changes.show, methods=_READ_METHODS),
        APIRoute(change_path, changes.change, methods=_WRITE_METHODS),
        APIRoute(BOUNCES_PATH, bounces.show, methods=_READ_METHODS),
        APIRoute(SUPPRESSIONS_PATH, bounces.show_suppressions, methods=_READ_METHODS),
        APIRoute(SUPPRESSIONS_PATH, bounces.lift, methods=_WRITE_METHODS),
        APIRoute(SUBSCRIBERS_PATH, subscribers.show, methods=_READ_METHODS),
        APIRoute(SUBSCRIBERS_PATH, subscribers.search, methods=_WRITE_METHODS),
        APIRoute(subscriber_path, addresses.show_subscriber, methods=_READ_METHODS),
        APIRoute(subscriber_path, addresses.change_subscriber, methods=_WRITE_METHODS),
        APIRoute(destination_path, addresses.show_destination, methods=_READ_METHODS),
        APIRoute(destination_path, addresses.change_destination, methods=_WRITE_METHODS),
        APIRoute(NOTICES_PATH, logs.show_notices, methods=_READ_METHODS),
        APIRoute(AUDIT_PATH, logs.show_audit, methods=_READ_METHODS),
    ]
