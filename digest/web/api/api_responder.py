"""Responses that all routes of the API share: documents, and problems (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from pydantic import BaseModel

from digest.web.answers import FRESH_SECONDS, Responder
from digest.web.api.document_reader import ProblemError
from digest.web.protocol.response_cache import PUBLIC_SAFETY_HEADERS, CachedResponse, make_cached_response
from digest.web.publishing.public_responder import choose_prepared, get_address

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


PROBLEM_RESPONSES: dict[int | str, dict[str, object]] = {
    status: {
        "description": description,
        "content": {"application/problem+json": {"schema": Problem.model_json_schema()}},
    }
    for status, description in ((400, "The request has no meaning."), (404, "It does not exist."))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiResponder:
    """Helpers of the routes of the API.

    Attributes:
        responder: the general helpers.
    """

    responder: Responder

    def respond(self, request: Request, load: Callable[[], BaseModel]) -> Response:
        """Return a document, from the cache if it is the same."""
        try:
            document = load()
        except ProblemError as problem:
            return make_problem(problem.status, str(problem), problem.position)
        return choose_prepared(
            self.responder.response_cache.get_or_render(
                get_address(request), document, lambda: _make_response(document)
            ),
            request,
        )


def _make_response(document: BaseModel) -> CachedResponse:
    return make_cached_response(
        document.model_dump_json().encode(),
        media_type="application/json",
        modified=None,
        fresh_seconds=FRESH_SECONDS,
        is_shared=True,
        safety_headers=(*PUBLIC_SAFETY_HEADERS, _ALLOW_ORIGIN),
    )


def make_problem(status: int, detail: str, position: int | None = None) -> Response:
    """Make the response to a request that cannot be answered."""
    titles = {400: "Bad request", 404: "Not found", 405: "Method not allowed", 503: "Try again later"}
    problem = Problem(
        title=titles.get(status, "Error"), status=status, detail=detail, position=position
    ).model_dump_json(exclude_none=True)
    name, value = (part.decode() for part in _ALLOW_ORIGIN)
    headers = {"cache-control": "no-store", name: value}
    return Response(problem, status_code=status, media_type="application/problem+json", headers=headers)
