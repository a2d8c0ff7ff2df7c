"""However a paper is referred to, it is one paper."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.ids import arxiv_id, arxiv_key, doi, paper_ids
from digest.model import Paper, PaperKey

WRITTEN = [
    ("2401.00001", "2401.00001", None),
    ("2401.00001v2", "2401.00001", 2),
    (" arXiv:2401.00001v12 ", "2401.00001", 12),
    ("arxiv: 0704.0001", "0704.0001", None),
    ("arXiv:2401.00001 [cs.LG]", "2401.00001", None),
    ("arXiv:2401.00001v1 [cs.LG] 3 Jan 2024", "2401.00001", 1),
    ("cs/0101001", "cs/0101001", None),
    ("hep-th/9901001v3", "hep-th/9901001", 3),
    ("math.GT/0309136", "math/0309136", None),
    ("cond-mat.mtrl-sci/0703001", "cond-mat/0703001", None),
    ("oai:arXiv.org:2604.08812v1", "2604.08812", 1),
    ("oai:arXiv.org:cs/0101001", "cs/0101001", None),
    ("10.48550/arXiv.2401.00001", "2401.00001", None),
    ("doi:10.48550/arxiv.2401.00001", "2401.00001", None),
    ("https://doi.org/10.48550/arXiv.2401.00001v3", "2401.00001", 3),
    ("https://arxiv.org/abs/2401.00001", "2401.00001", None),
    ("http://www.arxiv.org/abs/math.GT/0309136v2", "math/0309136", 2),
    ("https://arxiv.org/pdf/2401.00001v2.pdf", "2401.00001", 2),
    ("https://arxiv.org/html/2401.00001v2#S3", "2401.00001", 2),
    ("https://export.arxiv.org/abs/cs%2F0101001?context=cs", "cs/0101001", None),
    ("arxiv.org/abs/2401.00001", "2401.00001", None),
    ("https://huggingface.co/papers/2401.00001", "2401.00001", None),
]


@pytest.mark.parametrize(("text", "name", "version"), WRITTEN)
def test_every_written_form_of_an_arxiv_id_is_read(text: str, name: str, version: int | None) -> None:
    assert arxiv_id(text) == (name, version)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2401", "2401.0001", "1412.12345", "2413.00001", "0703.0001", "2401.00001v0", "2401.000011"),
        *("foo/9901001", "hep-th/0704001", "hep-th/9106001", "cs/010100", "10.1145/3297858.3304013"),
        *("see 2401.00001", "https://example.org/abs/2401.00001", "2401.00001 and more", "٢٤٠١.٠٠٠٠١"),
    ],
)
def test_what_is_no_arxiv_id_is_not_taken_for_one(text: str) -> None:
    assert arxiv_id(text) is None
    assert arxiv_key(text) is None


@st.composite
def arxiv_names(draw: st.DrawFn) -> str:
    month = draw(st.integers(1, 12))
    if draw(st.booleans()):
        year = draw(st.integers(15, 40))
        return f"{year}{month:02}.{draw(st.integers(1, 99999)):05}"
    archive = draw(st.sampled_from(["cs", "math", "hep-th", "q-bio", "cond-mat", "quant-ph"]))
    return f"{archive}/{draw(st.integers(92, 99))}{month:02}{draw(st.integers(1, 999)):03}"


FORMS = [
    *(
        "{}",
        "arXiv:{}",
        "ARXIV:{}",
        "oai:arXiv.org:{}",
        "10.48550/arXiv.{}",
        "https://doi.org/10.48550/arXiv.{}",
    ),
    *(
        "https://arxiv.org/abs/{}",
        "http://arxiv.org/pdf/{}",
        "https://arxiv.org/pdf/{}.pdf",
        "arxiv.org/html/{}/",
    ),
]


@given(arxiv_names(), st.sampled_from(FORMS), st.none() | st.integers(1, 99))
def test_every_form_gives_one_key(name: str, form: str, version: int | None) -> None:
    written = form.format(f"{name}v{version}" if version else name)
    assert arxiv_key(written) == f"arxiv:{name}"
    assert arxiv_id(written) == (name, version)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("10.1145/3297858.3304013", "10.1145/3297858.3304013"),
        ("10.1103/PhysRevLett.1", "10.1103/physrevlett.1"),
        ("doi:10.1000/ABC", "10.1000/abc"),
        ("DOI: 10.1000/abc", "10.1000/abc"),
        ("https://doi.org/10.1000/abc.", "10.1000/abc"),
        ("http://dx.doi.org/10.1000%2Fabc", "10.1000/abc"),
        ("https://dl.acm.org/doi/pdf/10.1145/12.34?download=true", "10.1145/12.34"),
        ("(10.1000/abc)", None),
        ("10.1000/abc)", "10.1000/abc"),
        ("10.1000/abc(1)", "10.1000/abc(1)"),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
        ),
        ("10.48550/arXiv.2401.00001", None),
        ("10.1000/", None),
        ("10.1000/...", None),
        ("11.1000/abc", None),
        ("10.1000/a b", None),
        ("", None),
    ],
)
def test_a_doi_is_bare_and_in_lower_case(text: str, bare: str | None) -> None:
    assert doi(text) == bare


@given(st.text(max_size=60))
def test_any_text_is_read_and_what_comes_out_stays_as_it_is(text: str) -> None:
    if (bare := doi(text)) is not None:
        assert doi(bare) == bare
    if (found := arxiv_id(text)) is not None:
        assert arxiv_id(found[0]) == (found[0], None)


def paper(key: str, doi_: str = "") -> Paper:
    return Paper(key=PaperKey(key), title="t", url="https://example.org/", doi=doi_)


def test_a_paper_is_known_by_all_its_ids() -> None:
    assert paper_ids(paper("arxiv:2401.00001", "10.1000/ABC")) == (
        ("arxiv", "2401.00001"),
        ("doi", "10.1000/abc"),
    )
    assert paper_ids(paper("doi:10.1000/abc", "10.1000/abc")) == (("doi", "10.1000/abc"),)
    assert paper_ids(paper("doi:10.1000/abc", "10.48550/arXiv.2401.00001")) == (
        ("doi", "10.1000/abc"),
        ("arxiv", "2401.00001"),
    )
    assert paper_ids(paper("url:https://example.org/")) == ()
