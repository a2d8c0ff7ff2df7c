"""What the parts of a printed name are: given names, family name, suffix, script.

Which words belong to the family name is rarely written down, so a name has several readings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from anyascii import anyascii

from digest.core.text.accents import without_tex

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
_ONLY_WORDS = re.compile("[A-Za-z]+(?: [A-Za-z]+)*")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")

Forms = frozenset[str]
"""The spellings that a word can be folded to: ``schölkopf`` is scholkopf or schoelkopf."""


@lru_cache(maxsize=1 << 14)
def forms(word: str) -> Forms:
    """The spellings of a word in small ASCII letters and digits."""
    spelled = plain(word)
    if word.isascii():
        return frozenset((spelled, _UMLAUT.sub(_without_e, spelled), _TRANSLITERATED.get(spelled, spelled)))
    return frozenset((spelled, plain(word.translate(_WRITTEN_OUT))))


_UMLAUT = re.compile(
    "(?=[a-z]{6})^(?:[a-z]*?(?:[bcdfghklmnprstvwz][ou]e(?=[bcdfghjklmnpqrstvwxz])|[jqxy]ue(?=r[^aeiou]))|oe)"
)


def _without_e(found: re.Match[str]) -> str:
    return found[0][:-1]


# The given names that are written in two ways or more when they are no longer in Cyrillic.
_TRANSLITERATED = {
    f"{stem}{end}": f"{stem}i"
    for stem, ends_ in {
        **dict.fromkeys(("andre", "serge", "alexe", "alekse", "matve", "nikola", "timofe"), ("y",)),
        **dict.fromkeys(("dmitr", "yur"), ("y", "iy", "ii")),
        **dict.fromkeys(
            ("anatol", "arkad", "evgen", "gennad", "georg", "grigor", "valer", "vasil", "vital"),
            ("y", "iy", "ii"),
        ),
    }.items()
    for end in ends_
}


def plain(word: str) -> str:
    """A word in small ASCII letters and digits, as a machine spells it."""
    if word.isascii():
        return word.lower() if word.isalpha() else _NO_LETTER.sub("", word.lower())
    return _NO_LETTER.sub("", anyascii(word).lower())


# --- reading --------------------------------------------------------------------------------------

_COLLABORATION = re.compile(r"\b(collaborations?|consortium|team|group|project|network)\b", re.IGNORECASE)
_SPEAKING_FOR = re.compile("^(?:(?:on behalf of|for) )?(?:the )?", re.IGNORECASE)
# fmt: off
_SUFFIXES = frozenset({"jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv"})
_DEGREES = frozenset({
    "bds", "beng", "bsc", "cbe", "dds", "dmd", "dnb", "dphil", "drph", "dsc", "dvm", "edd", "esq", "facc", "facp", "facs",
    "faha", "fba", "fieee", "fmedsci", "frcp", "frcpath", "frcs", "freng", "frs", "frsc", "frse", "kbe", "mba", "mbbs",
    "mbchb", "mbe", "md", "meng", "mph", "mphil", "mrcp", "msc", "obe", "pharmd", "phd", "psyd", "qc", "scd",
})
# Without a comma these are initials or family names: Ma, Do, the KC of Nepal.
_DEGREES_BEHIND_A_COMMA = _DEGREES | {
    "ab", "ba", "bs", "cm", "do", "dr", "jd", "kc", "llb", "llm", "llp", "ma", "ms", "ocd", "ofm", "op", "osb", "pe", "rn", "sb",
    "sj", "sm",
}
_TITLES = frozenset({"dr", "prof", "professor", "mr", "mrs", "ms", "sir"})
# As the first of two words, these are given names unless the case says otherwise.
_ALSO_GIVEN = frozenset({
    "abu", "al", "bar", "ben", "bin", "da", "del", "den", "des", "di", "do", "du", "el", "la", "le", "les", "lo", "mac",
    "san", "van",
})
PARTICLES = _ALSO_GIVEN | {
    "aan", "af", "ap", "av", "bint", "dal", "das", "de", "degli", "dei", "della", "delle", "delli", "dello", "dem",
    "der", "dos", "e", "ibn", "las", "los", "mc", "of", "op", "st", "t", "ten", "ter", "vande",
    "vanden", "vander", "vom", "von", "y", "zu", "zum", "zur",
}
_FAMILIES_OF_ONE_LETTER = frozenset("aeiou")  # Weinan E
_TWO_WORDS = re.compile("[A-Z][a-z]{1,30} [A-Z][a-z]{1,30}")
_L = "A-Za-zÀ-ÖØ-öø-ıĴ-ľŁ-ňŊ-žẠ-ỹ"
_PLAIN = re.compile(rf"([{_L}](?:\.|[{_L}]+))(?:-[{_L}]+)* (?:[{_L}](?:\.|[{_L}]+(?:-[{_L}]+)*)? )*(?:[{_L}]+-)*([{_L}]{{2,}})")
MEANS_MORE = PARTICLES | _SUFFIXES | _DEGREES | _TITLES | {
    "collaboration", "collaborations", "consortium", "team", "group", "project", "network",
}
_FAMILIES_OF_TWO_SIGNS = frozenset({
    "欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "皇甫", "令狐", "慕容", "尉迟", "尉遲", "夏侯", "东方", "東方",
    "司徒", "公孙", "公孫", "端木",
})
# fmt: on

_MOST_LETTERS = 4
_ALSO_IN_SMALL = frozenset({"dphil", "esq", "phd"})


class Word(NamedTuple):
    """A word of the given names.

    Attributes:
        short: it is an initial or an abbreviation.
        joined: it was printed as two words, whose initials are not its own.
    """

    forms: Forms
    short: bool
    joined: bool = False


Words = tuple[Word, ...]


class Reading(NamedTuple):
    """One way to tell given names and family name apart.

    Attributes:
        given: the given names; more than one way where two of them may be one (``Xiao Ming``, ``Xiaoming``).
        family: the spellings of the family name with its particles, in one word.
        bare: the same without particles.
        parts: the parts of the bare name.
        end: the last part, folded one way.
        first: the first given name or initial, folded one way, "" if there is none.
        abbreviated: the family name ends with an initial, as in ``Smith J.`` if that is read as it is written.
    """

    given: tuple[Words, ...]
    family: Forms
    bare: Forms
    parts: tuple[Forms, ...]
    end: str
    first: str
    abbreviated: bool = False


class Name(NamedTuple):
    """A name, read.

    Attributes:
        readings: in the order written, the likeliest first; none for a collaboration.
        swapped: the reading if the family name stood first, where that is not known.
        group: the spellings of a collaboration's name, empty for a person.
        suffix: ``jr``, ``iii`` …, "" for none.
        script: the name in Chinese script, "" for another.
    """

    readings: tuple[Reading, ...] = ()
    swapped: tuple[Reading, ...] = ()
    group: Forms = frozenset()
    suffix: str = ""
    script: str = ""


@lru_cache(maxsize=1 << 14)
def read(text: str) -> Name:
    """Read a name: TeX and diacritics, a comma, a suffix and a title are understood."""
    plain_words = two_words(text)
    return _of_two(*plain_words) if plain_words else _in_full(text)


def two_words(text: str) -> tuple[str, str] | None:
    """A given name and a family name in small letters, if a name is that and nothing more, as most are."""
    if not _TWO_WORDS.fullmatch(text):
        return None
    one, other = text.lower().split()
    return (one, other) if MEANS_MORE.isdisjoint((one, other)) and not has_variants(one, other) else None


def has_variants(*words: str) -> bool:
    """Whether a word in small ASCII letters has several spellings: few have."""
    for word in words:  # a loop: every name that is read comes by, and a generator takes three times as long
        if word in _TRANSLITERATED or (("oe" in word or "ue" in word) and len(forms(word)) > 1):
            return True
    return False


def _of_two(one: str, other: str) -> Name:
    """What most names are, at a tenth of the cost: what ``_in_full`` makes of two words without anything special."""
    first, last = forms(one), forms(other)
    return Name(
        readings=(Reading(((Word(first, short=False),),), last, last, (last,), other, one),),
        swapped=(Reading(((Word(last, short=False),),), first, first, (first,), one, other),),
    )


def ends(text: str) -> tuple[str, str] | None:
    """The first given name or initial and the last part of the family name, as the likeliest reading has them.

    For most names at a tenth of what reading them costs: every author who is stored is asked for these. None where
    there is no name, or that of a collaboration.
    """
    plainly = _PLAIN.fullmatch(text) if len(text) < _LONGEST else None
    if plainly and MEANS_MORE.isdisjoint(text.lower().split()):
        first, last = plainly.groups()
        if first[1:2] in {"", "."} or not first.isupper():  # JP is two names
            return min(forms(first)), plain(last)
    likeliest = next(iter(read(text).readings), None)
    return (likeliest.first, likeliest.end) if likeliest else None


def _in_full(text: str) -> Name:
    text = _tidy(text[:_LONGEST])
    if found := _COLLABORATION.search(text):
        return Name(group=_group(text[: found.start()], text[found.end() :]))
    latin = _HAN.sub("", text).strip()
    if not any(map(str.isalpha, latin)) and latin != text:
        return _in_script("".join(_HAN.findall(text)))
    pieces = [_tokens(piece) for piece in latin.split(",")]
    suffix, pieces = _cut_suffix(_without_degrees([piece for piece in pieces if piece]))
    if not pieces:
        return Name()
    if len(pieces) > 1:
        given = [word for piece in pieces[1:] for word in piece]
        readings: tuple[Reading, ...] = (_reading(given, pieces[0]),)
        swapped: tuple[Reading, ...] = ()
    else:
        readings, swapped = _guessed(pieces[0])
    return Name(readings=readings, swapped=swapped, suffix=suffix)


def is_group(text: str) -> bool:
    """Whether a name is that of a collaboration."""
    return bool(_COLLABORATION.search(text))


def _group(before: str, behind: str) -> Forms:
    """A collaboration's name without the word for what it is, and without its workplace behind a comma."""
    name = _SPEAKING_FOR.sub("", before, count=1)
    return forms(name if name.strip(" ,") and behind.startswith(",") else name + behind)


