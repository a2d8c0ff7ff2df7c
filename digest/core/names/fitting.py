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

from digest.core.names.parts import (
    NameReading,
    NameWord,
    NameWords,
    ParsedName,
    Spellings,
    find_ends,
    find_spellings,
    fold_to_ascii,
    has_first_name,
    is_group,
    parse_name,
    split_two_words,
)
from digest.core.text.accents import decode_tex_accents


class NameMatch(IntEnum):
    """How well a printed name fits a wanted one; a greater one is better."""

    NOT = 0
    INITIALS = 1
    """It may be: initials, a family name alone, swapped order, another particle, one more middle name."""
    FULL = 2


@lru_cache(maxsize=1 << 14)
def fold_name(name: str) -> str:
    r"""A name as it is known again in another list of the same paper's authors.

    Its letters and digits alone, in small ASCII: ``Paul Erdős``, ``Paul Erd\H{o}s`` and ``PAUL ERDOS`` are one.
    """
    if name.isascii():
        letters = name.replace(" ", "")
        return letters.lower() if letters.isalpha() else fold_to_ascii(decode_tex_accents(name))
    return fold_to_ascii(decode_tex_accents(unicodedata.normalize("NFKC", name)))


# --- keys -----------------------------------------------------------------------------------------

_UMLAUT_SPELLINGS = re.compile("a[ae]+|oe+|ue+|dj+")
"""What ``ä``, ``ö``, ``ü``, ``å``, ``ø``, ``đ`` and their ways to be written out have in common is the first letter."""
_AMBIGUOUS_INITIALS = frozenset("aoud")
"""With one of these a given name may begin that is written with one letter or with two: ``Åsa``, ``Aasa``."""
_UE_WORDS = frozenset({"xue", "yue", "jue", "que"})
_PREFIX = re.compile(
    "(?:vanden|vander|vande|van|vom|von|zum|zur|della|delle|delli|dello|degli|dei|dal|das|der|dem|des|dos"
    "|del(?![aeiou])|de|di|da|du|los|las|les|la|le|lo|abdul|abdal|abd|abu|aal|al|el|ul|ibn|bint|bin|ben|bar"
    "|mac|mc|saint|st|ter|ten|ap|af|av|ou|au|o)(?=...)"
)
"""What may be written as a word of its own before a family name, or as one with it."""
_INITIALS = "abcdefghijklmnopqrstuvwxyz0123456789"


@lru_cache(maxsize=1 << 14)
def make_block_key(name: str) -> str:
    """A key that all names which fit fully share: the end of the family name, ``|``, the first initial.

    Names of one person with initials have it, too, unless the order or the number of family names differs.
    It is for finding, not for showing: ``Lewis`` loses what might be a particle. "" where there is no name.
    """
    if name_ends := find_ends(name):
        given_name, family = name_ends
        return f"{fold_family_end(family)}|{given_name[:1]}"
    group = parse_name(name).group
    return f"{fold_family_end(min(group))}|" if group else ""


@lru_cache(maxsize=1 << 14)
def make_narrow_block_key(name: str) -> str:
    """A narrower key than a block, which full fits share, too, but names with initials do not."""
    given_name = extract_first_name(name)
    return (
        make_block_key(name)
        if given_name[:1] in _AMBIGUOUS_INITIALS
        else make_block_key(name) + given_name[1:2]
    )


@lru_cache(maxsize=1 << 14)
def extract_first_name(name: str) -> str:
    """The first given name, folded; "" if it is an initial or there is none."""
    if word_pair := split_two_words(name):
        return word_pair[0]
    readings = parse_name(name).readings
    given_words = readings[0].given_variants[0] if readings else ()
    return readings[0].first_given if given_words and not given_words[0].is_short else ""


