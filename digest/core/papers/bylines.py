"""Parsing of bylines, which have the authors of a paper in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from digest.model import Author

_PUNCTUATION = re.compile(r"[(),]")
_SUFFIXES = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_GRADES = tuple(
    f"{prefix}{grade}"
    for grade in ("Member", "Fellow")
    for prefix in ("", "Associate ", "Graduate Student ", "Life ", "Life Senior ", "Senior ", "Student ")
)
_CREDENTIALS = frozenset(
    {
        "ACM",
        "IEEE",
        "OSA",
        "SIAM",
        "SPIE",
        *_GRADES,
        *(f"{grade} IEEE" for grade in _GRADES),
        *(f"IEEE {grade}" for grade in _GRADES),
        "B.Sc.",
        "BSc",
        "CBE",
        "D.Phil.",
        "DNP",
        "DPhil",
        "DPT",
        "FACP",
        "FACS",
        "FRCP",
        "FRS",
        "MBA",
        "MBBS",
        "MBE",
        "MD",
        "M.D.",
        "M. D.",
        "MPH",
        "MS",
        "M.S.",
        "M. S.",
        "MSc",
        "M.Sc.",
        "MSCE",
        "MSN",
        "OBE",
        "RN",
        "PhD",
        "Ph.D.",
        "Ph. D.",
        "Ph.D",
        "Ph. D",
    }
)
"""Degrees and memberships that authors append to their names after a comma."""
_NO_NAMES = _SUFFIXES | _CREDENTIALS
_AND = re.compile(r"^and\s+|\s+and$")
_COLON = re.compile(r":(?!\S)")
_AFFILIATION_LEGEND = re.compile(r"\(\s?(\(\d{1,3}\).*)\)\s*$")
_NUMBER = re.compile(r"\((\d{1,3})\)")
_NUMBERS = re.compile(r"[\d\s,;&]+|\d{1,3} and \d{1,3}")
_DIGITS = re.compile(r"\d+")
_AND_OR_BRACKET = re.compile(r"\((?:[^()]|\([^()]*\))*\)|,? (?:and|&) ")
_ET_AL = re.compile(r"et\.? al\.?", re.IGNORECASE)
_EMAIL = re.compile(r"[(<]?[^\s()<>,;@]{1,64}@[^\s()<>,;@]{1,255}[)>]?")
_LAST_SEPARATOR = re.compile(r",?\s+(?:and|&)\s+", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,6}")


def split_byline(line: str) -> tuple[Author, ...]:
    """Parse the byline of a feed of arXiv.

    Names are separated by commas. Brackets after a name contain affiliations, in which commas and brackets
    may occur. A suffix may follow a comma, and a collaboration may precede a colon. Degrees and memberships
    after a comma (``PhD``, ``Fellow, IEEE``) are dropped.

    Args:
        line: with whitespace collapsed: ``A. Author (Here, There), LHCb collaboration: R. Aaij, John Doe,
            Jr.``
    """
    if (names := _split_plain(line)) is not None:
        return tuple(map(Author, names))
    pieces: Iterable[str] = _split_outside_brackets(line) if "(" in line or ")" in line else line.split(",")
    if ":" in line:
        pieces = (part for piece in pieces for part in _COLON.split(piece))
    names = []
    for piece in pieces:
        name = piece.strip()
        if names and name in _SUFFIXES:
            names[-1] = f"{names[-1]} {name}"
        elif name and not (names and name in _CREDENTIALS):
            names.append(name)
    return tuple(author for name in names if (author := _split_affiliations(name)).name)


def split_submitted(line: str) -> tuple[Author, ...]:
    """Parse a byline as it was typed for arXiv (https://info.arxiv.org/help/prep.html#author).

    It is like ``split_byline``, except that "and" also separates names, and that a number in brackets may
    refer to a legend of affiliations at the end.

    Args:
        line: with whitespace collapsed: ``A. Author (1), B. Other (1, 2) and C. Third ((1) Here, (2)
            There)``.
    """
    affiliations: dict[str, str] = {}
    if "(" in line and (legend := _AFFILIATION_LEGEND.search(line)):
        line = line[: legend.start()]
        _, *legend_parts = _NUMBER.split(legend[1])
        affiliations = {
            number: affiliation.strip(" ,;.")
            for number, affiliation in zip(legend_parts[::2], legend_parts[1::2], strict=True)
        }
    if " and " in line or " & " in line:
        line = _AND_OR_BRACKET.sub(lambda part: part[0] if part[0][0] == "(" else ", ", line)
    authors = [author for author in split_byline(line) if not _ET_AL.fullmatch(author.name)]
    return tuple(
        [
            author._replace(affiliations=_resolve_affiliations(author, affiliations)) if author[1] else author
            for author in authors
        ]
    )


def _resolve_affiliations(author: Author, affiliations: Mapping[str, str]) -> tuple[str, ...]:
    """Return an author's affiliations, with numbers replaced from the legend; numbers that it lacks are dropped."""
    resolved: list[str] = []
    for affiliation in author.affiliations:
        numbers = _NUMBERS.fullmatch(affiliation)
        resolved += (
            filter(None, map(affiliations.get, _DIGITS.findall(affiliation))) if numbers else [affiliation]
        )
    return tuple(dict.fromkeys(resolved))


def split_names(line: str) -> tuple[Author, ...]:
    """Parse a byline of an arbitrary feed.

    Names are separated by semicolons, or else by commas and a last "and". A family name may precede its given
    names. Mail addresses are removed.

    Args:
        line: ``Kaur, M., Li-Beisson, Y.``, ``Smith, John; Doe, Jane``, ``By Ada Lovelace and Charles
            Babbage``.
    """
    line = _EMAIL.sub(" ", line) if "@" in line else line
    line = " ".join(line.split())
    line = line[3:] if line[:3].lower() == "by " else line
    if ";" in line:
        return tuple(author for part in line.split(";") for author in split_byline(_swap_name_parts(part)))
    pieces = [piece.strip() for piece in _LAST_SEPARATOR.sub(", ", line).split(",")]
    if len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]):
        names = zip(pieces[::2], pieces[1::2], strict=True)
        return tuple(
            Author(f"{given_name} {family_name}") for family_name, given_name in names if family_name
        )
    parts = _LAST_SEPARATOR.split(line)
    if len(parts) == 1:
        return split_byline(_swap_name_parts(line))
    if "," in line or all(" " in part.strip() for part in parts):
        return split_byline(", ".join(parts))
    return split_byline(line)


