"""The index of names: the wanted names that a printed name may match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from digest.core.matching.percolator.postings import add_posting, list_postings, remove_posting
from digest.core.names.parts import (
    SPECIAL_WORDS,
    NameReading,
    ParsedName,
    has_variants,
    parse_name,
    split_two_words,
)

_NAME_WITH_INITIAL = re.compile(r"(?:([A-Z][a-z]{1,30}) )?([A-Z])\. ([A-Z][a-z]{1,30})")
"""A name of an initial and a family name, perhaps with a given name before them."""
_INITIALS = "abcdefghijklmnopqrstuvwxyz0123456789"


class NameKeys(NamedTuple):
    """Keys of some readings of a name: a family name with a given name or an initial.

    Attributes:
        full: with a given name that is spelled out.
        initial_of_full: with the initial of such a given name.
        initial_only: with an initial if the given name is only that, or with every initial if there is none.
    """

    full: Iterable[str]
    initial_of_full: Iterable[str] = ()
    initial_only: Iterable[str] = ()


class NameIndex:
    """Index of entries by name.

    Two names can match only by a pair of readings, at most one of them swapped, that share a family name.
    They must also share a given name that is spelled out in both, or an initial if the given name is short in
    at least one.
    """

    def __init__(self) -> None:
        self._as_written: _Postings = ({}, {}, {})
        """Entries by the keys of names as written, in the order of ``NameKeys``."""
        self._swapped: _Postings = ({}, {}, {})

    def add(self, name: str, entry: str) -> None:
        """Add an entry under a name."""
        for postings, keys in self._iter_postings(name):
            for key in keys:
                add_posting(postings, key, entry)

    def remove(self, name: str, entry: str) -> None:
        """Remove an entry from under a name."""
        for postings, keys in self._iter_postings(name):
            for key in keys:
                remove_posting(postings, key, entry)

    def _iter_postings(self, name: str) -> Iterator[tuple[dict[str, Any], Iterable[str]]]:
        as_written, swapped = make_name_keys(name)
        yield from zip(self._as_written, as_written, strict=True)
        yield from zip(self._swapped, swapped, strict=True)

    def find_candidates(self, printed: str) -> list[str]:
        """Return the entries of all names that a printed name can match, perhaps with duplicates."""
        as_written, swapped = make_name_keys(printed)
        candidates: list[str] = []
        for (full, initials, initial_only), (by_full, by_initials, by_initial_only) in (
            (as_written, self._as_written),
            (as_written, self._swapped),
            (swapped, self._as_written),
        ):
            for key in full:
                if key in by_full:
                    candidates += list_postings(by_full[key])
            for key in initials:
                if key in by_initial_only:
                    candidates += list_postings(by_initial_only[key])
            for key in initial_only:
                candidates += list_postings(by_initial_only.get(key))
                candidates += list_postings(by_initials.get(key))
        return candidates


_Postings = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]


def make_name_keys(name: str) -> tuple[NameKeys, NameKeys]:
    """Return the keys of the readings as written, and those of the swapped readings."""
    if two_parts := split_two_words(name):
        first, second = two_parts
        return (
            NameKeys((f"{second}|{first}",), (f"{second}|{first[0]}",)),
            NameKeys((f"{first}|{second}",), (f"{first}|{second[0]}",)),
        )
    return _make_initial_keys(name) or _make_parsed_keys(parse_name(name))


def _make_initial_keys(name: str) -> tuple[NameKeys, NameKeys] | None:
    """Return the keys of names such as ``J. Smith`` and ``John A. Smith``; None for other names.

    The result is that of ``_make_parsed_keys`` at a tenth of the cost.
    """
    match = _NAME_WITH_INITIAL.fullmatch(name)
    if not match:
        return None
    given_name, initial, family_name = (word.lower() for word in match.groups(""))
    if not SPECIAL_WORDS.isdisjoint((given_name, family_name)) or has_variants(given_name, family_name):
        return None
    if given_name:
        as_written = NameKeys((f"{family_name}|{given_name}",), (f"{family_name}|{given_name[0]}",))
        return as_written, NameKeys((), (), (f"{given_name}|{initial}", f"{given_name}|{family_name[0]}"))
    return NameKeys((), (), (f"{family_name}|{initial}",)), NameKeys(
        (f"{initial}|{family_name}",), (f"{initial}|{family_name[0]}",)
    )


def _make_parsed_keys(parsed_name: ParsedName) -> tuple[NameKeys, NameKeys]:
    if parsed_name.group:
        return NameKeys((), (), [f"{group}|" for group in parsed_name.group]), NameKeys(())
    return _make_reading_keys(parsed_name.readings), _make_reading_keys(parsed_name.swapped_readings)


def _make_reading_keys(readings: Iterable[NameReading]) -> NameKeys:
    full, initials, initial_only = set[str](), set[str](), set[str]()
    for reading in readings:
        families = {*reading.family, *reading.bare_family}
        if len(reading.family_parts) > 1:
            families |= reading.family_parts[0] | reading.family_parts[-1]
        words = reading.given_variants[0]
        if not words:
            initial_only.update(f"{family}|{initial}" for family in families for initial in ("", *_INITIALS))
        elif words[0].is_short:
            first_letters = {form[:1] for word in words[:2] for form in word.forms}
            initial_only.update(f"{family}|{initial}" for family in families for initial in first_letters)
        else:
            given_forms = {form for name_part in reading.given_variants for form in name_part[0].forms}
            full.update(f"{family}|{form}" for family in families for form in given_forms)
            initials.update(f"{family}|{form[:1]}" for family in families for form in given_forms)
    return NameKeys(full, initials, initial_only)
