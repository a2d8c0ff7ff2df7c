"""What a request's headers ask for: whether it has what we would send already, and whether it takes it compressed."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from digest.core.times.http_time import parse_http_date

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_CODING = re.compile(r"\s*([\w*!#$%&'+.^`|~-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")
_MAX_HEADER_LENGTH = 4096
"""Characters of a header that are looked at."""


def is_unchanged(
    if_none_match: str | None, if_modified_since: str | None, etag: str, modified: datetime | None
) -> bool:
    """Whether what a client has is what it would get (RFC 9110, section 13).

    ``If-None-Match`` is compared weakly, for proxies that compress make our tags weak ones; where it is given,
    dates do not count.

    Args:
        if_none_match: the header, ``*`` or a list of tags; None where it was not sent.
        if_modified_since: the header; None where it was not sent. A date that cannot be read is ignored.
        etag: of what would be sent, with its quotation marks.
        modified: when that changed last; None if that is not known.
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
    """Whether a client takes gzip (RFC 9110, section 12.5.3)."""
    weights: dict[str, float] = {}
    for coding in accept_encoding[:_MAX_HEADER_LENGTH].lower().split(","):
        if match := _CODING.fullmatch(coding):
            weights[match[1]] = float(match[2] or 1)
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0))) > 0
