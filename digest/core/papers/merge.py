"""Merging of the statements of all sources into one paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar, get_origin, get_type_hints

from digest.core.names.fitting import fold_name
from digest.model import Author, Paper, Statement

_TYPES = get_type_hints(Paper)
_TEXT_FIELDS = tuple(name for name, hint in _TYPES.items() if hint is str)
_SET_FIELDS = tuple(
    name
    for name, hint in _TYPES.items()
    if get_origin(hint) is tuple and name not in {"authors", "categories"}
)
"""Fields whose order has no meaning."""

_Value = TypeVar("_Value", bound=tuple[object, ...] | str)


def _rank_statement(statement: Statement) -> tuple[bool, str, int]:
    """Return the sort key of a statement: arXiv first, because it has the paper itself; then the name of the source.

    Of one source the newest version comes first. The order of names is fixed, and not configurable.
    """
    return statement.source != "arxiv", statement.source, -statement.paper.version


# --- descriptions by one source -------------------------------------------------------------------


def merge_papers(first: Paper, second: Paper) -> Paper:
    """Merge two descriptions of a paper by the same source, of the same version.

    The operation is commutative, associative and idempotent, so the result does not depend on the order and
    number of answers. A filled field wins over an empty one, the longer text over the shorter one, and of two
    texts of equal length the greater one; sets are united.

    Args:
        first: a description.
        second: another description, of the same key and version.
    """
    if first == second:
        return first
    text_values: dict[str, Any] = {
        name: _choose_longer(getattr(first, name), getattr(second, name)) for name in _TEXT_FIELDS
    }
    set_values: dict[str, Any] = {name: _unite_sets(name, (first, second)) for name in _SET_FIELDS}
    return replace(
        first,
        key=min(first.key, second.key),
        version=max(first.version, second.version),
        version_told=first.version_told or second.version_told,
        authors=_merge_author_lists(first.authors, second.authors),
        categories=_merge_categories(first.categories, second.categories),
        withdrawn=first.withdrawn or second.withdrawn,
        **text_values,
        **set_values,
    )


def _unite_sets(name: str, papers: Iterable[Paper]) -> tuple[Any, ...]:
    return tuple(sorted({value for paper in papers for value in getattr(paper, name)}))


def _choose_longer(first: _Value, second: _Value) -> _Value:
    return max(first, second, key=lambda value: (len(value), value))


def _merge_categories(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return the primary category, followed by the others, sorted.

    The result is the only thing that is merged with later descriptions, so it must not depend on their order,
    and must itself show which category is the primary one.
    """
    primary = min((*first[:1], *second[:1]), default="")
    return (*filter(None, [primary]), *sorted({*first, *second} - {primary}))


def _merge_author_lists(first: tuple[Author, ...], second: tuple[Author, ...]) -> tuple[Author, ...]:
    """Return the longer list, or the union, author by author, if both have the same names.

    Lists with different names are never mixed: details of a name would be lost if a third list without that
    name were merged between two others, so the result would depend on the order.
    """
    if first == second:
        return first
    first_names, second_names = _fold_names(first), _fold_names(second)
    if first_names != second_names:
        return first if _choose_longer(first_names, second_names) == first_names else second
    return tuple(map(_merge_author, first, second))


def _fold_names(authors: tuple[Author, ...]) -> tuple[str, ...]:
    return tuple(fold_name(author.name) for author in authors)


def _merge_author(first: Author, second: Author) -> Author:
    return Author(
        _choose_longer(first.name, second.name),
        tuple(sorted({*first.affiliations, *second.affiliations})),
        tuple(sorted({*first.ids, *second.ids})),
    )


# --- statements of all sources --------------------------------------------------------------------


