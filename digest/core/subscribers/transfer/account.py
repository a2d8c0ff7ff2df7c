"""What a reader follows, saved and said, and their editions, as the archive of the account has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.core.subscribers.transfer.archived_records import ArchivedAnswer, ArchivedOpinion
from digest.model import Paper, PaperKey


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
        saved: by key, the papers that are saved.
        answers: answers about authors, oldest first.
        editions: editions that are still stored, oldest first.
    """

    digests: tuple[ArchivedDigest, ...]
    opinions: tuple[ArchivedOpinion, ...] = ()
    saved: Mapping[PaperKey, Paper] = field(default_factory=dict)
    answers: tuple[ArchivedAnswer, ...] = ()
    editions: tuple[ArchivedEdition, ...] = ()
