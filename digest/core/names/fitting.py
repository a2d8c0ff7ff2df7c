"""Comparison of a printed name with a wanted one.

A name is evidence, not a person: this module only compares spellings. It covers order, initials, diacritics
and transliteration, TeX accents, particles, suffixes, hyphens, single names, collaborations and Chinese
script, but neither nicknames nor co-authors.

Two names match as well as their best pair of readings does (``digest.core.names.parts``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
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
    split_plain_words,
    split_two_words,
)
from digest.core.text.accents import decode_tex_accents


class NameMatch(IntEnum):
    """How well a printed name matches a wanted one; greater is better."""

    NOT = 0
    INITIALS = 1
    """A possible match: initials, a family name alone, swapped order, another particle, or an additional middle name."""
    FULL = 2


@lru_cache(maxsize=1 << 14)
def fold_name(name: str) -> str:
    r"""Return the form by which a name is recognized in another list of the same paper's authors.

    It has only letters and digits, in lower-case ASCII: ``Paul Erdős``, ``Paul Erd\H{o}s`` and ``PAUL ERDOS``
    are the same.
    """
    if name.isascii():
        letters = name.replace(" ", "")
        return letters.lower() if letters.isalpha() else fold_to_ascii(decode_tex_accents(name))
    return fold_to_ascii(decode_tex_accents(unicodedata.normalize("NFKC", name)))


# --- keys -----------------------------------------------------------------------------------------

_UMLAUT_SPELLINGS = re.compile("a[ae]+|oe+|ue+|dj+")
"""Ways to write out ``ä``, ``ö``, ``ü``, ``å``, ``ø`` and ``đ``; all spellings share the first letter."""
_AMBIGUOUS_INITIALS = frozenset("aoud")
"""Initials of given names whose first letter may be written with one letter or two: ``Åsa``, ``Aasa``."""
_UE_WORDS = frozenset({"xue", "yue", "jue", "que"})
_PREFIX = re.compile(
    "(?:vanden|vander|vande|van|vom|von|zum|zur|della|delle|delli|dello|degli|dei|dal|das|der|dem|des|dos"
    "|del(?![aeiou])|de|di|da|du|los|las|les|la|le|lo|abdul|abdal|abd|abu|aal|al|el|ul|ibn|bint|bin|ben|bar"
    "|mac|mc|saint|st|ter|ten|ap|af|av|ou|au|o)(?=...)"
)
"""Particles that may be written as a separate word before a family name, or joined to it."""
_INITIALS = "abcdefghijklmnopqrstuvwxyz0123456789"


@lru_cache(maxsize=1 << 14)
def make_block_key(name: str) -> str:
    """Return the block key of a name: the end of the family name, ``|``, and the first initial.

    All names that match fully share it. Names of the same person with initials share it, too, unless the
    order or the number of family names differs. The key is for lookups, not for display: ``Lewis`` loses what
    might be a particle. It is "" if there is no name.
    """
    if name_ends := find_ends(name):
        given_name, family = name_ends
        return f"{fold_family_end(family)}|{given_name[:1]}"
    group = parse_name(name).group
    return f"{fold_family_end(min(group))}|" if group else ""


@lru_cache(maxsize=1 << 14)
def make_narrow_block_key(name: str) -> str:
    """Return a narrower key than the block key; names that match fully share it, but names with initials do not."""
    given_name = extract_first_name(name)
    return (
        make_block_key(name)
        if given_name[:1] in _AMBIGUOUS_INITIALS
        else make_block_key(name) + given_name[1:2]
    )


@lru_cache(maxsize=1 << 14)
def extract_first_name(name: str) -> str:
    """Return the first given name, folded; "" if it is an initial or there is none."""
    if word_pair := split_two_words(name):
        return word_pair[0]
    readings = parse_name(name).readings
    given_words = readings[0].given_variants[0] if readings else ()
    return readings[0].first_given if given_words and not given_words[0].is_short else ""


def find_given_names(name: str) -> Spellings:
    """Return the spellings of the first given name if it is spelled out in every reading; empty if that is not certain.

    Two names of a block that both have such spellings, but none in common, do not match.
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
        return frozenset()  # Chen Chen: the block may have it in the other order
    return frozenset[str]().union(*(variant[0].forms for variant in variants))


