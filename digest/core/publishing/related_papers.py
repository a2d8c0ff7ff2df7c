"""Papers that have to do with a paper, as its public page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from digest.core.matching.search.totals import Total
from digest.core.publishing.listed_paper import ListedPaper


class SimilarPaperEntry(NamedTuple):
    """A similar paper.

    Attributes:
        common_words: words that both have; the reason.
    """

    listed: ListedPaper
    common_words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedPapers:
    """Papers that have to do with a paper.

    Attributes:
        similar: those with similar words.
        cited: the first papers that it cites, of those that are in the database.
        cited_count: the number of papers that it cites, as far as known.
        citing: the newest papers in the database that cite it.
        citing_total: how many these are.
    """

    similar: tuple[SimilarPaperEntry, ...]
    cited: tuple[ListedPaper, ...]
    cited_count: int
    citing: tuple[ListedPaper, ...]
    citing_total: Total
