"""The signs of the follow language: words, phrases in quotes, fields, operators and brackets.

What a reader types is full of signs that mean nothing here or something else elsewhere. Each is either text,
or an error at its place that says what to write: none is quietly read as something else.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NoReturn

from digest.core.language.habits import NEVER_TEXT, encoded, foreign_field, misread
from digest.core.papers.ids import arxiv_id
from digest.core.papers.person_ids import SCHEMES
from digest.errors import QueryError

MAX_LENGTH = 2_600
"""In characters as typed, and in bytes as kept: an index of PostgreSQL takes no row of more than 2,704 bytes."""
MAX_TERMS = 200
"""Words and phrases."""
MAX_WORDS = 50
"""Of a phrase."""
MAX_DEPTH = 20
"""Of brackets within brackets."""
MAX_NEAR = 20
"""Other words between words near each other, in all."""

FIELDS = {
    **{name: name for name in ("title", "abstract", "author", "category", "primary", "comment", "journal")},
    **{name: name for name in ("institution", "doi", "id", "source", "kind", "has", "cites")},
    "ti": "title",
    "abs": "abstract",
    "au": "author",
    "cat": "category",
    "co": "comment",
    "jr": "journal",
    "all": "",
}
"""The fields as they may be written, and what each is called; "" is none."""
TEXTS = frozenset({"", "title", "abstract", "comment", "journal", "institution"})
"""The fields in which words are looked for."""
_WHOLE = frozenset({"id", "doi", "cites", "source"})
"""The fields of values that may hold any sign, and brackets in pairs."""
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES = '"“”„‟'


class Kind(StrEnum):
    """What a token is; the grammar's names."""

    WORD = "WORD"
    PHRASE = "PHRASE"
    NEAR = "NEAR"
    EXACT = "EXACT"
    BEGINNING = "BEGINNING"
    VALUE = "VALUE"
    PERSON = "PERSON"
    FIELD = "FIELD"
    AND = "_AND"
    OR = "_OR"
    NOT = "_NOT"
    OPEN = "_OPEN"
    CLOSE = "_CLOSE"


_TERMS = frozenset({Kind.WORD, Kind.PHRASE, Kind.EXACT, Kind.BEGINNING, Kind.VALUE, Kind.PERSON})


class Token(NamedTuple):
    """A sign of a query.

    Attributes:
        value: as typed; of a phrase without its quotes, of a field without its colon, of an exact spelling
            without its ``=`` and quotes, of a beginning without its ``*``, of nearness the number.
        position: where it starts, in characters from 0.
    """

    kind: Kind
    value: str
    position: int


def tokens(text: str) -> list[Token]:
    """The signs of a query, in order.

    Raises:
        QueryError: a quote or a bracket has no partner, a sign stands where it says nothing, a field is unknown,
            or the query is too long.
    """
    if len(text) > MAX_LENGTH:
        message = f"A query has at most {MAX_LENGTH:,} characters, this has {len(text):,}: make several follows of it."
        raise QueryError(message, text[:MAX_LENGTH] + "…", MAX_LENGTH)
    found = []
    terms = 0
    for token in _Scanner(text).tokens():
        terms += token.kind in _TERMS
        if terms > MAX_TERMS:
            message = f"A query has at most {MAX_TERMS} words and phrases: make several follows of it."
            raise QueryError(message, text, token.position)
        found.append(token)
    return found


_OPERATORS = {
    "AND": (Kind.AND,),
    "OR": (Kind.OR,),
    "NOT": (Kind.NOT,),
    "ANDNOT": (Kind.AND, Kind.NOT),
}
_BLANKS = re.compile(r"\s*")
_RUN = re.compile(r'(?:\\"(?=[A-Za-z{\\])|[^\s()"“”„‟])+')  # \"o is TeX for ö
_PHRASE = re.compile(r'["“”„‟](?P<inner>(?:\\"(?=[A-Za-z{\\])|[^"“”„‟])*)(?P<end>["“”„‟]?)')
_NEAR = re.compile(r"~(\d+)(?![^\s()])")
_FIELD = re.compile(r"([A-Za-z][\w-]*):", re.ASCII)
_ADDRESS = re.compile(r"https?://|10\.\d{4,9}/", re.IGNORECASE | re.ASCII)
_ARXIV = re.compile(r"\d{4}\.\d{4,5}(?!\d)|arxiv[:.]|[a-z.-]+/\d{7}|\w+\.org/abs/", re.IGNORECASE | re.ASCII)
_PERSON = re.compile(
    rf"(?:{'|'.join(SCHEMES)}):|https?://|(?:\d{{4}}-){{3}}\d{{3}}[\dX]", re.IGNORECASE | re.ASCII
)
_ROR = re.compile("ror:|https?://", re.IGNORECASE)
_BEGINNING = re.compile(r"([^*]*[^*\s])\*[,;.:!?]*")
BEGINNINGS = (
    "A * stands only behind the beginning of a word, of at least 3 letters, as in quantiz*; if it is text, put it in"
    " quotes."
)
LABEL = re.compile(r"[A-Za-z][\w-]*:", re.ASCII)
"""A word that looks like a field and is none, because a blank follows."""


