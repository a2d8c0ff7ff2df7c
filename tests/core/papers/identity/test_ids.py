"""However a paper is referred to, it is one paper."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.identity.ids import (
    get_arxiv_year,
    limit_key,
    make_page_key,
    parse_arxiv_id,
    parse_arxiv_key,
    parse_doi,
    parse_paper_key,
)
from digest.model import PaperKey
from tests.support.cases import for_each_case

WRITTEN = [
    # as arXiv, its lists and its records print it
    ("2401.00001", "2401.00001", None),
    ("2401.00001v2", "2401.00001", 2),
    (" arXiv:2401.00001v12 ", "2401.00001", 12),
    ("arxiv: 0704.0001", "0704.0001", None),
    ("ARXIV:2401.00001", "2401.00001", None),
    ("arXiv：2401.00001", "2401.00001", None),
    ("arXiv 2401.00001", "2401.00001", None),
    ("arXiv:2401.00001.", "2401.00001", None),
    ("arXiv:2401.00001 [cs.LG]", "2401.00001", None),
    ("arXiv:2401.00001v1 [cs.LG] 3 Jan 2024", "2401.00001", 1),
    ("arXiv:2401.00001 (cs)", "2401.00001", None),
    ("[2401.00001]", "2401.00001", None),
    ("(arXiv:2603.10073)", "2603.10073", None),
    ("cs/0101001", "cs/0101001", None),
    ("hep-th/9901001v3", "hep-th/9901001", 3),
    ("hep-th/9901001 [hep-th]", "hep-th/9901001", None),
    ("math.GT/0309136", "math/0309136", None),
    ("cond-mat.mtrl-sci/0703001", "cond-mat/0703001", None),
    ("Physics/0703001", "physics/0703001", None),
    ("oai:arXiv.org:2604.08812v1", "2604.08812", 1),
    ("oai:arXiv.org:cs/0101001", "cs/0101001", None),
    # in references
    ("arXiv preprint arXiv:2401.00001", "2401.00001", None),
    ("arXiv preprint, arXiv:2401.00001v1 [cs.CL]", "2401.00001", 1),
    ("arXiv e-prints, arXiv:2401.00001", "2401.00001", None),
    ("CoRR abs/2401.00001", "2401.00001", None),
    ("CoRR, abs/1706.03762", "1706.03762", None),
    ("abs/2401.00001", "2401.00001", None),
    ("2024arXiv240100001S", "2401.00001", None),
    ("2010arXiv1001.0001A", "1001.0001", None),
    ("info:arxiv:2401.00001", "2401.00001", None),
    # as a DOI
    ("10.48550/arXiv.2401.00001", "2401.00001", None),
    ("doi:10.48550/arxiv.2401.00001", "2401.00001", None),
    ("{10.48550/ARXIV.2301.10140}", "2301.10140", None),
    ("urn:doi:10.48550/arXiv.2401.00001", "2401.00001", None),
    ("https://doi.org/10.48550/arXiv.2401.00001v3", "2401.00001", 3),
    ("https://doi.org/10.48550/arXiv.math/0309136", "math/0309136", None),
    ("http://dx.doi.org/10.48550%2FarXiv.2401.00001", "2401.00001", None),
    ("https://api.semanticscholar.org/graph/v1/paper/DOI:10.48550/arxiv.2312.07559", "2312.07559", None),
    ("arXiv.2401.00001", "2401.00001", None),
    # pages about it
    ("https://arxiv.org/abs/2401.00001", "2401.00001", None),
    ("<https://arxiv.org/abs/2401.00001>", "2401.00001", None),
    ("https://arxiv.org/abs/arXiv:2401.00001", "2401.00001", None),
    ("http://www.arxiv.org/abs/math.GT/0309136v2", "math/0309136", 2),
    ("https://arxiv.org/abs/2401.00001v2?context=cs.LG", "2401.00001", 2),
    ("https://arxiv.org/abs/2401.00001?a=1&amp;b=2", "2401.00001", None),
    ("https:&#x2F;&#x2F;arxiv.org&#x2F;abs&#x2F;2401.00001", "2401.00001", None),
    ("https://arxiv.org/pdf/2401.00001v2.pdf", "2401.00001", 2),
    ("https://arxiv.org/pdf/2401.00001#page=3", "2401.00001", None),
    ("https://arxiv.org/html/2401.00001v2#S3", "2401.00001", 2),
    ("https://arxiv.org/format/2401.00001", "2401.00001", None),
    ("https://arxiv.org/e-print/2401.00001v1", "2401.00001", 1),
    ("https://arxiv.org/src/2401.00001", "2401.00001", None),
    ("https://arxiv.org/ftp/arxiv/papers/2401/2401.00001.pdf", "2401.00001", None),
    ("https://export.arxiv.org/abs/cs%2F0101001?context=cs", "cs/0101001", None),
    ("arxiv.org/abs/2401.00001", "2401.00001", None),
    ("https://browse.arxiv.org/html/2401.00001v1", "2401.00001", 1),
    ("http://xxx.lanl.gov/abs/hep-th/9901001", "hep-th/9901001", None),
    ("https://ar5iv.org/abs/2401.00001", "2401.00001", None),
    ("https://ar5iv.labs.arxiv.org/html/2401.00001", "2401.00001", None),
    ("https://www.arxiv-vanity.com/papers/2401.00001/", "2401.00001", None),
    ("https://www.alphaxiv.org/abs/2401.00001v1", "2401.00001", 1),
    ("https://www.alphaxiv.org/overview/2401.00001", "2401.00001", None),
    ("https://huggingface.co/papers/2401.00001", "2401.00001", None),
    ("https://hf.co/papers/2401.00001#community", "2401.00001", None),
    ("https://scirate.com/arxiv/2401.00001", "2401.00001", None),
    ("https://www.semanticscholar.org/arxiv/2401.00001", "2401.00001", None),
    ("https://api.semanticscholar.org/graph/v1/paper/arXiv:2401.00001", "2401.00001", None),
    ("https://inspirehep.net/arxiv/hep-th/9901001", "hep-th/9901001", None),
    ("https://ui.adsabs.harvard.edu/abs/arXiv:2401.00001", "2401.00001", None),
    ("https://ui.adsabs.harvard.edu/abs/2024arXiv240100001S", "2401.00001", None),
]


@for_each_case(("text", "name", "version"), WRITTEN)
def test_every_written_form_of_an_arxiv_id_is_read(text: str, name: str, version: int | None) -> None:
    assert parse_arxiv_id(text) == (name, version)


@for_each_case(
    "text",
    [
        # no number that arXiv gave
        *("", "2401", "2401.0001", "1412.12345", "2413.00001", "2400.00001", "0703.0001", "2401.00001v0"),
        *("2401.000011", "2401.00001v", "2401.00001v1000", "240.00001", "2401-00001", "2401,00001"),
        *("foo/9901001", "hep-th/0704001", "hep-th/9106001", "cs/010100", "cs/9913001", "hep-th-9901001"),
        # other numbers
        *("10.1145/3297858.3304013", "10.48550/2401.00001", "978-3-16-148410-0", "0000-0002-1825-0097"),
        *("PMC2401000", "v2401.00001", "$2401.00001", "2401.00001 EUR", "12401.00001", "٢٤٠١.٠٠٠٠١"),
        # an id among other things
        *(
            "see 2401.00001",
            "2401.00001 and more",
            "2401.00001, 2401.00002",
            "arXiv:2401.00001 arXiv:2401.00002",
        ),
        # pages that are about no paper, or nobody's that prints arXiv's
        *(
            "https://example.org/abs/2401.00001",
            "https://notarxiv.org/abs/2401.00001",
            "arxiv.org/2401.00001",
        ),
        *("https://arxiv.org/list/cs.LG/2401", "https://arxiv.org/a/smith_j_1", "https://arxiv.org/abs/"),
        *(
            "https://github.com/arxiv/2401.00001",
            "https://huggingface.co/datasets/2401.00001",
            "2024arXiv2401S",
        ),
        *("arxiv", "arXiv:", "oai:arXiv.org:", "https://arxiv.org.evil.example/abs/2401.00001"),
    ],
)
def test_what_is_no_arxiv_id_is_not_taken_for_one(text: str) -> None:
    assert parse_arxiv_id(text) is None
    assert parse_arxiv_key(text) is None


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
    text = form.format(f"{name}v{version}" if version else name)
    assert parse_arxiv_key(text) == f"arxiv:{name}"
    assert parse_arxiv_id(text) == (name, version)


@for_each_case(
    ("text", "bare"),
    [
        # bare, and named
        ("10.1145/3297858.3304013", "10.1145/3297858.3304013"),
        ("10.1103/PhysRevLett.1", "10.1103/physrevlett.1"),
        ("10.1000.10/abc", "10.1000.10/abc"),
        ("doi:10.1000/ABC", "10.1000/abc"),
        ("DOI: 10.1000/abc", "10.1000/abc"),
        ("DOI 10.1000/abc", "10.1000/abc"),
        ("doi = 10.1000/abc", "10.1000/abc"),
        ("doi: doi:10.1000/abc", "10.1000/abc"),
        ("urn:doi:10.1000/abc", "10.1000/abc"),
        ("info:doi/10.1000/abc", "10.1000/abc"),
        ("(10.1000/abc)", "10.1000/abc"),
        ("{10.1000/abc}", "10.1000/abc"),
        ("10.1000/abc)", "10.1000/abc"),
        ("10.1000/abc(1)", "10.1000/abc(1)"),
        ("10.1000%2Fabc", "10.1000/abc"),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
        ),
        (
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16&lt;1661::AID-SIM968&gt;3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
        ),
        # resolvers
        ("https://doi.org/10.1000/abc.", "10.1000/abc"),
        ("doi.org/10.1000/abc", "10.1000/abc"),
        ("https://www.doi.org/10.1000/abc", "10.1000/abc"),
        ("http://dx.doi.org/10.1000%2Fabc", "10.1000/abc"),
        ("https://doi.org/doi:10.1000/abc", "10.1000/abc"),
        ("doi:https://doi.org/10.1000/abc", "10.1000/abc"),
        ("https://doi-org.proxy.example.edu/10.1000/abc", "10.1000/abc"),
        ("http://doi.wiley.com/10.1046/j.1365-2710.2002.00408.x", "10.1046/j.1365-2710.2002.00408.x"),
        ("https://dx.plos.org/10.1371/journal.pone.0112341", "10.1371/journal.pone.0112341"),
        ("http://link.springer.com/10.1007/978-1-4612-2954-4_2", "10.1007/978-1-4612-2954-4_2"),
        # pages of publishers
        ("https://dl.acm.org/doi/pdf/10.1145/12.34?download=true", "10.1145/12.34"),
        ("https://dl.acm.org/doi/10.1145/3027385.3027428", "10.1145/3027385.3027428"),
        ("https://pubs.acs.org/doi/abs/10.1021/acscatal.6c04219", "10.1021/acscatal.6c04219"),
        (
            "https://pubs.acs.org/jaaucr/article/doi/10.1021/jacsau.6c00943/5276971/Genetically-Encoded",
            "10.1021/jacsau.6c00943",
        ),
        (
            "https://pubs.aip.org/aip/jap/article-pdf/doi/10.1063/1.4938384/15174088/235306_1_online.pdf",
            "10.1063/1.4938384",
        ),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/jor.1100150407", "10.1002/jor.1100150407"),
        (
            "http://onlinelibrary.wiley.com/wol1/doi/10.1111/j.1439-0272.1996.tb02771.x/fullpdf",
            "10.1111/j.1439-0272.1996.tb02771.x",
        ),
        ("https://www.science.org/doi/10.1126/science.adx7214", "10.1126/science.adx7214"),
        ("https://www.pnas.org/doi/full/10.1073/pnas.1205508109", "10.1073/pnas.1205508109"),
        (
            "https://www.tandfonline.com/doi/abs/10.1080/02640414.2017.1397282?j=r",
            "10.1080/02640414.2017.1397282",
        ),
        (
            "https://www.degruyter.com/document/doi/10.3138/9781442621534-019/html",
            "10.3138/9781442621534-019",
        ),
        ("https://chemrxiv.org/doi/full/10.26434/chemrxiv.15007677/v1?af=R", "10.26434/chemrxiv.15007677/v1"),
        ("https://link.springer.com/article/10.1007/s00158-020-02580-w", "10.1007/s00158-020-02580-w"),
        (
            "https://link.springer.com/content/pdf/10.1007/s00158-020-02580-w.pdf",
            "10.1007/s00158-020-02580-w",
        ),
        ("https://link.springer.com/chapter/10.1007/978-3-030-31372-2_26", "10.1007/978-3-030-31372-2_26"),
        ("http://bmcevolbiol.biomedcentral.com/articles/10.1186/1471-2148-11-4", "10.1186/1471-2148-11-4"),
        ("https://www.nature.com/articles/s41586-020-2649-2", "10.1038/s41586-020-2649-2"),
        ("https://www.nature.com/articles/nature14539.pdf", "10.1038/nature14539"),
        ("https://www.nature.com/doifinder/10.1038/nature.2015.16920", "10.1038/nature.2015.16920"),
        ("https://iopscience.iop.org/article/10.3847/1538-4357/adb8ca/pdf", "10.3847/1538-4357/adb8ca"),
        (
            "https://journals.aps.org/prl/abstract/10.1103/PhysRevLett.116.061102",
            "10.1103/physrevlett.116.061102",
        ),
        ("http://link.aps.org/doi/10.1103/PhysRevX.8.021071", "10.1103/physrevx.8.021071"),
        ("https://www.frontiersin.org/articles/10.3389/fonc.2022.814667/full", "10.3389/fonc.2022.814667"),
        (
            "https://journals.plos.org/plosone/article/file?id=10.1371/journal.pone.0174946&type=printable",
            "10.1371/journal.pone.0174946",
        ),
        ("https://scienceopen.com/hosted-document?doi=10.14236/ewic/EVA2014.51", "10.14236/ewic/eva2014.51"),
        ("https://api.crossref.org/works/10.1063%2F1.4938384?mailto=a", "10.1063/1.4938384"),
        ("https://api.openalex.org/works/https://doi.org/10.14264/3e10f66", "10.14264/3e10f66"),
        (
            "https://api.semanticscholar.org/graph/v1/paper/DOI:10.1063/1.4938384?fields=a",
            "10.1063/1.4938384",
        ),
        # preprints of biology and medicine, whose version is no part of the DOI
        ("10.1101/2024.01.01.123456v2", "10.1101/2024.01.01.123456"),
        ("10.64898/2026.04.19.716936", "10.64898/2026.04.19.716936"),
        ("https://www.biorxiv.org/content/10.1101/2024.01.01.123456v2", "10.1101/2024.01.01.123456"),
        ("https://www.biorxiv.org/content/10.1101/2024.01.01.123456v2.full", "10.1101/2024.01.01.123456"),
        ("https://www.biorxiv.org/content/10.1101/743294v1.full.pdf+html", "10.1101/743294"),
        (
            "https://www.medrxiv.org/content/10.64898/2026.04.19.26351234v1.full-text",
            "10.64898/2026.04.19.26351234",
        ),
        ("https://www.biorxiv.org/content/early/2018/01/05/123456", "10.1101/123456"),
        (
            "https://www.biorxiv.org/content/biorxiv/early/2024/01/05/2024.01.01.123456.full.pdf",
            "10.1101/2024.01.01.123456",
        ),
        (
            "https://www.biorxiv.org/content/early/2026/09/07/2026.04.19.716936.source.xml",
            "10.64898/2026.04.19.716936",
        ),
        ("10.1101/gr.123456.107", "10.1101/gr.123456.107"),
    ],
)
def test_a_doi_is_bare_and_in_lower_case(text: str, bare: str) -> None:
    assert parse_doi(text) == bare


@for_each_case(
    "text",
    [
        *(
            "",
            "10",
            "10.",
            "10.1000",
            "10.1000/",
            "10.1000/...",
            "11.1000/abc",
            "10.100/abc",
            "10.1000/a b",
            "x10.1000/a",
        ),
        *(
            "doi",
            "doi:",
            "arxiv:",
            "arXiv: ",
            "oai:arXiv.org:",
            "urn:doi:",
            "isbn:978-3-16-148410-0",
            "doi:abc",
        ),
        *("see 10.1000/abc", "10.1000\\abc", "10,1000/abc", "page 10.1000"),
        # arXiv's own are arXiv ids
        *("10.48550/arXiv.2401.00001", "https://doi.org/10.48550/arXiv.2401.00001v2"),
        # what has no DOI in it
        *(
            "https://doi.org/",
            "https://www.doi.org/the-identifier/what-is-a-doi/",
            "https://example.org/10.1000/abc",
        ),
        *(
            "https://ieeexplore.ieee.org/document/8870162",
            "https://www.nature.com/",
            "https://arxiv.org/abs/2401.00001",
        ),
        *(
            "https://www.sciencedirect.com/science/article/pii/S0921509316307419",
            "https://openreview.net/forum?id=x",
        ),
        "https://pubs.acs.org/cms/10.1021/acschembio.6c00327/asset/images/medium/cb6c00327_0006.gif",
        *("http://biorxiv.org/cgi/content/short/743294v1?rss=1", "https://www.mdpi.com/2076-3417/10/1/1"),
        *(
            "https://example.org/?q=10.1000/abc",
            "https://www.nature.com/nature/articles",
            "mailto:10.1000/abc@x",
        ),
    ],
)
def test_what_is_no_doi_is_not_taken_for_one(text: str) -> None:
    assert parse_doi(text) is None


PIECES = [
    "10.1000/",
    "10.1101/",
    "doi:",
    "doi.org/",
    "https://",
    "arXiv:",
    "abs/",
    "2401.00001",
    "math/0309136",
    "v2",
    "%",
    "%2F",
    "%25",
    "%26lt;",
    "&lt;",
    "&amp;",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ".",
    "/",
    "a",
    "123456",
    ".full",
    "?",
]
TYPED = st.lists(st.sampled_from([*PIECES, " "]), max_size=8).map("".join)


@given(st.text(max_size=60) | TYPED)
def test_any_text_is_read_and_what_comes_out_stays_as_it_is(text: str) -> None:
    if (bare := parse_doi(text)) is not None:
        assert parse_doi(bare) == bare
    if (arxiv_id := parse_arxiv_id(text)) is not None:
        assert parse_arxiv_id(arxiv_id[0]) == (arxiv_id[0], None)


# --- pages ----------------------------------------------------------------------------------------


@for_each_case(
    ("address", "key"),
    [
        ("https://Example.org", "url:https://example.org/"),
        ("HTTP://example.org:80/A?b=1", "url:https://example.org/A?b=1"),
        ("https://example.org:8080/a", "url:https://example.org:8080/a"),
        ("https://me:secret@example.org/a", "url:https://example.org/a"),
        (
            "https://example.org/a?utm_source=rss&b=1&utm_medium=feed&fbclid=x",
            "url:https://example.org/a?b=1",
        ),
        ("https://example.org/a?utm_source=rss#utm_medium=feed", "url:https://example.org/a"),
        ("https://example.org/changes#1.2.3", "url:https://example.org/changes#1.2.3"),
        (" https://example.org/a b ", "url:https://example.org/a%20b"),
    ],
)
def test_an_address_has_one_key_however_it_is_written(address: str, key: str) -> None:
    assert make_page_key(address) == key
    assert make_page_key(key.removeprefix("url:")) == key


@for_each_case(
    "address",
    [
        "",
        "x",
        "/a",
        "//example.org/",
        "ftp://example.org/",
        "mailto:a@example.org",
        "https://",
        "https://[",
        "https://a:b/",
    ],
)
def test_what_is_no_page_has_no_key(address: str) -> None:
    assert make_page_key(address) is None


@given(st.text() | st.text().map("https://example.org/".__add__))
def test_no_address_breaks_or_makes_a_key_too_long_for_a_database(address: str) -> None:
    key = make_page_key(address)
    assert key is None or (len(key) <= 500 and key.startswith("url:https://"))


def test_long_keys_that_differ_at_the_end_stay_apart() -> None:
    paper_key, other = (make_page_key(f"https://example.org/{'a' * 3_000}{end}") for end in "xy")
    assert paper_key != other
    assert [len(key or "") for key in (paper_key, other)] == [500, 500]
    assert limit_key("doi:10.1000/short") == "doi:10.1000/short"


# --- any of these ---------------------------------------------------------------------------------


@for_each_case(
    ("text", "key"),
    [
        ("2401.00001v3", "arxiv:2401.00001"),
        ("arXiv:2401.00001 [cs.LG]", "arxiv:2401.00001"),
        ("https://doi.org/10.48550/arXiv.2401.00001", "arxiv:2401.00001"),
        ("10.1145/3600006.3613165", "doi:10.1145/3600006.3613165"),
        ("https://dl.acm.org/doi/10.1145/3600006.3613165", "doi:10.1145/3600006.3613165"),
        ("https://example.org/paper?utm_source=x", "url:https://example.org/paper"),
        ("arxiv:2401.00001", "arxiv:2401.00001"),
        ("doi:10.1145/3600006.3613165", "doi:10.1145/3600006.3613165"),
        ("url:https://example.org/paper", "url:https://example.org/paper"),
    ],
)
def test_every_way_to_write_a_paper_gives_its_key(text: str, key: str) -> None:
    assert parse_paper_key(text) == key


@for_each_case("text", ["", "2401", "a title", "10.1145", "file:///a.pdf", "url:tag:x"])
def test_what_names_no_paper_has_no_key(text: str) -> None:
    assert parse_paper_key(text) is None


@for_each_case(
    ("key", "year"),
    [
        ("arxiv:2401.00001", 2024),
        ("arxiv:0704.0001", 2007),
        ("arxiv:hep-th/9711200", 1997),
        ("arxiv:math/0309136", 2003),
        ("doi:10.1000/one", None),
        ("url:https://example.org/2401.00001", None),
    ],
)
def test_the_year_of_an_arxiv_id_is_read_from_it(key: str, year: int | None) -> None:
    assert get_arxiv_year(PaperKey(key)) == year
