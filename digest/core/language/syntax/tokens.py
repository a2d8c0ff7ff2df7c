"""The tokenizer of the follow language: words, phrases in quotes, fields, operators and brackets.

Readers type many signs that mean nothing in this language, or something else in others. Each is either text,
or an error at its position that says what to write; none is silently read as something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from digest.core.language.quotes import QUOTES, Passage, find_marked_passages, strip_quotes
from digest.core.language.syntax.brackets import Brackets, find_closing_brackets
from digest.core.language.syntax.fields import FIELDS, describe_unknown_field
from digest.core.language.syntax.foreign_syntax import ALWAYS_FIELDS, find_foreign_sign, find_url_encoding
from digest.core.language.syntax.kinds import TERM_KINDS, Token, TokenKind
from digest.core.language.syntax.operators import (
    OPERATORS,
    find_exclusion_sign,
    find_symbols_end,
    format_exclusion,
    is_next_part,
    is_symbol_run,
)
from digest.core.language.syntax.signs import COMMAS, DASHES, FULL_STOPS, normalize_signs
from digest.core.language.syntax.stars import is_prefix, strip_cjk_star
from digest.core.papers.document import TEXT_FIELDS
from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.papers.identity.person_ids import SCHEMES
from digest.core.text.scripts import CJK
from digest.errors import QueryError

MAX_LENGTH = 2_600
"""Maximum length of a query, in characters as typed and in bytes as stored.

An index of PostgreSQL takes no row of more than 2,704 bytes.
"""
MAX_TERMS = 200
"""Maximum number of words and phrases in a query."""
MAX_WORDS = 50
"""Maximum number of words in a phrase."""
MAX_DEPTH = 20
"""Maximum depth of nested brackets."""
MAX_NEAR = 20
"""Maximum number of other words between words near each other, in total."""

_RAW_VALUE_FIELDS = frozenset({"id", "doi", "cites", "source"})
"""Fields whose values may contain any sign, and brackets in pairs."""


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a query, in order.

    Raises:
        QueryError: a quote or a bracket has no partner, a sign has no meaning at its position, a field is
            unknown, or the query is too long.
    """
    if len(text) > MAX_LENGTH:
        message = f"A query has at most {MAX_LENGTH:,} characters, but this one has {len(text):,}; split it into several follows."
        raise QueryError(message, text[:MAX_LENGTH] + "…", MAX_LENGTH)
    token_list = []
    term_count = 0
    for token in _Scanner(normalize_signs(text)).scan():
        term_count += token.kind in TERM_KINDS
        if term_count > MAX_TERMS:
            message = f"A query has at most {MAX_TERMS} words and phrases; split it into several follows."
            raise QueryError(message, text, token.position)
        token_list.append(token)
    return token_list


