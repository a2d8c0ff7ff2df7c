"""The fields of a paper are cleaned alike, however arXiv was asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.identity.ids import parse_arxiv_id
from digest.core.text.accents import decode_tex_accents
from digest.core.text.cleaning import normalize_line
from digest.sources.arxiv.fields import (
    clean_line,
    clean_names,
    clean_text,
    find_first_doi,
    parse_categories,
    parse_id_and_version,
)
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "doi"),
    [
        ("10.1103/PhysRevD.93.016005, 10.1103/PhysRevD.98.079901;10.1103/x", "10.1103/physrevd.93.016005"),
        ("10.1000/a 10.1000/b", "10.1000/a"),
        ("none 10.1000/b", "10.1000/b"),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
        ),
        ("none", ""),
        ("", ""),
    ],
)
def test_the_first_doi_counts(text: str, doi: str) -> None:
    assert find_first_doi(text) == doi


def test_only_categories_are_categories() -> None:
    assert parse_categories(
        "cs.LG\n I.2.7 \n68T07 (Primary), 92C55\ncs.LG\ncs.NEW\nhep-th\nchao-dyn\n\nfoo.BA"
    ) == (*("cs.LG", "cs.NEW", "hep-th", "chao-dyn"),)


@given(
    st.from_regex(
        r"\A ?(oai:arXiv\.org:|http://arxiv\.org/abs/)?[0-3]\d[01]\d\.\d{4,5}(v\d{0,2})?( \[cs\.LG\])?\Z",
    )
)
def test_an_id_that_is_read_sooner_is_read_the_same(written: str) -> None:
    assert parse_id_and_version(written) == parse_arxiv_id(written)


WRITTEN = st.text(st.sampled_from("ab é\\'{}~<>/\n\t\u200b\u00a0\x85\u202e漢"), max_size=40)


@given(WRITTEN)
def test_what_is_looked_at_quickly_is_cleaned_all_the_same(written: str) -> None:
    assert clean_line(written) == normalize_line(written)
    assert " ".join(clean_text(written).split()) == normalize_line(written)


@given(st.lists(WRITTEN, max_size=5))
def test_names_that_are_looked_at_together_are_cleaned_one_by_one(written: list[str]) -> None:
    assert clean_names(written) == [normalize_line(decode_tex_accents(name)) for name in written]
