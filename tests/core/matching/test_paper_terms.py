"""The terms of papers in the index, and what queries look up there."""

from __future__ import annotations

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from digest.core.matching.event_queries import EventSummary
from digest.core.matching.paper_terms import VERSION, extract_paper_terms, make_term, split_core_forms
from digest.core.text.irregular import PLURALS, VERBS
from digest.core.text.words import find_forms, find_query_forms
from digest.model import Author, EventKind, Paper, PaperKey

TERMS = {5: "b41dbf8657d0bab4"}
"""By version, a digest of the terms of a paper with words of every kind."""


def paper(title: str, abstract: str = "", **facts: object) -> Paper:
    return Paper(key=PaperKey("arxiv:2606.00001"), title=title, abstract=abstract, version=1, url="", **facts)  # type: ignore[arg-type]


def test_the_version_is_raised_when_the_terms_of_papers_change() -> None:
    all_paper = paper(
        "State-of-the-art GPS, GPs and MODELS: $\\sigma_8$, H$_2$O, L^p, Ca$^{2+}$ and C++",
        " ".join(
            (
                *PLURALS,
                *VERBS,
                "estimated sampling 3.5 2020-21 Gödel Ångström ΛCDM TGF-β 深度学习 SU(2) f(R) (∞,1)-categories CD4+CD8+ e+e- Ca(2+) C++11 SO₄²⁻ naïve's A* A⋆ 10¹⁴ 90's",
            )
        ),
        authors=(
            Author("Wei Wang", ("ETH Zürich",), (("orcid", "0000-0002-1825-0097"),)),
            Author("J. de Vries"),
        ),
        categories=("cs.LG", "math.IT"),
        comment="10 pages",
        journal_ref="Phys. Rev. D",
        code_urls=("https://github.com/a/b",),
        references=(PaperKey("arxiv:2401.00001"),),
    )

    terms = extract_paper_terms(all_paper, [EventSummary(EventKind.NEW, "arxiv")])

    text = repr(
        [
            list(terms.title.words),
            sorted(terms.title.unpositioned),
            list(terms.body.words),
            sorted(terms.body.unpositioned),
            terms.title.text,
            terms.body.text,
        ]
    )
    found = blake2b(f"{text}{sorted(terms.form_terms)}".encode(), digest_size=8).hexdigest()
    assert TERMS.get(VERSION) == found, (
        "papers have other terms now: raise VERSION in digest/core/matching/paper_terms.py, and write it here with"
        f" {found}; papers that are in an index are then indexed again"
    )


def test_words_that_fit_each_other_have_a_base_form_in_common() -> None:
    assert {make_term(find_forms(word)) for word in ("test", "tests", "tested", "Testing")} == {"test"}
    assert make_term(find_forms("estimated")) == make_term(find_forms("estimating")) == "estimat·estimate"
    assert make_term(find_forms("TESTS")) == "tests"


@given(
    st.lists(
        st.sampled_from([*PLURALS, *VERBS, "GPUs", "GPS", "GPs", "C++", "C", "Gödel", "state", "stats"]),
        min_size=2,
    )
)
def test_who_asks_for_a_form_of_a_term_fits_all_words_of_the_term(words: list[str]) -> None:
    for requested_word in words:
        wish = find_query_forms(requested_word)
        for word in words:
            if not wish.isdisjoint(split_core_forms(make_term(find_forms(word)))):
                assert not wish.isdisjoint(find_forms(word))


def test_each_word_has_a_position_and_what_is_joined_has_none() -> None:
    terms = extract_paper_terms(paper("A multi-modal LLM", "It fits."))

    assert list(terms.title.words) == ["a", "multi", "modal", "llm"]
    assert set(terms.title.unpositioned) == {"‿multimodal", "≡A", "≡LLM"}


def test_what_does_not_fit_into_the_index_is_marked_to_be_read() -> None:
    version = EventSummary(EventKind.VERSION, "arxiv")
    for title in ("word " * 300, "w" * 1000):
        terms = extract_paper_terms(paper(title), [version])

        assert not terms.is_complete
        assert set(terms.body.unpositioned) == {"¦unread¦", "¦event¦version:arxiv"}
        assert not terms.title.unpositioned
        assert not terms.body.words
        assert terms.form_terms == {("¦event¦", "¦event¦version:arxiv")}
