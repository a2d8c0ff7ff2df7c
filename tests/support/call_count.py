"""How much work something is, counted and not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from digest.core.language.parser import parse
from digest.errors import QueryError


def count_calls(action: Callable[[], object]) -> int:
    """Count the functions that are called, ours and those of the interpreter, once all that an error needs is imported."""
    with suppress(QueryError):
        parse("(")
    count = 0

    def add(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(add)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count
