"""What a template makes, cut where a paper begins and where it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import jinja2

from digest.render.bulk.placeholder import NotToBeCut, wrapped_later
from digest.render.environment import made_of
from digest.render.own_templates import OwnEnvironment
from digest.render.papers.paper_view import Card

HTML, TEXT = "mail/edition.html", "mail/edition.txt"
"""The templates of a mail."""


class Place(NamedTuple):
    """Where a paper stands: which loop of the template, which round."""

    loop: str
    round: int


class Cut(NamedTuple):
    """A piece of what a template made.

    Attributes:
        place: the paper that it shows; None for what stands around the papers.
    """

    place: Place | None
    text: str


class Knife:
    """Cuts what one rendering makes."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._ends: list[tuple[int, Place | None]] = []
        self._gone_through: set[str] = set()

    def cards(self, loop: str, cards: Sequence[Card]) -> Iterator[Card]:
        """Papers to go through, once; the template gets each when it has written all of the one before."""
        if loop in self._gone_through:
            raise NotToBeCut
        self._gone_through.add(loop)
        for round_, card in enumerate(cards):
            self._ends.append((len(self._chunks), Place(loop, round_)))
            yield card
        self._ends.append((len(self._chunks), None))

    def cut(self, environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> list[Cut]:
        """Fill a template in; what it made, in its order.

        Raises:
            NotToBeCut: it fails; it does so on the plain road, too, if it is to be told.
        """
        try:
            for chunk in made_of(environment, name, variables):
                self._chunks.append(chunk)
        except MemoryError:
            raise
        except Exception as error:  # a template is a program: it can fail in any way
            raise NotToBeCut from error
        ends = [(0, None), *self._ends, (len(self._chunks), None)]
        return [Cut(place, "".join(self._chunks[begin:end])) for (begin, place), (end, _) in pairwise(ends)]


class Loop:
    """Papers in a template: to be gone through, and nothing else, for there can be others in the next mail."""

    def __init__(self, knife: Knife, name: str, cards: Sequence[Card]) -> None:
        self._knife, self._name, self._cards = knife, name, cards

    def __iter__(self) -> Iterator[Card]:
        return self._knife.cards(self._name, self._cards)


@lru_cache(maxsize=4)
def cutting_environment(environment: jinja2.Environment) -> jinja2.Environment:
    """The same templates, for being cut."""
    copy = environment.overlay()
    copy.filters = {**environment.filters, "wrapped": wrapped_later}
    if isinstance(copy, OwnEnvironment):
        copy.shipped = cutting_environment(copy.shipped)
    return copy
