"""What a template makes, cut where a paper begins and where it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import jinja2

from digest.render.bulk.placeholder import NotSplittable, wrap_later
from digest.render.environment import generate_chunks
from digest.render.own_templates import UserEnvironment
from digest.render.papers.paper_view import PaperView

HTML_TEMPLATE, TEXT_TEMPLATE = "mail/edition.html", "mail/edition.txt"
"""The templates of a mail."""


class PaperPosition(NamedTuple):
    """Where a paper stands: which loop of the template, which round."""

    loop: str
    round_number: int


class SplitPiece(NamedTuple):
    """A piece of what a template made.

    Attributes:
        position: the paper that it shows; None for what stands around the papers.
    """

    position: PaperPosition | None
    text: str


class Splitter:
    """Cuts what one rendering makes."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._boundaries: list[tuple[int, PaperPosition | None]] = []
        self._used_loops: set[str] = set()

    def iter_papers(self, loop: str, paper_views: Sequence[PaperView]) -> Iterator[PaperView]:
        """Papers to go through, once; the template gets each when it has written all of the one before."""
        if loop in self._used_loops:
            raise NotSplittable
        self._used_loops.add(loop)
        for round_number, paper_view in enumerate(paper_views):
            self._boundaries.append((len(self._chunks), PaperPosition(loop, round_number)))
            yield paper_view
        self._boundaries.append((len(self._chunks), None))

    def split(
        self, environment: jinja2.Environment, name: str, variables: Mapping[str, object]
    ) -> list[SplitPiece]:
        """Fill a template in; what it made, in its order.

        Raises:
            NotToBeCut: it fails; it does so on the plain road, too, if it is to be told.
        """
        try:
            for chunk in generate_chunks(environment, name, variables):
                self._chunks.append(chunk)
        except MemoryError:
            raise
        except Exception as error:  # a template is a program: it can fail in any way
            raise NotSplittable from error
        boundaries = [(0, None), *self._boundaries, (len(self._chunks), None)]
        return [
            SplitPiece(position, "".join(self._chunks[start:end]))
            for (start, position), (end, _) in pairwise(boundaries)
        ]


class PaperLoop:
    """Papers in a template: to be gone through, and nothing else, for there can be others in the next mail."""

    def __init__(self, splitter: Splitter, name: str, paper_views: Sequence[PaperView]) -> None:
        self._splitter, self._name, self._paper_views = splitter, name, paper_views

    def __iter__(self) -> Iterator[PaperView]:
        return self._splitter.iter_papers(self._name, self._paper_views)


@lru_cache(maxsize=4)
def make_splitting_environment(environment: jinja2.Environment) -> jinja2.Environment:
    """The same templates, for being cut."""
    copy = environment.overlay()
    copy.filters = {**environment.filters, "wrapped": wrap_later}
    if isinstance(copy, UserEnvironment):
        copy.shipped = make_splitting_environment(copy.shipped)
    return copy