def find_given_names(name: str) -> Spellings:
    """The spellings of a first given name that is written out, in every reading; none where that is not certain.

    Of two names of a block that have some, and none in common, one does not fit the other.
    """
    if word_pair := split_two_words(name):
        given_name, family_name = word_pair
        return (
            find_spellings(given_name)
            if fold_family_end(given_name) != fold_family_end(family_name)
            else frozenset()
        )
    parsed = parse_name(name)
    variants = [variant for reading in parsed.readings for variant in reading.given_variants]
    if not all(variants) or any(variant[0].is_short for variant in variants):
        return frozenset()
    families = {fold_family_end(reading.family_end) for reading in parsed.readings}
    if any(fold_family_end(reading.family_end) in families for reading in parsed.swapped_readings):
        return frozenset()  # Chen Chen: it may be in the other order within its block
    return frozenset[str]().union(*(variant[0].forms for variant in variants))


def make_full_keys(name: str) -> frozenset[str]:
    """Keys of which two names have one in common if one fits the other fully; none for one that never fits so.

    A name of which it is not certain what is written out has its block, and may fit whoever is of that.
    """
    block_key = make_block_key(name)
    if spellings := find_given_names(name):
        return frozenset(f"{block_key}|{spelling}" for spelling in spellings)
    likeliest = next(iter(parse_name(name).readings), None)
    words = likeliest.given_variants[0] if likeliest else ()
    is_never_full = words and words[0].is_short and not _is_second_name(words)
    return frozenset() if is_never_full else frozenset((block_key,))


@lru_cache(maxsize=1 << 14)
def fold_family_end(word: str) -> str:
    """What a block has of a family name: its last word, umlauts written one way, without what may be written apart."""
    if word in _UE_WORDS:
        return word
    word = _UMLAUT_SPELLINGS.sub(lambda match: match[0][0], word)
    while match := _PREFIX.match(word):
        word = word[match.end() :]
    return word


@lru_cache(maxsize=1 << 14)
def make_index_keys(name: str) -> frozenset[str]:
    """Keys of which two names that fit at all have at least one in common: for an index of names.

    A spelling of the family name, or of a part of it, ``|``, an initial that fits. A family name alone fits any
    initial, and so has all of them.
    """
    if word_pair := split_two_words(name):
        given_name, family_name = word_pair
        return frozenset((f"{family_name}|{given_name[0]}", f"{given_name}|{family_name[0]}"))
    return _make_index_keys(parse_name(name))


def make_key_filter(names: Iterable[str]) -> Callable[[str], bool]:
    """What tells whether a printed name has a handle in common with one of some names.

    Of tens of thousands of names few do. To look for the letters of a family name takes a tenth of the time that it
    takes to read a name, and rules out nearly all others.
    """
    index_keys = frozenset[str]().union(*map(make_index_keys, names))
    kernels = {_extract_kernel(index_key.partition("|")[0]) for index_key in index_keys}

    def has_shared_key(printed_name: str) -> bool:
        if _ASCII_NAME.fullmatch(printed_name) and not is_group(printed_name):
            letters = _extract_kernel(printed_name.lower())
            if not any(kernel in letters for kernel in kernels):
                return False
        return not index_keys.isdisjoint(make_index_keys(printed_name))

    return has_shared_key


_ASCII_NAME = re.compile(r"[A-Za-z .'-]+")
"""A name whose family name stands in it as it is spelled, but for signs."""


def _extract_kernel(name: str) -> str:
    """The letters that all spellings of a name have: ``Mueller`` and ``Muller``, ``Dmitriy`` and ``Dmitri``."""
    return name.translate(_KERNEL_DELETIONS)


_KERNEL_DELETIONS = dict.fromkeys(map(ord, "eiy .'-"))


def _make_index_keys(parsed: ParsedName) -> frozenset[str]:
    index_keys = {f"{group}|" for group in parsed.group}
    for reading in (*parsed.readings, *parsed.swapped_readings):
        initials = _list_initials(reading)
        families = {*reading.family, *reading.bare_family}
        if len(reading.family_parts) > 1:
            families |= reading.family_parts[0] | reading.family_parts[-1]
        index_keys.update(f"{family}|{initial}" for family in families for initial in initials)
    return frozenset(index_keys)


