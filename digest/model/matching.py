"""Why a paper fits what somebody follows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Confidence(IntEnum):
    """How sure it is that a paper is what a follow asks for; a greater one is surer."""

    NOT = 0
    MAYBE = 1
    LIKELY = 2
    SURELY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What in a paper fits a query: a field and the words in it, as printed there, to be highlighted."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A query's answer to a paper.

    Attributes:
        in_title: something that was asked for stands in the title.
        author_confidence: how surely one of the authors is one asked for.
    """

    confidence: Confidence
    evidence: tuple[Evidence, ...]
    in_title: bool = False
    author_confidence: Confidence = Confidence.NOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a paper is in a digest: the follow as its reader wrote it, and what fits it."""

    follow: str
    confidence: Confidence
    evidence: tuple[Evidence, ...]
