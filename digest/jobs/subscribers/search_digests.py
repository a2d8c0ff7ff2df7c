"""Digests of one search, to which readers subscribe on the page of a search, a category, an institution or a person."""

from __future__ import annotations

import hashlib

from digest.config import DigestSettings, FollowSettings, PublicDigestSettings
from digest.config.follow_values import read_follow_query
from digest.core.times.schedule import parse_schedule
from digest.errors import ConfigError, QueryError
from digest.model import DigestOptions

SCHEDULE = "weekly mon 08:00"
_MAX_TITLE, MAX_QUERY = 80, 500


def make_search_digest(query: str, language: str) -> PublicDigestSettings | None:
    """Return the digest of what a query finds from now on, on Mondays; None if it is no query.

    Args:
        query: the query as typed.
        language: the language of the reader.
    """
    text = " ".join(query.split())
    if not text.isprintable() or not 0 < len(text) <= MAX_QUERY:
        return None
    try:
        follow_query = read_follow_query(text, text)
    except (ConfigError, QueryError):
        return None
    number = hashlib.sha256(follow_query.query.encode()).hexdigest()[:12]
    return PublicDigestSettings(
        description="",
        digest=DigestSettings(
            name=f"search-{number}",
            title=text if len(text) <= _MAX_TITLE else f"{text[: _MAX_TITLE - 1]}…",
            schedule=parse_schedule(SCHEDULE, zone="UTC"),
            follows=(FollowSettings(text=follow_query.text, query=follow_query.query),),
            options=DigestOptions(language=language),
        ),
    )
