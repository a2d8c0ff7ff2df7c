"""What a paper is for one reader who said of its bylines who they are, or are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from digest.core.language.query import And, ByAuthor, Not, Or, Query, people_in
from digest.core.matching.evaluate import evaluate
from digest.core.names.fitting import NameFit, folded, name_fit
from digest.core.papers.document import Byline, Document, Standing
from digest.model import Fit

Said = Mapping[str, bool]
"""By folded name: this byline is, or is not, by the person who is followed."""


def without_strangers(document: Document, said: Said) -> Document:
    """A paper without the bylines that are not by the person who is followed."""
    ours = tuple(byline for byline in document.bylines if said.get(folded(byline.name), True))
    return replace(document, bylines=ours)


def judged(query: Query, document: Document, said: Said) -> Fit | None:
    """Whether a query fits a paper, for that reader; the names in its evidence may be those that were asked for."""
    leaves = tuple(people_in(query))
    ours = tuple(
        _confirmed(byline, leaves) if said.get(folded(byline.name)) else byline
        for byline in without_strangers(document, said).bylines
    )
    return evaluate(query, replace(document, bylines=ours))


def _confirmed(byline: Byline, leaves: tuple[ByAuthor, ...]) -> Byline:
    """A byline as if it were printed as it is asked for, by somebody who has no namesake."""
    for leaf in leaves:
        if not leaf.name or name_fit(leaf.name, byline.name) is not NameFit.NOT:
            standing = Standing(sole=True, ids=frozenset(leaf.ids))
            return byline._replace(name=leaf.name or byline.name, standing=standing)
    return byline


def may_gain(query: Query, said: Said) -> bool:
    """Whether an answer can let a query fit a paper that it does not fit: who stands behind a NOT is somebody else."""
    return not all(said.values()) and _denies_somebody(query)


def _denies_somebody(query: Query) -> bool:
    match query:
        case Not():
            return any(people_in(query.query))
        case And() | Or():
            return any(map(_denies_somebody, query.queries))
        case _:
            return False
