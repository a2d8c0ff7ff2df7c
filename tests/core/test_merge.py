from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digest.core.merge import merged
from digest.model import Author, Paper, PaperKey

words = st.sampled_from(["", "a", "b"])


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    return Paper(
        key=PaperKey("arxiv:2606.00001"),
        title=draw(st.sampled_from(["a", "b"])),
        abstract=draw(words),
        authors=draw(st.sampled_from([(), (Author(name="a"),), (Author(name="b"),)])),
        categories=tuple(draw(st.lists(st.sampled_from(["cs.DC", "cs.LG", "cs.CL"]), unique=True))),
        version=draw(st.integers(1, 3)),
        url="https://arxiv.org/abs/2606.00001",
        doi=draw(words),
        comment=draw(words),
    )


@given(papers())
def test_the_same_listing_again_changes_nothing(paper: Paper) -> None:
    assert merged(paper, paper) == paper


@given(papers(), papers())
def test_listing_it_once_more_changes_nothing_more(known: Paper, listed: Paper) -> None:
    once = merged(known, listed)

    assert merged(once, listed) == once


@given(papers(), papers())
def test_nothing_known_is_lost(known: Paper, listed: Paper) -> None:
    result = merged(known, listed)

    assert {*known.categories, *listed.categories} == set(result.categories)
    assert bool(known.doi or listed.doi) == bool(result.doi)
    assert max(known.version, listed.version) == result.version


def test_the_higher_version_speaks_and_the_other_fills_its_gaps() -> None:
    first = Paper(key=PaperKey("k"), title="old", url="u", categories=("cs.DC",), doi="10.1/x")
    second = replace(first, title="new", version=2, doi="", categories=("cs.LG", "cs.DC"))

    expected = replace(second, doi="10.1/x")
    assert expected == merged(first, second) == merged(second, first)
