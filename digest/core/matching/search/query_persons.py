"""The persons of a query, and which authors may be one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

from digest.core.language.query import ByAuthor
from digest.core.names.fitting import make_key_filter
from digest.model import Author


class QueryPersons:
    """The persons of a query.

    A paper may have thousands of authors, and many papers of a collaboration have the same ones: each name is compared
    once.

    Attributes:
        are_named: whether all persons have a name. One who has only ids may sign with any name.
    """

    def __init__(self, persons: Iterable[ByAuthor]) -> None:
        known = tuple(persons)
        self.are_named = all(person.name for person in known)
        self._ids = frozenset(id_ for person in known for id_ in person.ids)
        self._has_similar_name = cache(make_key_filter(person.name for person in known if person.name))

    def may_be(self, name: str, ids: Collection[tuple[str, str]]) -> bool:
        """Whether an author may be one of the named persons, by the printed name and ids."""
        return self._has_similar_name(name) or not self._ids.isdisjoint(ids)

    def select(self, authors: tuple[Author, ...]) -> tuple[Author, ...]:
        """Return the authors who may be one of the persons."""
        if not self.are_named:
            return authors
        return tuple([author for author in authors if self.may_be(author.name, author.ids)])
