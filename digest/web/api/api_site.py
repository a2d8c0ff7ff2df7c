"""The API as an application of its own: its routes, its schema, and what it answers to requests without meaning."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Mount

from digest.errors import DigestError
from digest.render.publishing.documents.day import (
    CategoriesDocument,
    CategoryPapersDocument,
    DayDocument,
    DaysDocument,
    SourcesDocument,
)
from digest.render.publishing.documents.paper import PaperDetailsDocument, SimilarPapersDocument
from digest.render.publishing.documents.person import PeopleDocument, PersonDocument
from digest.render.publishing.documents.search import SearchDocument
from digest.web.answers import Responder
from digest.web.api.api_responder import PROBLEM_RESPONSES, ApiResponder, make_preflight, make_problem
from digest.web.api.document_reader import DocumentReader
from digest.web.api.own_site import OWN_PATH
from digest.web.api.routes import ApiRoutes
from digest.web.publishing.request_limits import RequestLimits

API_PATH = "/api/v1"


def make_api(responder: Responder, limits: RequestLimits, own_api: FastAPI | None) -> FastAPI:
    """Make the application.

    Args:
        responder: the general helpers.
        limits: the limits of requests.
        own_api: the personal part, which needs tokens; None if nobody has an account.
    """
    routes = _list_routes(responder, limits)
    api = FastAPI(
        title=responder.app.settings.site.title or "digest",
        version="1",
        description=_PUBLIC_DESCRIPTION if own_api is None else f"{_PUBLIC_DESCRIPTION} {_OWN_DESCRIPTION}",
        routes=routes if own_api is None else [Mount(OWN_PATH, own_api), *routes],
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    api.openapi = lambda: _describe(api, own_api)  # type: ignore[method-assign] # as FastAPI documents it
    _add_error_handlers(api)
    return api


def make_replica_api(responder: Responder, limits: RequestLimits) -> FastAPI:
    """Make the application of a replica: the public documents, and nothing else.

    Args:
        responder: the general helpers, on the replica.
        limits: the limits of requests.
    """
    api = FastAPI(routes=_list_routes(responder, limits), openapi_url=None, redirect_slashes=False)
    _add_error_handlers(api)
    return api


def _add_error_handlers(api: FastAPI) -> None:
    api.add_exception_handler(RequestValidationError, _handle_invalid)
    api.add_exception_handler(HTTPException, _handle_http_error)
    api.add_exception_handler(DigestError, _handle_digest_error)


def _list_routes(responder: Responder, limits: RequestLimits) -> list[BaseRoute]:
    reader = DocumentReader(app=responder.app, site_url=responder.pages.url)
    routes = ApiRoutes(api=ApiResponder(responder=responder, limits=limits), reader=reader)
    documents: list[tuple[str, Any, type]] = [
        ("/papers/{key:path}", routes.read_paper, PaperDetailsDocument),
        ("/similar/{key:path}", routes.read_similar, SimilarPapersDocument),
        ("/days", routes.read_days, DaysDocument),
        ("/days/{day}", routes.read_day, DayDocument),
        ("/people", routes.read_people, PeopleDocument),
        ("/people/{reference:path}", routes.read_person, PersonDocument),
        ("/search", routes.read_search, SearchDocument),
        ("/categories", routes.read_categories, CategoriesDocument),
        ("/categories/{name}", routes.read_category, CategoryPapersDocument),
        ("/sources", routes.read_sources, SourcesDocument),
    ]
    return [
        APIRoute(path, endpoint, response_model=model, responses=PROBLEM_RESPONSES, methods=["GET"])
        for path, endpoint, model in documents
    ]


_PUBLIC_DESCRIPTION = (
    "What the public pages of this site show, as JSON. Nothing there is personal, and nobody signs in."
)
_OWN_DESCRIPTION = (
    f"Below {OWN_PATH} is what belongs to one reader: it needs a token of theirs, and nobody stores it."
)


def _describe(api: FastAPI, own_api: FastAPI | None) -> dict[str, Any]:
    """Return the OpenAPI schema, without the status 422, in place of which requests get 400."""
    if not api.openapi_schema:
        schema = FastAPI.openapi(api)
        schema["servers"] = [{"url": API_PATH}]
        if own_api is not None:
            _add_own_paths(schema, FastAPI.openapi(own_api))
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"].pop("422", None)
        api.openapi_schema = schema
    return api.openapi_schema


def _add_own_paths(schema: dict[str, Any], own_schema: dict[str, Any]) -> None:
    """Add the paths of the personal part to the schema, with what they refer to."""
    schema["paths"] |= {f"{OWN_PATH}{path}": methods for path, methods in own_schema["paths"].items()}
    for kind, components in own_schema["components"].items():
        schema["components"].setdefault(kind, {}).update(components)


def _handle_invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    detail = "; ".join(f"{entry['loc'][-1]}: {entry['msg']}" for entry in error.errors())
    return make_problem(400, detail)


def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code != 405:
        response = make_problem(error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        return response
    if request.method == "OPTIONS":
        return make_preflight()
    response = make_problem(405, str(error.detail))
    response.headers["allow"] = "GET"
    return response


def _handle_digest_error(_request: Request, _error: Exception) -> Response:
    response = make_problem(503, "")
    response.headers["retry-after"] = "60"
    return response