_BLANKS = re.compile(r"\s*")
_RUN = re.compile(
    r'(?:\\"(?=[A-Za-z{\\])'  # \"o is TeX for ö
    rf"|\{{\\[A-Za-z]+\s+[^\s(){{}}{QUOTES}]+\}}"  # T_{\rm c} is one word
    rf"|[^\s(){QUOTES}])+"
)
_PHRASE = re.compile(rf'[{QUOTES}](?P<inner>(?:\\"(?=[A-Za-z{{\\])|[^{QUOTES}])*)(?P<end>[{QUOTES}]?)')
_NEAR = re.compile(rf"~(\d+)(?![^{DASHES}\s()])")
_FIELD = re.compile(r"([A-Za-z][\w-]*):", re.ASCII)
_ADDRESS = re.compile(r"https?://|10\.\d{4,9}/", re.IGNORECASE | re.ASCII)
_ARXIV = re.compile(r"\d{4}\.\d{4,5}(?!\d)|arxiv[:.]|[a-z.-]+/\d{7}|\w+\.org/abs/", re.IGNORECASE | re.ASCII)
_PERSON = re.compile(
    rf"(?:{'|'.join(SCHEMES)}):|https?://|(?:\d{{4}}-){{3}}\d{{3}}[\dX]", re.IGNORECASE | re.ASCII
)
_ROR = re.compile("ror:|https?://", re.IGNORECASE)
_PREFIX = re.compile(r"([^*]*[^*\s])\*[,;.:!?]*")
_BLANK_IN_BRACKETS = re.compile(r"(?<![,;\s])\s")
_PREFIX_AND_DASH = re.compile(rf"([^*]*\*)[{DASHES}](?=[^\W_])")
_LABEL_BEFORE = re.compile(r"(?:[A-Za-z][\w-]*:)?=?\Z", re.ASCII)
_MAX_LABEL_LENGTH = max(map(len, FIELDS)) + len(":=")
_OTHER_SIGN = rf"[^{DASHES}\w\s(){QUOTES}]"
_DASH_AFTER = re.compile(rf"{_OTHER_SIGN}{{0,9}}[{DASHES}]")
"""A dash after a quote or bracket, perhaps with other signs, such as a comma of any script, between them."""
_COMMA_AND_DASH = re.compile(rf"[{COMMAS}{FULL_STOPS}]+[{DASHES}](?=[^\W_])")
"""A comma and a dash before a word. No word begins like this, so the comma belongs to the text before the blank."""
_COMMA_AND_DASH_IN_WORD = re.compile(
    rf"(?<=[^\W\d_])[{COMMAS}{FULL_STOPS}][{DASHES}](?=[^\W\d_]{{2}}|[{CJK}])"
)
"""A comma and a dash between letters, which occur in no word."""
_DASH_AT_END = re.compile(rf"[{DASHES}]{{1,9}}{_OTHER_SIGN}{{0,9}}\Z")
_MAX_DASH_AT_END = 18
"""Maximum length of a match of ``_DASH_AT_END``, in characters."""
PREFIX_MESSAGE = "A * can only follow the beginning of a word with at least 3 letters, such as quantiz*; if it is text, put it in quotes."
_NO_OPERAND_START = re.compile(rf"[^\s)({QUOTES}=$\\](?<![^\W_])")
"""A sign after a dash with which no text to be excluded can begin."""
_QUOTE_OR_BRACKET = re.compile(rf"[{QUOTES}(]")
FIELD_LABEL = re.compile(r"[A-Za-z][\w-]*:", re.ASCII)
"""A word that looks like a field but is none, because a blank follows it."""


