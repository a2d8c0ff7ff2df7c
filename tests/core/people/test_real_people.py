"""People of whom it is known who they are, and names of real papers: who follows them is told the right ones."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import zstandard

from digest.core.names.fitting import NameMatch, fold_name, make_block_key, match_names
from digest.core.people.persons import Person, Signature, compute_standing, resolve_persons
from digest.model import Confidence
from tests.generators.labelled_people import BY_ID, BY_NAME, load_blocks, score_follows

# --- signatures whose authors are known -----------------------------------------------------------


def test_what_is_surely_or_likely_hers_is_hers_in_99_of_100(data: Path) -> None:
    """Recall is printed by ``pytest -s``, and by ``python -m benchmarks names``."""
    follow_scores = score_follows(load_blocks(data))
    both = follow_scores[BY_NAME] + follow_scores[BY_ID]
    for kind, follow_score in (*follow_scores.items(), ("together", both)):
        print(f"{kind}: {follow_score.format_line()}")  # noqa: T201 - what this test is also for

    assert both.precision >= 0.99
    assert all(follow_score.precision >= 0.99 for follow_score in follow_scores.values())
    assert follow_scores[BY_NAME].correct[Confidence.LIKELY] > 0
    assert follow_scores[BY_ID].recall > follow_scores[BY_NAME].recall


# --- papers of arXiv ------------------------------------------------------------------------------

Papers = list[tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module")
def papers(data: Path) -> Papers:
    """The papers of the corpus with an author whose family name the tests ask for, numbered."""
    return _papers(data, ("Xiao", "Liu", "Stoica", "Fu"))


@cache  # another module uses the fixture, too, and to read the corpus takes seconds
def _papers(data: Path, families: tuple[str, ...]) -> Papers:
    return list(_read_papers(data, families))


def _read_papers(data: Path, families: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    files = sorted((data / "corpus").glob("backlog/*.zst")) + sorted((data / "corpus").glob("days/*.zst"))
    for number, line in enumerate(line for file in files for line in _lines(file)):
        if any(family in line for family in families):
            yield number, json.loads(line)


def _lines(file: Path) -> Iterator[str]:
    with file.open("rb") as packed:
        yield from io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8")


def list_signatures(papers: Papers, name: str) -> list[Signature]:
    """The bylines of the block that a name is in."""
    family, expected = name.rpartition(" ")[2], make_block_key(name)
    return [
        _signature(number, position, paper)
        for number, paper in papers
        for position, author in enumerate(paper["authors"])
        if family in author and make_block_key(author) == expected
    ]


def _signature(number: int, position: int, paper: dict[str, Any]) -> Signature:
    names = paper["authors"]
    return Signature(
        paper=number,
        position=position,
        name=names[position],
        coauthors=frozenset(fold_name(name) for at, name in enumerate(names) if at != position),
        categories=tuple(paper["categories"]),
    )


def so_signed(name: str, people: tuple[Person, ...]) -> dict[Signature, bool]:
    """The bylines that fit a name fully, and whether each is the sole bearer's."""
    return {
        signature: compute_standing(signature, people).is_sole_bearer
        for person in people
        for signature in person.members
        if match_names(name, signature.name) is NameMatch.FULL
    }


FUSION_AD_AUTHORS = [
    *("Tengju Ye", "Wei Jing", "Chunyong Hu", "Shikun Huang", "Lingping Gao", "Fangzhen Li", "Jingke Wang"),
    *("Ke Guo", "Weibo Mao", "Hang Zheng", "Kun Li", "Junbo Chen", "Kaicheng Yu"),
]
FUSION_AD = Signature(
    paper=10**9,
    position=8,
    name="Wencong Xiao",
    coauthors=frozenset(map(fold_name, FUSION_AD_AUTHORS)),
    categories=("cs.CV", "cs.AI", "cs.RO"),
)
"""arXiv 2308.01006, on autonomous driving; older than the corpus."""


def test_the_wencong_xiao_of_gpu_clusters_is_not_the_one_of_autonomous_driving(papers: Papers) -> None:
    people = resolve_persons([*list_signatures(papers, "Wencong Xiao"), FUSION_AD])
    results = so_signed("Wencong Xiao", people)

    assert results.pop(FUSION_AD) is False
    assert len(results) >= 3
    assert {signature.categories[0] for signature in results} == {"cs.DC"}
    bearers = [person for person in people if "Wencong Xiao" in person.names]
    assert [person for person in bearers if FUSION_AD in person.members] == [resolve_persons([FUSION_AD])[0]]
    assert (
        max(len(person.members) for person in bearers) >= 2
    )  # two have co-authors in common, the third only the field


def test_yang_liu_is_never_the_sole_one(papers: Papers) -> None:
    signatures = list_signatures(papers, "Yang Liu")
    people = resolve_persons(
        signature for signature in signatures if match_names("Yang Liu", signature.name) is not NameMatch.NOT
    )
    results = so_signed("Yang Liu", people)

    assert len(results) > 400
    assert not any(results.values())


@pytest.mark.parametrize(("name", "least"), [("Ion Stoica", 50), ("Fangcheng Fu", 11)])
def test_a_rare_name_over_years_is_one_persons(papers: Papers, name: str, least: int) -> None:
    people = resolve_persons(list_signatures(papers, name))
    results = so_signed(name, people)

    assert sum(results.values()) >= least
    assert sum(results.values()) >= 0.9 * len(results)
