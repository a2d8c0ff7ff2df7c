"""What a paper is for one reader who said of its bylines who they are, or are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from digest.core.language.query import And, ByAuthor, Not, Or, Query, iter_authors
from digest.core.matching.evaluate import evaluate
from digest.core.names.fitting import NameMatch, fold_name, match_names
from digest.core.papers.document import Byline, BylineStanding, PaperDocument
from digest.model import MatchResult

NameVerdicts = Mapping[str, bool]
"""By folded name: this byline is, or is not, by the person who is followed."""


def remove_strangers(document: PaperDocument, verdicts: NameVerdicts) -> PaperDocument:
    """A paper without the bylines that are not by the person who is followed."""
    bylines = tuple(byline for byline in document.bylines if verdicts.get(fold_name(byline.name), True))
    return replace(document, bylines=bylines)


def evaluate_with_verdicts(
    query: Query, document: PaperDocument, verdicts: NameVerdicts
) -> MatchResult | None:
    """Whether a query fits a paper, for that reader; the names in its evidence may be those that were asked for."""
    authors = tuple(iter_authors(query))
    bylines = tuple(
        _confirm_byline(byline, authors) if verdicts.get(fold_name(byline.name)) else byline
        for byline in remove_strangers(document, verdicts).bylines
    )
    return evaluate(query, replace(document, bylines=bylines))


def _confirm_byline(byline: Byline, authors: tuple[ByAuthor, ...]) -> Byline:
    """A byline as if it were printed as it is asked for, by somebody who has no namesake."""
    for author in authors:
        if not author.name or match_names(author.name, byline.name) is not NameMatch.NOT:
            standing = BylineStanding(is_sole_bearer=True, ids=frozenset(author.ids))
            return byline._replace(name=author.name or byline.name, standing=standing)
    return byline


def can_add_matches(query: Query, verdicts: NameVerdicts) -> bool:
    """Whether an answer can let a query fit a paper that it does not fit: who stands behind a NOT is somebody else."""
    return not all(verdicts.values()) and _has_excluded_author(query)


def _has_excluded_author(query: Query) -> bool:
    match query:
        case Not():
            return any(iter_authors(query.query))
        case And() | Or():
            return any(map(_has_excluded_author, query.queries))
        case _:
            return False
