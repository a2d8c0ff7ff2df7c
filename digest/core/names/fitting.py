"""Whether a printed name can be the wanted person's.

A name is evidence, not a person: this module compares spellings only. It knows order, initials, diacritics
and transliteration, TeX accents, particles, suffixes, hyphens, single names, collaborations and Chinese
script; it knows no nicknames and no co-authors.

Two names fit as well as their best pair of readings does (``digest.core.names.parts``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import lru_cache

from digest.core.names.first_names import FIRST_NAMES
from digest.core.names.parts import (
    Forms,
    Name,
    Reading,
    Word,
    Words,
    ends,
    forms,
    is_group,
    plain,
    read,
    two_words,
)
from digest.core.text.accents import without_tex


class NameFit(IntEnum):
    """How well a printed name fits a wanted one; a greater one is better."""

    NOT = 0
    INITIALS = 1
    """It may be: initials, a family name alone, swapped order, another particle, one more middle name."""
    FULL = 2


@lru_cache(maxsize=1 << 14)
def folded(name: str) -> str:
    r"""A name as it is known again in another list of the same paper's authors.

    Its letters and digits alone, in small ASCII: ``Paul Erdős``, ``Paul Erd\H{o}s`` and ``PAUL ERDOS`` are one.
    """
    if name.isascii():
        letters = name.replace(" ", "")
        return letters.lower() if letters.isalpha() else plain(without_tex(name))
    return plain(without_tex(unicodedata.normalize("NFKC", name)))


# --- keys -----------------------------------------------------------------------------------------

_WRITTEN_OUT = re.compile("a[ae]+|oe+|ue+|dj+")
"""What ``ä``, ``ö``, ``ü``, ``å``, ``ø``, ``đ`` and their ways to be written out have in common is the first letter."""
_WRITTEN_TWO_WAYS = frozenset("aoud")
"""With one of these a given name may begin that is written with one letter or with two: ``Åsa``, ``Aasa``."""
_UE_OF_ITS_OWN = frozenset({"xue", "yue", "jue", "que"})
_GLUED = re.compile(
    "(?:vanden|vander|vande|van|vom|von|zum|zur|della|delle|delli|dello|degli|dei|dal|das|der|dem|des|dos"
    "|del(?![aeiou])|de|di|da|du|los|las|les|la|le|lo|abdul|abdal|abd|abu|aal|al|el|ul|ibn|bint|bin|ben|bar"
    "|mac|mc|saint|st|ter|ten|ap|af|av|ou|au|o)(?=...)"
)
"""What may be written as a word of its own before a family name, or as one with it."""
_FIRST_NAMES = frozenset(FIRST_NAMES.split())
_INITIALS = "abcdefghijklmnopqrstuvwxyz0123456789"


@lru_cache(maxsize=1 << 14)
def block(name: str) -> str:
    """A key that all names which fit fully share: the end of the family name, ``|``, the first initial.

    Names of one person with initials have it, too, unless the order or the number of family names differs.
    It is for finding, not for showing: ``Lewis`` loses what might be a particle. "" where there is no name.
    """
    if found := ends(name):
        first, family = found
        return f"{end_of_family(family)}|{first[:1]}"
    group = read(name).group
    return f"{end_of_family(min(group))}|" if group else ""


@lru_cache(maxsize=1 << 14)
def narrow_block(name: str) -> str:
    """A narrower key than a block, which full fits share, too, but names with initials do not."""
    first = first_name(name)
    return block(name) if first[:1] in _WRITTEN_TWO_WAYS else block(name) + first[1:2]


@lru_cache(maxsize=1 << 14)
def first_name(name: str) -> str:
    """The first given name, folded; "" if it is an initial or there is none."""
    if two := two_words(name):
        return two[0]
    readings = read(name).readings
    given = readings[0].given[0] if readings else ()
    return readings[0].first if given and not given[0].short else ""


def given_names(name: str) -> Forms:
    """The spellings of a first given name that is written out, in every reading; none where that is not certain.

    Of two names of a block that have some, and none in common, one does not fit the other.
    """
    if two := two_words(name):
        first, last = two
        return forms(first) if end_of_family(first) != end_of_family(last) else frozenset()
    known = read(name)
    ways = [way for reading in known.readings for way in reading.given]
    if not all(ways) or any(way[0].short for way in ways):
        return frozenset()
    families = {end_of_family(reading.end) for reading in known.readings}
    if any(end_of_family(reading.end) in families for reading in known.swapped):
        return frozenset()  # Chen Chen: it may be in the other order within its block
    return frozenset[str]().union(*(way[0].forms for way in ways))


def full_keys(name: str) -> frozenset[str]:
    """Keys of which two names have one in common if one fits the other fully; none for one that never fits so.

    A name of which it is not certain what is written out has its block, and may fit whoever is of that.
    """
    where = block(name)
    if given := given_names(name):
        return frozenset(f"{where}|{form}" for form in given)
    likeliest = next(iter(read(name).readings), None)
    words = likeliest.given[0] if likeliest else ()
    never = words and words[0].short and not _is_second_name(words)
    return frozenset() if never else frozenset((where,))


@lru_cache(maxsize=1 << 14)
def end_of_family(word: str) -> str:
    """What a block has of a family name: its last word, umlauts written one way, without what may be written apart."""
    if word in _UE_OF_ITS_OWN:
        return word
    word = _WRITTEN_OUT.sub(lambda found: found[0][0], word)
    while found := _GLUED.match(word):
        word = word[found.end() :]
    return word


@lru_cache(maxsize=1 << 14)
def handles(name: str) -> frozenset[str]:
    """Keys of which two names that fit at all have at least one in common: for an index of names.

    A spelling of the family name, or of a part of it, ``|``, an initial that fits. A family name alone fits any
    initial, and so has all of them.
    """
    if two := two_words(name):
        one, other = two
        return frozenset((f"{other}|{one[0]}", f"{one}|{other[0]}"))
    return _handles(read(name))


def shares_handles(wanted: Iterable[str]) -> Callable[[str], bool]:
    """What tells whether a printed name has a handle in common with one of some names.

    Of tens of thousands of names few do. To look for the letters of a family name takes a tenth of the time that it
    takes to read a name, and rules out nearly all others.
    """
    sought = frozenset[str]().union(*map(handles, wanted))
    kernels = {_kernel(handle.partition("|")[0]) for handle in sought}

    def shares(printed: str) -> bool:
        if _PLAIN_NAME.fullmatch(printed) and not is_group(printed):
            letters = _kernel(printed.lower())
            if not any(kernel in letters for kernel in kernels):
                return False
        return not sought.isdisjoint(handles(printed))

    return shares


_PLAIN_NAME = re.compile(r"[A-Za-z .'-]+")
"""A name whose family name stands in it as it is spelled, but for signs."""


def _kernel(name: str) -> str:
    """The letters that all spellings of a name have: ``Mueller`` and ``Muller``, ``Dmitriy`` and ``Dmitri``."""
    return name.translate(_NO_KERNEL)


_NO_KERNEL = dict.fromkeys(map(ord, "eiy .'-"))


def _handles(known: Name) -> frozenset[str]:
    found = {f"{group}|" for group in known.group}
    for reading in (*known.readings, *known.swapped):
        initials = _initials_of(reading)
        families = {*reading.family, *reading.bare}
        if len(reading.parts) > 1:
            families |= reading.parts[0] | reading.parts[-1]
        found.update(f"{family}|{initial}" for family in families for initial in initials)
    return frozenset(found)


def _initials_of(reading: Reading) -> Iterable[str]:
    words = reading.given[0]
    if not words:
        return ("", *_INITIALS)
    known_by = words[:2] if words[0].short else words[:1]
    return {form[:1] for word in known_by for form in word.forms}


# --- comparing ------------------------------------------------------------------------------------

_CONFLICT, _LOOSE, _BY_INITIALS, _EXACT = range(4)
"""How given names fit: not; with a name too many; as far as initials tell; wholly."""


def name_fit(wanted: str, printed: str) -> NameFit:
    """Say how well a printed name fits a wanted one.

    Args:
        wanted: as a reader wrote it, in either order with a comma (``Xiao, Wencong``).
        printed: as it stands on a paper.
    """
    if handles(wanted).isdisjoint(handles(printed)):
        return NameFit.NOT
    return fit_of_alike(wanted, printed)


def fit_of_alike(wanted: str, printed: str) -> NameFit:
    """What ``name_fit`` says, without a glance at keys first: for names of which it is known that they have some in common."""
    one, other = two_words(wanted), two_words(printed)
    if one and other:  # most names: a given name and a family name, both spelled out
        if one == other:
            return NameFit.FULL
        return NameFit.INITIALS if one == other[::-1] else NameFit.NOT
    fit = _fit(read(wanted), read(printed))
    return fit if fit is not NameFit.FULL or block(wanted) == block(printed) else NameFit.INITIALS


def _fit(a: Name, b: Name) -> NameFit:
    if a.suffix and b.suffix and a.suffix != b.suffix:
        return NameFit.NOT
    if a.group or b.group:
        return _group_fit(a, b)
    best = max((_reading_fit(x, y) for x in a.readings for y in b.readings), default=NameFit.NOT)
    if a.script and b.script and a.script != b.script:
        return min(best, NameFit.INITIALS)  # the sound is the same, the signs are not
    if best is NameFit.NOT and any(
        x.family & y.family and _given_fit(x, y) >= _BY_INITIALS
        for one, other in ((a.swapped, b.readings), (a.readings, b.swapped))
        for x in one
        for y in other
    ):
        return NameFit.INITIALS
    if best is NameFit.NOT and a.readings and b.readings:
        return _family_alone(a.readings[0], b.readings[0])
    return best


def _group_fit(a: Name, b: Name) -> NameFit:
    if a.group and b.group:
        return NameFit.FULL if a.group & b.group else NameFit.NOT
    group, person = (a.group, b) if a.group else (b.group, a)
    alone = person.readings and not person.readings[0].given[0] and person.readings[0].family & group
    return NameFit.INITIALS if alone else NameFit.NOT


def _reading_fit(a: Reading, b: Reading) -> NameFit:
    same, bare = a.family & b.family, a.bare & b.bare
    part = not (same or bare) and (_is_part(a, b) or _is_part(b, a))
    given = _given_fit(a, b) if same or bare or part else _CONFLICT
    if given == _CONFLICT or (part and given != _EXACT):
        return NameFit.NOT
    full = same and given == _EXACT and not (a.abbreviated or b.abbreviated)
    return NameFit.FULL if full else NameFit.INITIALS


def _is_part(a: Reading, b: Reading) -> bool:
    """Whether a's family name is the first or the last part of b's: ``García`` of ``García Márquez``.

    One who has a given name more is somebody else: ``Albert`` is no part of a family name for ``Geoffrey E. Hinton``.
    """
    part = len(b.parts) > 1 and (a.bare & b.parts[0] or a.bare & b.parts[-1])
    return bool(part) and len(a.given[0]) <= len(b.given[0])


def _family_alone(a: Reading, b: Reading) -> NameFit:
    alone = (not a.given[0]) != (not b.given[0])
    same = a.family & b.family or a.bare & b.bare
    return NameFit.INITIALS if alone and any(len(form) > 1 for form in same) else NameFit.NOT


def _given_fit(a: Reading, b: Reading) -> int:
    if len(a.given) == len(b.given) == 1:
        return _words_fit(a.given[0], b.given[0])
    return max(_words_fit(x, y) for x in a.given for y in b.given)


def _words_fit(a: Words, b: Words) -> int:
    if not a or not b:
        return _CONFLICT if a or b else _EXACT
    first = _word_fit(a[0], b[0])
    if first == _CONFLICT:
        return _LOOSE if _known_by_middle(a, b) or _known_by_middle(b, a) else _CONFLICT
    if first == _BY_INITIALS and _have_same_second_name(a, b):
        first = _EXACT
    return min(first, _middle_fit(a[1:], b[1:]))


def _have_same_second_name(a: Words, b: Words) -> bool:
    """``J. Robert Oppenheimer`` never writes his first name; the second one tells as much."""
    if not (_is_second_name(a) and _is_second_name(b)):
        return False
    return bool(a[0].forms & b[0].forms and a[1].forms & b[1].forms)


def _is_second_name(words: Words) -> bool:
    """Whether the word behind the first given name is sure to be another one that is written out.

    In ``J. de Vries`` and ``J. García Márquez`` it belongs to the family name, and nothing but the word tells.
    """
    return len(words) > 1 and not words[1].short and not _FIRST_NAMES.isdisjoint(words[1].forms)


def _known_by_middle(a: Words, b: Words) -> bool:
    """``J. Michael Smith`` may be who prints ``Michael Smith``."""
    return a[0].short and len(a) > 1 and _words_fit(a[1:], b) == _EXACT


def _middle_fit(a: Words, b: Words) -> int:
    """The shorter row of middle names must be found, in order, in the longer one."""
    if len(a) > len(b):
        a, b = b, a
    if not a:
        return _EXACT if all(word.short for word in b) else _LOOSE
    best = _CONFLICT
    if _word_fit(a[0], b[0]) != _CONFLICT:
        best = _middle_fit(a[1:], b[1:])
    if len(b) > len(a):
        best = max(best, min(_EXACT if b[0].short else _LOOSE, _middle_fit(a, b[1:])))
    return best


def _word_fit(a: Word, b: Word) -> int:
    if a.forms & b.forms:
        return _BY_INITIALS if a.short and b.short else _EXACT
    if (
        (a.short or b.short)
        and not (a.joined or b.joined)
        and any(x.startswith(y) or y.startswith(x) for x in a.forms for y in b.forms)
    ):
        return _BY_INITIALS
    return _CONFLICT