def make_full_keys(name: str) -> frozenset[str]:
    """Return keys for full matches: two names that match fully share at least one.

    A name that never matches fully has no keys. If it is not certain which names are spelled out, the only
    key is that of the block, and the name may match any name in it.
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
    """Fold the last word of a family name for a block key: one spelling of umlauts, and no particles in front."""
    if word in _UE_WORDS:
        return word
    word = _UMLAUT_SPELLINGS.sub(lambda match: match[0][0], word)
    while match := _PREFIX.match(word):
        word = word[match.end() :]
    return word


@lru_cache(maxsize=1 << 14)
def make_index_keys(name: str) -> frozenset[str]:
    """Return keys for an index of names: two names that match at all share at least one.

    A key is a spelling of the family name or of a part of it, ``|``, and an initial that matches. A family
    name alone matches any initial, so it has keys with all of them.
    """
    if word_pair := split_two_words(name):
        given_name, family_name = word_pair
        return frozenset((f"{family_name}|{given_name[0]}", f"{given_name}|{family_name[0]}"))
    if plain_words := split_plain_words(name):
        return _make_plain_index_keys(plain_words)
    return _make_index_keys(parse_name(name))


def make_key_filter(names: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a printed name shares an index key with one of some names.

    Few of tens of thousands of names do. Searching for the letters of a family name takes a tenth of the time
    of parsing a name, and rules out nearly all others.
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
"""A name that contains the family name as it is spelled, apart from signs."""


def _extract_kernel(name: str) -> str:
    """Return the letters that all spellings of a name share: ``Mueller`` and ``Muller``, ``Dmitriy`` and ``Dmitri``."""
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


def _make_plain_index_keys(words: Sequence[str]) -> frozenset[str]:
    """Return the keys of plain words, as ``_make_index_keys`` does, without parsing them.

    The family name is the last word, or begins up to two words before it, but not with an initial; or it is the
    first word.
    """
    index_keys = {f"{words[-1]}|{initial}" for initial in _list_plain_initials(words[:-1])}
    for start in range(len(words) - 2, max(0, len(words) - 4), -1):
        if _is_initial(words[start]):
            break
        families = words[start], *find_spellings("".join(words[start:]))
        initials = _list_plain_initials(words[:start])
        index_keys.update([f"{family}|{initial}" for family in families for initial in initials])
    swapped_family = words[0].removesuffix(".")
    index_keys.update([f"{swapped_family}|{initial}" for initial in _list_plain_initials(words[1:])])
    return frozenset(index_keys)


def _list_plain_initials(given_words: Sequence[str]) -> str:
    is_second_listed = _is_initial(given_words[0]) and len(given_words) > 1
    return given_words[0][0] + given_words[1][0] if is_second_listed else given_words[0][0]


def _is_initial(plain_word: str) -> bool:
    return plain_word[1] == "."


def _list_initials(reading: NameReading) -> Iterable[str]:
    words = reading.given_variants[0]
    if not words:
        return ("", *_INITIALS)
    leading_words = words[:2] if words[0].is_short else words[:1]
    return {form[:1] for word in leading_words for form in word.forms}


# --- comparison -----------------------------------------------------------------------------------

_CONFLICT, _LOOSE, _BY_INITIALS, _EXACT = range(4)
"""Quality of a match of given names: none, with an additional name, as far as initials show, complete."""


def match_names(query_name: str, printed_name: str) -> NameMatch:
    """Return how well a printed name matches a wanted one.

    Args:
        query_name: as a reader wrote it, in either order with a comma (``Xiao, Wencong``).
        printed_name: as printed on a paper.
    """
    if make_index_keys(query_name).isdisjoint(make_index_keys(printed_name)):
        return NameMatch.NOT
    return match_similar_names(query_name, printed_name)


def match_similar_names(query_name: str, printed_name: str) -> NameMatch:
    """Match two names as ``match_names`` does, without comparing keys: only for names that share an index key."""
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
        return min(best, NameMatch.INITIALS)  # the same sound, but other characters
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
    """Whether the family name on the left is the first or last part of the one on the right.

    Example: ``García`` is a part of ``García Márquez``. A left name with more given names is another
    person's.
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
    """Whether the second given names are spelled out and equal, and the first names agree.

    ``J. Robert Oppenheimer`` never spells out his first name; the second one is equally conclusive.
    """
    if not (_is_second_name(left) and _is_second_name(right)):
        return False
    return bool(left[0].forms & right[0].forms and left[1].forms & right[1].forms)


def _is_second_name(words: NameWords) -> bool:
    """Whether the word after the first given name is certainly another given name that is spelled out.

    In ``J. de Vries`` and ``J. García Márquez`` it belongs to the family name; only the word itself shows
    that.
    """
    return len(words) > 1 and not words[1].is_short and has_first_name(words[1].forms)


def _is_known_by_middle(left: NameWords, right: NameWords) -> bool:
    """Whether the left name without its leading initial is the right one.

    ``J. Michael Smith`` may sign as ``Michael Smith``.
    """
    return left[0].is_short and len(left) > 1 and _match_words(left[1:], right) == _EXACT


def _match_middle_names(shorter: NameWords, longer: NameWords) -> int:
    """Match middle names: the shorter sequence must occur, in order, in the longer one."""
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