def _tidy(text: str) -> str:
    if text.isascii() and _ONLY_WORDS.fullmatch(text):
        return text
    text = _ASIDES.sub(" ", without_tex(unicodedata.normalize("NFKC", text)))
    text = _APOSTROPHES.sub("", _HYPHENS.sub("-", text)).replace(".", ". ")
    return " ".join(text.split())


def _tokens(text: str) -> list[str]:
    words = text.replace(" -", " ").replace("- ", " ").split()
    while len(words) > 1 and words[0].lower().rstrip(".") in _TITLES:
        del words[0]
    return [word for word in words if any(map(str.isalnum, word))]


def _without_degrees(pieces: list[list[str]]) -> list[list[str]]:
    """Take degrees, honours and orders off the end: ``MD``, ``Ph. D.``, ``QC``.

    Behind a family name alone they are initials: ``Smith, M.D.``
    """
    if not pieces:
        return pieces
    first = _cut_degrees(pieces[0], _DEGREES, least=2)
    given: list[list[str]] = []
    others = pieces[1:]
    if others and (len(first) == 1 or (_is_particle(first[0], cased=True) and _is_no_given(first))):
        given, others = [_cut_degrees(others[0], _DEGREES, least=1)], others[1:]
    behind = (_cut_degrees(piece, _DEGREES_BEHIND_A_COMMA, least=0) for piece in others)
    return [first, *given, *filter(None, behind)]


