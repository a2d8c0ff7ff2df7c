"""Bodies of requests that change something: JSON of a known form, and nothing else."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from digest.core.subscribers.own_digest import MAX_WEIGHT
from digest.jobs.subscribers.search_digests import MAX_QUERY
from digest.web.api.document_reader import ProblemError
from digest.web.forms import MAX_FORM_BYTES

_MAX_ERRORS, _MAX_PLACE = 5, 100
B = TypeVar("B", bound=BaseModel)

_Weight = Annotated[
    float,
    Field(
        ge=1 / MAX_WEIGHT,
        le=MAX_WEIGHT,
        allow_inf_nan=False,
        description="How much papers that it finds count; 1 is usual",
    ),
]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class FollowBody(_Body):
    """A follow or an exclusion to add. One with the same query is replaced."""

    query: str = Field(min_length=1, max_length=MAX_QUERY, description="The query, in the follow language")
    exclude: bool = Field(default=False, description="Whether it excludes papers")
    weight: _Weight = 1.0
    alert: bool = Field(default=False, description="Whether papers are sent at once")


class FollowChangeBody(_Body):
    """What changes of a follow; what is missing stays."""

    weight: _Weight | None = None
    alert: bool | None = None


class SavedPaperBody(_Body):
    """A paper to save."""

    paper: str = Field(min_length=1, max_length=2_000, description="Its key, or any of its IDs")


async def read_body(request: Request, model: type[B]) -> B:
    """Read the body of a request.

    Args:
        request: the request.
        model: the form of the body.

    Raises:
        ProblemError: it is too long, or has another form.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise ProblemError(413, f"a body has at most {MAX_FORM_BYTES:,} bytes")
    try:
        return model.model_validate_json(bytes(body))
    except ValidationError as error:
        entries = error.errors(include_url=False, include_input=False, include_context=False)
        raise ProblemError(400, "; ".join(map(_describe_error, entries[:_MAX_ERRORS]))) from None


def _describe_error(entry: Any) -> str:
    place = ".".join(map(str, entry["loc"]))[:_MAX_PLACE]
    return f"{place or 'the body'}: {entry['msg']}"


def describe_body(model: type[BaseModel]) -> dict[str, Any]:
    """Describe the body of a route for the schema."""
    content = {"application/json": {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}
