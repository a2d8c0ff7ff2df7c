"""What can be relied on of the id that an entry of a library is known by. All entries were made up for this."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.subscribers.library.entries import choose_key, fold_title
from digest.core.subscribers.library.queries import build_library_query
from tests.support.cases import for_each_case

ARXIV = "arxiv:2401.00001"
DOI = "10.1145/3600006.3613165"


@for_each_case(
    "fields",
    [
        {"eprint": "2401.00001"},
        {"eprint": "2401.00001v3", "archiveprefix": "arXiv", "primaryclass": "cs.LG"},
        {"eprint": "arXiv:2401.00001", "eprinttype": "arxiv"},
        {"arxivid": "2401.00001"},
        {"journal": "arXiv preprint arXiv:2401.00001"},
        {"journal": "arXiv e-prints, arXiv:2401.00001v2 [cs.LG]"},
        {"journal": "CoRR", "volume": "abs/2401.00001"},
        {"journal": "CoRR abs/2401.00001"},
        {"journal": "arXiv", "pages": "2401.00001"},
        {"journal": "ArXiv", "number": "2401.00001", "doi": DOI},
        {"publisher": "arXiv", "number": "arXiv:2401.00001"},
        {"repository": "arXiv", "archiveid": "arXiv:2401.00001"},
        {"doi": "10.48550/arXiv.2401.00001"},
        {"doi": "https://doi.org/10.48550/ARXIV.2401.00001"},
        {"url": "https://arxiv.org/abs/2401.00001v1"},
        {"url": "http://export.arxiv.org/pdf/2401.00001.pdf", "doi": DOI},
        {"url": "https://huggingface.co/papers/2401.00001"},
        {"howpublished": r"\url{https://arxiv.org/abs/2401.00001}"},
        {"note": "Accepted at a workshop. arXiv:2401.00001 [cs]"},
        {"note": "Preprint, arXiv 2401.00001, 2024."},
        {"extra": "arXiv:2401.00001 [cs]\ntex.ids= x"},
        {"pubstate": "prepublished", "archive location": "2401.00001", "archive": "arXiv"},
        {"ee": "https://doi.org/10.48550/arXiv.2401.00001"},
        {"link": "see (https://arxiv.org/abs/2401.00001)."},
        {"annex": "ARXIV:2401.00001"},
        {"journal": r"{arXiv} preprint {arXiv:2401.00001}"},
    ],
)
def test_an_arxiv_id_is_found_in_whatever_field_it_stands(fields: dict[str, str]) -> None:
    assert choose_key(fields) == ARXIV


@for_each_case(
    ("fields", "key"),
    [
        ({"doi": DOI}, f"doi:{DOI}"),
        ({"doi": f"https://doi.org/{DOI.upper()}", "url": "https://example.org/x"}, f"doi:{DOI}"),
        ({"doi": r"10.1007/978-3-031\_1"}, "doi:10.1007/978-3-031_1"),
        ({"url": f"https://dl.acm.org/doi/{DOI}"}, f"doi:{DOI}"),
        ({"note": f"doi: {DOI}."}, f"doi:{DOI}"),
        ({"extra": f"DOI: {DOI}\nPMID: 1"}, f"doi:{DOI}"),
        ({"doi": "10.1002/(SICI)1097-4571(1999)50:10<1::AID-X>3.0.CO;2-#"}, "doi:10.1002/(sici)1097-4571(1999)50:10<1::aid-x>3.0.co;2-#"),
        ({"url": "https://example.org/paper.html"}, "url:https://example.org/paper.html"),
        ({"howpublished": r"\url{https://example.org/a\_b}"}, "url:https://example.org/a_b"),
        ({"url": "http://example.org/a https://example.org/b"}, "url:https://example.org/a"),
        ({"eprint": "2401.00001", "eprinttype": "hal", "url": "https://example.org/a"}, "url:https://example.org/a"),
        ({"eprint": "hep-th/9901001"}, "arxiv:hep-th/9901001"),
        ({"eprint": "cond-mat/0112110v1", "archiveprefix": "arXiv"}, "arxiv:cond-mat/0112110"),
    ],
)  # fmt: skip
def test_without_one_it_is_the_doi_and_then_the_address(fields: dict[str, str], key: str) -> None:
    assert choose_key(fields) == key


@for_each_case(
    "fields",
    [
        {},
        {"title": "On arXiv:2401.00001", "abstract": "It extends arXiv:2401.00001.", "keywords": "arXiv:2401.00001"},
        {"file": ":papers/2401.00001.pdf:PDF"},
        {"annote": "compare https://arxiv.org/abs/2401.00001"},
        {"eprint": "1234/5678", "eprinttype": "jstor"},
        {"pages": "2401.00001"},
        {"number": "2401.12345", "journal": "Nature"},
        {"isbn": "978-3-16-148410-0"},
        {"note": "arXiv, to appear"},
        {"url": "file:///home/me/a.pdf"},
        {"doi": "pending"},
        {"volume": "2024"},
    ],
)  # fmt: skip
def test_what_names_other_papers_or_nothing_is_no_id(fields: dict[str, str]) -> None:
    assert choose_key(fields) is None


@given(
    st.dictionaries(
        st.sampled_from(["eprint", "doi", "url", "note", "journal", "volume", "x"]),
        st.text()
        | st.text('"“\u00a0(),;:#% x').map("10.1234/x{}y".format)
        | st.text('"“\u00a0(),;:#% x').map("https://x.org/{}y".format),
    )
)
def test_whatever_stands_in_its_fields_a_key_can_be_asked_for_and_is_itself(fields: dict[str, str]) -> None:
    key = choose_key(fields)

    assert key is None or str(parse(build_library_query(key))) == build_library_query(key)


def test_a_doi_that_no_query_can_name_gives_way_to_the_address() -> None:
    fields = {"doi": '10.1234/x"y', "url": "https://example.org/paper"}

    assert choose_key(fields) == "url:https://example.org/paper"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Attention to {GPU} Memory", "Attention to GPU memory"),
        (r"Erd\H{o}s numbers: a study", "Erdős Numbers - A Study"),
        ("Low-rank $k$-means", "Low rank k means"),
    ],
)
def test_titles_that_differ_in_case_signs_and_accents_alone_are_equal(text: str, other: str) -> None:
    assert fold_title(text) == fold_title(other)


def test_titles_that_differ_in_a_word_are_not_equal() -> None:
    assert fold_title("Low rank means") != fold_title("Low rank mean")


CHAPTER = "10.1007/978-3-030-58452-8_13"
OLD = "10.1002/(sici)1097-4571(199009)41:6<391::aid-asi1>3.0.co;2-9"


@for_each_case("before", ["", "https://doi.org/", r"\url{https://doi.org/"])
@for_each_case("field", ["doi", "url"])
@for_each_case(
    ("text", "meant"),
    [
        (r"10.1007/978-3-030-58452-8{\_}13", CHAPTER),
        (r"10.1007/978-3-030-58452-8\_13", CHAPTER),
        (r"10.1007/978-3-030-58452-8{\textunderscore}13", CHAPTER),
        (r"10.1002/(SICI)1097-4571(199009)41:6\<391::AID-ASI1\>3.0.CO;2-9", OLD),
        (r"10.1002/(SICI)1097-4571(199009)41:6$<$391::AID-ASI1$>$3.0.CO;2-9", OLD),
        (r"10.1002/(SICI)1097-4571(199009)41:6{\textless}391::AID-ASI1{\textgreater}3.0.CO;2-9", OLD),
        (r"10.1002/(SICI)1097-4571(199009)41:6\textless{}391::AID-ASI1\textgreater 3.0.CO;2-9", OLD),
    ],
)
def test_tex_in_a_doi_is_undone_wherever_it_stands(field: str, before: str, text: str, meant: str) -> None:
    assert choose_key({field: before + text + "}" * before.count("{")}) == f"doi:{meant}"


def test_tex_that_is_not_known_is_no_id_rather_than_another_paper_s() -> None:
    assert choose_key({"doi": r"10.1007/978-3-030-58452-8{\unknown}13"}) is None
    assert (
        choose_key({"doi": r"\href{https://doi.org/10.1007/978-3-030-58452-8\_13}{here}"}) == f"doi:{CHAPTER}"
    )