def _cut_degrees(words: list[str], degrees: AbstractSet[str], *, least: int) -> list[str]:
    while size := _size_of_degree(words, degrees):
        left = words[:-size]
        if len(left) < least or (left and len(left[-1].rstrip(".")) == 1):  # more initials: ``Tran A. M. D.``
            break
        words = left
    return words


def _size_of_degree(words: list[str], degrees: AbstractSet[str]) -> int:
    """How many of the last words are one degree; a dot has made words of its letters."""
    for size in range(min(len(words), _MOST_LETTERS), 0, -1):
        *abbreviated, last = tail = words[-size:]
        degree = "".join(tail).replace(".", "").lower()
        if degree not in degrees:
            continue
        named = not abbreviated and last.istitle() and degree not in _ALSO_IN_SMALL  # Md for Mohammed, Mba
        if not named and (all(word[-1] == "." for word in abbreviated) or degree in _ALSO_IN_SMALL):
            return size
    return 0


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
    return {"jnr": "jr", "junior": "jr", "snr": "sr", "senior": "sr"}.get(suffix, suffix), kept


def _in_script(signs: str) -> Name:
    """Chinese script has the family name first, of one sign or one of the few of two."""
    cut = 2 if signs[:2] in _FAMILIES_OF_TWO_SIGNS and len(signs) > 2 else 1
    family, given = [anyascii(signs[:cut])], [anyascii(sign) for sign in signs[cut:]]
    reading = _reading(given, family)
    return Name(readings=(reading,), script=signs)