def _list_initials(reading: NameReading) -> Iterable[str]:
    words = reading.given_variants[0]
    if not words:
        return ("", *_INITIALS)
    leading_words = words[:2] if words[0].is_short else words[:1]
    return {form[:1] for word in leading_words for form in word.forms}


# --- comparing ------------------------------------------------------------------------------------

_CONFLICT, _LOOSE, _BY_INITIALS, _EXACT = range(4)
"""How given names fit: not; with a name too many; as far as initials tell; wholly."""


def match_names(query_name: str, printed_name: str) -> NameMatch:
    """Say how well a printed name fits a wanted one.

    Args:
        query_name: as a reader wrote it, in either order with a comma (``Xiao, Wencong``).
        printed_name: as it stands on a paper.
    """
    if make_index_keys(query_name).isdisjoint(make_index_keys(printed_name)):
        return NameMatch.NOT
    return match_similar_names(query_name, printed_name)


def match_similar_names(query_name: str, printed_name: str) -> NameMatch:
    """What ``match_names`` says, without a glance at keys first: for names of which it is known that they have some in common."""
    query_words, printed_words = split_two_words(query_name), split_two_words(printed_name)
    if query_words and printed_words:  # most names: a given name and a family name, both spelled out
        if query_words == printed_words:
            return NameMatch.FULL
        return NameMatch.INITIALS if query_words == printed_words[::-1] else NameMatch.NOT
    match = _match_names(parse_name(query_name), parse_name(printed_name))
    return (
        match
        if match is not NameMatch.FULL or make_block_key(query_name) == make_block_key(printed_name)
        else NameMatch.INITIALS
    )


def _match_names(left: ParsedName, right: ParsedName) -> NameMatch:
    if left.suffix and right.suffix and left.suffix != right.suffix:
        return NameMatch.NOT
    if left.group or right.group:
        return _match_groups(left, right)
    best = max(
        (
            _match_readings(left_reading, right_reading)
            for left_reading in left.readings
            for right_reading in right.readings
        ),
        default=NameMatch.NOT,
    )
    if left.script and right.script and left.script != right.script:
        return min(best, NameMatch.INITIALS)  # the sound is the same, the signs are not
    if best is NameMatch.NOT and any(
        left_reading.family & right_reading.family
        and _match_given_names(left_reading, right_reading) >= _BY_INITIALS
        for left_readings, right_readings in (
            (left.swapped_readings, right.readings),
            (left.readings, right.swapped_readings),
        )
        for left_reading in left_readings
        for right_reading in right_readings
    ):
        return NameMatch.INITIALS
    if best is NameMatch.NOT and left.readings and right.readings:
        return _match_family_only(left.readings[0], right.readings[0])
    return best


def _match_groups(left: ParsedName, right: ParsedName) -> NameMatch:
    if left.group and right.group:
        return NameMatch.FULL if left.group & right.group else NameMatch.NOT
    group, person = (left.group, right) if left.group else (right.group, left)
    is_family_alone = (
        person.readings and not person.readings[0].given_variants[0] and person.readings[0].family & group
    )
    return NameMatch.INITIALS if is_family_alone else NameMatch.NOT


def _match_readings(left: NameReading, right: NameReading) -> NameMatch:
    same_family, same_bare = left.family & right.family, left.bare_family & right.bare_family
    is_part = not (same_family or same_bare) and (_is_part(left, right) or _is_part(right, left))
    given_match = _match_given_names(left, right) if same_family or same_bare or is_part else _CONFLICT
    if given_match == _CONFLICT or (is_part and given_match != _EXACT):
        return NameMatch.NOT
    is_full = same_family and given_match == _EXACT and not (left.is_abbreviated or right.is_abbreviated)
    return NameMatch.FULL if is_full else NameMatch.INITIALS


