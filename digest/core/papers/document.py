"""A paper as queries see it: its words, bylines, categories, and what is known of it and of its event.

Texts are read when they are first asked for, once a paper: most queries ask for title and abstract only.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from digest.core.names.fitting import folded
from digest.core.papers.identity.same_paper import claims_of
from digest.core.text.accents import without_tex
from digest.core.text.tex import has_tex, tex_to_unicode
from digest.core.text.words import forms, joined, spelled
from digest.model import EventKind, Paper

GAP = 21
"""How many positions without a word lie between two lines of a text: more than the greatest nearness."""
SPAN = 4
"""Bits for how many parts a word has: fewer than sixteen."""


LINE_BREAK = "\n"


@dataclass(frozen=True, kw_only=True, eq=False)
class Text:
    """A field of a paper.

    Attributes:
        announced: its lines, TeX and all; no phrase goes from one to the next.
    """

    announced: tuple[str, ...]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, readable."""
        return tuple(map(tex_to_unicode, self.announced))

    def pieces(self) -> list[str]:
        """What stands between blanks, readable; a line break between two lines. It is not kept."""
        first, *others = map(self._split, self.announced) if self.announced else [[]]
        for line in others:
            first += [LINE_BREAK, *line]
        return first

    @staticmethod
    def _split(line: str) -> list[str]:
        return line.split() if line.isascii() and not has_tex(line) else tex_to_unicode(line).split()

    @cached_property
    def text(self) -> str:
        """The lines as one text, readable."""
        return "\n".join(self.lines)

    @cached_property
    def where(self) -> Mapping[str, Sequence[int]]:
        """Where words begin that can be looked for as a form, and of how many parts they are: ``position << 4 | span``.

        Positions count parts; between two lines there are some without a word.
        """
        return self._found[0]

    @cached_property
    def spans(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where parts start in the text, by position, and where they end."""
        return self._found[1:]

    @cached_property
    def _found(self) -> tuple[Mapping[str, Sequence[int]], Sequence[int], Sequence[int]]:
        where: defaultdict[str, list[int]] = defaultdict(list)
        starts: list[int] = []
        ends: list[int] = []
        begun = 0
        for line in self.lines:
            if begun:
                starts += [begun] * GAP
                ends += [begun] * GAP
            compound: list[str] = []
            for position, (start, part, joins) in enumerate(spelled(line), len(starts)):
                starts.append(begun + start)
                ends.append(begun + start + len(part))
                at = position << SPAN | 1
                for form in forms(part):
                    where[form].append(at)
                if joins:
                    compound.append(part)
                elif compound:
                    _place_joined(where, position - len(compound), [*compound, part])
                    compound = []
            begun += len(line) + 1
        return dict(where), array("I", starts), array("I", ends)

    @cached_property
    def vocabulary(self) -> Sequence[str]:
        """All forms that words of it can be looked for as, sorted: those that begin alike follow each other."""
        return sorted(self.where)


class ReadableText(Text):
    """A field of a paper whose lines, as announced, have no TeX any more."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, as they are."""
        return self.announced

    @staticmethod
    def _split(line: str) -> list[str]:
        return line.split()


def _place_joined(where: Mapping[str, list[int]], first: int, compound: Sequence[str]) -> None:
    """Add to ``where`` the words that parts of a compound make together; its first part is at a position."""
    for number, span, word in joined(compound):
        for form in forms(word):
            where[form].append(first + number << SPAN | span)


class Standing(NamedTuple):
    """What persons, worked out of all bylines, say of one byline.

    Attributes:
        sole: all papers so signed form one group, or this byline is in the only established one.
        ids: of the person whom it is believed to be, from other bylines of that person.
    """

    sole: bool = True
    ids: frozenset[tuple[str, str]] = frozenset()


class Byline(NamedTuple):
    """A name as printed on a paper, and what is known of who that is.

    Attributes:
        name: without TeX.
        ids: printed with it: scheme and value.
    """

    name: str
    ids: frozenset[tuple[str, str]] = frozenset()
    standing: Standing = Standing()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Document:
    """A paper as queries see it.

    Attributes:
        texts: ``title``, ``abstract``, ``comment``, ``journal`` and ``institution``; title and abstract as two lines are "".
        categories: as printed, the primary one first.
        facts: what it and its event have: pairs of field (``kind``, ``source``, ``has``, ``id``, ``cites``,
            ``institution``) and value.
    """

    texts: Mapping[str, Text]
    bylines: tuple[Byline, ...]
    categories: tuple[str, ...]
    facts: frozenset[tuple[str, str]]


NOTHING_KNOWN: Mapping[str, Standing] = MappingProxyType({})


def document(
    paper: Paper,
    *,
    kind: EventKind = EventKind.NEW,
    source: str = "",
    standings: Mapping[str, Standing] = NOTHING_KNOWN,
) -> Document:
    """A paper as queries see it, for any number of them, and for the reasons asked for after matching.

    Args:
        paper: read once, for all its events.
        kind: of the event.
        source: who announced the event; "" for none.
        standings: by folded name; nothing is known of a name that is not among them.
    """
    read = _read(paper)
    bylines = read.bylines
    if standings:
        bylines = tuple(
            byline._replace(standing=standings.get(folded(byline.name), byline.standing))
            for byline in bylines
        )
    return Document(
        texts=read.texts,
        bylines=bylines,
        categories=read.categories,
        facts=read.facts.union(event_facts(kind, source)),
    )


def title_of(paper: Paper) -> Document:
    """A paper of which nothing is known but its title."""
    texts = dict.fromkeys(("abstract", "comment", "journal", "institution"), _EMPTY)
    title = _text([paper.title])
    return Document(texts={"": title, "title": title, **texts}, bylines=(), categories=(), facts=frozenset())


@lru_cache(maxsize=4096)
def _read(paper: Paper) -> Document:
    """A paper without its event."""
    affiliations = (line for author in paper.authors for line in author.affiliations)
    return Document(
        texts={
            "": _text([paper.title, paper.abstract]),
            "title": _text([paper.title]),
            "abstract": _text([paper.abstract]),
            "comment": _text([paper.comment]),
            "journal": _text([paper.journal_ref]),
            "institution": _text(list(dict.fromkeys([*affiliations, *paper.organizations]))),
        },
        bylines=tuple(Byline(without_tex(author.name), frozenset(author.ids)) for author in paper.authors),
        categories=paper.categories,
        facts=frozenset(_facts(paper)),
    )


def forget() -> None:
    """Let go of the papers that were read: each takes as much as thirty of them do as they are kept."""
    _read.cache_clear()


_EMPTY = Text(announced=())


def _text(lines: Sequence[str]) -> Text:
    told = tuple(line for line in lines if line)
    return Text(announced=told) if told else _EMPTY


def _facts(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "id", paper.key
    for claim in claims_of(paper):
        yield "id", f"{claim.scheme}:{claim.value}"
    for key in paper.references:
        yield "cites", key
    for ror in paper.institutions:
        yield "institution", f"ror:{ror}"
    if paper.code_urls:
        yield "has", "code"


@lru_cache(maxsize=256)
def event_facts(kind: EventKind, source: str) -> frozenset[tuple[str, str]]:
    """A paper that has grown is told as new to who had not been told."""
    kinds = {("kind", kind.value)} | ({("kind", EventKind.NEW.value)} if kind is EventKind.GROWN else set())
    return frozenset(kinds | ({("source", source.lower())} if source else set()))
