"""What a user can rely on when a command changes the configuration: everything else stays as it is."""

from __future__ import annotations

import difflib
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.config.file.editing import add_library
from digest.config.file.starter import StarterAnswers, write_starter_config
from digest.errors import ConfigError
from tests.support.cases import for_each_case

SMALL = """\
# mine
[[digest]]
name = "a" # first
feed = true
keywords = [
  "x", # ex
  "y",
]   # end
# a remark

# --- the store ---
[store]
url = "sqlite:///digest.db"

[[digest]]
name = "b"
"""


def change(before: str, after: str) -> list[str]:
    """The lines that left and came."""
    results = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in results if line[0] in "+-"]


@for_each_case(
    ("text", "expected"),
    [
        (SMALL, ['+ library = ["refs.bib"]']),
        (SMALL.replace("feed = true", "library = []  # none yet"), ["- library = []  # none yet", '+ library = ["refs.bib"]  # none yet']),
        (SMALL.replace("feed = true", "library = ['o.bib']"), ["- library = ['o.bib']", "+ library = ['o.bib', \"refs.bib\"]"]),
        (SMALL.replace("feed = true", 'library = [\n  "o.bib", # one\n  {file = "p", weight = 2},\n]'), ['+   "refs.bib",']),
        (SMALL.replace("feed = true", 'exclude = ["z"] # no z\nfeed = true'), ['+ library = ["refs.bib"]']),
        ('[[digest]]\nname = "a"', ['+ library = ["refs.bib"]']),
        ('[[digest]]\n  name = "a"\n  feed = true\n', ['+   library = ["refs.bib"]']),
        ('[[digest]]\nname = """a"""\nexclude = ["""\n[x]\n""", "]"]\n[store]\n', ['+ library = ["refs.bib"]']),
        ('[[digest]]\nname = "a"\nqueries = [{ query = "x" }] # "]"\nlimit = 3\n', ['+ library = ["refs.bib"]']),
    ],
)  # fmt: skip
def test_a_library_is_added_and_no_other_line_changes(text: str, expected: list[str]) -> None:
    after = add_library(text, "a", "refs.bib")

    assert change(text, after) == expected


def test_it_stands_with_what_the_digest_follows() -> None:
    lines = add_library(SMALL, "a", "refs.bib").splitlines()

    assert lines[lines.index("]   # end") + 1] == 'library = ["refs.bib"]'
    assert add_library(SMALL, "b", "refs.bib").splitlines()[-2:] == ['name = "b"', 'library = ["refs.bib"]']


def test_line_ends_of_windows_stay() -> None:
    after = add_library(SMALL.replace("\n", "\r\n"), "a", "refs.bib")

    assert after == add_library(SMALL, "a", "refs.bib").replace("\n", "\r\n")


def test_a_library_that_is_followed_already_changes_nothing() -> None:
    once = add_library(SMALL, "a", "refs.bib")

    assert add_library(once, "a", "refs.bib") == once
    table = SMALL.replace("feed = true", 'library = [{ file = "refs.bib", weight = 2 }]')
    assert add_library(table, "a", "refs.bib") == table


def test_the_file_to_start_from_can_be_changed() -> None:
    text = write_starter_config(StarterAnswers())

    assert change(text, add_library(text, "my-papers", "refs.bib")) == ['+ library = ["refs.bib"]']


def test_a_dollar_sign_in_a_path_is_no_variable() -> None:
    assert 'library = ["$$HOME.bib"]' in add_library(SMALL, "a", "$HOME.bib")


def test_an_unknown_digest_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="there is no digest 'c' in the file; digests: a, b"):
        add_library(SMALL, "c", "refs.bib")


def test_a_table_that_cannot_be_changed_is_left_and_what_to_write_is_told() -> None:
    with pytest.raises(ConfigError, match=r'write library = \["refs.bib"\] there'):
        add_library('digest = [{ name = "a" }]', "a", "refs.bib")


TEXTS = st.text(max_size=8)
BLANKS = st.sampled_from(["", " ", "\n", "  \n\n", " # no ] \"'\n", "\n\t# [x]\n"])


@st.composite
def digests(draw: st.DrawFn) -> str:
    """A digest's table, laid out in all ways."""
    import tomlkit

    lines = ['name = "a"']
    for key in draw(
        st.lists(st.sampled_from(["keywords", "library", "title", "exclude", "limit"]), unique=True)
    ):
        if key == "limit":
            lines.append("limit = 3")
        elif key == "title":
            lines.append(f"title = {tomlkit.item(draw(TEXTS)).as_string()}")
        else:
            entries = [
                f"{draw(BLANKS)}{tomlkit.item(text).as_string()}"
                for text in draw(st.lists(TEXTS, max_size=3))
            ]
            comma = draw(st.sampled_from(["", ",", " , "])) if entries else ""
            lines.append(f"{key} = [{','.join(entries)}{comma}{draw(BLANKS)}]")
    return "[[digest]]\n" + "\n".join(
        f"{line}{draw(st.sampled_from(['', '  # remark']))}" for line in draw(st.permutations(lines))
    )


@given(digests(), st.sampled_from(["", "\n", "\n# end\n[store]\n", "\n\n[[digest]]\nname = 'b'"]), TEXTS)
def test_whatever_the_layout_the_file_means_the_same_and_the_library(
    text: str, behind: str, file: str
) -> None:
    before = tomllib.loads(text + behind)
    after = add_library(text + behind, "a", file)

    library = before["digest"][0].setdefault("library", [])
    if file.replace("$", "$$") not in library:
        library.append(file.replace("$", "$$"))
    assert tomllib.loads(after) == before
    assert after.count("#") >= (text + behind).count("#")
