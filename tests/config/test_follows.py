"""What a user can rely on of the follows in the configuration file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.config import FollowSettings, Settings, read_settings
from digest.core.language.parser import parse
from digest.core.language.query import format_citing, format_paper_events
from digest.core.papers.identity.person_ids import EXAMPLES
from digest.core.subscribers.library.queries import build_library_query
from digest.errors import ConfigError
from digest.model import PaperKey
from tests.support.cases import for_each_case

HEAD = """\
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "a"
feed = true
schedule = "daily 7:00"
timezone = "UTC"
"""
REFS = """\
@misc{one, title = {A {First} Paper}, eprint = {2401.00001}}
@misc{two, title = {A Second Paper}, doi = {10.1145/3600006.3613165}}
@misc{three, title = {Without an Id}}
"""


def read(folder: Path, *lines: str, **environ: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(HEAD + "\n".join(lines), encoding="utf-8")
    return read_settings(path, environ)


def follows(folder: Path, *lines: str) -> tuple[FollowSettings, ...]:
    return read(folder, *lines).digests[0].follows


def mistakes(folder: Path, *lines: str) -> list[str]:
    """The lines of the error, without the folder; the first of the given lines is line 10 of the file."""
    with pytest.raises(ConfigError) as caught:
        read(folder, *lines)
    return [line.removeprefix(f"{folder}{os.sep}") for line in str(caught.value).splitlines()]


# --- what is read ---------------------------------------------------------------------------------

ORCID = "0000-0002-1825-0097"


@pytest.mark.parametrize(
    ("line", "text", "query"),
    [
        ('authors = ["Wei Wang"]', "Wei Wang", 'author:"Wei Wang"'),
        (f'authors = ["orcid:{ORCID}"]', f"orcid:{ORCID}", f"author:orcid:{ORCID}"),
        (f'authors = ["https://orcid.org/{ORCID}"]', f"orcid:{ORCID}", f"author:orcid:{ORCID}"),
        ('authors = ["https://dblp.org/pid/65/9612.html"]', "dblp:65/9612", "author:dblp:65/9612"),
        ('authors = ["arxiv:warner_s_1"]', "arxiv:warner_s_1", "author:arxiv:warner_s_1"),
        (f'authors = [{{ orcid = "{ORCID}" }}]', f"orcid:{ORCID}", f"author:orcid:{ORCID}"),
        (
            f'authors = [{{ name = "Wei Wang", s2 = "1741101", orcid = "{ORCID}" }}]',
            "Wei Wang",
            f'author:("Wei Wang" orcid:{ORCID} s2:1741101)',
        ),
        (
            'authors = [{ openalex = ["A5023888391", "https://openalex.org/A5023888392"] }]',
            "openalex:A5023888391, openalex:A5023888392",
            "author:(openalex:A5023888391 openalex:A5023888392)",
        ),
        ('institutions = ["ETH Zurich"]', "ETH Zurich", 'institution:"ETH Zurich"'),
        ('institutions = ["https://ror.org/05a28rw58"]', "ror:05a28rw58", "institution:ror:05a28rw58"),
        ('institutions = ["ror:05a28rw58"]', "ror:05a28rw58", "institution:ror:05a28rw58"),
        (
            'institutions = [{ name = "ETH Zurich", ror = "05a28rw58" }]',
            "ETH Zurich",
            'institution:"ETH Zurich" OR institution:ror:05a28rw58',
        ),
        ('categories = ["cs.DC"]', "cs.DC", "category:cs.DC"),
        ('categories = [{ category = "cs.DC", primary = true }]', "cs.DC", "primary:cs.DC"),
        (
            'papers = ["https://arxiv.org/abs/2401.00001v2"]',
            "https://arxiv.org/abs/2401.00001v2",
            "id:2401.00001 (kind:version OR kind:published OR kind:code)",
        ),
        ('cites = [{ paper = "10.1145/3600006.3613165" }]', "10.1145/3600006.3613165", "cites:doi:10.1145/3600006.3613165"),
    ],
)  # fmt: skip
def test_every_way_of_following_is_the_query_that_it_means(
    tmp_path: Path, line: str, text: str, query: str
) -> None:
    (follow,) = follows(tmp_path, line)

    assert (follow.text, follow.query) == (text, str(parse(query)))


def test_all_ids_that_a_person_can_have_can_be_written(tmp_path: Path) -> None:
    ids = ", ".join(f'{scheme} = "{value}"' for scheme, value in EXAMPLES.items())
    (follow,) = follows(tmp_path, f"authors = [{{ {ids} }}]")

    assert all(f"{scheme}:{value}" in follow.query for scheme, value in EXAMPLES.items())


# --- exclusions -----------------------------------------------------------------------------------


def test_a_digest_excludes_phrases_queries_authors_and_categories(tmp_path: Path) -> None:
    found_follows = follows(
        tmp_path,
        'keywords = ["x"]',
        'exclude = ["medical imaging", { query = "title:survey" }, { author = "J. Doe" },',
        f'  {{ author = "https://orcid.org/{ORCID}" }}, {{ category = "physics" }}, {{ keyword = "y" }}]',
    )

    assert [(follow.query, follow.only) for follow in found_follows if follow.exclude] == [
        (str(parse('"medical imaging"')), ""),
        ("title:survey", ""),
        ('author:"J. Doe"', ""),
        (f"author:orcid:{ORCID}", ""),
        ("category:physics", ""),
        ("y", ""),
    ]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('exclude = ["y", { author = "J. Doe" }]', "exclude[1]"),
        ("exclude = [{ query = 'y OR author:\"J. Doe\"' }]", "exclude[0]"),
        ('keywords = [{ keyword = "y", exclude = ["z", { author = "J. Doe" }] }]', "keywords[0].exclude[1]"),
        ('queries = ["y", \'z NOT author:"J. Doe"\']', "queries[1]"),
    ],
)
def test_a_name_that_is_a_maybe_at_most_and_shall_keep_papers_out_is_told(
    tmp_path: Path, line: str, place: str
) -> None:
    (warning,) = read(tmp_path, 'authors = ["J. R. Doe"]', line).warnings

    assert warning.startswith(f"{tmp_path / 'digest.toml'}:")
    assert f": digest[0].{place}: J. Doe excludes nobody whose name is printed in full" in warning


def test_whole_names_and_ids_that_keep_papers_out_need_no_warning(tmp_path: Path) -> None:
    exclude = f'exclude = [{{ author = "Jane Doe" }}, {{ author = "orcid:{ORCID}" }}, {{ author = "王伟" }}]'

    assert not read(tmp_path, 'queries = ["author:Doe NOT survey"]', exclude).warnings


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ('keywords = [{ keyword = "x", exclude = ["medical"] }]', "x"),
        ('queries = [{ query = "x", exclude = ["medical"] }]', "x"),
        ('authors = [{ name = "Wei Wang", exclude = ["medical"] }]', 'author:"Wei Wang"'),
        ('institutions = [{ name = "ETH Zurich", exclude = ["medical"] }]', 'institution:"ETH Zurich"'),
        ('categories = [{ category = "cs.DC", primary = true, exclude = ["medical"] }]', "primary:cs.DC"),
        ('cites = [{ paper = "2401.00001", exclude = ["medical"] }]', "cites:2401.00001"),
    ],
)
def test_every_follow_can_exclude_for_itself_alone(tmp_path: Path, line: str, query: str) -> None:
    found_follows = follows(tmp_path, line)

    canonical = str(parse(query))
    assert [(follow.query, follow.exclude, follow.only) for follow in found_follows] == [
        (canonical, False, ""),
        ("medical", True, canonical),
    ]


def test_two_follows_and_their_digest_may_exclude_the_same(tmp_path: Path) -> None:
    found_follows = follows(
        tmp_path,
        'keywords = [{ keyword = "x", exclude = ["z"] }, { keyword = "y", exclude = ["z"] }]',
        'exclude = ["z"]',
    )

    assert [(follow.query, follow.only) for follow in found_follows if follow.exclude] == [
        ("z", "x"),
        ("z", "y"),
        ("z", ""),
    ]


# --- libraries ------------------------------------------------------------------------------------


def test_a_library_is_a_follow_for_each_of_its_papers(tmp_path: Path) -> None:
    (tmp_path / "my refs").mkdir()
    (tmp_path / "my refs" / "refs.bib").write_text(REFS, encoding="utf-8")
    settings = read(tmp_path, 'library = [{ file = "my refs/refs.bib", weight = 0.5 }]')

    assert [(follow.text, follow.weight, follow.query) for follow in settings.digests[0].follows] == [
        ("A First Paper", 0.5, str(parse("id:2401.00001 (kind:version OR kind:published OR kind:code) OR cites:2401.00001"))),
        ("A Second Paper", 0.5, build_library_query(PaperKey("doi:10.1145/3600006.3613165"))),
    ]  # fmt: skip
    (library,) = settings.libraries
    assert (library.path, library.form) == (tmp_path / "my refs" / "refs.bib", "BibTeX")
    assert (library.papers, library.without_id, library.broken) == (2, 1, ())


@for_each_case(
    "key",
    [
        "arxiv:2401.00001",
        "arxiv:hep-th/9901001",
        "doi:10.1145/3600006.3613165",
        "doi:10.1002/(sici)1097-4571(1999)50:10<1::aid-x>3.0.co;2-a",
        "doi:10.1000/a-b_c;d+e",
        "url:https://example.org/a?b=c&d=(e)#f",
        "url:https://example.org/~a/b,c*",
    ],
)
def test_the_query_of_a_library_s_paper_is_in_canonical_form(key: str) -> None:
    library_query = build_library_query(PaperKey(key))

    assert (
        library_query
        == str(parse(library_query))
        == str(parse(f"({format_paper_events(key)}) OR {format_citing(key)}"))
    )


def test_a_paper_of_two_libraries_and_of_its_own_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text(REFS, encoding="utf-8")
    (tmp_path / "b.txt").write_text("2401.00001 Another title\n2402.00002\n", encoding="utf-8")
    found_follows = follows(
        tmp_path, 'papers = ["2401.00001"]', 'library = ["a.bib", { file = "b.txt", weight = 3 }]'
    )

    assert [(follow.text, follow.weight) for follow in found_follows] == [
        ("2401.00001", 1.0),
        ("A First Paper", 1.0),
        ("A Second Paper", 1.0),
        ("arxiv:2402.00002", 3.0),
    ]


def test_a_library_that_changes_is_read_anew(tmp_path: Path) -> None:
    refs = tmp_path / "refs.txt"
    refs.write_text("2401.00001\n", encoding="utf-8")
    before = follows(tmp_path, 'library = ["refs.txt"]')
    refs.write_text("2401.00001\n2402.00002\n", encoding="utf-8")
    after = follows(tmp_path, 'library = ["refs.txt"]')

    assert after[: len(before)] == before
    assert len(after) == 2


def test_a_library_that_is_broken_in_places_is_followed(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(f"@misc{{bad, title = {{x\n{REFS}", encoding="utf-8")
    settings = read(tmp_path, 'library = ["refs.bib"]')

    assert len(settings.digests[0].follows) == 2
    assert settings.libraries[0].broken[0].startswith("bad is broken in line")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "refs.bib cannot be followed: there is no "),
        ("", "refs.bib cannot be followed: the file is empty"),
        ("@misc{a, title={A}}", "refs.bib cannot be followed: none of its entries has an arXiv id, a DOI or an address"),
        ("@misc{a, title={", "refs.bib cannot be followed: it contains no entry that can be read as BibTeX"),
        ("<html>", "refs.bib cannot be followed: it is XML or a web page"),
    ],
)  # fmt: skip
def test_a_library_that_cannot_be_followed_is_told_with_its_place(
    tmp_path: Path, content: str | None, text: str
) -> None:
    if content is not None:
        (tmp_path / "refs.bib").write_text(content, encoding="utf-8")

    [line] = mistakes(tmp_path, 'library = ["refs.bib"]')
    assert line.startswith(f"digest.toml:10:12: digest[0].library[0]: {text}")
    [line] = mistakes(tmp_path, 'library = [{ file = "refs.bib" }]')
    assert line.startswith(f"digest.toml:10:21: digest[0].library[0].file: {text}")


def test_a_folder_is_no_library(tmp_path: Path) -> None:
    [line] = mistakes(tmp_path, 'library = ["."]')

    assert "this is not a file" in line


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('authors = ["orcid:0000-0002-1825-0098"]', "10:12: digest[0].authors[0]: '0000-0002-1825-0098' is not a valid orcid id; one of its digits is wrong"),
        ('authors = [{ orcid = "0000-0002-1825-0098" }]', "10:22: digest[0].authors[0].orcid: '0000-0002-1825-0098' is not a valid orcid id"),
        ('authors = [{ name = "A B", openalex = ["W1"] }]', "10:39: digest[0].authors[0].openalex: 'W1' is not a valid openalex id; write it as A5023888391"),
        ("authors = [{ s2 = 1741101 }]", "10:19: digest[0].authors[0].s2: write a string in quotes"),
        ("authors = [{ s2 = [] }]", "10:19: digest[0].authors[0].s2: write a string in quotes"),
        ("authors = [{ weight = 2 }]", "10:12: digest[0].authors[0]: it names nobody; write name = "),
        ('authors = [{ nme = "A B" }]', "10:14: digest[0].authors[0].nme: there is no such key; did you mean `name`?"),
        ('authors = [{ orchid = "x" }]', "10:14: digest[0].authors[0].orchid: there is no such key; did you mean `orcid`?"),
        ('authors = ["https://example.org/jane"]', "10:12: digest[0].authors[0]: 'https://example.org/jane' is neither a name nor the address of a person"),
        ('authors = ["https://arxiv.org/a/2401.00001"]', "10:12: digest[0].authors[0]: 'https://arxiv.org/a/2401.00001' is not a valid arxiv id"),
        ('authors = ["123"]', "10:12: digest[0].authors[0]: "),
        ('institutions = [{ ror = "05a28rw59" }]', "10:25: digest[0].institutions[0].ror: '05a28rw59' is not a ROR id"),
        ('institutions = ["https://ror.org/x"]', "10:17: digest[0].institutions[0]: 'https://ror.org/x' is not a ROR id"),
        ("institutions = [{ weight = 2 }]", "10:17: digest[0].institutions[0]: it names nothing"),
        ('institutions = [""]', "10:17: digest[0].institutions[0]: this entry is empty; write what to follow, or remove it"),
        ('categories = [{ category = "cs.DC", primry = true }]', "10:37: digest[0].categories[0].primry: there is no such key; did you mean `primary`?"),
        ('categories = [{ category = "cs.DC", primary = 1 }]', "10:47: digest[0].categories[0].primary: write true or false"),
        ('papers = ["a title"]', "10:11: digest[0].papers[0]: 'a title' is not the id of a paper; write 2401.00001"),
        ('cites = [{ paper = "x" }]', "10:20: digest[0].cites[0].paper: 'x' is not the id of a paper"),
        ('cites = [{ id = "x" }]', "10:12: digest[0].cites[0].id: there is no such key"),
        ('library = "refs.bib"', "10:11: digest[0].library: write a list"),
        ('keywords = [{ keyword = "x", exclude = ["x"] }]', "5:1: digest[0]: keywords[0].exclude[0] is the same as the follow itself"),
        ('keywords = [{ keyword = "x", exclude = ["y", "y"] }]', "5:1: digest[0]: keywords[0].exclude[1] is the same as keywords[0].exclude[0]"),
        ('keywords = [{ keyword = "x", exclude = "y" }]', "10:40: digest[0].keywords[0].exclude: write a list"),
        ('keywords = [{ keyword = "x", exclude = [" "] }]', "10:41: digest[0].keywords[0].exclude[0]: this entry is empty; write what to follow, or remove it"),
        ('keywords = ["x"]\nexclude = [{ query = "(" }]', "11:23: digest[0].exclude[0].query: "),
        ('keywords = ["x"]\nexclude = [{ author = "J. Doe", category = "cs" }]', "11:12: digest[0].exclude[0]: write one of `keyword`, `query`, `author` or `category`"),
        ('keywords = ["x"]\nexclude = [{}]', "11:12: digest[0].exclude[0]: write one of"),
        ('keywords = ["x"]\nexclude = [{ authr = "J. Doe" }]', "11:14: digest[0].exclude[0].authr: there is no such key; did you mean `author`?"),
        ('keywords = ["x"]\nexclude = [{ keyword = "y", weight = 2 }]', "11:29: digest[0].exclude[0].weight: there is no such key"),
        ('authors = ["A B"]\nexclude = [{ author = "A B" }]', "5:1: digest[0]: exclude[0] is the same as authors[0]"),
        ('authors = ["orcid:0000-0002-1825-0097", { orcid = "https://orcid.org/0000-0002-1825-0097" }]', "5:1: digest[0]: authors[1] is the same as authors[0]"),
        ('papers = ["2401.00001", "https://arxiv.org/abs/2401.00001v3"]', "5:1: digest[0]: papers[1] is the same as papers[0]"),
    ],
    ids=lambda value: value[:60],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(
    tmp_path: Path, line: str, text: str
) -> None:
    lines = mistakes(tmp_path, line)

    assert any(line.startswith(f"digest.toml:{text}") for line in lines), lines


@given(st.dictionaries(st.sampled_from(["name", *EXAMPLES]), st.text(max_size=30), min_size=1))
def test_whatever_a_person_is_called_is_read_or_told_at_its_key(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, str]
) -> None:
    import tomlkit

    inline = tomlkit.inline_table()
    inline.update(table)
    folder = tmp_path_factory.getbasetemp()
    try:
        found_follows = follows(folder, f"authors = [{inline.as_string()}]")
    except ConfigError as error:
        assert "digest[0].authors[0]" in str(error)  # noqa: PT017 - both ends are fine, a third one is not
    else:
        assert len(found_follows) == 1
