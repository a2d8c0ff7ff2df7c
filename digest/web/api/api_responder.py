"""Responses that all routes of the API share: documents, and problems (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request, Response
from pydantic import BaseModel

from digest.jobs.publishing.listed_papers import read_content_version
from digest.web.answers import FRESH_SECONDS, Responder
from digest.web.api.document_reader import ProblemError
from digest.web.protocol.response_cache import DOCUMENT_SAFETY_HEADERS, CachedResponse, make_cached_response
from digest.web.publishing.public_responder import choose_prepared
from digest.web.publishing.request_limits import RequestLimits

_PARAMETERS = frozenset({"q", "category", "source", "year", "has_code", "order", "cursor", "limit", "name"})
_EXPOSE_HEADERS = (b"access-control-expose-headers", b"etag, retry-after")
_ALLOW_ORIGIN = (b"access-control-allow-origin", b"*")
"""Scripts of every site may read what everybody may read; nothing here depends on cookies."""


class Problem(BaseModel):
    """A problem (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    position: int | None = None
    """Where a mistake is in the query, in characters."""


def describe_problems(descriptions: Mapping[int, str]) -> dict[int | str, dict[str, object]]:
    """Describe problems for the schema, by their status."""
    return {
        status: {
            "description": description,
            "content": {"application/problem+json": {"schema": Problem.model_json_schema()}},
        }
        for status, description in descriptions.items()
    }


PROBLEM_RESPONSES = describe_problems(
    {
        400: "The request has no meaning.",
        404: "It does not exist.",
        429: "Too many requests; Retry-After has the seconds to wait.",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiResponder:
    """Helpers of the routes of the API.

    Attributes:
        responder: the general helpers.
        limits: the limits of requests.
    """

    responder: Responder
    limits: RequestLimits

    def respond(self, request: Request, load: Callable[[], BaseModel]) -> Response:
        """Return a document about days; it is compared with the one in the cache, because loading it takes little."""
        self.limits.count_page(request)
        return self._load_response(request, load, None)

    def respond_with_content(self, request: Request, load: Callable[[], BaseModel]) -> Response:
        """Return a document about papers or persons, from the cache as long as nothing was stored about any of them."""
        return self._respond_from_version(request, load, self.limits.count_page)

    def respond_with_results(self, request: Request, load: Callable[[], BaseModel]) -> Response:
        """Do the same for a document that is searched for, which has a limit of its own."""
        return self._respond_from_version(request, load, self.limits.count_search)

    def _respond_from_version(
        self, request: Request, load: Callable[[], BaseModel], count: Callable[[Request], None]
    ) -> Response:
        app = self.responder.app
        version = read_content_version(app.store, app.clock().date())
        cached = self.responder.response_cache.get_current(_make_cache_address(request), version)
        if cached is not None:
            return choose_prepared(cached, request)
        count(request)
        return self._load_response(request, load, version)

    def _load_response(self, request: Request, load: Callable[[], BaseModel], version: object) -> Response:
        try:
            document = load()
        except ProblemError as problem:
            return make_problem(problem.status, str(problem), problem.position)
        response = self.responder.response_cache.get_or_render(
            _make_cache_address(request), version or document, lambda: _make_response(document)
        )
        return choose_prepared(response, request)


def _make_cache_address(request: Request) -> str:
    """Return the path with the parameters that have a meaning, in one order: others need no place in the cache."""
    known = sorted((name, value) for name, value in request.query_params.multi_items() if name in _PARAMETERS)
    path: str = request.scope["path"]
    return f"{path}?{urlencode(known)}" if known else path


def _make_response(document: BaseModel) -> CachedResponse:
    return make_cached_response(
        document.model_dump_json().encode(),
        media_type="application/json",
        modified=None,
        fresh_seconds=FRESH_SECONDS,
        is_shared=True,
        safety_headers=(*DOCUMENT_SAFETY_HEADERS, _ALLOW_ORIGIN, _EXPOSE_HEADERS),
    )


def make_preflight() -> Response:
    """Make the response to a script of another site that asks whether it may send a request."""
    name, value = (part.decode() for part in _ALLOW_ORIGIN)
    headers = {
        name: value,
        "access-control-allow-methods": "GET",
        "access-control-allow-headers": "*",
        "access-control-max-age": "86400",
    }
    return Response(status_code=204, headers=headers)


def make_problem(status: int, detail: str, position: int | None = None) -> Response:
    """Make the response to a request that cannot be answered."""
    headers = {"cache-control": "no-store"} | {
        name.decode(): value.decode() for name, value in (_ALLOW_ORIGIN, _EXPOSE_HEADERS)
    }
    return _make_problem(status, detail, position, headers)


def make_private_problem(status: int, detail: str, position: int | None = None) -> Response:
    """Make the response to a request with a token that cannot be answered; scripts of other sites cannot read it."""
    return _make_problem(status, detail, position, _PRIVATE_HEADERS)


def make_private_document(document: BaseModel) -> Response:
    """Make the response with a document that belongs to one reader: nobody stores it, no script of another site reads it."""
    body = document.model_dump_json().encode()
    return Response(body, media_type="application/json", headers=_PRIVATE_HEADERS)


def make_private_confirmation() -> Response:
    """Make the response to a change that has nothing to show."""
    return Response(status_code=204, headers=_PRIVATE_HEADERS)


def _make_problem(status: int, detail: str, position: int | None, headers: Mapping[str, str]) -> Response:
    problem = Problem(
        title=_TITLES.get(status, "Error"), status=status, detail=detail, position=position
    ).model_dump_json(exclude_none=True)
    return Response(problem, status_code=status, media_type="application/problem+json", headers=headers)


_TITLES = {
    400: "Bad request",
    401: "Token required",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too long",
    429: "Too many requests",
    503: "Try again later",
}
_PRIVATE_HEADERS = {
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    **{name.decode(): value.decode() for name, value in DOCUMENT_SAFETY_HEADERS},
}
