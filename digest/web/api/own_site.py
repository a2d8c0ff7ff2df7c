"""The personal part of the API as an application of its own: every route needs a token, and no answer is stored."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from digest.core.subscribers.api_tokens import Scope
from digest.core.subscribers.own_digest import EditError, EditMistake
from digest.errors import DigestError, QueryError
from digest.jobs.subscribers.own_digests import NotOwnError
from digest.jobs.subscribers.tokens.api_tokens import TokenService
from digest.jobs.subscribers.tokens.used_tokens import UsedTokens
from digest.render.publishing.documents import own as documents
from digest.web.answers import Responder
from digest.web.api import operator_documents
from digest.web.api.api_responder import describe_problems, make_private_problem
from digest.web.api.document_reader import ProblemError
from digest.web.api.operator_routes import OperatorRoutes
from digest.web.api.own.bodies import FollowBody, FollowChangeBody, SavedPaperBody, describe_body
from digest.web.api.own.change_routes import ChangeRoutes
from digest.web.api.own.own_responder import OwnApiResponder
from digest.web.api.own.own_routes import OwnRoutes
from digest.web.api.own.token_guard import BEARER, TokenGuard
from digest.web.protocol.path_numbers import PATH_NUMBER
from digest.web.publishing.request_limits import RequestLimits

OWN_PATH = "/me"
"""Path below that of the API."""
_PROBLEMS = describe_problems(
    {
        400: "The request has no meaning.",
        401: "There is no valid token; WWW-Authenticate says how to send one.",
        403: "The token has not the scope; WWW-Authenticate names it.",
        404: "It does not exist, or belongs to somebody else.",
        405: "The path has no such method.",
        409: "The digest has as many as it can have.",
        413: "The body is too long.",
        429: "Too many requests; Retry-After has the seconds to wait.",
        503: "The database is busy; Retry-After has the seconds to wait.",
    }
)
_DIGEST, _OPERATOR = f"/digests/{{digest_id:{PATH_NUMBER}}}", "/operator"


class _Route(NamedTuple):
    """A route.

    Attributes:
        method: its method.
        path: its path below that of this application.
        endpoint: its handler.
        scope: the scope that it needs.
        model: the document that it returns; None for none.
        body: the form of the body; None for none.
    """

    method: str
    path: str
    endpoint: Any
    scope: Scope
    model: type[BaseModel] | None
    body: type[BaseModel] | None = None


def make_own_api(
    responder: Responder, limits: RequestLimits, tokens: TokenService, used_tokens: UsedTokens
) -> FastAPI:
    """Make the application.

    Args:
        responder: the general helpers.
        limits: the limits of requests.
        tokens: finds tokens.
        used_tokens: collects what tokens read.
    """
    app = responder.app
    guard = TokenGuard(
        tokens=tokens, used_tokens=used_tokens, limits=limits, settings=app.settings, clock=app.clock
    )
    api = OwnApiResponder(responder=responder, limits=limits, used_tokens=used_tokens)
    application = FastAPI(
        title=app.settings.site.title or "digest",
        version="1",
        routes=[
            _make_route(route, guard)
            for route in (*_list_own_routes(api), *_list_operator_routes(OperatorRoutes(api=api)))
        ],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    for kind, handle in (
        (RequestValidationError, _handle_invalid),
        (ProblemError, _handle_problem),
        (NotOwnError, _handle_not_own),
        (EditError, _handle_edit_error),
        (QueryError, _handle_query_error),
        (DigestError, _handle_digest_error),
        (ClientDisconnect, _handle_disconnect),
    ):
        application.add_exception_handler(kind, handle)

    def handle_http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        response = make_private_problem(error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["allow"] = _list_methods(application, _get_path(request))
        return response

    application.add_exception_handler(HTTPException, handle_http_error)
    return application


def _list_own_routes(api: OwnApiResponder) -> tuple[_Route, ...]:
    own, changes = OwnRoutes(api=api), ChangeRoutes(api=api)
    follows, saved = f"{_DIGEST}/follows", f"{_DIGEST}/saved"
    follow, read = Scope.FOLLOW, Scope.READ
    return (
        _Route("GET", "/digests", own.read_digests, read, documents.OwnDigestsDocument),
        _Route("GET", _DIGEST, own.read_digest, read, documents.OwnDigestDetailsDocument),
        _Route("GET", f"{_DIGEST}/preview", own.read_preview, read, documents.EditionDocument),
        _Route("GET", f"{_DIGEST}/editions", own.read_editions, read, documents.OwnEditionsDocument),
        _Route(
            "GET",
            f"{_DIGEST}/editions/{{edition_id:{PATH_NUMBER}}}",
            own.read_edition,
            read,
            documents.EditionDocument,
        ),
        _Route("GET", saved, own.read_saved, read, documents.SavedPapersDocument),
        _Route("GET", "/preview", own.read_query_preview, read, documents.QueryPreviewDocument),
        _Route("POST", follows, changes.add_follow, follow, documents.FollowDocument, FollowBody),
        _Route(
            "PATCH",
            f"{follows}/{{follow_id}}",
            changes.change_follow,
            follow,
            documents.FollowDocument,
            FollowChangeBody,
        ),
        _Route("DELETE", f"{follows}/{{follow_id}}", changes.remove_follow, follow, None),
        _Route("POST", saved, changes.save_paper, follow, None, SavedPaperBody),
        _Route("DELETE", f"{saved}/{{key:path}}", changes.remove_paper, follow, None),
    )


def _list_operator_routes(routes: OperatorRoutes) -> tuple[_Route, ...]:
    operate, run = Scope.OPERATE, f"{_OPERATOR}/runs/{{run:{PATH_NUMBER}}}"
    return (
        _Route("GET", f"{_OPERATOR}/status", routes.read_status, operate, operator_documents.StatusDocument),
        _Route(
            "GET",
            f"{_OPERATOR}/deliveries",
            routes.read_deliveries,
            operate,
            operator_documents.DeliveriesDocument,
        ),
        _Route("GET", f"{_OPERATOR}/runs", routes.read_runs, operate, operator_documents.RunsDocument),
        _Route(
            "GET", f"{_OPERATOR}/audit", routes.read_audit_log, operate, operator_documents.AuditLogDocument
        ),
        _Route("POST", f"{run}/release", routes.release_run, operate, operator_documents.DecisionDocument),
        _Route("POST", f"{run}/drop", routes.drop_run, operate, operator_documents.DecisionDocument),
    )


def _make_route(route: _Route, guard: TokenGuard) -> APIRoute:
    return APIRoute(
        route.path,
        route.endpoint,
        methods=[route.method],
        dependencies=[Depends(BEARER), Depends(guard.require(route.scope))],
        response_model=route.model,
        status_code=204 if route.model is None else 200,
        responses=_PROBLEMS,
        openapi_extra=describe_body(route.body) if route.body else None,
        tags=["operator" if route.scope is Scope.OPERATE else "own"],
    )


def _list_methods(application: FastAPI, path: str) -> str:
    """List all methods of a path for the Allow header (RFC 9110, section 15.5.6)."""
    routes = [route for route in application.routes if isinstance(route, APIRoute)]
    methods = {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
    return ", ".join(sorted(methods))


def _get_path(request: Request) -> str:
    """Return the path of a request below that of this application."""
    path: str = request.scope["path"]
    return path.removeprefix(request.scope.get("root_path", ""))


# --- problems -------------------------------------------------------------------------------------


def _handle_invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return make_private_problem(
        400, "; ".join(f"{entry['loc'][-1]}: {entry['msg']}" for entry in error.errors())
    )


def _handle_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return make_private_problem(error.status, str(error), error.position)


def _handle_not_own(_request: Request, _error: Exception) -> Response:
    return make_private_problem(404, "there is no such digest or edition of yours")


def _handle_edit_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, EditError)
    if error.mistake is EditMistake.NO_QUERY:
        return make_private_problem(
            400, "the query is empty, too long, or has characters that cannot be printed"
        )
    return make_private_problem(409, f"{error.mistake.value}: the digest has as many as it can have")


def _handle_query_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, QueryError)
    return make_private_problem(400, str(error.args[0]), error.position)


def _handle_disconnect(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)  # the client is gone and does not get it


def _handle_digest_error(_request: Request, _error: Exception) -> Response:
    response = make_private_problem(503, "")
    response.headers["retry-after"] = "60"
    return response
