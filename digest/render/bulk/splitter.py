"""Splitting the output of a template where each paper begins and ends."""

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
"""The templates of the two parts of a mail."""


class PaperPosition(NamedTuple):
    """The place of a paper: the loop of the template, and the round of the loop."""

    loop: str
    round_number: int


class SplitPiece(NamedTuple):
    """A piece of the output of a template.

    Attributes:
        position: the place of the paper that it shows; None for a piece around the papers.
    """

    position: PaperPosition | None
    text: str


class Splitter:
    """Splits the output of one rendering."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._boundaries: list[tuple[int, PaperPosition | None]] = []
        self._used_loops: set[str] = set()

    def iter_papers(self, loop: str, paper_views: Sequence[PaperView]) -> Iterator[PaperView]:
        """Iterate over papers, once: the template gets the next one when it has written the previous one."""
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
        """Render a template and return the pieces of its output in order.

        Raises:
            NotSplittable: the template fails; if the error matters, it occurs on the plain path too and is reported there.
        """
        try:
            for chunk in generate_chunks(environment, name, variables):
                self._chunks.append(chunk)
        except MemoryError:
            raise
        except Exception as error:  # a template is a program and can fail in any way
            raise NotSplittable from error
        boundaries = [(0, None), *self._boundaries, (len(self._chunks), None)]
        return [
            SplitPiece(position, "".join(self._chunks[start:end]))
            for (start, position), (end, _) in pairwise(boundaries)
        ]


class PaperLoop:
    """Papers in a template, which can only be iterated over: the next mail can have other ones."""

    def __init__(self, splitter: Splitter, name: str, paper_views: Sequence[PaperView]) -> None:
        self._splitter, self._name, self._paper_views = splitter, name, paper_views

    def __iter__(self) -> Iterator[PaperView]:
        return self._splitter.iter_papers(self._name, self._paper_views)


@lru_cache(maxsize=4)
def make_splitting_environment(environment: jinja2.Environment) -> jinja2.Environment:
    """Make an environment of the same templates whose output can be split."""
    copy = environment.overlay()
    copy.filters = {**environment.filters, "wrapped": wrap_later}
    if isinstance(copy, UserEnvironment):
        copy.shipped = make_splitting_environment(copy.shipped)
    return copy
