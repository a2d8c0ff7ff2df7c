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

from digest.core.names.fitting import fold_name
from digest.core.papers.identity.same_paper import list_claims
from digest.core.text.accents import decode_tex_accents
from digest.core.text.tex import is_readable, tex_to_unicode
from digest.core.text.words import find_forms, iter_compounds, scan_parts
from digest.model import EventKind, Paper

LINE_GAP = 21
"""How many positions without a word lie between two lines of a text: more than the greatest nearness."""
SPAN_BITS = 4
"""Bits for how many parts a word has: fewer than sixteen."""


LINE_BREAK = "\n"


@dataclass(frozen=True, kw_only=True, eq=False)
class Text:
    """A field of a paper.

    Attributes:
        source_lines: its lines, TeX and all; no phrase goes from one to the next.
    """

    source_lines: tuple[str, ...]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, readable."""
        return tuple(map(tex_to_unicode, self.source_lines))

    def split_pieces(self) -> list[str]:
        """What stands between blanks, readable; a line break between two lines. It is not kept."""
        pieces, *other_lines = map(self._split_line, self.source_lines) if self.source_lines else [[]]
        for line in other_lines:
            pieces += [LINE_BREAK, *line]
        return pieces

    @staticmethod
    def _split_line(line: str) -> list[str]:
        return (line if is_readable(line) else tex_to_unicode(line)).split()

    @cached_property
    def text(self) -> str:
        """The lines as one text, readable."""
        return "\n".join(self.lines)

    @cached_property
    def occurrences(self) -> Mapping[str, Sequence[int]]:
        """Where words begin that can be looked for as a form, and of how many parts they are: ``position << 4 | span``.

        Positions count parts; between two lines there are some without a word.
        """
        return self._positions[0]

    @cached_property
    def spans(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where parts start in the text, by position, and where they end."""
        return self._positions[1:]

    @cached_property
    def _positions(self) -> tuple[Mapping[str, Sequence[int]], Sequence[int], Sequence[int]]:
        occurrences: defaultdict[str, list[int]] = defaultdict(list)
        starts: list[int] = []
        ends: list[int] = []
        offset = 0
        for line in self.lines:
            if offset:
                starts += [offset] * LINE_GAP
                ends += [offset] * LINE_GAP
            compound: list[str] = []
            for position, (start, part, is_joined) in enumerate(scan_parts(line), len(starts)):
                starts.append(offset + start)
                ends.append(offset + start + len(part))
                occurrence = position << SPAN_BITS | 1
                for form in find_forms(part):
                    occurrences[form].append(occurrence)
                if is_joined:
                    compound.append(part)
                elif compound:
                    _add_compounds(occurrences, position - len(compound), [*compound, part])
                    compound = []
            offset += len(line) + 1
        return dict(occurrences), array("I", starts), array("I", ends)

    @cached_property
    def vocabulary(self) -> Sequence[str]:
        """All forms that words of it can be looked for as, sorted: those that begin alike follow each other."""
        return sorted(self.occurrences)


class ReadableText(Text):
    """A field of a paper whose lines, as announced, have no TeX any more."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, as they are."""
        return self.source_lines

    @staticmethod
    def _split_line(line: str) -> list[str]:
        return line.split()


def _add_compounds(occurrences: Mapping[str, list[int]], first: int, compound: Sequence[str]) -> None:
    """Add to ``occurrences`` the words that parts of a compound make together; its first part is at a position."""
    for part_index, span, word in iter_compounds(compound):
        for form in find_forms(word):
            occurrences[form].append(first + part_index << SPAN_BITS | span)


class BylineStanding(NamedTuple):
    """What persons, worked out of all bylines, say of one byline.

    Attributes:
        is_sole_bearer: all papers so signed form one group, or this byline is in the only established one.
        ids: of the person whom it is believed to be, from other bylines of that person.
    """

    is_sole_bearer: bool = True
    ids: frozenset[tuple[str, str]] = frozenset()


class Byline(NamedTuple):
    """A name as printed on a paper, and what is known of who that is.

    Attributes:
        name: without TeX.
        ids: printed with it: scheme and value.
    """

    name: str
    ids: frozenset[tuple[str, str]] = frozenset()
    standing: BylineStanding = BylineStanding()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperDocument:
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


NO_STANDINGS: Mapping[str, BylineStanding] = MappingProxyType({})


def build_document(
    paper: Paper,
    *,
    kind: EventKind = EventKind.NEW,
    source: str = "",
    standings: Mapping[str, BylineStanding] = NO_STANDINGS,
) -> PaperDocument:
    """A paper as queries see it, for any number of them, and for the reasons asked for after matching.

    Args:
        paper: read once, for all its events.
        kind: of the event.
        source: who announced the event; "" for none.
        standings: by folded name; nothing is known of a name that is not among them.
    """
    paper_document = _read_paper(paper)
    bylines = paper_document.bylines
    if standings:
        bylines = tuple(
            byline._replace(standing=standings.get(fold_name(byline.name), byline.standing))
            for byline in bylines
        )
    return PaperDocument(
        texts=paper_document.texts,
        bylines=bylines,
        categories=paper_document.categories,
        facts=paper_document.facts.union(make_event_facts(kind, source)),
    )


def build_title_document(paper: Paper) -> PaperDocument:
    """A paper of which nothing is known but its title."""
    texts = dict.fromkeys(("abstract", "comment", "journal", "institution"), _EMPTY_TEXT)
    title = _make_text([paper.title])
    return PaperDocument(
        texts={"": title, "title": title, **texts}, bylines=(), categories=(), facts=frozenset()
    )


@lru_cache(maxsize=4096)
def _read_paper(paper: Paper) -> PaperDocument:
    """A paper without its event."""
    affiliations = (line for author in paper.authors for line in author.affiliations)
    return PaperDocument(
        texts={
            "": _make_text([paper.title, paper.abstract]),
            "title": _make_text([paper.title]),
            "abstract": _make_text([paper.abstract]),
            "comment": _make_text([paper.comment]),
            "journal": _make_text([paper.journal_ref]),
            "institution": _make_text(list(dict.fromkeys([*affiliations, *paper.organizations]))),
        },
        bylines=tuple(
            Byline(decode_tex_accents(author.name), frozenset(author.ids)) for author in paper.authors
        ),
        categories=paper.categories,
        facts=frozenset(_iter_facts(paper)),
    )


def clear_document_cache() -> None:
    """Let go of the papers that were read: each takes as much as thirty of them do as they are kept."""
    _read_paper.cache_clear()


_EMPTY_TEXT = Text(source_lines=())


def _make_text(lines: Sequence[str]) -> Text:
    non_empty_lines = tuple(line for line in lines if line)
    return Text(source_lines=non_empty_lines) if non_empty_lines else _EMPTY_TEXT


def _iter_facts(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "id", paper.key
    for claim in list_claims(paper):
        yield "id", f"{claim.scheme}:{claim.value}"
    for key in paper.references:
        yield "cites", key
    for ror in paper.institutions:
        yield "institution", f"ror:{ror}"
    if paper.code_urls:
        yield "has", "code"


@lru_cache(maxsize=256)
def make_event_facts(kind: EventKind, source: str) -> frozenset[tuple[str, str]]:
    """A paper that has grown is told as new to who had not been told."""
    kinds = {("kind", kind.value)} | ({("kind", EventKind.NEW.value)} if kind is EventKind.GROWN else set())
    return frozenset(kinds | ({("source", source.lower())} if source else set()))
