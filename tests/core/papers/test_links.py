"""Code and project pages are found however their authors typed them, and nothing else is taken for them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from digest.core.papers.links import CODE_HOSTS, add_paper_links
from digest.model import Paper, PaperKey
from tests.support.cases import for_each_case


def paper(abstract: str = "", comment: str = "") -> Paper:
    return Paper(key=PaperKey("k"), title="t", url="https://example.org/", abstract=abstract, comment=comment)


REPOSITORY = "https://github.com/a-b/c_d.e"


@for_each_case(
    "typed",
    [
        "Code: https://github.com/a-b/c_d.e",
        "Code is available at https://github.com/a-b/c_d.e.",
        "Code is available at https://github.com/a-b/c_d.e .",
        "We release our code (https://github.com/a-b/c_d.e), data and models.",
        "Code: http://github.com/a-b/c_d.e",
        "Code: https://www.github.com/a-b/c_d.e/",
        "Code: HTTPS://GitHub.com/a-b/c_d.e",
        "Code: github.com/a-b/c_d.e",
        "Code:github.com/a-b/c_d.e; 9 pages",
        "code at www.github.com/a-b/c_d.e.",
        "Code: https://github.com/a-b/c_d.e.git",
        "Code: https://github.com/a-b/c_d.e.git, allowing reuse",
        "Code: https://github.com/a-b/c_d.e#readme",
        "Code: https://github.com/a-b/c_d.e?tab=readme-ov-file",
        "Code: <https://github.com/a-b/c_d.e>",
        "Code: 'https://github.com/a-b/c_d.e'",
        'Code: <a href="https://github.com/a-b/c_d.e" rel="nofollow">this https URL</a>',
        "Code: **https://github.com/a-b/c_d.e**",
        "Code: [here](https://github.com/a-b/c_d.e).",
        "Code: [https://github.com/a-b/c_d.e](https://github.com/a-b/c_d.e)",
        r"Code: \url{https://github.com/a-b/c_d.e}.",
        r"Code: \url{https://github.com/a-b/c\_d.e}",
        r"Code: \href{https://github.com/a-b/c_d.e}{here}.",
        r"Code: \href{https://github.com/a-b/c_d.e}{\texttt{https://github.com/a-b/c\_d.e}}.",
        r"Code\footnote{https://github.com/a-b/c{\_}d.e}",
        r"Code: https://github.com/a-b/c\textunderscore{}d.e",
        "Code: https: //github.com/a-b/c_d.e",
        "Code: https:/github.com/a-b/c_d.e",
        "Code: https://github. com/a-b/c_d.e",
        "Code: https://github.com/ a-b/c_d.e",
        "Code: https://github.com/a-b/ c_d.e",
        "Code: https://github.com/a- b/c_d.e",
        "Code: https: // github. com/ a-b/ c_d.e .",
    ],
)
def test_an_address_is_found_however_it_is_typed(typed: str) -> None:
    assert add_paper_links(paper(abstract=typed)).code_urls == (REPOSITORY,)
    assert add_paper_links(paper(comment=typed)).code_urls == (REPOSITORY,)
    assert add_paper_links(paper(abstract="Ünïcödé İstanbul " * 30 + typed)).code_urls == (REPOSITORY,)


@for_each_case(
    ("typed", "text"),
    [
        ("https://gitlab.com/a/b", "https://gitlab.com/a/b"),
        ("https://bitbucket.org/a/b/src/master/", "https://bitbucket.org/a/b/src/master"),
        ("codeberg.org/a/b", "https://codeberg.org/a/b"),
        ("https://sourceforge.net/projects/a/", "https://sourceforge.net/projects/a"),
        ("http://a.sourceforge.net/", "https://a.sourceforge.net"),
        ("https://huggingface.co/a/b", "https://huggingface.co/a/b"),
        ("https://huggingface.co/datasets/a/b.", "https://huggingface.co/datasets/a/b"),
        ("https://hf.co/collections/a/b", "https://huggingface.co/collections/a/b"),
        ("https://anonymous.4open.science/r/a-1B67/.", "https://anonymous.4open.science/r/a-1B67"),
        ("https://gist.github.com/a/0dc0b2", "https://gist.github.com/a/0dc0b2"),
        ("https://github.com/a/b/tree/main/c", "https://github.com/a/b/tree/main/c"),
        ("https://github.com/a/B++.", "https://github.com/a/B++"),
        ("https://github.com/an-owner.", "https://github.com/an-owner"),
    ],
)
def test_every_code_host_is_known(typed: str, text: str) -> None:
    assert add_paper_links(paper(abstract=f"Our code is at {typed}")).code_urls == (text,)


@for_each_case(
    ("text", "found"),
    [
        ("See https://a-b.github.io/c/", "https://a-b.github.io/c"),
        ("Demo: a-b.github.io/c/index.html.", "https://a-b.github.io/c/index.html"),
        ("http://a.gitlab.io", "https://a.gitlab.io"),
        ("at https://sites.google.com/view/a/home.", "https://sites.google.com/view/a/home"),
        ("Try it at https://a.vercel.app", "https://a.vercel.app"),
        ("Accepted at A 2026. https://a.github.io", "https://a.github.io"),
        ("Accepted at A 2026, project page: https://a.github.io", "https://a.github.io"),
        ("Project page: https://example.org/a/", "https://example.org/a"),
        ("9 pages. Project Page: http://example.org/a", "http://example.org/a"),
        ("9 pages, 3 figures, website at https://example.org/a,", "https://example.org/a"),
        ("The project webpage is at www.example.org/a.", "https://example.org/a"),
        ("Project page: www.example.edu.", "https://example.edu"),
        (r"See our website \url{https://example.org/~a/#b}.", "https://example.org/~a/#b"),
        (
            r"Videos are on the project website: \href{https://example.org/a\%20b}{here}.",
            "https://example.org/a%20b",
        ),
        ("Homepage: https://example.org/a(b)", "https://example.org/a(b)"),
        ("(project site: https://example.org/a)", "https://example.org/a"),
    ],
)
def test_project_pages_are_found_where_they_are_kept_or_named(text: str, found: str) -> None:
    full_paper = add_paper_links(paper(comment=text))

    assert full_paper.project_urls == (found,)
    assert full_paper.code_urls == ()


@for_each_case(
    "text",
    [
        "",
        "Code is available at this https URL.",
        r"Code: \href{this https URL}{this http URL}",
        "Code will be released on github.com under the MIT license.",
        "Code: https://github.com/.",
        "Code: https://github.com/[your-link]",
        "as on GitHub.com",
        "Vote at https://huggingface.co/papers/2606.00001",
        "Read https://huggingface.co/blog/a",
        "pages of github.io",
        "Published version: https://doi.org/10.1000/abc",
        "Video: https://www.youtube.com/watch?v=a",
        "Data: https://zenodo.org/records/1",
        "mail a@example.github.com or git@github.com",
        "Conference website: https://example.org",
        "Workshop at A 2026, https://sites.google.com/view/a",
        "Accepted at the A workshop (https://a2026.github.io/)",
        "Visit my homepage at: https://example.org/~a/",
        "https://example.org/github.com/a/b",
        "notgithub.com/a/b and https://github.com.example.org/a/b",
    ],
)
def test_what_is_neither_is_left_alone(text: str) -> None:
    for untouched in (paper(abstract=text), paper(comment=text)):
        assert add_paper_links(untouched) is untouched


def test_what_a_source_knows_stays_and_comes_first() -> None:
    paper = Paper(
        key=PaperKey("k"),
        title="t",
        url="https://example.org/",
        abstract="Code: https://github.com/A/B and https://github.com/c/d. Project page: https://a.github.io",
        comment="Code: https://github.com/e/f",
        code_urls=("https://github.com/a/b",),
        project_urls=("https://example.org/p",),
        withdrawn=True,
    )

    full_paper = add_paper_links(paper)

    assert full_paper.code_urls == (
        "https://github.com/a/b",
        "https://github.com/e/f",
        "https://github.com/c/d",
    )
    assert full_paper.project_urls == ("https://example.org/p", "https://a.github.io")
    assert full_paper.withdrawn


def test_of_many_addresses_five_of_each_kind_are_taken() -> None:
    text = " ".join(f"https://github.com/a/{n} https://a.github.io/{n}" for n in range(9))

    full_paper = add_paper_links(paper(abstract=text))

    assert full_paper.code_urls == tuple(f"https://github.com/a/{n}" for n in range(5))
    assert full_paper.project_urls == tuple(f"https://a.github.io/{n}" for n in range(5))


def test_a_paper_that_says_so_is_withdrawn() -> None:
    assert add_paper_links(paper(comment="This paper has been withdrawn by the authors")).withdrawn
    assert not add_paper_links(paper(comment="9 pages")).withdrawn


PIECES = [
    "https://",
    "http: //",
    "www.",
    "github.com/",
    "github. com/ ",
    "huggingface.co/",
    "a.github.io",
    "a",
    "b-",
    "/",
]
PIECES += [
    " ",
    ".",
    ")",
    "(",
    "?",
    "#",
    ".git",
    "\\_",
    "{",
    "}",
    "%",
    "Project page: ",
    ", ",
    "sites.google.com/",
]
typing = st.lists(st.sampled_from(PIECES), max_size=15).map("".join)


@given(st.text() | typing, st.text() | typing)
@example("", "GITHUB.COM/..git")
@example("github.com/a,.git", "")
def test_whatever_is_typed_gives_clean_addresses_and_gives_them_once(abstract: str, comment: str) -> None:
    full_paper = add_paper_links(paper(abstract, comment))

    assert add_paper_links(full_paper) == full_paper
    for address in (*full_paper.code_urls, *full_paper.project_urls):
        assert re.fullmatch(r"https?://[a-z0-9._-]+(:\S*)?([/?#]\S+)?", address), address
        assert address[-1] not in ".,:!?/"
    for results in (full_paper.code_urls, full_paper.project_urls):
        assert len({address.lower() for address in results}) == len(results) <= 5


# --- the real ones --------------------------------------------------------------------------------


def recorded(file: Path) -> Iterator[Paper]:
    with file.open("rb") as packed:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8"):
            message = json.loads(line)
            yield paper(message["abstract"], message.get("comments") or "")


@pytest.mark.parametrize("day", ["2026-01-05", "2026-03-10", "2026-06-12"])
def test_hardly_a_repository_of_a_real_day_is_missed(data: Path, day: str) -> None:
    plainly = re.compile(
        rf"(?:{'|'.join(map(re.escape, CODE_HOSTS))})/(?!papers/|blog/|docs/)\w", re.IGNORECASE
    )
    papers = list(recorded(data / "corpus" / "days" / f"{day}.jsonl.zst"))

    named = [paper for paper in papers if plainly.search(f"{paper.abstract} {paper.comment}")]
    found_papers = [paper for paper in papers if add_paper_links(paper).code_urls]

    assert len(named) > len(papers) / 20
    assert [paper for paper in named if not add_paper_links(paper).code_urls] == []
    assert len(found_papers) - len(named) <= 2
