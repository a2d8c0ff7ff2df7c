"""Who writes a category gets what arXiv files under it, under whatever id."""

from __future__ import annotations

import csv
from pathlib import Path

from digest.core.papers.taxonomy import (
    canonicalize_category,
    covers,
    find_categories_by_name,
    is_known_category,
    suggest_category,
)
from tests.support.cases import for_each_case


@for_each_case(
    ("text", "category"),
    [
        *(("cs.LG", "cs.LG"), ("CS.lg", "cs.LG"), ("cs", "cs.LG"), ("cs.*", "cs.LG"), (" cs.LG ", "cs.LG")),
        *(("math.IT", "cs.IT"), ("cs.IT", "math.IT"), ("cs.SY", "eess.SY"), ("q-fin.EC", "econ.GN")),
        *(("cmp-lg", "cs.CL"), ("cs.CL", "cmp-lg"), ("chao-dyn", "nlin.CD"), ("nlin", "chao-dyn")),
        *(
            ("math", "cs.IT"),
            ("math", "math-ph"),
            ("cs", "math.NA"),
            ("cs.*", "eess.SY"),
            ("q-fin", "econ.GN"),
        ),
        *(("cond-mat", "cond-mat.soft"), ("cond-mat", "cond-mat"), ("astro-ph", "astro-ph.GA")),
        *(("hep-th", "hep-th"), ("hep-th.*", "hep-th"), ("cell_biology", "Cell_Biology")),
    ],
)
def test_a_category_covers_its_aliases_and_an_archive_all_in_it(text: str, category: str) -> None:
    assert covers(text, category)


@for_each_case(
    ("text", "category"),
    [
        *(("cs.LG", "stat.ML"), ("cs", "stat.ML"), ("cs.LG", "cs"), ("physics", "quant-ph"), ("", "cs.LG")),
        *(("c", "cs.LG"), ("math", "math-ph.x"), ("astro-ph.GA", "astro-ph"), ("eess", "cs.SD")),
    ],
)
def test_it_covers_nothing_else(text: str, category: str) -> None:
    assert not covers(text, category)


def test_a_canonical_id_is_the_one_that_arxiv_goes_by() -> None:
    assert canonicalize_category("math.it") == "cs.IT"
    assert canonicalize_category("cs.na") == "math.NA"
    assert canonicalize_category("MATH.MP") == "math-ph"
    assert canonicalize_category("cell_biology") == "cell_biology"


def test_archives_and_categories_are_known_in_any_case() -> None:
    assert all(map(is_known_category, ["cs", "CS.*", "cs.lg", "math-ph", "cmp-lg", "q-bio"]))
    assert not any(map(is_known_category, ["", "cs.XX", "foo", "cs.LG+cs.CL", "computer science"]))


@for_each_case(
    ("text", "meant"),
    [
        *(("cs-LG", "cs.LG"), ("csLG", "cs.LG"), ("quantph", "quant-ph"), ("cs.ML", "stat.ML")),
        *(("math.LG", "cs.LG"), ("LG", "cs.LG"), ("machine learning", "cs.LG"), ("Robotic", "cs.RO")),
        *(("cs.LGG", "cs.LG"), ("condmat.soft", "cond-mat.soft"), ("zzz", None), ("", None)),
    ],
)
def test_an_unknown_category_gets_the_likeliest_one(text: str, meant: str | None) -> None:
    assert suggest_category(text) == meant


def test_all_of_arxivs_categories_are_known(data: Path) -> None:
    with (data / "arxiv" / "taxonomy.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["archive"] != "bad-arch"]
    assert len(rows) == 176
    for row in rows:
        assert is_known_category(row["id"])
        assert canonicalize_category(row["id"]) == (row["canonical"] or row["id"])
        assert covers(row["archive"], row["id"])


@for_each_case(
    ("name", "ids"),
    [
        ("Machine Learning", {"cs.LG", "stat.ML"}),
        ("information theory", {"cs.IT"}),
        ("Computer Science", {"cs"}),
        ("Economics", {"econ", "econ.GN"}),
        ("Quantum Physics", {"quant-ph"}),
        ("Learning by Machines", set()),
    ],
)
def test_a_name_is_that_of_all_that_are_called_so(name: str, ids: set[str]) -> None:
    assert find_categories_by_name(name) == ids


def test_all_of_arxivs_names_are_known(data: Path) -> None:
    with (data / "arxiv" / "taxonomy.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["active"] == "1"]
    assert rows
    assert [
        row["id"]
        for row in rows
        if canonicalize_category(row["id"]) not in find_categories_by_name(row["name"])
    ] == []
    assert [
        row["archive"] for row in rows if row["archive"] not in find_categories_by_name(row["archive_name"])
    ] == []
