"""Parsing of printed names: given names, family name, suffix, script.

Names rarely show which words belong to the family name, so a name has several readings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from anyascii import anyascii

from digest.core.names.credentials import (
    DEGREES,
    DEGREES_AFTER_COMMA,
    TITLES,
    cut_degrees,
    is_membership,
    is_title,
    strip_titles,
)
from digest.core.names.word_lists import load_words
from digest.core.text.accents import decode_tex_accents

# --- folding --------------------------------------------------------------------------------------

# Spellings of these letters with two letters; anyascii uses only one.
_UMLAUTS_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa", "Đ": "Dj"}
)
_NON_LETTERS = re.compile(r"[^a-z0-9]+")
# Longer texts are not names, and comparing them would take long.
_MAX_NAME_LENGTH = 300
_MAX_GIVEN_NAMES = 8
_HYPHENS = re.compile("[\u2010-\u2015\u2212\uff0d]")
_APOSTROPHES = re.compile("['`\u00b4\u02bb\u02bc\u2018\u2019\uff07]")
_ASIDES = re.compile('\\([^()]*\\)|"[^"]*"|\u201c[^\u201d]*\u201d')
_ONLY_WORDS = re.compile("[A-Za-z]+(?: [A-Za-z]+)*")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")

Spellings = frozenset[str]
"""The spellings to which a word can be folded: ``schölkopf`` becomes scholkopf or schoelkopf."""


@lru_cache(maxsize=1 << 14)
def find_spellings(word: str) -> Spellings:
    """Return the spellings of a word in lower-case ASCII letters and digits."""
    folded = fold_to_ascii(word)
    if word.isascii():
        return frozenset((folded, _UMLAUT_WITH_E.sub(_drop_e, folded), _TRANSLITERATED.get(folded, folded)))
    return frozenset((folded, fold_to_ascii(word.translate(_UMLAUTS_WRITTEN_OUT))))


_UMLAUT_WITH_E = re.compile(
    "(?=[a-z]{6})^(?:[a-z]*?(?:[bcdfghklmnprstvwz][ou]e(?=[bcdfghjklmnpqrstvwxz])|[jqxy]ue(?=r[^aeiou]))|oe)"
)


def _drop_e(match: re.Match[str]) -> str:
    return match[0][:-1]


# Given names with several transliterations from Cyrillic.
_TRANSLITERATED = {
    f"{stem}{ending}": f"{stem}i"
    for stem, endings in {
        **dict.fromkeys(("andre", "serge", "alexe", "alekse", "matve", "nikola", "timofe"), ("y",)),
        **dict.fromkeys(("dmitr", "yur"), ("y", "iy", "ii")),
        **dict.fromkeys(
            ("anatol", "arkad", "evgen", "gennad", "georg", "grigor", "valer", "vasil", "vital"),
            ("y", "iy", "ii"),
        ),
    }.items()
    for ending in endings
}


def fold_to_ascii(word: str) -> str:
    """Return a word in lower-case ASCII letters and digits, transliterated by machine."""
    if word.isascii():
        return word.lower() if word.isalpha() else _NON_LETTERS.sub("", word.lower())
    return _NON_LETTERS.sub("", anyascii(word).lower())


# --- parsing --------------------------------------------------------------------------------------

_COLLABORATION = re.compile(r"\b(collaborations?|consortium|team|group|project|network)\b", re.IGNORECASE)
_GROUP_PREFIX = re.compile("^(?:(?:on behalf of|for) )?(?:the )?", re.IGNORECASE)
# fmt: off
_SUFFIXES = frozenset({"jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv"})
# As the first of two words, these are given names unless the capitals show otherwise.
_GIVEN_NAME_PARTICLES = frozenset({
    "abu", "al", "bar", "ben", "bin", "da", "del", "den", "des", "di", "do", "du", "el", "la", "le", "les", "lo", "mac",
    "san", "van",
})
PARTICLES = _GIVEN_NAME_PARTICLES | {
    "aan", "af", "ap", "av", "bint", "dal", "das", "de", "degli", "dei", "della", "delle", "delli", "dello", "dem",
    "der", "dos", "e", "ibn", "las", "los", "mc", "of", "op", "st", "t", "ten", "ter", "vande",
    "vanden", "vander", "vom", "von", "y", "zu", "zum", "zur",
}
_ONE_LETTER_FAMILIES = frozenset("aeiou")  # Weinan E
_TWO_WORDS = re.compile("[A-Z][a-z]{1,30} [A-Z][a-z]{1,30}")
_PLAIN_WORDS = re.compile("(?:[A-Z](?:[.]|[a-z]{1,30}) ){1,7}[A-Z][a-z]{1,30}")
_LATIN_LETTERS = "A-Za-zÀ-ÖØ-öø-ıĴ-ľŁ-ňŊ-žẠ-ỹ"
_PLAIN_NAME = re.compile(rf"([{_LATIN_LETTERS}](?:\.|[{_LATIN_LETTERS}]+))(?:-[{_LATIN_LETTERS}]+)* (?:[{_LATIN_LETTERS}](?:\.|[{_LATIN_LETTERS}]+(?:-[{_LATIN_LETTERS}]+)*)? )*(?:[{_LATIN_LETTERS}]+-)*([{_LATIN_LETTERS}]{{2,}})")
SPECIAL_WORDS = PARTICLES | _SUFFIXES | DEGREES | TITLES | {
    "collaboration", "collaborations", "consortium", "team", "group", "project", "network",
}
_TWO_SIGN_FAMILIES = frozenset({
    "欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "皇甫", "令狐", "慕容", "尉迟", "尉遲", "夏侯", "东方", "東方",
    "司徒", "公孙", "公孫", "端木",
})
# fmt: on


class NameWord(NamedTuple):
    """A word of the given names.

    Attributes:
        is_short: whether it is an initial or an abbreviation.
        is_joined: whether it was printed as two words; initials then never match it.
    """

    forms: Spellings
    is_short: bool
    is_joined: bool = False


NameWords = tuple[NameWord, ...]


class NameReading(NamedTuple):
    """One way to split a name into given names and family name.

    Attributes:
        given_variants: the given names; in two variants if the first two may be one name (``Xiao Ming``,
            ``Xiaoming``).
        family: spellings of the family name with its particles, as one word.
        bare_family: spellings of the family name without particles, as one word.
        family_parts: spellings of each part of the family name without particles.
        family_end: last part of the family name, in one spelling.
        first_given: first given name or initial, in one spelling; "" if there is none.
        is_abbreviated: whether the family name ends with an initial, as in ``Smith J.`` read in the order
            written.
    """

    given_variants: tuple[NameWords, ...]
    family: Spellings
    bare_family: Spellings
    family_parts: tuple[Spellings, ...]
    family_end: str
    first_given: str
    is_abbreviated: bool = False


class ParsedName(NamedTuple):
    """A parsed name.

    Attributes:
        readings: in the order written, the most likely one first; empty for a collaboration.
        swapped_readings: with the family name first, if the order is not certain.
        group: spellings of the name of a collaboration; empty for a person.
        suffix: ``jr``, ``iii`` …; "" for none.
        script: the name if it is in Chinese script; "" for other scripts.
    """

    readings: tuple[NameReading, ...] = ()
    swapped_readings: tuple[NameReading, ...] = ()
    group: Spellings = frozenset()
    suffix: str = ""
    script: str = ""


@lru_cache(maxsize=1 << 14)
def parse_name(text: str) -> ParsedName:
    """Parse a name, which may have TeX, diacritics, a comma, a suffix and titles."""
    plain_words = split_two_words(text)
    return _parse_two_words(*plain_words) if plain_words else _parse_in_full(text)


def split_two_words(text: str) -> tuple[str, str] | None:
    """Return given name and family name in lower case if the name is two plain words, as most are; else None."""
    if not _TWO_WORDS.fullmatch(text):
        return None
    first, second = text.lower().split()
    return (
        (first, second)
        if SPECIAL_WORDS.isdisjoint((first, second)) and not has_variants(first, second)
        else None
    )


def split_plain_words(text: str) -> Sequence[str] | None:
    """Return the words of a name, in lower case, if all are plain or initials with a dot; else None.

    The last word is not an initial. Most names of three words are so simple: ``Daniel K. Park``, ``P. D. Rathika``.
    """
    if not _PLAIN_WORDS.fullmatch(text):
        return None
    words = text.lower().split()
    return words if SPECIAL_WORDS.isdisjoint(words) and not has_variants(*words) else None


def has_variants(*words: str) -> bool:
    """Whether any of some words, in lower-case ASCII letters, has several spellings; few have."""
    # This runs for every name that is parsed, and a generator takes three times as long as a loop.
    for word in words:
        if word in _TRANSLITERATED or (("oe" in word or "ue" in word) and len(find_spellings(word)) > 1):
            return True
    return False


def _parse_two_words(given_name: str, family_name: str) -> ParsedName:
    """Parse a name of two plain words, with the same result as ``_parse_in_full`` at a tenth of the cost."""
    given_spellings, family_spellings = find_spellings(given_name), find_spellings(family_name)
    return ParsedName(
        readings=(
            NameReading(
                ((NameWord(given_spellings, is_short=False),),),
                family_spellings,
                family_spellings,
                (family_spellings,),
                family_name,
                given_name,
            ),
        ),
        swapped_readings=(
            NameReading(
                ((NameWord(family_spellings, is_short=False),),),
                given_spellings,
                given_spellings,
                (given_spellings,),
                given_name,
                family_name,
            ),
        ),
    )


def find_ends(text: str) -> tuple[str, str] | None:
    """Return the first given name or initial and the last part of the family name, by the most likely reading.

    Return None if there is no name, or it is that of a collaboration. For most names this takes a tenth of
    the time of parsing; it is called for every author that is stored.
    """
    if word_pair := split_two_words(text):
        return word_pair
    match = _PLAIN_NAME.fullmatch(text) if len(text) < _MAX_NAME_LENGTH else None
    if match and SPECIAL_WORDS.isdisjoint(text.lower().split()):
        given_name, family_name = match.groups()
        if given_name[1:2] in {"", "."} or not given_name.isupper():  # JP is two initials
            return min(find_spellings(given_name)), fold_to_ascii(family_name)
    likeliest = next(iter(parse_name(text).readings), None)
    return (likeliest.first_given, likeliest.family_end) if likeliest else None


def _parse_in_full(text: str) -> ParsedName:
    text = _clean_text(text[:_MAX_NAME_LENGTH])
    if match := _COLLABORATION.search(text):
        return ParsedName(group=_fold_group(text[: match.start()], text[match.end() :]))
    latin = _HAN.sub("", text).strip()
    if not any(map(str.isalpha, latin)) and latin != text:
        return _parse_chinese("".join(_HAN.findall(text)))
    written_pieces = [piece for piece in map(_tokenize, latin.split(",")) if piece]
    suffix, pieces = _cut_suffix(_strip_degrees(written_pieces))
    if not pieces:
        return ParsedName()
    if len(pieces) > 1:
        given_words = [word for piece in pieces[1:] for word in piece]
        readings: tuple[NameReading, ...] = (_make_reading(given_words, pieces[0]),)
        swapped_readings: tuple[NameReading, ...] = ()
    else:
        readings, swapped_readings = _make_readings(pieces[0])
        if _may_end_in_initials(written_pieces):
            swapped_readings += (_make_reading(written_pieces[1], written_pieces[0]),)
    return ParsedName(readings=readings, swapped_readings=swapped_readings, suffix=suffix)


_FIRST_NAMES = frozenset(load_words("digest.core.names", "first_names.txt"))
_MAX_INITIALS = 3
_PLAIN_DEGREES = frozenset({"md", "phd"})
"""Degrees that follow names far more often than the same letters do as initials."""


def has_first_name(spellings: Iterable[str]) -> bool:
    """Whether one of the spellings of a word is a given name and hardly ever a family name."""
    return not _FIRST_NAMES.isdisjoint(spellings)


def _may_end_in_initials(pieces: Sequence[list[str]]) -> bool:
    """Whether an apparent degree may be the initials after a double family name: ``Garcia Lopez, M. A.``."""
    if len(pieces) != 2 or len(pieces[0]) < 2 or has_first_name(find_spellings(pieces[0][0])):
        return False
    letters = "".join(pieces[1]).replace(".", "")
    return letters.isupper() and len(letters) <= _MAX_INITIALS and letters.lower() not in _PLAIN_DEGREES


def is_group(text: str) -> bool:
    """Whether a name is that of a collaboration."""
    return bool(_COLLABORATION.search(text))


def _fold_group(before: str, after: str) -> Spellings:
    """Return the spellings of a collaboration's name, without words such as "collaboration".

    A workplace after a comma is left out, too.
    """
    name = _GROUP_PREFIX.sub("", before, count=1).strip(" ,")
    if not name:  # Team Gemini, Google
        return find_spellings(after.lstrip(" ,").partition(",")[0])
    return find_spellings(name if after.startswith(",") else name + after)


def _clean_text(text: str) -> str:
    if text.isascii() and _ONLY_WORDS.fullmatch(text):
        return text
    text = _ASIDES.sub(" ", decode_tex_accents(unicodedata.normalize("NFKC", text)))
    text = _APOSTROPHES.sub("", _HYPHENS.sub("-", text)).replace(".", ". ")
    return " ".join(text.split())


def _tokenize(text: str) -> list[str]:
    words = strip_titles(text.replace(" -", " ").replace("- ", " ").split())
    return [word for word in words if any(map(str.isalnum, word))]


def _strip_degrees(pieces: list[list[str]]) -> list[list[str]]:
    """Remove degrees, honours, orders and memberships from the end: ``MD``, ``Ph. D.``, ``QC``, ``Fellow, IEEE``.

    After a family name alone they are initials: ``Smith, M.D.``
    """
    if not pieces:
        return pieces
    family_part = cut_degrees(pieces[0], DEGREES, min_words=2)
    given_parts: list[list[str]] = []
    later_parts = pieces[1:]
    if later_parts and (
        len(family_part) == 1
        or (_is_particle(family_part[0], is_cased=True) and _is_family_only(family_part))
    ):
        given_parts, later_parts = [cut_degrees(later_parts[0], DEGREES, min_words=1)], later_parts[1:]
    remainder = (
        cut_degrees(piece, DEGREES_AFTER_COMMA, min_words=0)
        for piece in later_parts
        if not (is_title(piece) or is_membership(" ".join(piece)))
    )
    return [family_part, *given_parts, *filter(None, remainder)]


def _cut_suffix(pieces: list[list[str]]) -> tuple[str, list[list[str]]]:
    """Remove a suffix such as ``Jr.`` from the end of the name or family name, or from between commas, and return it."""
    suffix = ""
    remaining = []
    for index, piece in enumerate(pieces):
        last = piece[-1].lower().rstrip(".")
        if last in _SUFFIXES and len(piece) + 2 * index > 1 + (len(pieces) == 1):
            suffix, piece = last, piece[:-1]  # noqa: PLW2901 - the piece without its suffix
        if piece:
            remaining.append(piece)
    return {"jnr": "jr", "junior": "jr", "snr": "sr", "senior": "sr"}.get(suffix, suffix), remaining


def _parse_chinese(characters: str) -> ParsedName:
    """Parse a name in Chinese script: the family name comes first, and has one character or, in a few cases, two."""
    family_length = 2 if characters[:2] in _TWO_SIGN_FAMILIES and len(characters) > 2 else 1
    family, given_words = (
        [anyascii(characters[:family_length])],
        [anyascii(character) for character in characters[family_length:]],
    )
    reading = _make_reading(given_words, family)
    return ParsedName(readings=(reading,), script=characters)


def _make_readings(words: list[str]) -> tuple[tuple[NameReading, ...], tuple[NameReading, ...]]:
    """Return the readings of a name without a comma: as written, and swapped."""
    last_index = len(words) - 1
    is_cased = any(not word.islower() for word in words)
    start = last_index
    while start > 1 and _is_particle(words[start - 1], is_cased=is_cased):
        start -= 1
    if start == 1 and _is_particle(words[0], is_cased=is_cased) and _is_family_only(words):
        start = 0
    starts = [start]
    while len(starts) < 3 and starts[-1] > 1 and _is_possible_family(words[starts[-1] - 1]):
        starts.append(starts[-1] - 1)
    readings = [_make_reading(words[:split_at], words[split_at:]) for split_at in starts]
    if 0 < start < last_index:  # what looks like a particle may be a middle name
        readings.append(_make_reading(words[:last_index], words[last_index:], particles=False))
    if start == 0:
        return tuple(readings), ()
    end = 1
    while end < last_index and _is_particle(words[end - 1], is_cased=is_cased):
        end += 1
    return tuple(readings), (_make_reading(words[end:], words[:end]),)


def _is_possible_family(word: str) -> bool:
    """Whether a word before the family name may belong to it: an initial does not, except in ``O Brien``."""
    return len(word.rstrip(".")) > 1 or word in {"O", "Ó"}


def _is_particle(word: str, *, is_cased: bool) -> bool:
    if len(word) == 1:
        return is_cased and word in PARTICLES
    return word.lower() in PARTICLES


def _is_family_only(words: list[str]) -> bool:
    """Whether a name that starts with a particle is only a family name: ``van den Oord``, but not ``Le Zhang``."""
    leading = words[:-1]
    return any(word.lower() not in _GIVEN_NAME_PARTICLES for word in leading) or (
        leading[0].islower() and not words[-1].islower()
    )


def _make_reading(given_words: list[str], family_words: list[str], *, particles: bool = True) -> NameReading:
    words = _split_hyphens(family_words)
    particle_count = 0
    while particles and particle_count < len(words) - 1 and words[particle_count].lower() in PARTICLES:
        particle_count += 1
    parts = tuple(map(find_spellings, words[particle_count:]))
    bare = parts[0] if len(parts) == 1 else find_spellings("".join(words[particle_count:]))
    end = fold_to_ascii(words[-1]) if words else ""
    is_in_capitals = any(word.isupper() and len(word) > 3 for word in family_words) or all(
        map(str.isupper, family_words)
    )
    names = tuple(islice(_split_given_names(given_words, capitals=not is_in_capitals), _MAX_GIVEN_NAMES))
    return NameReading(
        given_variants=_list_variants(names),
        family=find_spellings("".join(words)) if particle_count else bare,
        bare_family=bare,
        family_parts=parts,
        family_end=end,
        first_given=min(names[0].forms) if names else "",
        is_abbreviated=len(end) == 1 and (family_words[-1].endswith(".") or end not in _ONE_LETTER_FAMILIES),
    )


def _split_hyphens(words: list[str]) -> list[str]:
    if len(words) == 1 and "-" not in words[0] and not words[0].endswith("."):
        return words
    return [part for word in words for part in word.rstrip(".").split("-") if part]


def _list_variants(names: NameWords) -> tuple[NameWords, ...]:
    if len(names) < 2 or names[0].is_short or names[1].is_short:
        return (names,)
    joined_spellings = frozenset(head + tail for head in names[0].forms for tail in names[1].forms)
    return names, (NameWord(joined_spellings, is_short=False, is_joined=True), *names[2:])


def _split_given_names(words: list[str], *, capitals: bool) -> Iterator[NameWord]:
    """Yield the given names; they are separated by hyphens, and joined capitals (``JP``) are separate names."""
    for word in words:
        for part in _split_hyphens([word]):
            if capitals and 1 < len(part) <= 3 and part.isupper():
                yield from (NameWord(find_spellings(letter), is_short=True) for letter in part)
            else:
                yield NameWord(find_spellings(part), is_short=len(part) == 1 or word.endswith("."))
