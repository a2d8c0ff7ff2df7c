"""What a reader follows, saved and said, and their editions, as the archive of the account has it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.model import Paper, PaperKey


class ArchivedOpinion(NamedTuple):
    """An opinion about a paper that a digest with a name brought."""

    digest: str
    paper: Paper
    opinion: Opinion
    at: datetime


class ArchivedAnswer(NamedTuple):
    """An answer whether an author of a paper is the person whom a digest follows."""

    digest: str
    paper: Paper
    name: str
    is_person: bool
    at: datetime


class ArchivedEdition(NamedTuple):
    """An edition of a digest with a name, and its papers."""

    digest: str
    composed_at: datetime
    papers: tuple[PaperKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountArchive:
    """What a reader has on the site.

    Attributes:
        digests: the digests that have not ended.
        opinions: opinions about papers, and saved papers, oldest first; also those of digests that have ended.
        answers: answers about authors, oldest first.
        editions: editions that are still stored, oldest first.
    """

    digests: tuple[ArchivedDigest, ...]
    opinions: tuple[ArchivedOpinion, ...] = ()
    answers: tuple[ArchivedAnswer, ...] = ()
    editions: tuple[ArchivedEdition, ...] = ()
