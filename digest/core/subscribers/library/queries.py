"""Queries for the papers of a library, which are told apart from what a reader follows otherwise by their form."""

from __future__ import annotations

from digest.core.language.query import And, Fact, Or, Query, format_citing
from digest.core.language.quotes import strip_quotes
from digest.core.subscribers.library.entries import is_queryable
from digest.model import PaperKey

_KINDS = ("code", "published", "version")
_CITING = "cites:"
_KIND_PART = " OR ".join(f"kind:{kind}" for kind in _KINDS)


def build_library_query(key: PaperKey) -> str:
    """Return the canonical query for a paper in a library: its events, and papers that cite it.

    It is assembled without the parser, because a library has thousands of papers.
    """
    value = format_citing(key).removeprefix(_CITING)
    return f"{_CITING}{value} OR (id:{value} AND ({_KIND_PART}))"


_FIXED_LENGTH = len(build_library_query(PaperKey("")).replace('"', ""))


def read_library_key(query_text: str) -> PaperKey | None:
    """Return the key of the paper whose library query a text is; None if it is another query.

    Args:
        query_text: a canonical query.
    """
    if not query_text.startswith(_CITING) or not query_text.endswith(f" AND ({_KIND_PART}))"):
        return None
    written_length = (len(query_text) - _FIXED_LENGTH) // 2
    key = PaperKey(strip_quotes(query_text.removeprefix(_CITING)[:written_length]))
    return key if build_library_query(key) == query_text else None


def make_library_query(query_text: str) -> Query | None:
    """Return what the parser makes of the query for a paper in a library; None for another query.

    The parser takes more than a millisecond for it, and a library has thousands of papers.
    """
    key = read_library_key(query_text)
    if key is None or not is_queryable(key):
        return None
    events = And(
        queries=(Fact(field="id", value=key), Or(queries=tuple(Fact(field="kind", value=k) for k in _KINDS)))
    )
    return Or(queries=(Fact(field="cites", value=key), events))