def _is_part(left: NameReading, right: NameReading) -> bool:
    """Whether a's family name is the first or the last part of b's: ``García`` of ``García Márquez``.

    One who has a given name more is somebody else: ``Albert`` is no part of a family name for ``Geoffrey E. Hinton``.
    """
    shared_part = len(right.family_parts) > 1 and (
        left.bare_family & right.family_parts[0] or left.bare_family & right.family_parts[-1]
    )
    return bool(shared_part) and len(left.given_variants[0]) <= len(right.given_variants[0])


def _match_family_only(left: NameReading, right: NameReading) -> NameMatch:
    is_alone = (not left.given_variants[0]) != (not right.given_variants[0])
    shared_forms = left.family & right.family or left.bare_family & right.bare_family
    return NameMatch.INITIALS if is_alone and any(len(form) > 1 for form in shared_forms) else NameMatch.NOT


def _match_given_names(left: NameReading, right: NameReading) -> int:
    if len(left.given_variants) == len(right.given_variants) == 1:
        return _match_words(left.given_variants[0], right.given_variants[0])
    return max(
        _match_words(left_words, right_words)
        for left_words in left.given_variants
        for right_words in right.given_variants
    )


def _match_words(left: NameWords, right: NameWords) -> int:
    if not left or not right:
        return _CONFLICT if left or right else _EXACT
    first_match = _match_word(left[0], right[0])
    if first_match == _CONFLICT:
        return _LOOSE if _is_known_by_middle(left, right) or _is_known_by_middle(right, left) else _CONFLICT
    if first_match == _BY_INITIALS and _has_same_second_name(left, right):
        first_match = _EXACT
    return min(first_match, _match_middle_names(left[1:], right[1:]))


def _has_same_second_name(left: NameWords, right: NameWords) -> bool:
    """``J. Robert Oppenheimer`` never writes his first name; the second one tells as much."""
    if not (_is_second_name(left) and _is_second_name(right)):
        return False
    return bool(left[0].forms & right[0].forms and left[1].forms & right[1].forms)


def _is_second_name(words: NameWords) -> bool:
    """Whether the word behind the first given name is sure to be another one that is written out.

    In ``J. de Vries`` and ``J. García Márquez`` it belongs to the family name, and nothing but the word tells.
    """
    return len(words) > 1 and not words[1].is_short and has_first_name(words[1].forms)


def _is_known_by_middle(left: NameWords, right: NameWords) -> bool:
    """``J. Michael Smith`` may be who prints ``Michael Smith``."""
    return left[0].is_short and len(left) > 1 and _match_words(left[1:], right) == _EXACT


def _match_middle_names(shorter: NameWords, longer: NameWords) -> int:
    """The shorter row of middle names must be found, in order, in the longer one."""
    if len(shorter) > len(longer):
        shorter, longer = longer, shorter
    if not shorter:
        return _EXACT if all(word.is_short for word in longer) else _LOOSE
    best = _CONFLICT
    if _match_word(shorter[0], longer[0]) != _CONFLICT:
        best = _match_middle_names(shorter[1:], longer[1:])
    if len(longer) > len(shorter):
        best = max(
            best, min(_EXACT if longer[0].is_short else _LOOSE, _match_middle_names(shorter, longer[1:]))
        )
    return best


def _match_word(left: NameWord, right: NameWord) -> int:
    if left.forms & right.forms:
        return _BY_INITIALS if left.is_short and right.is_short else _EXACT
    if (
        (left.is_short or right.is_short)
        and not (left.is_joined or right.is_joined)
        and any(
            left_form.startswith(right_form) or right_form.startswith(left_form)
            for left_form in left.forms
            for right_form in right.forms
        )
    ):
        return _BY_INITIALS
    return _CONFLICT
