"""Papers as queries see them: words, bylines, categories, and facts about the paper and its event.

Texts are tokenized on first use, once for each paper, because most queries only need title and abstract.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from digest.core.names.fitting import fold_name
from digest.core.papers.identity.same_paper import list_claims
from digest.core.text.accents import decode_tex_accents
from digest.core.text.tex import is_readable, tex_to_unicode
from digest.core.text.words import find_forms, iter_compounds, scan_parts
from digest.model import EventKind, Paper

TextField = Literal["", "title", "abstract", "comment", "journal", "institution"]
"""The texts of a paper; "" is title and abstract."""
TEXT_FIELDS: tuple[str, ...] = get_args(TextField)
SECONDARY_TEXT_FIELDS = TEXT_FIELDS[3:]
"""Texts other than title and abstract; each has index terms of its own."""
LINE_GAP = 21
"""Number of positions without a word between two lines of a text, which exceeds the maximum distance of ``~``."""
SPAN_BITS = 4
"""Number of bits that encode how many parts a word has; the maximum is fifteen."""


LINE_BREAK = "\n"


@dataclass(frozen=True, kw_only=True, eq=False)
class Text:
    """A text field of a paper.

    Attributes:
        source_lines: the lines as announced, with TeX; no phrase extends over two lines.
    """

    source_lines: tuple[str, ...]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines as readable text."""
        return tuple(map(tex_to_unicode, self.source_lines))

    def split_pieces(self) -> list[str]:
        """Return the readable text split at white space, with ``LINE_BREAK`` between lines; it is not cached."""
        pieces, *other_lines = map(self._split_line, self.source_lines) if self.source_lines else [[]]
        for line in other_lines:
            pieces += [LINE_BREAK, *line]
        return pieces

    @staticmethod
    def _split_line(line: str) -> list[str]:
        return (line if is_readable(line) else tex_to_unicode(line)).split()

    @cached_property
    def text(self) -> str:
        """The readable lines joined into one text."""
        return "\n".join(self.lines)

    @cached_property
    def occurrences(self) -> Mapping[str, Sequence[int]]:
        """Occurrences of each form as ``position << 4 | span``, where the span is the number of parts of the word.

        Positions count parts, and skip some numbers between two lines.
        """
        return self._positions[0]

    @cached_property
    def spans(self) -> tuple[Sequence[int], Sequence[int]]:
        """Offsets in the text at which the parts start and end, by position."""
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
        """All forms that occur, sorted, so that those with a common prefix are adjacent."""
        return sorted(self.occurrences)


class ReadableText(Text):
    """A text field of a paper whose lines contain no TeX."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, unchanged."""
        return self.source_lines

    @staticmethod
    def _split_line(line: str) -> list[str]:
        return line.split()


def _add_compounds(occurrences: Mapping[str, list[int]], first: int, compound: Sequence[str]) -> None:
    """Add the words that adjacent parts of a compound form; its first part is at position ``first``."""
    for part_index, span, word in iter_compounds(compound):
        for form in find_forms(word):
            occurrences[form].append(first + part_index << SPAN_BITS | span)


class BylineStanding(NamedTuple):
    """What the computed persons say about a byline.

    Attributes:
        is_sole_bearer: whether its person is considered the only bearer of the name.
        ids: the IDs of its person, including those from other bylines.
    """

    is_sole_bearer: bool = True
    ids: frozenset[tuple[str, str]] = frozenset()


class Byline(NamedTuple):
    """A name as printed on a paper, and what is known about its bearer.

    Attributes:
        name: without TeX.
        ids: pairs of scheme and value, printed with the name.
        standing: what the computed persons say about it.
    """

    name: str
    ids: frozenset[tuple[str, str]] = frozenset()
    standing: BylineStanding = BylineStanding()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperDocument:
    """A paper as queries see it.

    Attributes:
        texts: ``title``, ``abstract``, ``comment``, ``journal`` and ``institution``; "" is title and
            abstract, as two lines.
        bylines: the authors in the printed order.
        categories: as printed, the primary one first.
        facts: facts about the paper and its event: pairs of field (``kind``, ``source``, ``has``, ``id``,
            ``cites``, ``institution``) and value.
    """

    texts: Mapping[str, Text]
    bylines: tuple[Byline, ...]
    categories: tuple[str, ...]
    facts: frozenset[tuple[str, str]]


NO_STANDINGS: Mapping[str, BylineStanding] = MappingProxyType({})


def build_document(
    paper: Paper,
    *,
    kind: EventKind | None = EventKind.NEW,
    source: str = "",
    standings: Mapping[str, BylineStanding] = NO_STANDINGS,
) -> PaperDocument:
    """Build the document of a paper and an event, for matching and for the reasons afterwards.

    Args:
        paper: the paper; its part of the document is cached for all its events.
        kind: the kind of the event; None for a paper without events.
        source: the source that announced the event, or "".
        standings: standings by folded name; names that are missing have the default.
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
    """Build a document from a title alone, without the other data of the paper."""
    title = _make_text([paper.title] if paper.title else [])
    return PaperDocument(
        texts={**dict.fromkeys(TEXT_FIELDS, _EMPTY_TEXT), "": title, "title": title},
        bylines=(),
        categories=(),
        facts=frozenset(),
    )


@lru_cache(maxsize=4096)
def _read_paper(paper: Paper) -> PaperDocument:
    """Build the part of a document that does not depend on the event."""
    lines = list_text_lines(paper)
    texts = {field: _make_text(field_lines) for field, field_lines in lines.items()}
    return PaperDocument(
        texts={"": _make_text([*lines["title"], *lines["abstract"]]), **texts},
        bylines=tuple(
            Byline(decode_tex_accents(author.name), frozenset(author.ids)) for author in paper.authors
        ),
        categories=paper.categories,
        facts=frozenset(iter_facts(paper)),
    )


def list_text_lines(paper: Paper) -> dict[str, Sequence[str]]:
    """Return the lines of each text of a paper as announced, without empty ones, by field."""
    affiliations = (line for author in paper.authors for line in author.affiliations)
    lines: dict[str, Sequence[str]] = {
        "title": [paper.title],
        "abstract": [paper.abstract],
        "comment": [paper.comment],
        "journal": [paper.journal_ref],
        "institution": list(dict.fromkeys([*affiliations, *paper.organizations])),
    }
    return {field: [line for line in field_lines if line] for field, field_lines in lines.items()}


def clear_document_cache() -> None:
    """Clear the cache of documents; each takes thirty times the memory of a stored paper."""
    _read_paper.cache_clear()


_EMPTY_TEXT = Text(source_lines=())


def _make_text(lines: Sequence[str]) -> Text:
    return Text(source_lines=tuple(lines)) if lines else _EMPTY_TEXT


def iter_facts(paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield the facts about a paper itself: pairs of field and value."""
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
def make_event_facts(kind: EventKind | None, source: str) -> frozenset[tuple[str, str]]:
    """Return the facts about an event: its kind and its source.

    A grown paper also counts as new, because it is new to the digests that have not reported it.

    Args:
        kind: its kind; None for a paper without events.
        source: the source that announced it, or "".
    """
    kinds = {("kind", kind.value)} if kind else set()
    if kind is EventKind.GROWN:
        kinds.add(("kind", EventKind.NEW.value))
    return frozenset(kinds | ({("source", source.lower())} if source else set()))
