"""Evaluation of request headers: conditional requests and compression."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from digest.core.times.http_time import parse_http_date

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_CODING = re.compile(r"\s*([\w*!#$%&'+.^`|~-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")
_MAX_HEADER_LENGTH = 4096
"""Maximum number of characters of a header that are evaluated."""


def is_unchanged(
    if_none_match: str | None, if_modified_since: str | None, etag: str, modified: datetime | None
) -> bool:
    """Whether a client already has what it would get (RFC 9110, section 13).

    ``If-None-Match`` is compared weakly, because compressing proxies turn our ETags into weak ones; if it is present, dates do not count.

    Args:
        if_none_match: the header, ``*`` or a list of ETags; None if it is absent.
        if_modified_since: the header; None if it is absent. An invalid date is ignored.
        etag: the ETag of the response, with its quotation marks.
        modified: the time of the last change, UTC; None if it is unknown.
    """
    if if_none_match is not None:
        tag_list = if_none_match.strip()
        return tag_list in {etag, "*"} or etag in _TAG.findall(tag_list[:_MAX_HEADER_LENGTH])
    if if_modified_since is None or modified is None:
        return False
    since = parse_http_date(if_modified_since[:100])
    return since is not None and modified.replace(microsecond=0) <= since


@lru_cache(maxsize=256)
def accepts_gzip(accept_encoding: str) -> bool:
    """Whether a client accepts gzip (RFC 9110, section 12.5.3)."""
    weights: dict[str, float] = {}
    for coding in accept_encoding[:_MAX_HEADER_LENGTH].lower().split(","):
        if match := _CODING.fullmatch(coding):
            weights[match[1]] = float(match[2] or 1)
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0))) > 0
