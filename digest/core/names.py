"""Whether a printed name can be the wanted person's.

A name is evidence, not a person: this module compares spellings only. It knows order, initials, diacritics
and transliteration, TeX accents, particles, suffixes, hyphens, single names, collaborations and Chinese
script; it knows no nicknames and no co-authors.

Which words belong to the family name is rarely written down, so a name has several readings, and two names
fit as well as their best pair of readings does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice

from anyascii import anyascii

from digest.core.accents import without_tex


class NameFit(IntEnum):
    """How well a printed name fits a wanted one; a greater one is better."""

    NOT = 0
    INITIALS = 1
    """It may be: initials, a family name alone, swapped order, another particle, one more middle name."""
    FULL = 2


# --- folding --------------------------------------------------------------------------------------

# Written out, these letters take a second one; anyascii drops it.
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "đ": "dj"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa", "Đ": "Dj"}
)
_NO_LETTER = re.compile(r"[^a-z0-9]+")
# Beyond these it is no name, and comparing would take long.
_LONGEST = 300
_MOST_GIVEN = 8
_HYPHENS = re.compile("[\u2010-\u2015\u2212\uff0d]")
_APOSTROPHES = re.compile("['`\u00b4\u02bb\u02bc\u2018\u2019\uff07]")
_ASIDES = re.compile('\\([^()]*\\)|"[^"]*"|\u201c[^\u201d]*\u201d')
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")

_Forms = frozenset[str]
"""The spellings that a word can be folded to: ``schölkopf`` is scholkopf or schoelkopf."""


def _forms(word: str) -> _Forms:
    if word.isascii():
        return frozenset((_NO_LETTER.sub("", word.lower()),))
    return frozenset(
        _NO_LETTER.sub("", anyascii(form).lower()) for form in (word, word.translate(_WRITTEN_OUT))
    )


@lru_cache(maxsize=1 << 14)
def folded(name: str) -> str:
    r"""A name as it is known again in another list of the same paper's authors.

    Its letters and digits alone, in small ASCII: ``Paul Erdős``, ``Paul Erd\H{o}s`` and ``PAUL ERDOS`` are one.
    """
    plain = without_tex(unicodedata.normalize("NFKC", name))
    return _NO_LETTER.sub("", (plain if plain.isascii() else anyascii(plain)).lower())


# --- reading --------------------------------------------------------------------------------------

_COLLABORATION = re.compile(r"\b(collaborations?|consortium|team|group|project|network)\b", re.IGNORECASE)
# fmt: off
_SUFFIXES = frozenset({"jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv", "phd"})
_TITLES = frozenset({"dr", "prof", "professor", "mr", "mrs", "ms", "sir"})
# As the first of two words, these are given names unless the case says otherwise.
_ALSO_GIVEN = frozenset({
    "abu", "al", "bar", "ben", "bin", "da", "del", "den", "di", "do", "du", "el", "la", "le", "lo", "san", "van",
})
_PARTICLES = _ALSO_GIVEN | {
    "aan", "af", "ap", "av", "bint", "dal", "das", "de", "degli", "dei", "della", "delle", "delli", "dello", "dem",
    "der", "des", "dos", "e", "ibn", "las", "les", "los", "mac", "mc", "of", "op", "st", "t", "ten", "ter", "vande",
    "vanden", "vander", "vom", "von", "y", "zu", "zum", "zur",
}
_FAMILIES_OF_TWO_SIGNS = frozenset({
    "欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "皇甫", "令狐", "慕容", "尉迟", "尉遲", "夏侯", "东方", "東方",
    "司徒", "公孙", "公孫", "端木",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the given names.

    Attributes:
        short: it is an initial or an abbreviation.
        joined: it was printed as two words, whose initials are not its own.
    """

    forms: _Forms
    short: bool
    joined: bool = False