def merge_statements(statements: Iterable[Statement]) -> Paper:
    """Merge all statements about a paper, independently of their order.

    The newest version of the first source has priority. Other statements fill its empty fields, add
    categories, and add affiliations and IDs to authors of the same name. The key is the lowest one, the
    version the highest stated one. Only the statement with priority decides whether the paper is withdrawn,
    because a withdrawn version may be followed by another one.

    Args:
        statements: all statements about the paper, at least one.
    """
    papers = [paper.paper for paper in _order_statements(statements)]
    primary_paper = papers[0]
    if len(papers) == 1 and primary_paper.version_told:
        return primary_paper
    text_values: dict[str, Any] = {name: _find_first_value(name, papers) for name in _TEXT_FIELDS}
    set_values: dict[str, Any] = {name: _unite_sets(name, papers) for name in _SET_FIELDS}
    return replace(
        primary_paper,
        key=min(paper.key for paper in papers),
        version=max((paper.version for paper in papers if paper.version_told), default=0),
        version_told=True,
        authors=_collect_authors(papers),
        categories=_collect_categories(papers),
        **text_values,
        **set_values,
    )


def _find_first_value(name: str, papers: Iterable[Paper]) -> str:
    values: Iterable[str] = (getattr(paper, name) for paper in papers)
    return next(filter(None, values), "")


def find_origins(statements: Iterable[Statement]) -> Mapping[str, tuple[str, ...]]:
    """Return the sources of each field of the merged paper.

    Args:
        statements: as for ``merge_statements``.

    Returns:
        For each filled field, the sources whose value the merged paper has, at least in part, in order of
        rank.
    """
    ordered_statements = _order_statements(statements)
    merged_paper = merge_statements(ordered_statements)
    merged_values = {field.name: getattr(merged_paper, field.name) for field in fields(Paper)}
    return {
        name: tuple(
            dict.fromkeys(
                statement.source
                for statement in ordered_statements
                if _has_value(getattr(statement.paper, name), value)
            )
        )
        for name, value in merged_values.items()
        if value
    }


def _order_statements(statements: Iterable[Statement]) -> list[Statement]:
    """Merge the statements of the same source and version, and sort them by rank."""
    statements_by_version: dict[tuple[str, int], Statement] = {}
    for statement in statements:
        source_and_version = statement.source, statement.paper.version
        if source_and_version in statements_by_version:
            statements_by_version[source_and_version] = replace(
                statement,
                paper=merge_papers(statements_by_version[source_and_version].paper, statement.paper),
            )
        else:
            statements_by_version[source_and_version] = statement
    return sorted(statements_by_version.values(), key=_rank_statement)


def _collect_categories(papers: Sequence[Paper]) -> tuple[str, ...]:
    """Return the categories of the first paper that has any, in its order, then those that only others have."""
    first = next((paper.categories for paper in papers if paper.categories), ())
    return (
        *first,
        *sorted({category for paper in papers for category in paper.categories}.difference(first)),
    )


def _collect_authors(papers: Sequence[Paper]) -> tuple[Author, ...]:
    """Return the authors of the first paper that has any, with details of the same names from the others."""
    first, *others = [paper.authors for paper in papers if paper.authors] or [()]
    if not any(author.affiliations or author.ids for authors in others for author in authors):
        return first
    merged_authors, indexes = list(first), _index_unique_names(first)
    for authors in others:
        for name, index in _index_unique_names(authors).items():
            if name in indexes:
                merged_authors[indexes[name]] = _add_author_details(
                    merged_authors[indexes[name]], authors[index]
                )
    return tuple(merged_authors)


def _index_unique_names(authors: tuple[Author, ...]) -> dict[str, int]:
    """Return the index of each name; names that occur twice are omitted because they are ambiguous."""
    names = _fold_names(authors)
    name_counts = Counter(names)
    return {name: index for index, name in enumerate(names) if name and name_counts[name] == 1}


def _add_author_details(author: Author, other: Author) -> Author:
    affiliations = dict.fromkeys((*author.affiliations, *other.affiliations))
    return Author(author.name, tuple(affiliations), tuple(dict.fromkeys((*author.ids, *other.ids))))


def _has_value(value: object, merged_value: object) -> bool:
    """Return True if a value is the merged one, or for lists, if they have an element in common."""
    if isinstance(value, tuple) and isinstance(merged_value, tuple):
        return any(_is_part_of(part, merged_part) for part in value for merged_part in merged_value)
    return value == merged_value


def _is_part_of(part: object, merged_part: object) -> bool:
    if isinstance(part, Author) and isinstance(merged_part, Author):
        has_all_details = {*part.affiliations, *part.ids} <= {*merged_part.affiliations, *merged_part.ids}
        return has_all_details and fold_name(part.name) == fold_name(merged_part.name)
    return part == merged_part
