"""The signs of the follow language: words, phrases in quotes, fields, operators and brackets.

What a reader types is full of signs that mean nothing here or something else elsewhere. Each is either text,
or an error at its place that says what to write: none is quietly read as something else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NoReturn

from digest.core.language.quotes import QUOTES, Passage, marked_passages, without_quotes
from digest.core.language.syntax.fields import FIELDS, TEXTS, correct_field
from digest.core.language.syntax.foreign_syntax import NEVER_TEXT, encoded, misread
from digest.core.language.syntax.kinds import TERMS, Kind, Token
from digest.core.language.syntax.stars import is_begun, without_cjk_star
from digest.core.papers.identity.ids import arxiv_id
from digest.core.papers.identity.person_ids import SCHEMES
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

_WHOLE = frozenset({"id", "doi", "cites", "source"})
"""The fields of values that may hold any sign, and brackets in pairs."""
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_FULL_WIDTH = str.maketrans("（）：＊＝－～", "():*=-~")
"""The signs of the language as an input method for Chinese or Japanese types them."""


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
    for token in _Scanner(_UNQUOTED.sub(_half_width, text)).tokens():
        terms += token.kind in TERMS
        if terms > MAX_TERMS:
            message = f"A query has at most {MAX_TERMS} words and phrases: make several follows of it."
            raise QueryError(message, text, token.position)
        found.append(token)
    return found


_UNQUOTED = re.compile(rf"[{QUOTES}][^{QUOTES}]*[{QUOTES}]?|[^{QUOTES}]+")


def _half_width(found: re.Match[str]) -> str:
    """The signs of the language as such, where they stand outside quotes; nothing moves."""
    if found[0][0] in QUOTES:
        return found[0]
    return _STAR.sub("*", found[0].translate(_FULL_WIDTH))


_STAR = re.compile(r"(?<=\w)\u2217")
"""The star of a name as pages of journals print it: C∗."""


_OPERATORS = {
    "AND": (Kind.AND,),
    "OR": (Kind.OR,),
    "NOT": (Kind.NOT,),
    "ANDNOT": (Kind.AND, Kind.NOT),
}
_BLANKS = re.compile(r"\s*")
_RUN = re.compile(
    r'(?:\\"(?=[A-Za-z{\\])'  # \"o is TeX for ö
    rf"|\{{\\[A-Za-z]+\s+[^\s(){{}}{QUOTES}]+\}}"  # T_{\rm c} is one word
    rf"|[^\s(){QUOTES}])+"
)
_PHRASE = re.compile(rf'[{QUOTES}](?P<inner>(?:\\"(?=[A-Za-z{{\\])|[^{QUOTES}])*)(?P<end>[{QUOTES}]?)')
_NEAR = re.compile(rf"~(\d+)(?![^{_DASHES}\s()])")
_FIELD = re.compile(r"([A-Za-z][\w-]*):", re.ASCII)
_ADDRESS = re.compile(r"https?://|10\.\d{4,9}/", re.IGNORECASE | re.ASCII)
_ARXIV = re.compile(r"\d{4}\.\d{4,5}(?!\d)|arxiv[:.]|[a-z.-]+/\d{7}|\w+\.org/abs/", re.IGNORECASE | re.ASCII)
_PERSON = re.compile(
    rf"(?:{'|'.join(SCHEMES)}):|https?://|(?:\d{{4}}-){{3}}\d{{3}}[\dX]", re.IGNORECASE | re.ASCII
)
_ROR = re.compile("ror:|https?://", re.IGNORECASE)
_BEGINNING = re.compile(r"([^*]*[^*\s])\*[,;.:!?]*")
_GLUED_OPERATOR = re.compile(rf"(AND|OR|NOT|ANDNOT)[{_DASHES}]")
_IN_BRACKETS = re.compile(
    rf"[{QUOTES}*~|]|(?<!\w)(?:AND|OR|NOT|ANDNOT)(?!\w)"
    rf"|(?:^|(?<=[\s(]))(?:[{_DASHES}][^\W\d_]{{2}}|=|[A-Za-z][\w-]*:)"
)
"""What makes brackets right behind a word a part of the query, and not of the word."""
_BLANK_IN_BRACKETS = re.compile(r"(?<![,;\s])\s")
_BETWEEN_WORDS = re.compile(r"[\s,;()]+")
_WHOLE_WORD = re.compile(r"[^\W\d_]{2,}(?:[-\u2010\u2011][^\W\d_]+)*")
_BEGUN_AND_DASH = re.compile(rf"([^*]*\*)[{_DASHES}](?=[^\W_])")
_LABEL_BEFORE = re.compile(r"(?:[A-Za-z][\w-]*:)?=?\Z", re.ASCII)
_LONGEST_LABEL = max(map(len, FIELDS)) + len(":=")
_OTHER_SIGN = rf"[^{_DASHES}\w\s(){QUOTES}]"
_DASH_BEHIND = re.compile(rf"{_OTHER_SIGN}{{0,9}}[{_DASHES}]")
"""A dash behind a quote or bracket, also with a comma of any script, or another sign, between them."""
_COMMA_AND_DASH = re.compile(rf"[,;\uff0c\uff1b\u3001\u3002]+[{_DASHES}](?=[^\W_])")
"""No word begins so: the comma belongs to what is before the blank."""
_DASH_AT_END = re.compile(rf"[{_DASHES}]{{1,9}}{_OTHER_SIGN}{{0,9}}\Z")
_LONGEST_END = 18
"""Characters that the pattern above can have."""
BEGINNINGS = (
    "A * stands only behind the beginning of a word, of at least 3 letters, as in quantiz*; if it is text, put it in"
    " quotes."
)
_NO_FRONT = re.compile(rf"[^\s)({QUOTES}=$\\](?<![^\W_])")
"""A sign behind a dash that begins nothing to leave out."""
_QUOTE_OR_BRACKET = re.compile(rf"[{QUOTES}(]")
_BRACKET = re.compile(r"[()]")
LABEL = re.compile(r"[A-Za-z][\w-]*:", re.ASCII)
"""A word that looks like a field and is none, because a blank follows."""


@dataclass(slots=True)
class _Scanner:
    """Goes through a query once.

    Attributes:
        at: where it is.
        named: the field whose value comes next; None if no field stands right before.
        brackets: the open ones: where each is, and the field that it belongs to.
        partners: where each opening bracket is closed, as far as it is.
        last: where the word, phrase or bracket before starts.
        passages: what stands between marks that are no quotes, in order.
        marked: the same by where each starts.
        marked_dashes: the dashes right beside such a passage, each with the passage before it, if there is one.
    """

    text: str
    at: int = 0
    named: str | None = None
    brackets: list[tuple[int, str]] = field(default_factory=list)
    partners: dict[int, int] = field(default_factory=dict)
    last: int = 0
    passages: tuple[Passage, ...] = ()
    marked: dict[int, Passage] = field(default_factory=dict)
    marked_dashes: dict[int, Passage | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        opened: list[int] = []
        for found in _BRACKET.finditer(self.text):
            if found[0] == "(":
                opened.append(found.start())
            elif opened:
                self.partners[opened.pop()] = found.start()
        self.passages = marked_passages(self.text)
        for passage in self.passages:
            self.marked[passage.start] = passage
            if passage.start and self.text[passage.start - 1] in _DASHES:
                self.marked_dashes.setdefault(passage.start - 1, None)
            if behind := _DASH_BEHIND.match(self.text, passage.end):
                self.marked_dashes[behind.end() - 1] = passage

    def tokens(self) -> Iterator[Token]:
        """All signs, in order."""
        while (start := self._skip_blanks()) < len(self.text):
            sign = self.text[start]
            if sign in QUOTES:
                quoted = self._quoted(start)
                yield self._leaf(Kind.PHRASE, quoted["inner"], start, quoted.end())
                yield from self._behind_quotes()
            elif sign == "(" and self._is_front(start):
                yield self._text_word(start, start)
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
        self.last, _ = self.brackets.pop()
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
        self._check_front(start, run)
        if run[0] in _DASHES and before != ":":
            self._check_dash(start)
            self.at = start + 1
            yield Token(Kind.NOT, "-", start)
        elif run in _OPERATORS:
            self.at = end
            yield from (Token(kind, run, start) for kind in _OPERATORS[run])
        elif self.within in TEXTS and (glued := _GLUED_OPERATOR.match(run)):
            self._refuse_operator(start, run, glued[1])
        elif self.within == "author" and _PERSON.match(run):
            yield self._bare_leaf(Kind.PERSON, run, start, end)
        elif value_end := self._value_end(start, run):
            yield self._bare_leaf(Kind.VALUE, self.text[start:value_end], start, value_end)
        elif (label := _FIELD.match(run)) and self._is_field(label[1], start):
            self.at, self.named = start + label.end(), FIELDS[label[1].lower()]
            yield Token(Kind.FIELD, label[1], start)
        elif run[0] == "=" and self.within in TEXTS:
            yield self._exact(start, run)
        else:
            yield self._word(start, run)

    def _check_front(self, start: int, run: str) -> None:
        """Refuse a dash, or signs and a dash, right behind a quote or bracket, and a comma and a dash behind a blank."""
        before = self.text[start - 1] if start else " "
        is_glued = not (before.isspace() or before in f"(:{_DASHES}")
        if is_glued and (dash := _DASH_BEHIND.match(run)):
            self._refuse_dash(self.last, start, start + dash.end() - 1)
        elif dash := _COMMA_AND_DASH.match(run):
            end_before = len(self.text[:start].rstrip())
            if end_before and self.text[end_before - 1] != "(":
                self._refuse_dash(self.last, end_before, start + dash.end() - 1)

    def _check_dash(self, start: int) -> None:
        sign, behind = self.text[start], self.text[start + 1 : start + 2]
        if sign == "-" and behind and (behind.isalnum() or behind in QUOTES or behind in "(=$\\"):
            return
        if sign == "-" and not (behind and behind in _DASHES):
            message = "This - says nothing here. Write -word to leave out what has a word, or put the dash in quotes."
        else:
            message = "This dash says nothing here. Write -word, with one plain hyphen, to leave out what has a word, or put the dash in quotes."
        self._fail(message, start)

    def _refuse_dash(self, before: int, end: int, dash: int) -> None:
        """Tell both meanings of a dash that joins a quote, a bracket or a star to something, if there is something.

        Args:
            before: where what stands before the dash starts; a passage right before it counts instead.
            end: where that ends.
            dash: the place of the dash.
        """
        right = _shortened(self._beside(dash + 1))
        if not right or right in _OPERATORS:
            return
        passage = self.marked_dashes.get(dash)
        before = passage.start if passage else before
        label = _LABEL_BEFORE.search(self.text, max(0, before - _LONGEST_LABEL), before)
        left = self.text[label.start() if label else before : before]
        word = self.text[before:end]
        left += _in_quotes(passage) if passage else word.rstrip(",;.:!?") or word
        left = _shortened(left)
        message = (
            f"This {self.text[dash]} has two meanings beside a quote, a bracket or a star: {left} -{right}, with a blank"
            f" before it, leaves {right} out, and {left} {right} looks for both; if all is one text, put it in quotes."
        )
        self._fail(message, dash)

    def _beside(self, start: int) -> str:
        """The first word, phrase or bracket from here up to a blank, with its field; "" if there is none."""
        while start not in self.marked and _NO_FRONT.match(self.text, start):
            start += 1
        label = _FIELD.match(self.text, start)
        at = label.end() if label and label[1].lower() in FIELDS else start
        at += self.text[at : at + 1] == "="
        if passage := self.marked.get(at):
            return self.text[start:at] + _in_quotes(passage)
        if close := self.partners.get(at):
            return self.text[start : close + 1]
        if quoted := _PHRASE.match(self.text, at):
            return self.text[start : quoted.end()] if quoted["end"] else ""
        found = _RUN.match(self.text, at)
        return self.text[start : found.end()] if found else ""

    def _check_dashes(self, start: int, end: int) -> None:
        """Refuse a dash in or behind a word that joins it to a quote, a bracket or a passage between other marks.

        A bracket that belongs to the word stands within it.
        """
        for dash in range(start, end):
            if dash in self.marked_dashes:
                self._refuse_dash(start, dash, dash)
        if _QUOTE_OR_BRACKET.match(self.text, end) and (
            found := _DASH_AT_END.search(self.text, max(start, end - _LONGEST_END), end)
        ):
            self._refuse_dash(start, found.start(), found.start())

    def _refuse_operator(self, start: int, run: str, operator: str) -> NoReturn:
        """Tell both meanings of an operator that a dash joins to a word."""
        dash = run[len(operator)]
        word = _shortened(self._beside(start + len(operator) + 1))
        if not word:
            self._fail(f"There is nothing behind {operator}{dash}; if it is text, put it in quotes.", start)
        without = f"{operator} {word}" if operator.endswith("NOT") else f"{operator} -{word}"
        message = (
            f"This {dash} has two meanings right behind {operator}: {without}, with a blank, leaves"
            f" {word} out; if {operator}{dash}{word} is text, put it in quotes."
        )
        self._fail(message, start + len(operator))

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
            if depth < 0 or sign.isspace() or sign in QUOTES:
                return end
        return len(self.text)

    def _exact(self, start: int, run: str) -> Token:
        behind = self.text[start + 1 : start + 2]
        if behind and behind in QUOTES:
            quoted = self._quoted(start + 1)
            if self.text[quoted.end() : quoted.end() + 1] == "~":
                self._fail("What is near has no exact spelling: write ~ or =, not both.", quoted.end())
            return self._leaf(Kind.EXACT, quoted["inner"], start, quoted.end())
        if (label := _FIELD.match(run, 1)) and label[1].lower() in FIELDS:
            self._fail(f"Write the = behind the field: {label[0]}=word.", start)
        end = self._end_with_brackets(start + len(run)) if len(run) > 1 else start + len(run)
        word = self.text[start + 1 : end].rstrip(",;.:!?")
        if not word or word[0] == "=" or word[0] in _DASHES:
            self._fail(
                "= stands right before a word or a phrase: =RAG; if it is text, put it in quotes.", start
            )
        if is_begun(word):
            self._fail("A word is exact or only begun: write = or *, not both, or put it in quotes.", start)
        return self._bare_leaf(Kind.EXACT, word, start, end)

    def _word(self, start: int, run: str) -> Token:
        within, end = self.within, start + len(run)
        if wrong := encoded(run):
            self._fail(wrong[1], start + wrong[0])
        if run[0] in _DASHES and start and self.text[start - 1] == ":":
            self._fail("Write the - before the field: -title:word.", start)
        if within in TEXTS:
            return self._text_word(start, end)
        if "*" in run and within == "author":
            self._fail('A name has no *: write initials, as in author:"Y. Liu".', start + run.index("*"))
        if "*" in run and within not in {"category", "primary"}:
            self._fail(BEGINNINGS, start + run.index("*"))
        return self._bare_leaf(Kind.WORD, run, start, end)

    def _text_word(self, start: int, end: int) -> Token:
        """A word to look for, with the brackets in it; it may be only begun."""
        if end > start:
            self._check_misread(start, end)
        whole = end if is_begun(self.text[start:end]) else self._end_with_brackets(end)
        if whole > end:
            self._check_misread(start, whole)
        run = without_cjk_star(self.text[start:whole])
        if not is_begun(run):
            return self._bare_leaf(Kind.WORD, run, start, whole)
        self._check_dashes(start, whole)
        begun = _BEGINNING.fullmatch(run)
        if begun is None and (starred := _BEGUN_AND_DASH.match(run)) and _BEGINNING.fullmatch(starred[1]):
            self._refuse_dash(start, start + starred.end(1), start + starred.end(1))
        if begun is None:
            self._fail(BEGINNINGS, start + run.index("*"))
        return self._leaf(Kind.BEGINNING, begun[1], start, whole)

    def _check_misread(self, start: int, end: int) -> None:
        if wrong := misread(self.text, start, end):
            self._fail(wrong[1], wrong[0])

    # brackets in a word

    def _end_with_brackets(self, end: int) -> int:
        """Where a word ends that is followed by brackets without a blank: ``SU(2)``, ``f(R)``, ``SL(2, Z)-bundle``."""
        while self.text[end : end + 1] == "(" and (inner := self._inner(end)):
            if self.text[end - 1] in _DASHES and self._is_group(end, inner):
                return end
            end = self.partners[end] + 1
            found = _RUN.match(self.text, end)
            end = found.end() if found else end
        return end

    def _is_front(self, start: int) -> bool:
        """Whether a bracket is the beginning of a word, as in ``(∞,1)-categories``.

        Before a dash, brackets that may be a part of the query are none.
        """
        inner = self._inner(start) if self.within in TEXTS else ""
        if not inner or _BLANK_IN_BRACKETS.search(inner.strip()):
            return False
        close = self.partners[start]
        sign, behind = self.text[close + 1 : close + 2], self.text[close + 2 : close + 3]
        if sign and sign in _DASHES:
            return behind.isalnum() and not self._is_group(start, inner)
        return sign.isalnum() or (sign in {"_", "^"} and behind.isalnum())

    def _is_group(self, start: int, inner: str) -> bool:
        """Whether brackets may be a part of the query: around whole words alone, or marks, or right around brackets.

        Of 168,546 titles none has brackets right around brackets before a dash, and none a compound of letters.
        """
        first = self.text.index("(", start + 1) if inner.lstrip().startswith("(") else start
        if first > start and not self.text[self.partners[first] + 1 : self.partners[start]].strip():
            return True
        following = bisect_right(self.passages, start, key=attrgetter("start"))
        if following < len(self.passages) and self.passages[following].end <= self.partners[start]:
            return True
        words = [word for word in _BETWEEN_WORDS.split(inner) if word]
        return bool(words) and all(map(_WHOLE_WORD.fullmatch, words))

    def _inner(self, start: int) -> str:
        """What stands in brackets that are text; "" if they have a part in the query, or nothing in them."""
        inner = self.text[start + 1 : self.partners.get(start, start)]
        return "" if inner.isspace() or _IN_BRACKETS.search(inner) else inner

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
            self._fail(f"{correct_field(name)} If the colon is text, put it in quotes.", start)
        return not alone

    # where it goes on, and where it does not

    def _bare_leaf(self, kind: Kind, value: str, start: int, end: int) -> Token:
        """A term without quotes of its own: a dash in it, or behind it, can have two meanings."""
        self._check_dashes(start, end)
        return self._leaf(kind, value, start, end)

    def _leaf(self, kind: Kind, value: str, start: int, end: int) -> Token:
        self.at, self.named, self.last = end, None, start
        return Token(kind, value, start)

    def _skip_blanks(self) -> int:
        found = _BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def _fail(self, message: str, position: int) -> NoReturn:
        raise QueryError(message, self.text, position)


def _in_quotes(passage: Passage) -> str:
    """A passage as the phrase that its marks may stand for."""
    return f'"{without_quotes(passage.inner)}"'


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


_LONGEST_SHOWN = 40
"""Characters of a query that are shown again in an error."""