_Words = tuple[_Word, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to tell given names and family name apart.

    Attributes:
        given: the given names; more than one way where two of them may be one (``Xiao Ming``, ``Xiaoming``).
        family: the spellings of the family name with its particles, in one word.
        bare: the same without particles.
        parts: the parts of the bare name.
    """

    given: tuple[_Words, ...]
    family: _Forms
    bare: _Forms
    parts: tuple[_Forms, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    """A name, read.

    Attributes:
        readings: in the order written, the likeliest first; none for a collaboration.
        swapped: the reading if the family name stood first, where that is not known.
        words: a name that fits has at least one of these in it.
        group: the spellings of a collaboration's name, empty for a person.
        suffix: ``jr``, ``iii`` …, "" for none.
        script: the name in Chinese script, "" for another.
    """

    readings: tuple[_Reading, ...] = ()
    swapped: tuple[_Reading, ...] = ()
    words: tuple[str, ...] = ()
    group: _Forms = frozenset()
    suffix: str = ""
    script: str = ""


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> _Name:
    text = _tidy(text[:_LONGEST])
    if group := _COLLABORATION.search(text):
        forms = _forms(text[: group.start()].lower().removeprefix("the ") + text[group.end() :])
        return _Name(group=forms, words=tuple(forms))
    latin = _HAN.sub("", text).strip()
    if not any(map(str.isalpha, latin)) and latin != text:
        return _in_script("".join(_HAN.findall(text)))
    pieces = [_tokens(piece) for piece in latin.split(",")]
    suffix, pieces = _cut_suffix([piece for piece in pieces if piece])
    if not pieces:
        return _Name()
    if len(pieces) > 1:
        given = [word for piece in pieces[1:] for word in piece]
        readings: tuple[_Reading, ...] = (_reading(given, pieces[0]),)
        swapped: tuple[_Reading, ...] = ()
    else:
        readings, swapped = _guessed(pieces[0])
    words = {form for piece in pieces for word in piece for form in _forms(word) if len(form) > 1}
    return _Name(readings=readings, swapped=swapped, words=tuple(sorted(words)), suffix=suffix)


def _tidy(text: str) -> str:
    text = _ASIDES.sub(" ", without_tex(unicodedata.normalize("NFKC", text)))
    text = _APOSTROPHES.sub("", _HYPHENS.sub("-", text)).replace(".", ". ")
    return " ".join(text.split())


def _tokens(text: str) -> list[str]:
    words = text.replace(" -", " ").replace("- ", " ").split()
    if len(words) > 1 and words[0].lower().rstrip(".") in _TITLES:
        del words[0]
    return [word for word in words if any(map(str.isalnum, word))]


def _cut_suffix(pieces: list[list[str]]) -> tuple[str, list[list[str]]]:
    """Takes ``Jr.`` off the end of the name, of the family name, or from between commas."""
    suffix = ""
    kept = []
    for at, piece in enumerate(pieces):
        last = piece[-1].lower().rstrip(".")
        if last in _SUFFIXES and len(piece) + 2 * at > 1 + (len(pieces) == 1):
            suffix, piece = last, piece[:-1]  # noqa: PLW2901 - the piece goes on without it
        if piece:
            kept.append(piece)
    return {"jnr": "jr", "junior": "jr", "snr": "sr", "senior": "sr", "phd": ""}.get(suffix, suffix), kept


def _in_script(signs: str) -> _Name:
    """Chinese script has the family name first, of one sign or one of the few of two."""
    cut = 2 if signs[:2] in _FAMILIES_OF_TWO_SIGNS and len(signs) > 2 else 1
    family, given = [anyascii(signs[:cut])], [anyascii(sign) for sign in signs[cut:]]
    reading = _reading(given, family)
    return _Name(readings=(reading,), words=tuple(_forms("".join(family))), script=signs)


def _guessed(words: list[str]) -> tuple[tuple[_Reading, ...], tuple[_Reading, ...]]:
    """The readings of a name without a comma, as written and swapped."""
    last = len(words) - 1
    cased = any(not word.islower() for word in words)
    start = last
    while start > 1 and _is_particle(words[start - 1], cased=cased):
        start -= 1
    if start == 1 and _is_particle(words[0], cased=cased) and _is_no_given(words):
        start = 0
    starts = [start]
    while len(starts) < 3 and starts[-1] > 1 and _may_be_family(words[starts[-1] - 1]):
        starts.append(starts[-1] - 1)
    readings = [_reading(words[:at], words[at:]) for at in starts]
    if 0 < start < last:  # what looks like a particle may be a middle name
        readings.append(_reading(words[:last], words[last:], particles=False))
    if start == 0:
        return tuple(readings), ()
    end = 1
    while end < last and _is_particle(words[end - 1], cased=cased):
        end += 1
    return tuple(readings), (_reading(words[end:], words[:end]),)


def _may_be_family(word: str) -> bool:
    """Whether a word before the family name may belong to it: an initial does not, but for ``O Brien``."""
    return len(word.rstrip(".")) > 1 or word in {"O", "Ó"}


def _is_particle(word: str, *, cased: bool) -> bool:
    if len(word) == 1:
        return cased and word in _PARTICLES
    return word.lower() in _PARTICLES


def _is_no_given(words: list[str]) -> bool:
    """Whether a name that starts with a particle is a family name alone: ``van den Oord``, not ``Le Zhang``."""
    leading = words[:-1]
    return any(word.lower() not in _ALSO_GIVEN for word in leading) or (
        leading[0].islower() and not words[-1].islower()
    )


def _reading(given: list[str], family: list[str], *, particles: bool = True) -> _Reading:
    words = [part for word in family for part in word.rstrip(".").split("-") if part]
    first = 0
    while particles and first < len(words) - 1 and words[first].lower() in _PARTICLES:
        first += 1
    parts = tuple(map(_forms, words[first:]))
    caps = any(word.isupper() and len(word) > 3 for word in family) or all(map(str.isupper, family))
    names = tuple(islice(_given_words(given, capitals=not caps), _MOST_GIVEN))
    ways: tuple[_Words, ...] = (names,)
    if len(names) > 1 and not (names[0].short or names[1].short):
        both = frozenset(head + tail for head in names[0].forms for tail in names[1].forms)
        ways = (names, (_Word(both, short=False, joined=True), *names[2:]))
    whole, bare = _forms("".join(words)), _forms("".join(words[first:]))
    return _Reading(given=ways, family=whole, bare=bare, parts=parts)


def _given_words(words: list[str], *, capitals: bool) -> Iterator[_Word]:
    """Given names one by one: hyphens part them, and so do capitals run together (``JP``)."""
    for word in words:
        for part in word.rstrip(".").split("-"):
            if capitals and 1 < len(part) <= 3 and part.isupper():
                yield from (_Word(_forms(letter), short=True) for letter in part)
            elif part:
                yield _Word(_forms(part), short=len(part) == 1 or word.endswith("."))


# --- comparing ------------------------------------------------------------------------------------

_CONFLICT, _LOOSE, _BY_INITIALS, _EXACT = range(4)
"""How given names fit: not; with a name too many; as far as initials tell; wholly."""


def name_fit(wanted: str, printed: str) -> NameFit:
    """Say how well a printed name fits a wanted one.

    Args:
        wanted: as a reader wrote it, in either order with a comma (``Xiao, Wencong``).
        printed: as it stands on a paper.
    """
    wish = _read(wanted)
    letters = _letters(printed)
    for word in wish.words:
        if word in letters:
            break
    else:
        if wish.words:
            return NameFit.NOT
    return _fit(wish, _read(printed))


@lru_cache(maxsize=1 << 14)
def _letters(text: str) -> str:
    """Both foldings of a name, letters only: what cannot fit is told from it without reading the name."""
    return "|".join(_forms(_APOSTROPHES.sub("", without_tex(unicodedata.normalize("NFKC", text)))))


def _fit(a: _Name, b: _Name) -> NameFit:
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


def _group_fit(a: _Name, b: _Name) -> NameFit:
    if a.group and b.group:
        return NameFit.FULL if a.group & b.group else NameFit.NOT
    group, person = (a.group, b) if a.group else (b.group, a)
    alone = person.readings and not person.readings[0].given[0] and person.readings[0].family & group
    return NameFit.INITIALS if alone else NameFit.NOT


def _reading_fit(a: _Reading, b: _Reading) -> NameFit:
    given = _given_fit(a, b)
    if given == _CONFLICT:
        return NameFit.NOT
    if a.family & b.family:
        return NameFit.FULL if given == _EXACT else NameFit.INITIALS
    if a.bare & b.bare:
        return NameFit.INITIALS
    part = given == _EXACT and (_is_part(a, b) or _is_part(b, a))
    return NameFit.INITIALS if part else NameFit.NOT


def _is_part(a: _Reading, b: _Reading) -> bool:
    """Whether a's family name is the first or the last part of b's: ``García`` of ``García Márquez``."""
    return len(b.parts) > 1 and bool(a.bare & b.parts[0] or a.bare & b.parts[-1])


def _family_alone(a: _Reading, b: _Reading) -> NameFit:
    alone = (not a.given[0]) != (not b.given[0])
    same = a.family & b.family or a.bare & b.bare
    return NameFit.INITIALS if alone and any(len(form) > 1 for form in same) else NameFit.NOT


def _given_fit(a: _Reading, b: _Reading) -> int:
    return max(_words_fit(x, y) for x in a.given for y in b.given)


def _words_fit(a: _Words, b: _Words) -> int:
    if not a or not b:
        return _CONFLICT if a or b else _EXACT
    first = _word_fit(a[0], b[0])
    if first == _CONFLICT:
        return _LOOSE if _known_by_middle(a, b) or _known_by_middle(b, a) else _CONFLICT
    return min(first, _middle_fit(a[1:], b[1:]))


def _known_by_middle(a: _Words, b: _Words) -> bool:
    """``J. Michael Smith`` may be who prints ``Michael Smith``."""
    return a[0].short and len(a) > 1 and _words_fit(a[1:], b) == _EXACT


def _middle_fit(a: _Words, b: _Words) -> int:
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


def _word_fit(a: _Word, b: _Word) -> int:
    if a.forms & b.forms:
        return _BY_INITIALS if a.short and b.short else _EXACT
    if (
        (a.short or b.short)
        and not (a.joined or b.joined)
        and any(x.startswith(y) or y.startswith(x) for x in a.forms for y in b.forms)
    ):
        return _BY_INITIALS
    return _CONFLICT
