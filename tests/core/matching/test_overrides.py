"""What readers said of who signed, and what it can change."""

from __future__ import annotations

from digest.core.language.parser import parse
from digest.core.matching.overrides import can_add_matches
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "messages", "may"),
    [
        ('llm NOT author:"Richard Roe"', {"richardroe": False}, True),
        ('llm NOT author:"Richard Roe"', {"janedoe": True, "richardroe": False}, True),
        ('llm NOT author:"Richard Roe"', {"richardroe": True}, False),
        ('llm NOT author:"Richard Roe"', {}, False),
        ('graph OR (llm NOT (rag author:"Richard Roe"))', {"richardroe": False}, True),
        ('author:"Richard Roe" NOT llm', {"richardroe": False}, False),
        ('author:"Richard Roe"', {"richardroe": False}, False),
    ],
)
def test_only_that_somebody_is_not_the_one_behind_a_not_brings_a_paper(
    text: str,
    messages: dict[str, bool],
    may: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert can_add_matches(parse(text), messages) is may
