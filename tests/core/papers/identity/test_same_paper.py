"""Papers known by the same id are one, unless somebody says otherwise; two works are never made one."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.identity.same_paper import Claim, find_roots, list_claims
from digest.model import Paper, PaperKey
from tests.support.cases import for_each_case


def paper(key: str, doi: str = "", ids: Iterable[tuple[str, str]] = ()) -> Paper:
    return Paper(key=PaperKey(key), title="t", url="https://example.org/", doi=doi, ids=tuple(ids))


def claim(key: str, scheme: str, value: str) -> Claim:
    return Claim(PaperKey(key), scheme, value)


# --- what a paper is known by ---------------------------------------------------------------------


@for_each_case(
    ("paper", "ids"),
    [
        (paper("arxiv:2401.00001"), [("arxiv", "2401.00001")]),
        (paper("arxiv:2401.00001", "10.1000/ABC"), [("arxiv", "2401.00001"), ("doi", "10.1000/abc")]),
        (paper("doi:10.1000/abc", "10.1000/abc"), [("doi", "10.1000/abc")]),
        (paper("url:https://example.org/a"), [("url", "https://example.org/a")]),
        (
            paper("doi:10.1000/abc", "10.48550/arXiv.2401.00001v2"),
            [("doi", "10.1000/abc"), ("arxiv", "2401.00001")],
        ),
        (
            paper("doi:10.1101/2024.01.01.123456v2"),
            [("doi", "10.1101/2024.01.01.123456")],
        ),
        (
            paper(
                "url:https://example.org/",
                ids=[("ArXiv", "https://arxiv.org/abs/2401.00001v3"), ("DOI", "doi:10.1000/A")],
            ),
            [("url", "https://example.org/"), ("arxiv", "2401.00001"), ("doi", "10.1000/a")],
        ),
        (
            paper(
                "arxiv:2401.00001", ids=[("openreview", " x7 "), ("url", "http://Example.org/a?utm_source=b")]
            ),
            [("arxiv", "2401.00001"), ("openreview", "x7"), ("url", "https://example.org/a")],
        ),
        (
            paper(
                "arxiv:2401.00001", "to appear", ids=[("doi", "none"), ("arxiv", "10.1000/a"), ("pmid", "")]
            ),
            [("arxiv", "2401.00001")],
        ),
    ],
)
def test_a_paper_is_known_by_all_its_ids_as_all_sources_write_them(
    paper: Paper, ids: list[tuple[str, str]]
) -> None:
    assert list_claims(paper) == tuple(claim(paper.key, scheme, value) for scheme, value in ids)


# --- which papers are one -------------------------------------------------------------------------

ARXIV, OTHER, JOURNAL, PAGE = (
    "arxiv:2401.00001",
    "arxiv:2401.00002",
    "doi:10.1000/abc",
    "url:https://example.org/",
)
KEYS = [ARXIV, OTHER, "arxiv:2401.00003", JOURNAL, "doi:10.1000/b", PAGE, "url:https://example.org/b"]
VALUES = [tuple(key.split(":", 1)) for key in KEYS] + [("pmid", "1"), ("pmid", "2")]

claims = st.builds(lambda key, value: claim(key, *value), st.sampled_from(KEYS), st.sampled_from(VALUES))
many = st.lists(claims, max_size=12)


def own(*keys: str) -> list[Claim]:
    return [claim(key, *key.split(":", 1)) for key in keys]


def test_papers_that_share_an_id_have_the_least_key_for_their_root() -> None:
    claims = [
        *own(ARXIV, JOURNAL, PAGE),
        claim(PAGE, "doi", "10.1000/abc"),
        claim(ARXIV, "doi", "10.1000/abc"),
    ]

    assert find_roots(claims, []) == {ARXIV: ARXIV, JOURNAL: ARXIV, PAGE: ARXIV}


def test_papers_that_share_nothing_are_their_own_roots() -> None:
    assert find_roots(own(ARXIV, JOURNAL, PAGE), []) == {ARXIV: ARXIV, JOURNAL: JOURNAL, PAGE: PAGE}


def test_a_claim_that_was_set_apart_counts_for_nothing() -> None:
    wrong = claim(PAGE, "doi", "10.1000/abc")
    claims = [*own(ARXIV, JOURNAL, PAGE), wrong, claim(ARXIV, "doi", "10.1000/abc")]

    assert find_roots(claims, [wrong]) == {ARXIV: ARXIV, JOURNAL: ARXIV, PAGE: PAGE}


def test_the_same_doi_on_two_arxiv_papers_makes_nothing_one() -> None:
    claims = [*own(ARXIV, OTHER, JOURNAL), *(claim(key, "doi", "10.1000/abc") for key in (ARXIV, OTHER))]

    assert find_roots(claims, []) == {ARXIV: ARXIV, OTHER: OTHER, JOURNAL: JOURNAL}
    assert find_roots(claims, [claim(OTHER, "doi", "10.1000/abc")]) == {
        ARXIV: ARXIV,
        OTHER: OTHER,
        JOURNAL: ARXIV,
    }


def test_two_arxiv_ids_keep_papers_apart_before_arxiv_itself_tells_of_them() -> None:
    claims = [
        *own(JOURNAL, PAGE),
        claim(PAGE, "doi", "10.1000/abc"),
        claim(PAGE, "arxiv", "2401.00001"),
        claim(JOURNAL, "arxiv", "2401.00002"),
    ]

    assert find_roots(claims, []) == {JOURNAL: JOURNAL, PAGE: PAGE}


def test_a_paper_keeps_its_own_arxiv_id_whatever_is_said() -> None:
    claims = [*own(ARXIV, OTHER), claim(ARXIV, "pmid", "1"), claim(OTHER, "pmid", "1")]

    assert find_roots(claims, own(ARXIV, OTHER)) == {ARXIV: ARXIV, OTHER: OTHER}


@given(many, st.data())
def test_the_order_and_number_of_claims_do_not_show(told: list[Claim], data: st.DataObject) -> None:
    apart = data.draw(st.lists(st.sampled_from(told))) if told else []
    again = data.draw(st.permutations([*told, *told[:3]]))

    assert find_roots(again, apart[::-1]) == find_roots(told, apart)


@given(many, claims, st.data())
def test_setting_a_claim_apart_undoes_just_that_claim(
    told: list[Claim], wrong: Claim, data: st.DataObject
) -> None:
    apart = data.draw(st.lists(st.sampled_from(told))) if told else []
    without = [claim for claim in told if claim != wrong]
    alone = {wrong.paper: wrong.paper}

    assert find_roots([*told, wrong], [*apart, wrong]) == alone | find_roots(without, apart)


@given(many, st.data())
def test_papers_are_one_as_a_slow_but_plain_search_says(told: list[Claim], data: st.DataObject) -> None:
    apart = data.draw(st.lists(st.sampled_from(told))) if told else []
    counting = set(told) - set(apart)
    groups = {claim.paper: {claim.paper} for claim in told}
    for _ in groups:
        for claim in counting:
            for other in counting:
                if claim[1:] == other[1:] and sum(claim[1:] == claim[1:] for claim in counting) <= 5:
                    both = groups[claim.paper] | groups[other.paper]
                    groups |= {key: both | groups[key] for key in both}
    expected = {}
    for key, group in groups.items():
        ids = {claim.value for claim in counting if claim.paper in group and claim.scheme == "arxiv"}
        ids |= {member.removeprefix("arxiv:") for member in group if member.startswith("arxiv:")}
        expected[key] = key if len(ids) > 1 else min(group)

    assert find_roots(told, apart) == expected


def test_an_id_that_many_papers_claim_is_nobodys() -> None:
    entries = [PaperKey(f"url:https://journal.example/{number}") for number in range(6)]
    claimed = [Claim(entry, "doi", "10.1000/the-journal") for entry in entries]

    assert set(find_roots(claimed[:5], []).values()) == {entries[0]}
    assert find_roots(claimed, []) == {entry: entry for entry in entries}
