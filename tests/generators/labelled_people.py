"""Authors of whom it is known who they are, and what readers who follow them would be told.

The signatures are those of QIAN, a part of S2AND: each paper is there with one author, so there are workplaces and no
co-authors, and most names are chosen because several people bear them. It is the hardest that there is, not the
usual day.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from digest.core.language.query import ByAuthor
from digest.core.matching.evaluate import match_byline
from digest.core.papers.document import Byline
from digest.core.people.persons import BylinePlace, Signature, compute_standing, resolve_persons
from digest.model import Confidence

FILE = "authors/qian_signatures.jsonl"
BY_NAME, BY_ID = KINDS = ("by name", "by name and id")
SAID = ("orcid", "0000-0002-1825-0097")
"""The id that a person gets by "yes, this one"."""


@dataclass(frozen=True, slots=True)
class Block:
    """The signatures of one block, and whose each is."""

    signatures: tuple[Signature, ...]
    owners: dict[BylinePlace, int]


@dataclass(frozen=True, slots=True)
class FollowScore:
    """What follows of one kind bring: how many signatures in each band, the wanted person's and others'."""

    correct: Counter[Confidence]
    incorrect: Counter[Confidence]

    @classmethod
    def make_empty(cls) -> FollowScore:
        """Before anything was told."""
        return cls(Counter(), Counter())

    @property
    def precision(self) -> float:
        """Of what is told as surely or likely hers, the part that is."""
        return _count_sure(self.correct) / max(1, _count_sure(self.correct) + _count_sure(self.incorrect))

    @property
    def recall(self) -> float:
        """Of what is hers, the part that is told as surely or likely so."""
        return _count_sure(self.correct) / self.correct.total()

    @property
    def maybe(self) -> int:
        """How many are told as maybe hers."""
        return self.correct[Confidence.MAYBE] + self.incorrect[Confidence.MAYBE]

    def format_line(self) -> str:
        """The figures for people."""
        every = self.correct.total()
        return (
            f"precision {self.precision:.4f} ({_count_sure(self.incorrect)} wrong of {_count_sure(self.correct) + _count_sure(self.incorrect):,}), "
            f"recall {self.recall:.3f} of {every:,} (surely {self.correct[Confidence.SURELY]:,}, "
            f"likely {self.correct[Confidence.LIKELY]:,}), maybe {self.maybe:,} ({self.correct[Confidence.MAYBE]:,} of them right)"
        )

    def __add__(self, other: FollowScore) -> FollowScore:
        return FollowScore(self.correct + other.correct, self.incorrect + other.incorrect)


def _count_sure(bands: Counter[Confidence]) -> int:
    return bands[Confidence.SURELY] + bands[Confidence.LIKELY]


def read_blocks(lines: Iterable[str]) -> list[Block]:
    """The blocks of the file."""
    results: dict[str, list[tuple[Signature, int]]] = defaultdict(list)
    for row in map(json.loads, lines):
        results[row["block"]].append((_read_signature(row), row["person"]))
    return [
        Block(
            signatures=tuple(signature for signature, _ in rows),
            owners={signature.place: person for signature, person in rows},
        )
        for rows in results.values()
    ]


def _read_signature(row: dict[str, Any]) -> Signature:
    name = " ".join(row[part] for part in ("first", "middle", "last") if row.get(part))
    return Signature(row["paper"], row["pos"], name, tuple(row.get("affiliations", ())))


def load_blocks(data: Path) -> list[Block]:
    """The recorded blocks."""
    with (data / FILE).open(encoding="utf-8") as file:
        return read_blocks(file)


def score_follows(blocks: Iterable[Block]) -> dict[str, FollowScore]:
    """What follows of every person by each of the printed names, and by a name and an id, would bring."""
    follow_scores = {kind: FollowScore.make_empty() for kind in KINDS}
    for block in blocks:
        bylines = _make_bylines(block)
        for person in sorted(set(block.owners.values())):
            hers = sorted(
                signature for signature in block.signatures if block.owners[signature.place] == person
            )
            for name in sorted({signature.name for signature in hers}):
                follow_scores[BY_NAME] += _score_follow(bylines, block.owners, person, ByAuthor(name=name))
            follow = ByAuthor(name=hers[0].name, ids=(SAID,))
            follow_scores[BY_ID] += _score_follow(
                _make_bylines(_confirm_signature(block, hers[0])), block.owners, person, follow
            )
    return follow_scores


def _confirm_signature(block: Block, which: Signature) -> Block:
    """The block after somebody said "yes, this one" of a signature."""
    signatures = (
        signature._replace(ids=(SAID,)) if signature == which else signature for signature in block.signatures
    )
    return Block(tuple(signatures), block.owners)


def _score_follow(
    bylines: Iterable[tuple[BylinePlace, Byline]],
    owners: dict[BylinePlace, int],
    person: int,
    follow: ByAuthor,
) -> FollowScore:
    answer = FollowScore.make_empty()
    for place, byline in bylines:
        band = match_byline(follow, byline)
        (answer.correct if owners[place] == person else answer.incorrect)[band] += 1
    return answer


def _make_bylines(block: Block) -> list[tuple[BylinePlace, Byline]]:
    """The signatures as documents have them, persons worked out of all of the block."""
    people = resolve_persons(block.signatures)
    return [
        (
            signature.place,
            Byline(signature.name, frozenset(signature.ids), compute_standing(signature, people)),
        )
        for signature in block.signatures
    ]
