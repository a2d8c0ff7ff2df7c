"""Results of matching papers with queries, and the reasons shown to readers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Confidence(IntEnum):
    """How certain a match is; greater is more certain."""

    NOT = 0
    MAYBE = 1
    LIKELY = 2
    SURELY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The words of a paper that match a query: a field and its words as printed, for highlighting."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """The result of matching a paper with a query.

    Attributes:
        in_title: whether part of the query matches the title.
        author_confidence: how certain it is that one of the authors is the one in the query.
    """

    confidence: Confidence
    evidence: tuple[Evidence, ...]
    in_title: bool = False
    author_confidence: Confidence = Confidence.NOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """The reason why a paper is in a digest: the follow as its reader wrote it, and the match."""

    follow: str
    confidence: Confidence
    evidence: tuple[Evidence, ...]
