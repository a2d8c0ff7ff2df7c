"""What a reader has seen and is asked to confirm, as a field of the form, so that nothing is stored between the steps.

The field is read as strictly as what somebody types: whoever changes it follows something else in their own digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from digest.core.papers.identity.ids import parse_paper_key
from digest.core.subscribers.library.queries import read_library_key
from digest.core.subscribers.own_digest import MAX_FOLLOWS, MAX_LIBRARY_PAPERS, OwnFollow
from digest.core.subscribers.transfer.imported import (
    ImportContentError,
    ImportMistake,
    make_library_follow,
    read_canonical_follow,
)
from digest.core.subscribers.transfer.json_values import load_json


def write_plan(follows: Iterable[OwnFollow]) -> str:
    """Return follows as one line of ASCII."""
    rows = [[read_library_key(follow.query) or "", follow.text, follow.query] for follow in follows]
    plan = [[key, text] if key else ["", text, query_text] for key, text, query_text in rows]
    return json.dumps(plan, separators=(",", ":"))


def read_plan(text: str) -> tuple[OwnFollow, ...]:
    """Return the follows in a field.

    Raises:
        ImportContentError: it is none that ``write_plan`` can have written.
    """
    plan = load_json(text)
    if not isinstance(plan, list) or len(plan) > MAX_FOLLOWS + MAX_LIBRARY_PAPERS:
        raise ImportContentError(ImportMistake.UNREADABLE)
    return tuple(map(_read_row, plan))


def _read_row(row: object) -> OwnFollow:
    follow: OwnFollow | None = None
    match row:
        case ["", str(text), str(query_text)]:
            follow = read_canonical_follow(OwnFollow(text=text, query=query_text))
        case [str(key_text), str(text)] if (key := parse_paper_key(key_text)) and key == key_text:
            follow = read_canonical_follow(make_library_follow(key, text))
        case _:
            pass
    if follow is None:
        raise ImportContentError(ImportMistake.UNREADABLE)
    return follow
