"""Names that are looked for, filed so that a printed name finds the few that it can fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from digest.core.matching.percolator.postings import entries, put, take
from digest.core.names.parts import MEANS_MORE, Name, Reading, has_variants, read, two_words

_WITH_INITIAL = re.compile(r"(?:([A-Z][a-z]{1,30}) )?([A-Z])\. ([A-Z][a-z]{1,30})")
"""A given name or none, an initial, and a family name."""
_INITIALS = "abcdefghijklmnopqrstuvwxyz0123456789"


class _Keys(NamedTuple):
    """Family names with given names, as some readings of a name have them.

    Attributes:
        spelled: with a given name that is spelled out.
        initials: with the initial of that.
        short: with an initial that is all there is of the given name, or with each where there is none.
    """

    spelled: Iterable[str]
    initials: Iterable[str] = ()
    short: Iterable[str] = ()


class NameIndex:
    """Entries, each under a name.

    Two names can fit only by a reading of each, of which not both are swapped, with a family name in common, and
    with a given name that is spelled out in both, or with the same initial where it is short in at least one.
    """

    def __init__(self) -> None:
        self._written: _File = ({}, {}, {})
        """By the readings of names as written; in the order of ``_Keys``."""
        self._swapped: _File = ({}, {}, {})

    def put(self, name: str, entry: str) -> None:
        """File an entry under a name."""
        for file, keys in self._places(name):
            for key in keys:
                put(file, key, entry)

    def take(self, name: str, entry: str) -> None:
        """Take an entry out from under a name."""
        for file, keys in self._places(name):
            for key in keys:
                take(file, key, entry)

    def _places(self, name: str) -> Iterator[tuple[dict[str, Any], Iterable[str]]]:
        written, swapped = _keys(name)
        yield from zip(self._written, written, strict=True)
        yield from zip(self._swapped, swapped, strict=True)

    def perhaps(self, printed: str) -> list[str]:
        """The entries under names that a printed name can fit, some perhaps twice; all others it does not fit."""
        written, swapped = _keys(printed)
        found: list[str] = []
        for (spelled, initials, short), (by_spelled, by_initials, by_short) in (
            (written, self._written),
            (written, self._swapped),
            (swapped, self._written),
        ):
            for key in spelled:
                if key in by_spelled:
                    found += entries(by_spelled[key])
            for key in initials:
                if key in by_short:
                    found += entries(by_short[key])
            for key in short:
                found += entries(by_short.get(key))
                found += entries(by_initials.get(key))
        return found


_File = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]


def _keys(name: str) -> tuple[_Keys, _Keys]:
    """Of the readings as written, and of the swapped ones."""
    if two := two_words(name):
        one, other = two
        return (
            _Keys((f"{other}|{one}",), (f"{other}|{one[0]}",)),
            _Keys((f"{one}|{other}",), (f"{one}|{other[0]}",)),
        )
    return _with_initial(name) or _read_keys(read(name))


def _with_initial(name: str) -> tuple[_Keys, _Keys] | None:
    """What reading makes of ``J. Smith`` and ``John A. Smith``, at a tenth of the cost; None for other names."""
    found = _WITH_INITIAL.fullmatch(name)
    if not found:
        return None
    given, initial, family = (word.lower() for word in found.groups(""))
    if not MEANS_MORE.isdisjoint((given, family)) or has_variants(given, family):
        return None
    if given:
        written = _Keys((f"{family}|{given}",), (f"{family}|{given[0]}",))
        return written, _Keys((), (), (f"{given}|{initial}", f"{given}|{family[0]}"))
    return _Keys((), (), (f"{family}|{initial}",)), _Keys(
        (f"{initial}|{family}",), (f"{initial}|{family[0]}",)
    )


def _read_keys(known: Name) -> tuple[_Keys, _Keys]:
    if known.group:
        return _Keys((), (), [f"{group}|" for group in known.group]), _Keys(())
    return _of_readings(known.readings), _of_readings(known.swapped)


def _of_readings(readings: Iterable[Reading]) -> _Keys:
    spelled, initials, short = set[str](), set[str](), set[str]()
    for reading in readings:
        families = {*reading.family, *reading.bare}
        if len(reading.parts) > 1:
            families |= reading.parts[0] | reading.parts[-1]
        words = reading.given[0]
        if not words:
            short.update(f"{family}|{initial}" for family in families for initial in ("", *_INITIALS))
        elif words[0].short:
            firsts = {form[:1] for word in words[:2] for form in word.forms}
            short.update(f"{family}|{initial}" for family in families for initial in firsts)
        else:
            given = {form for way in reading.given for form in way[0].forms}
            spelled.update(f"{family}|{form}" for family in families for form in given)
            initials.update(f"{family}|{form[:1]}" for family in families for form in given)
    return _Keys(spelled, initials, short)