@dataclass(slots=True)
class _Scanner:
    """Goes through a query once.

    Attributes:
        at: where it is.
        named: the field whose value comes next; None if no field stands right before.
        brackets: the open ones: where each is, and the field that it belongs to.
    """

    text: str
    at: int = 0
    named: str | None = None
    brackets: list[tuple[int, str]] = field(default_factory=list)

    def tokens(self) -> Iterator[Token]:
        """All signs, in order."""
        while (start := self._skip_blanks()) < len(self.text):
            sign = self.text[start]
            if sign in _QUOTES:
                quoted = self._quoted(start)
                yield self._leaf(Kind.PHRASE, quoted["inner"], start, quoted.end())
                yield from self._behind_quotes()
            elif sign == "(":
                yield self._open(start)
            elif sign == ")":
                yield self._close(start)
            else:
                yield from self._run(start)
        if self.brackets:
            self._fail("This bracket is not closed; put it in quotes if it is text.", self.brackets[-1][0])

    # brackets and quotes

    @property
    def within(self) -> str:
        """The field that what comes next belongs to."""
        if self.named is not None:
            return self.named
        return self.brackets[-1][1] if self.brackets else ""

    def _open(self, start: int) -> Token:
        self.brackets.append((start, self.within))
        if len(self.brackets) > MAX_DEPTH:
            self._fail(f"Brackets stand at most {MAX_DEPTH} deep in each other.", start)
        self.at, self.named = start + 1, None
        return Token(Kind.OPEN, "(", start)

    def _close(self, start: int) -> Token:
        if not self.brackets:
            self._fail("This bracket closes none that is open; put it in quotes if it is text.", start)
        self.brackets.pop()
        self.at, self.named = start + 1, None
        return Token(Kind.CLOSE, ")", start)

    def _quoted(self, start: int) -> re.Match[str]:
        found = _PHRASE.match(self.text, start)
        if found is None or not found["end"]:
            self._fail("This quote is not closed: put another one where the phrase ends.", start)
        return found

    def _behind_quotes(self) -> Iterator[Token]:
        """How near the words are; other signs do not stand here."""
        behind = self.text[self.at : self.at + 1]
        if behind == "*":
            self._fail(
                "Write the beginning of a word without quotes, as quantiz*; in quotes * is text.", self.at
            )
        if behind != "~":
            return
        found = _NEAR.match(self.text, self.at)
        if not found or len(found[1]) > 2 or not 1 <= int(found[1]) <= MAX_NEAR:
            message = f'Behind ~ say how many other words may stand between, from 1 to {MAX_NEAR}: "first second"~5.'
            self._fail(message, self.at)
        yield Token(Kind.NEAR, found[1], self.at)
        self.at = found.end()

    # what stands between blanks, brackets and quotes

    def _run(self, start: int) -> Iterator[Token]:
        found = _RUN.match(self.text, start)
        run = found[0] if found else self.text[start]
        end = start + len(run)
        before = self.text[start - 1] if start else " "
        if run[0] in _DASHES and (before.isspace() or before == "("):
            self._check_dash(start)
            self.at = start + 1
            yield Token(Kind.NOT, "-", start)
        elif run in _OPERATORS:
            self.at = end
            yield from (Token(kind, run, start) for kind in _OPERATORS[run])
        elif self.within == "author" and _PERSON.match(run):
            yield self._leaf(Kind.PERSON, run, start, end)
        elif value_end := self._value_end(start, run):
            yield self._leaf(Kind.VALUE, self.text[start:value_end], start, value_end)
        elif (label := _FIELD.match(run)) and self._is_field(label[1], start):
            self.at, self.named = start + label.end(), FIELDS[label[1].lower()]
            yield Token(Kind.FIELD, label[1], start)
        elif run[0] == "=" and self.within in TEXTS:
            yield self._exact(start, run)
        else:
            yield self._word(start, run)

    def _check_dash(self, start: int) -> None:
        sign, behind = self.text[start], self.text[start + 1 : start + 2]
        if sign == "-" and behind and (behind.isalnum() or behind in _QUOTES or behind in "(=$\\"):
            return
        if sign == "-" and not (behind and behind in _DASHES):
            message = "This - says nothing here. Write -word to leave out what has a word, or put the dash in quotes."
        else:
            message = "This dash says nothing here. Write -word, with one plain hyphen, to leave out what has a word, or put the dash in quotes."
        self._fail(message, start)

    def _value_end(self, start: int, run: str) -> int:
        """Where the value of a field with any sign in it ends, or a paper's id without its field; 0 if it is none."""
        within = self.within
        if within in _WHOLE and run[0] not in _DASHES:
            return self._balanced(start)
        if within == "institution" and _ROR.match(run):
            return start + len(run)
        if within or self.named is not None:
            return 0
        if _ADDRESS.match(run):
            return self._balanced(start)
        return start + len(run) if _ARXIV.match(run) and arxiv_id(run.rstrip(".,;")) else 0

    def _balanced(self, start: int) -> int:
        """Up to a blank, a quote, or a bracket that closes none of its own."""
        depth = 0
        for end in range(start, len(self.text)):
            sign = self.text[end]
            depth += (sign == "(") - (sign == ")")
            if depth < 0 or sign.isspace() or sign in _QUOTES:
                return end
        return len(self.text)

    def _exact(self, start: int, run: str) -> Token:
        behind = self.text[start + 1 : start + 2]
        if behind and behind in _QUOTES:
            quoted = self._quoted(start + 1)
            if self.text[quoted.end() : quoted.end() + 1] == "~":
                self._fail("What is near has no exact spelling: write ~ or =, not both.", quoted.end())
            return self._leaf(Kind.EXACT, quoted["inner"], start, quoted.end())
        if (label := _FIELD.match(run, 1)) and label[1].lower() in FIELDS:
            self._fail(f"Write the = behind the field: {label[0]}=word.", start)
        word = run[1:].rstrip(",;.:!?")
        if not word or word[0] == "=" or word[0] in _DASHES:
            self._fail(
                "= stands right before a word or a phrase: =RAG; if it is text, put it in quotes.", start
            )
        if "*" in word:
            self._fail("A word is exact or only begun: write = or *, not both, or put it in quotes.", start)
        return self._leaf(Kind.EXACT, word, start, start + len(run))

    def _word(self, start: int, run: str) -> Token:
        within, end = self.within, start + len(run)
        if wrong := encoded(run):
            self._fail(wrong[1], start + wrong[0])
        if run[0] in _DASHES and start and self.text[start - 1] == ":":
            self._fail("Write the - before the field: -title:word.", start)
        if within in TEXTS:
            if wrong := misread(self.text, start, end):
                self._fail(wrong[1], wrong[0])
            if begun := _BEGINNING.fullmatch(run):
                return self._leaf(Kind.BEGINNING, begun[1], start, end)
        if "*" in run and within == "author":
            self._fail('A name has no *: write initials, as in author:"Y. Liu".', start + run.index("*"))
        if "*" in run and within not in {"category", "primary"}:
            self._fail(BEGINNINGS, start + run.index("*"))
        return self._leaf(Kind.WORD, run, start, end)

    def _is_field(self, name: str, start: int) -> bool:
        """Whether a word with a colon is a field; False for one in a title, which has a blank behind it."""
        known = name.lower()
        behind = self.text[start + len(name) + 1 : start + len(name) + 2]
        alone = not behind or behind.isspace() or behind == ")"
        if alone and known in FIELDS and known != "all":
            self._fail(
                f"{name}: needs its word, phrase or bracket right behind it; if it is text, put it in quotes.",
                start,
            )
        if not (alone and known not in NEVER_TEXT) and known not in FIELDS:
            self._fail(f"{_instead(name)} If the colon is text, put it in quotes.", start)
        return not alone

    # where it goes on, and where it does not

    def _leaf(self, kind: Kind, value: str, start: int, end: int) -> Token:
        self.at, self.named = end, None
        return Token(kind, value, start)

    def _skip_blanks(self) -> int:
        found = _BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def _fail(self, message: str, position: int) -> NoReturn:
        raise QueryError(message, self.text, position)


def _instead(name: str) -> str:
    """What to write for a field that there is not."""
    known = name.lower()
    if known in SCHEMES:
        return f'A person\'s id is written author:{known}:…, within the brackets of a name author:("Wei Wang" {known}:…).'
    if known == "ror":
        return "An institution's id is written institution:ror:05a28rw58."
    if said := foreign_field(name):
        return said
    close = difflib.get_close_matches(
        known[:40], [field for field in FIELDS if len(field) > 3], n=1, cutoff=0.72
    )
    meant = f"Did you mean {close[0]}:?" if close else f"There are {', '.join(_LISTED)}."
    return f"There is no field {name}:. {meant}"


_LISTED = tuple(f"{name}:" for name, meant in FIELDS.items() if name == meant)
