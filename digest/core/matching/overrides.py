"""Evaluation for a reader who stated which bylines are, or are not, by the person they follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from digest.core.language.query import And, ByAuthor, Not, Or, Query, iter_authors
from digest.core.matching.evaluate import evaluate
from digest.core.names.fitting import NameMatch, fold_name, match_names
from digest.core.papers.document import Byline, BylineStanding, PaperDocument
from digest.model import MatchResult

NameVerdicts = Mapping[str, bool]
"""Whether a byline is by the person who is followed, by folded name."""


def remove_strangers(document: PaperDocument, verdicts: NameVerdicts) -> PaperDocument:
    """Return a paper without the bylines that are not by the person who is followed."""
    bylines = tuple(byline for byline in document.bylines if verdicts.get(fold_name(byline.name), True))
    return replace(document, bylines=bylines)


def evaluate_with_verdicts(
    query: Query, document: PaperDocument, verdicts: NameVerdicts
) -> MatchResult | None:
    """Evaluate a query for this reader; its evidence may have the names of the query instead of the printed ones."""
    authors = tuple(iter_authors(query))
    bylines = tuple(
        _confirm_byline(byline, authors) if verdicts.get(fold_name(byline.name)) else byline
        for byline in remove_strangers(document, verdicts).bylines
    )
    return evaluate(query, replace(document, bylines=bylines))


def _confirm_byline(byline: Byline, authors: tuple[ByAuthor, ...]) -> Byline:
    """Return a byline with the name and ids of the query that it matches, as if nobody else had this name."""
    for author in authors:
        if not author.name or match_names(author.name, byline.name) is not NameMatch.NOT:
            standing = BylineStanding(is_sole_bearer=True, ids=frozenset(author.ids))
            return byline._replace(name=author.name or byline.name, standing=standing)
    return byline


def can_add_matches(query: Query, verdicts: NameVerdicts) -> bool:
    """Whether verdicts can make a query match a paper: an excluded person turns out to be somebody else."""
    return not all(verdicts.values()) and _has_excluded_author(query)


def _has_excluded_author(query: Query) -> bool:
    match query:
        case Not():
            return any(iter_authors(query.query))
        case And() | Or():
            return any(map(_has_excluded_author, query.queries))
        case _:
            return False