def _guessed(words: list[str]) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
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
        return cased and word in PARTICLES
    return word.lower() in PARTICLES


def _is_no_given(words: list[str]) -> bool:
    """Whether a name that starts with a particle is a family name alone: ``van den Oord``, not ``Le Zhang``."""
    leading = words[:-1]
    return any(word.lower() not in _ALSO_GIVEN for word in leading) or (
        leading[0].islower() and not words[-1].islower()
    )


def _reading(given: list[str], family: list[str], *, particles: bool = True) -> Reading:
    words = _parts(family)
    first = 0
    while particles and first < len(words) - 1 and words[first].lower() in PARTICLES:
        first += 1
    parts = tuple(map(forms, words[first:]))
    bare = parts[0] if len(parts) == 1 else forms("".join(words[first:]))
    end = plain(words[-1]) if words else ""
    caps = any(word.isupper() and len(word) > 3 for word in family) or all(map(str.isupper, family))
    names = tuple(islice(_given_words(given, capitals=not caps), _MOST_GIVEN))
    return Reading(
        given=_ways(names),
        family=forms("".join(words)) if first else bare,
        bare=bare,
        parts=parts,
        end=end,
        first=min(names[0].forms) if names else "",
        abbreviated=len(end) == 1 and (family[-1].endswith(".") or end not in _FAMILIES_OF_ONE_LETTER),
    )


def _parts(words: list[str]) -> list[str]:
    if len(words) == 1 and "-" not in words[0] and not words[0].endswith("."):
        return words
    return [part for word in words for part in word.rstrip(".").split("-") if part]


def _ways(names: Words) -> tuple[Words, ...]:
    if len(names) < 2 or names[0].short or names[1].short:
        return (names,)
    both = frozenset(head + tail for head in names[0].forms for tail in names[1].forms)
    return names, (Word(both, short=False, joined=True), *names[2:])


def _given_words(words: list[str], *, capitals: bool) -> Iterator[Word]:
    """Given names one by one: hyphens part them, and so do capitals run together (``JP``)."""
    for word in words:
        for part in _parts([word]):
            if capitals and 1 < len(part) <= 3 and part.isupper():
                yield from (Word(forms(letter), short=True) for letter in part)
            else:
                yield Word(forms(part), short=len(part) == 1 or word.endswith("."))
