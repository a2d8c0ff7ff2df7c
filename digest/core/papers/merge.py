"""The whole paper, made of what its sources say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from digest.core.names.fitting import folded
from digest.model import Author, Paper, Statement

_TEXTS = ("title", "abstract", "url", "pdf_url", "doi", "journal_ref", "comment", "license_url")
_SETS = ("ids", "code_urls", "project_urls", "organizations", "institutions", "references")
"""Fields whose order says nothing."""

_Value = TypeVar("_Value", bound=tuple[object, ...] | str)


def _turn(told: Statement) -> tuple[bool, str, int]:
    """Who speaks first: arXiv, for it has the paper itself and the others write about it; then by name.

    Of one source the newest version speaks first. Names are a rule that no installation can change.
    """
    return told.source != "arxiv", told.source, -told.paper.version


# --- two tellings by one source -------------------------------------------------------------------


def joined(one: Paper, other: Paper) -> Paper:
    """A paper after two tellings, both by the same source and of the same version.

    Commutative, associative and idempotent: in whatever order, and however often, a source's routes tell of a
    paper, the end is the same. What is empty never beats what is filled; of two texts the longer one stays, of
    two equally long ones the greater; sets are united.

    Args:
        one: a telling.
        other: another one, of the same key and version.
    """
    if one == other:
        return one
    either: dict[str, Any] = {name: _longer(getattr(one, name), getattr(other, name)) for name in _TEXTS}
    both: dict[str, Any] = {name: _united(name, (one, other)) for name in _SETS}
    return replace(
        one,
        key=min(one.key, other.key),
        version=max(one.version, other.version),
        version_told=one.version_told or other.version_told,
        authors=_joined_authors(one.authors, other.authors),
        categories=_joined_categories(one.categories, other.categories),
        withdrawn=one.withdrawn or other.withdrawn,
        **either,
        **both,
    )


def _united(name: str, papers: Iterable[Paper]) -> tuple[Any, ...]:
    return tuple(sorted({value for paper in papers for value in getattr(paper, name)}))


def _longer(one: _Value, other: _Value) -> _Value:
    return max(one, other, key=lambda value: (len(value), value))


def _joined_categories(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The primary one, then the others sorted: the next telling is joined to this list and to nothing else.

    So the list must not depend on who came first, and must itself say which category is the primary one.
    """
    primary = min((*one[:1], *other[:1]), default="")
    return (*filter(None, [primary]), *sorted({*one, *other} - {primary}))


def _joined_authors(one: tuple[Author, ...], other: tuple[Author, ...]) -> tuple[Author, ...]:
    """The longer list; two lists of the same names are united author by author.

    Lists of other names are never mixed: what two lists know of a name would be lost where a third one, without
    that name, came between them, and the order of tellings would show.
    """
    if one == other:
        return one
    names, others = _names(one), _names(other)
    if names != others:
        return one if _longer(names, others) == names else other
    return tuple(map(_joined_author, one, other))


def _names(authors: tuple[Author, ...]) -> tuple[str, ...]:
    return tuple(folded(author.name) for author in authors)


def _joined_author(one: Author, other: Author) -> Author:
    return Author(
        _longer(one.name, other.name),
        tuple(sorted({*one.affiliations, *other.affiliations})),
        tuple(sorted({*one.ids, *other.ids})),
    )


# --- the whole ------------------------------------------------------------------------------------


def paper_of(statements: Iterable[Statement]) -> Paper:
    """The whole paper, as it is shown; in whatever order it was told, it is the same.

    The first source, by its newest version, speaks; the others fill what that leaves empty, add categories,
    and add affiliations and ids to authors of the same name. The key is the least one, the version the highest
    that was told.
    Whether it is withdrawn is for the one that speaks: what was taken back in one version may be back in the
    next.

    Args:
        statements: all that is said of it, at least one.
    """
    told = [one.paper for one in _in_turn(statements)]
    speaker = told[0]
    if len(told) == 1 and speaker.version_told:
        return speaker
    filled: dict[str, Any] = {name: _first_filled(name, told) for name in _TEXTS}
    united: dict[str, Any] = {name: _united(name, told) for name in _SETS}
    return replace(
        speaker,
        key=min(one.key for one in told),
        version=max((one.version for one in told if one.version_told), default=0),
        version_told=True,
        authors=_authors(told),
        categories=_categories(told),
        **filled,
        **united,
    )


def _first_filled(name: str, told: Iterable[Paper]) -> str:
    values: Iterable[str] = (getattr(one, name) for one in told)
    return next(filter(None, values), "")


def origins(statements: Iterable[Statement]) -> Mapping[str, tuple[str, ...]]:
    """Where the whole paper has its fields from.

    Args:
        statements: as for ``paper_of``.

    Returns:
        For each field that is filled, the sources that say what is shown there, or some of it, in their turn.
    """
    told = _in_turn(statements)
    whole = paper_of(told)
    shown = {field.name: getattr(whole, field.name) for field in fields(Paper)}
    return {
        name: tuple(dict.fromkeys(one.source for one in told if _says(getattr(one.paper, name), value)))
        for name, value in shown.items()
        if value
    }


def _in_turn(statements: Iterable[Statement]) -> list[Statement]:
    """Those of one source and version joined, whoever speaks first coming first."""
    told: dict[tuple[str, int], Statement] = {}
    for one in statements:
        same = one.source, one.paper.version
        if same in told:
            told[same] = replace(one, paper=joined(told[same].paper, one.paper))
        else:
            told[same] = one
    return sorted(told.values(), key=_turn)


def _categories(told: Sequence[Paper]) -> tuple[str, ...]:
    """Those of the first that names any, in its order, then what the others add."""
    first = next((one.categories for one in told if one.categories), ())
    return (*first, *sorted({category for one in told for category in one.categories}.difference(first)))


def _authors(told: Sequence[Paper]) -> tuple[Author, ...]:
    """Those of the first that names any, with what the others know of the same names."""
    first, *others = [one.authors for one in told if one.authors] or [()]
    if not any(author.affiliations or author.ids for authors in others for author in authors):
        return first
    known, places = list(first), _places(first)
    for authors in others:
        for name, place in _places(authors).items():
            if name in places:
                known[places[name]] = _with(known[places[name]], authors[place])
    return tuple(known)


def _places(authors: tuple[Author, ...]) -> dict[str, int]:
    """Where each name stands; names that stand twice are left out, for nobody knows who is who."""
    names = _names(authors)
    times = Counter(names)
    return {name: place for place, name in enumerate(names) if name and times[name] == 1}


def _with(author: Author, other: Author) -> Author:
    affiliations = dict.fromkeys((*author.affiliations, *other.affiliations))
    return Author(author.name, tuple(affiliations), tuple(dict.fromkeys((*author.ids, *other.ids))))


def _says(value: object, shown: object) -> bool:
    """Whether a value is what is shown, or for lists, has a part in it."""
    if isinstance(value, tuple) and isinstance(shown, tuple):
        return any(_is_part(one, other) for one in value for other in shown)
    return value == shown


def _is_part(one: object, shown: object) -> bool:
    if isinstance(one, Author) and isinstance(shown, Author):
        known = {*one.affiliations, *one.ids} <= {*shown.affiliations, *shown.ids}
        return known and folded(one.name) == folded(shown.name)
    return one == shown