@dataclass(slots=True)
class _Scanner:
    """Scanner that passes over a query once.

    Attributes:
        position: the current position.
        pending_field: the field whose value comes next; None if the last token is not a field.
        open_brackets: for each open bracket, its position and the field to which it belongs.
        brackets: the pairs of brackets, and what they are.
        last_start: where the last word, phrase or bracket starts.
        passages_by_start: texts between marks that are not quotes, by their start.
        ambiguous_dashes: positions of dashes right next to such a passage; the passage before the dash, or
            None.
    """

    text: str
    position: int = 0
    pending_field: str | None = None
    open_brackets: list[tuple[int, str]] = field(default_factory=list)
    brackets: Brackets = field(init=False)
    last_start: int = 0
    passages_by_start: dict[int, Passage] = field(default_factory=dict)
    ambiguous_dashes: dict[int, Passage | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        passages = find_marked_passages(self.text)
        self.brackets = Brackets(self.text, find_closing_brackets(self.text), passages)
        for passage in passages:
            self.passages_by_start[passage.start] = passage
            if passage.start and self.text[passage.start - 1] in DASHES:
                self.ambiguous_dashes.setdefault(passage.start - 1, None)
            if dash := _DASH_AFTER.match(self.text, passage.end):
                self.ambiguous_dashes[dash.end() - 1] = passage

    def scan(self) -> Iterator[Token]:
        """Yield all tokens, in order."""
        while (start := self._skip_blanks()) < len(self.text):
            character = self.text[start]
            if character in QUOTES:
                quoted = self._match_quoted(start)
                yield self._make_token(TokenKind.PHRASE, quoted["inner"], start, quoted.end())
                yield from self._scan_proximity()
            elif character == "(" and self._is_word_start(start):
                yield self._scan_text_word(start, start)
            elif character == "(":
                yield self._open_bracket(start)
            elif character == ")":
                yield self._close_bracket(start)
            else:
                yield from self._scan_run(start)
        if self.open_brackets:
            self._raise_error(
                "This bracket is not closed; put it in quotes if it is text.", self.open_brackets[-1][0]
            )

    # brackets and quotes

    @property
    def current_field(self) -> str:
        """The field to which the next token belongs."""
        if self.pending_field is not None:
            return self.pending_field
        return self.open_brackets[-1][1] if self.open_brackets else ""

    def _open_bracket(self, start: int) -> Token:
        self.open_brackets.append((start, self.current_field))
        if len(self.open_brackets) > MAX_DEPTH:
            self._raise_error(f"Brackets can be nested at most {MAX_DEPTH} levels deep.", start)
        self.position, self.pending_field = start + 1, None
        return Token(TokenKind.OPEN, "(", start)

    def _close_bracket(self, start: int) -> Token:
        if not self.open_brackets:
            self._raise_error("This bracket has no opening bracket; put it in quotes if it is text.", start)
        self.last_start, _ = self.open_brackets.pop()
        self.position, self.pending_field = start + 1, None
        return Token(TokenKind.CLOSE, ")", start)

    def _match_quoted(self, start: int) -> re.Match[str]:
        match = _PHRASE.match(self.text, start)
        if match is None or not match["end"]:
            self._raise_error("This quote is not closed; add another one at the end of the phrase.", start)
        return match

    def _scan_proximity(self) -> Iterator[Token]:
        """Yield the token for ``~`` and its number after a phrase, if it is there; a ``*`` is an error there."""
        next_character = self.text[self.position : self.position + 1]
        if next_character == "*":
            self._raise_error(
                "Write the beginning of a word without quotes, such as quantiz*; in quotes, * is text.",
                self.position,
            )
        if next_character != "~":
            return
        match = _NEAR.match(self.text, self.position)
        if not match or len(match[1]) > 2 or not 1 <= int(match[1]) <= MAX_NEAR:
            message = f'After ~, write how many other words may be in between, from 1 to {MAX_NEAR}: "first second"~5.'
            self._raise_error(message, self.position)
        yield Token(TokenKind.NEAR, match[1], self.position)
        self.position = match.end()

    # runs of signs between blanks, brackets and quotes

    def _scan_run(self, start: int) -> Iterator[Token]:
        match = _RUN.match(self.text, start)
        run = match[0] if match else self.text[start]
        end = start + len(run)
        previous_character = self.text[start - 1] if start else " "
        self._check_leading_dash(start, run)
        if run[0] in DASHES and previous_character != ":":
            self._check_not_dash(start)
            self.position = start + 1
            yield Token(TokenKind.NOT, "-", start)
        elif run in OPERATORS:
            self.position = end
            yield from (Token(kind, run, start) for kind in OPERATORS[run])
        elif self._has_ambiguous_operator(start, run):
            self._raise_ambiguous_operator(start, run)
        elif self.current_field not in _RAW_VALUE_FIELDS and (symbols_end := find_symbols_end(run)):
            yield self._scan_word(start, run[:symbols_end])
        elif self.current_field == "author" and _PERSON.match(run):
            yield self._make_bare_token(TokenKind.PERSON, run, start, end)
        elif value_end := self._find_value_end(start, run):
            yield self._make_bare_token(TokenKind.VALUE, self.text[start:value_end], start, value_end)
        elif (label := _FIELD.match(run)) and self._is_field(label[1], start):
            self.position, self.pending_field = start + label.end(), FIELDS[label[1].lower()]
            yield Token(TokenKind.FIELD, label[1], start)
        elif run[0] == "=" and self.current_field in TEXT_FIELDS:
            yield self._scan_exact(start, run)
        else:
            yield self._scan_word(start, run)

    def _check_leading_dash(self, start: int, run: str) -> None:
        """Raise an error for an ambiguous dash at the beginning of a run.

        It is right after a quote or bracket, perhaps with other signs between them, or is after a blank and a
        comma.
        """
        previous_character = self.text[start - 1] if start else " "
        is_glued = not (previous_character.isspace() or previous_character in f"(:{DASHES}")
        if is_glued and (dash := _DASH_AFTER.match(run)):
            self._raise_ambiguous_dash(self.last_start, start, start + dash.end() - 1)
        elif dash := _COMMA_AND_DASH.match(run):
            previous_end = len(self.text[:start].rstrip())
            if previous_end and self.text[previous_end - 1] != "(":
                self._raise_ambiguous_dash(self.last_start, previous_end, start + dash.end() - 1)

    def _check_not_dash(self, start: int) -> None:
        dash, next_character = self.text[start], self.text[start + 1 : start + 2]
        if (
            dash == "-"
            and next_character
            and (next_character.isalnum() or next_character in QUOTES or next_character in "(=$\\")
        ):
            return
        if dash == "-" and not (next_character and next_character in DASHES):
            message = "This - has no meaning here. Write -word to exclude papers with a word, or put the dash in quotes."
        else:
            message = "This dash has no meaning here. Write -word, with one plain hyphen, to exclude papers with a word, or put the dash in quotes."
        self._raise_error(message, start)

    def _raise_ambiguous_dash(self, left_start: int, left_end: int, dash: int) -> None:
        """Raise an error with both meanings of a dash next to a quote, bracket, comma or star, if a term follows it.

        Args:
            left_start: where the text before the dash starts; a passage right before the dash has precedence.
            left_end: where that text ends.
            dash: position of the dash.
        """
        right_operand = _shorten(self._read_operand(dash + 1))
        if not right_operand or right_operand in OPERATORS:
            return
        passage = self.ambiguous_dashes.get(dash)
        left_start = passage.start if passage else left_start
        label = _LABEL_BEFORE.search(self.text, max(0, left_start - _MAX_LABEL_LENGTH), left_start)
        left_operand = self.text[label.start() if label else left_start : left_start]
        word = self.text[left_start:left_end]
        left_operand += _quote_passage(passage) if passage else word.rstrip(",;.:!?") or word
        left_operand = _shorten(left_operand)
        message = f"This {self.text[dash]} is ambiguous next to a quote, a bracket, a comma or a star: {left_operand} -{right_operand}, with a space before it, excludes {right_operand}, and {left_operand} {right_operand} searches for both; if all of it is text, put it in quotes."
        self._raise_error(message, dash)

    def _read_operand(self, start: int) -> str:
        """Return the word, phrase or bracket at a position up to a blank, with its field; "" if there is none."""
        while start not in self.passages_by_start and _NO_OPERAND_START.match(self.text, start):
            start += 1
        label = _FIELD.match(self.text, start)
        operand_start = label.end() if label and label[1].lower() in FIELDS else start
        operand_start += self.text[operand_start : operand_start + 1] == "="
        if passage := self.passages_by_start.get(operand_start):
            return self.text[start:operand_start] + _quote_passage(passage)
        if closing_bracket := self.brackets.closings.get(operand_start):
            return self.text[start : closing_bracket + 1]
        if quoted := _PHRASE.match(self.text, operand_start):
            return self.text[start : quoted.end()] if quoted["end"] else ""
        match = _RUN.match(self.text, operand_start)
        return self.text[start : match.end()] if match else ""

    def _check_dashes_in_word(self, start: int, end: int) -> None:
        """Raise an error for a dash in or after a word that joins it to a quote, a bracket or a passage.

        A bracket that belongs to the word is inside it.
        """
        for dash in range(start, end):
            if dash in self.ambiguous_dashes:
                self._raise_ambiguous_dash(start, dash, dash)
        if _QUOTE_OR_BRACKET.match(self.text, end) and (
            match := _DASH_AT_END.search(self.text, max(start, end - _MAX_DASH_AT_END), end)
        ):
            self._raise_ambiguous_dash(start, match.start(), match.start())

    def _has_ambiguous_operator(self, start: int, run: str) -> bool:
        """Whether a run begins with an operator and a minus or ``!``; before a number, ``+-`` belongs to mathematics."""
        sign = 0 if self.current_field in _RAW_VALUE_FIELDS else find_exclusion_sign(run)
        if not sign or run[:sign] in OPERATORS:
            return sign > 0
        operand = self._read_operand(start + sign + 1)
        return operand != "" and not (operand[0].isdecimal() and run[:sign] in {"+", "|"})

    def _raise_ambiguous_operator(self, start: int, run: str) -> NoReturn:
        """Raise an error with both meanings of an operator that is joined to a word by a minus or ``!``."""
        sign = find_exclusion_sign(run)
        operator, mark = run[:sign], run[sign]
        operand = _shorten(self._read_operand(start + sign + 1))
        if not operand:
            self._raise_error(
                f"There is nothing after {operator}{mark}; if it is text, put it in quotes.", start
            )
        message = f"This {mark} is ambiguous right after {operator}: {format_exclusion(operator, operand)}, with a space, excludes {operand}; if {operator}{mark}{operand} is text, put it in quotes."
        self._raise_error(message, start + sign)

    def _find_value_end(self, start: int, run: str) -> int:
        """Return the end of a value that may contain any sign; 0 if the run is not such a value.

        Such values are those of some fields, and ids of papers without a field.
        """
        field = self.current_field
        if field in _RAW_VALUE_FIELDS and run[0] not in DASHES:
            return self._find_balanced_end(start)
        if field == "institution" and _ROR.match(run):
            return start + len(run)
        if field or self.pending_field is not None:
            return 0
        if _ADDRESS.match(run):
            return self._find_balanced_end(start)
        return start + len(run) if _ARXIV.match(run) and parse_arxiv_id(run.rstrip(".,;")) else 0

    def _find_balanced_end(self, start: int) -> int:
        """Return the end of a value: the next blank, quote, or bracket that closes none within it."""
        depth = 0
        for end in range(start, len(self.text)):
            character = self.text[end]
            depth += (character == "(") - (character == ")")
            if depth < 0 or character.isspace() or character in QUOTES:
                return end
        return len(self.text)

    def _scan_exact(self, start: int, run: str) -> Token:
        next_character = self.text[start + 1 : start + 2]
        if next_character and next_character in QUOTES:
            quoted = self._match_quoted(start + 1)
            if self.text[quoted.end() : quoted.end() + 1] == "~":
                self._raise_error("~ and = cannot be combined; write only one of them.", quoted.end())
            return self._make_token(TokenKind.EXACT, quoted["inner"], start, quoted.end())
        if (label := _FIELD.match(run, 1)) and label[1].lower() in FIELDS:
            self._raise_error(f"Write the = after the field: {label[0]}=word.", start)
        end = self._find_word_end(start + len(run)) if len(run) > 1 else start + len(run)
        word = self.text[start + 1 : end].rstrip(",;.:!?")
        if not word or word[0] == "=" or word[0] in DASHES:
            self._raise_error(
                "Write = directly before a word or a phrase: =RAG; if it is text, put it in quotes.", start
            )
        if is_prefix(word):
            self._raise_error(
                "= and * cannot be combined; write only one of them, or put the word in quotes.", start
            )
        return self._make_bare_token(TokenKind.EXACT, word, start, end)

    def _scan_word(self, start: int, run: str) -> Token:
        field, end = self.current_field, start + len(run)
        if foreign_sign := find_url_encoding(run):
            self._raise_error(foreign_sign[1], start + foreign_sign[0])
        if run[0] in DASHES and start and self.text[start - 1] == ":":
            self._raise_error("Write the - before the field: -title:word.", start)
        if field in TEXT_FIELDS:
            return self._scan_text_word(start, end)
        if "*" in run and field == "author":
            self._raise_error(
                'A name cannot contain *; write initials, as in author:"Y. Liu".', start + run.index("*")
            )
        if "*" in run and field not in {"category", "primary"}:
            self._raise_error(PREFIX_MESSAGE, start + run.index("*"))
        return self._make_bare_token(TokenKind.WORD, run, start, end)

    def _scan_text_word(self, start: int, end: int) -> Token:
        """Return the token of a word or prefix to look for, including brackets in it."""
        if end > start:
            self._check_foreign_signs(start, end)
        run = self.text[start:end]
        word_end = end if is_prefix(run) or is_symbol_run(run) else self._find_word_end(end)
        if word_end > end:
            self._check_foreign_signs(start, word_end)
        run = strip_cjk_star(self.text[start:word_end])
        if not is_prefix(run):
            return self._make_bare_token(TokenKind.WORD, run, start, word_end)
        self._check_dashes_in_word(start, word_end)
        prefix_match = _PREFIX.fullmatch(run)
        if (
            prefix_match is None
            and (prefix_and_dash := _PREFIX_AND_DASH.match(run))
            and _PREFIX.fullmatch(prefix_and_dash[1])
        ):
            self._raise_ambiguous_dash(start, start + prefix_and_dash.end(1), start + prefix_and_dash.end(1))
        if prefix_match is None:
            self._raise_error(PREFIX_MESSAGE, start + run.index("*"))
        return self._make_token(TokenKind.BEGINNING, prefix_match[1], start, word_end)

    def _check_foreign_signs(self, start: int, end: int) -> None:
        if foreign_sign := find_foreign_sign(self.text, start, end):
            self._raise_error(foreign_sign[1], foreign_sign[0])

    # brackets in a word

    def _find_word_end(self, end: int) -> int:
        """Return where a word ends that brackets follow without a blank: ``SU(2)``, ``f(R)``, ``SL(2, Z)-bundle``."""
        while self.text[end : end + 1] == "(" and (bracket_text := self.brackets.get_inner_text(end)):
            if self.text[end - 1] in DASHES and self.brackets.is_group(end, bracket_text):
                return end
            end = self.brackets.closings[end] + 1
            if is_next_part(self.text, end):
                return end
            match = _RUN.match(self.text, end)
            end = match.end() if match else end
        return end

    def _is_word_start(self, start: int) -> bool:
        """Whether a bracket is the beginning of a word, as in ``(∞,1)-categories``.

        Before a dash, brackets that may be part of the query do not count as such.
        """
        bracket_text = self.brackets.get_inner_text(start) if self.current_field in TEXT_FIELDS else ""
        if not bracket_text or _BLANK_IN_BRACKETS.search(bracket_text.strip()):
            return False
        closing_bracket = self.brackets.closings[start]
        if is_next_part(self.text, closing_bracket + 1):
            return False
        next_character, second_character = (
            self.text[closing_bracket + 1 : closing_bracket + 2],
            self.text[closing_bracket + 2 : closing_bracket + 3],
        )
        if next_character and next_character in DASHES:
            return second_character.isalnum() and not self.brackets.is_group(start, bracket_text)
        return next_character.isalnum() or (next_character in {"_", "^"} and second_character.isalnum())

    def _is_field(self, name: str, start: int) -> bool:
        """Whether a word with a colon is a field; False if a blank follows, as in a title."""
        lowercase_name = name.lower()
        next_character = self.text[start + len(name) + 1 : start + len(name) + 2]
        has_blank_after = not next_character or next_character.isspace() or next_character == ")"
        if has_blank_after and lowercase_name in FIELDS and lowercase_name != "all":
            self._raise_error(
                f"{name}: needs a word, a phrase or a bracket directly after it; if it is text, put it in quotes.",
                start,
            )
        if not (has_blank_after and lowercase_name not in ALWAYS_FIELDS) and lowercase_name not in FIELDS:
            self._raise_error(
                f"{describe_unknown_field(name)} If the colon is text, put it in quotes.", start
            )
        return not has_blank_after

    # tokens and errors

    def _make_bare_token(self, kind: TokenKind, value: str, start: int, end: int) -> Token:
        """Return the token of a term that has no quotes; raise an error if a dash in it or after it has two meanings."""
        self._check_dashes_in_word(start, end)
        if kind in {TokenKind.WORD, TokenKind.EXACT} and (
            dash := _COMMA_AND_DASH_IN_WORD.search(self.text, start, end)
        ):
            self._raise_ambiguous_dash(start, dash.start(), dash.end() - 1)
        return self._make_token(kind, value, start, end)

    def _make_token(self, kind: TokenKind, value: str, start: int, end: int) -> Token:
        self.position, self.pending_field, self.last_start = end, None, start
        return Token(kind, value, start)

    def _skip_blanks(self) -> int:
        match = _BLANKS.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.position

    def _raise_error(self, message: str, position: int) -> NoReturn:
        raise QueryError(message, self.text, position)


def _quote_passage(passage: Passage) -> str:
    """Return a passage as the phrase that its marks may stand for."""
    return f'"{strip_quotes(passage.inner)}"'


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_EXCERPT else f"{text[: _MAX_EXCERPT - 1]}…"


_MAX_EXCERPT = 40
"""Maximum length of an excerpt from a query in an error message, in characters."""