def _swap_name_parts(line: str) -> str:
    """Reorder ``Smith, John``; leave two whole names, or a name with a suffix, as they are."""
    family_name, comma, given_name = (part.strip() for part in line.partition(","))
    is_single_name = comma and given_name and "," not in given_name and given_name not in _SUFFIXES
    is_swapped = is_single_name and (
        " " not in family_name or _INITIALS.fullmatch(given_name) or family_name[0].islower()
    )
    return f"{given_name} {family_name}" if is_swapped else line


def _split_plain(line: str) -> list[str] | None:
    """Return the names in a line with nothing but names and commas, or None; nine of ten lines are so simple."""
    if "(" in line or ")" in line or ":" in line or "and " in line or " and" in line:
        return None
    names = line.split(", ")
    is_simple = line.count(",") < len(names) and " ," not in line and "" not in names and line[:1].isalpha()
    return names if is_simple and _NO_NAMES.isdisjoint(names) else None


def _split_outside_brackets(line: str) -> Iterator[str]:
    """Split a line at the commas outside brackets, or at every comma if a bracket is not closed."""
    depth = start = 0
    commas = []
    for punctuation in _PUNCTUATION.finditer(line):
        if punctuation[0] == "(":
            depth += 1
        elif punctuation[0] == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            commas.append(punctuation.start())
    if depth:
        yield from _PUNCTUATION.sub(lambda punctuation: "," if punctuation[0] == "," else " ", line).split(
            ","
        )
        return
    for comma in (*commas, len(line)):
        yield line[start:comma]
        start = comma + 1


def _split_affiliations(text: str) -> Author:
    """Split a name from the affiliations in brackets at its end; each bracket is one affiliation."""
    affiliations: list[str] = []
    while text.endswith(")") and (start := _find_opening_bracket(text)) > 0:
        affiliations.insert(0, text[start + 1 : -1].strip())
        text = text[:start].rstrip()
    name = " ".join(_AND.sub("", text).split())
    if not any(map(str.isalpha, name)):
        name = ""
    return Author(name=name, affiliations=tuple(filter(None, affiliations)))


def _find_opening_bracket(text: str) -> int:
    """Return the index of the bracket that matches the last character, or -1."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] == ")") - (text[index] == "(")
        if depth == 0:
            return index
    return -1
