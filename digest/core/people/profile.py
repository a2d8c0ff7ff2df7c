"""The profile of a person, by which people recognize them among others of the same name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProfile:
    """The profile of a person.

    Attributes:
        reference: a byline that identifies the person: ``arxiv:2401.00001#3``.
        names: the printed names, most frequent first.
        papers: the number of papers.
        years: the years of the first and the last paper; None if they are unknown.
        categories: the most frequent categories; likewise ``coauthors`` and ``affiliations``.
        ids: scheme, value and author of the statement; "" for an ID that is printed on the papers.
    """

    reference: str
    names: tuple[str, ...]
    papers: int
    years: tuple[int, int] | None
    categories: tuple[str, ...]
    coauthors: tuple[str, ...]
    affiliations: tuple[str, ...]
    ids: tuple[tuple[str, str, str], ...]
