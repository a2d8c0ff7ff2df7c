"""Bylines: the authors of a paper as one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from digest.model import Author

_MARKS = re.compile(r"[(),]")
_SUFFIXES = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_AND = re.compile(r"^and\s+|\s+and$")
_COLON = re.compile(r":(?!\S)")
_LEGEND = re.compile(r"\(\s?(\(\d{1,3}\).*)\)\s*$")
_NUMBER = re.compile(r"\((\d{1,3})\)")
_NUMBERS = re.compile(r"[\d\s,;&]+|\d{1,3} and \d{1,3}")
_DIGITS = re.compile(r"\d+")
_AND_OR_BRACKET = re.compile(r"\((?:[^()]|\([^()]*\))*\)|,? (?:and|&) ")
_ET_AL = re.compile(r"et\.? al\.?", re.IGNORECASE)
_MAIL = re.compile(r"[(<]?[^\s()<>,;@]{1,64}@[^\s()<>,;@]{1,255}[)>]?")
_LAST = re.compile(r",?\s+(?:and|&)\s+", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,6}")


def split_byline(line: str) -> tuple[Author, ...]:
    """The authors in the one line that arXiv's feeds have for them.

    Names are parted by commas, brackets after a name say where its bearer works and may hold commas and
    brackets, a suffix may stand behind a comma, and a collaboration before a colon.

    Args:
        line: with whitespace collapsed: ``A. Author (Here, There), LHCb collaboration: R. Aaij, John Doe, Jr.``
    """
    if (names := _plain(line)) is not None:
        return tuple(map(Author, names))
    pieces: Iterable[str] = _outside_brackets(line) if "(" in line or ")" in line else line.split(",")
    if ":" in line:
        pieces = (part for piece in pieces for part in _COLON.split(piece))
    names = []
    for piece in pieces:
        name = piece.strip()
        if names and name in _SUFFIXES:
            names[-1] = f"{names[-1]} {name}"
        elif name:
            names.append(name)
    return tuple(author for name in names if (author := _with_affiliations(name)).name)


def split_submitted(line: str) -> tuple[Author, ...]:
    """The authors in a line as it was typed for arXiv (https://info.arxiv.org/help/prep.html#author).

    As ``split_byline``; but an "and" parts names too, and a number in brackets may stand for an affiliation
    that is told at the end.

    Args:
        line: with whitespace collapsed: ``A. Author (1), B. Other (1, 2) and C. Third ((1) Here, (2) There)``.
    """
    places: dict[str, str] = {}
    if "(" in line and (found := _LEGEND.search(line)):
        line = line[: found.start()]
        _, *told = _NUMBER.split(found[1])
        places = {number: place.strip(" ,;.") for number, place in zip(told[::2], told[1::2], strict=True)}
    if " and " in line or " & " in line:
        line = _AND_OR_BRACKET.sub(lambda part: part[0] if part[0][0] == "(" else ", ", line)
    authors = [author for author in split_byline(line) if not _ET_AL.fullmatch(author.name)]
    return tuple(
        [
            author._replace(affiliations=_resolved(author, places)) if author[1] else author
            for author in authors
        ]
    )


def _resolved(author: Author, places: Mapping[str, str]) -> tuple[str, ...]:
    """An author's affiliations, those told by numbers looked up; a number that nothing explains is none."""
    found: list[str] = []
    for place in author.affiliations:
        numbers = _NUMBERS.fullmatch(place)
        found += filter(None, map(places.get, _DIGITS.findall(place))) if numbers else [place]
    return tuple(dict.fromkeys(found))


def split_names(line: str) -> tuple[Author, ...]:
    """The authors in a line of a feed whose maker is unknown.

    Names are parted by semicolons, else by commas and a last "and"; a family name may stand before its given
    names. Mail addresses are no names.

    Args:
        line: ``Kaur, M., Li-Beisson, Y.``, ``Smith, John; Doe, Jane``, ``By Ada Lovelace and Charles Babbage``.
    """
    line = _MAIL.sub(" ", line) if "@" in line else line
    line = " ".join(line.split())
    line = line[3:] if line[:3].lower() == "by " else line
    if ";" in line:
        return tuple(author for part in line.split(";") for author in split_byline(_turned(part)))
    pieces = [piece.strip() for piece in _LAST.sub(", ", line).split(",")]
    if len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]):
        names = zip(pieces[::2], pieces[1::2], strict=True)
        return tuple(Author(f"{given} {family}") for family, given in names if family)
    parts = _LAST.split(line)
    if len(parts) == 1:
        return split_byline(_turned(line))
    if "," in line or all(" " in part.strip() for part in parts):
        return split_byline(", ".join(parts))
    return split_byline(line)


def _turned(line: str) -> str:
    """``Smith, John`` the other way round; not two whole names, nor a suffix behind one."""
    family, comma, given = (part.strip() for part in line.partition(","))
    alone = comma and given and "," not in given and given not in _SUFFIXES
    turn = alone and (" " not in family or _INITIALS.fullmatch(given) or family[0].islower())
    return f"{given} {family}" if turn else line


def _plain(line: str) -> list[str] | None:
    """The names of a line in which commas part them and that is all: so in nine of ten."""
    if "(" in line or ")" in line or ":" in line or "and " in line or " and" in line:
        return None
    names = line.split(", ")
    simple = line.count(",") < len(names) and " ," not in line and "" not in names and line[:1].isalpha()
    return names if simple and _SUFFIXES.isdisjoint(names) else None


def _outside_brackets(line: str) -> Iterator[str]:
    """Parts a line at the commas outside brackets; at every comma if a bracket does not close."""
    depth = start = 0
    commas = []
    for mark in _MARKS.finditer(line):
        if mark[0] == "(":
            depth += 1
        elif mark[0] == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            commas.append(mark.start())
    if depth:
        yield from _MARKS.sub(lambda mark: "," if mark[0] == "," else " ", line).split(",")
        return
    for comma in (*commas, len(line)):
        yield line[start:comma]
        start = comma + 1


def _with_affiliations(written: str) -> Author:
    """What stands in brackets at the end is where the author works; each bracket is one affiliation."""
    affiliations: list[str] = []
    while written.endswith(")") and (start := _opening(written)) > 0:
        affiliations.insert(0, written[start + 1 : -1].strip())
        written = written[:start].rstrip()
    name = " ".join(_AND.sub("", written).split())
    if not any(map(str.isalpha, name)):
        name = ""
    return Author(name=name, affiliations=tuple(filter(None, affiliations)))


def _opening(written: str) -> int:
    """Where the bracket that ends the text begins; -1 if nowhere."""
    depth = 0
    for at in range(len(written) - 1, -1, -1):
        depth += (written[at] == ")") - (written[at] == "(")
        if depth == 0:
            return at
    return -1
