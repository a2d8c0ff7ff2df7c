"""Two titles are told apart if they name two works, and never because one work is typeset, marked or cut otherwise."""

from __future__ import annotations

import html
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.titles import is_different_title, read_title, strip_remarks
from tests.support.cases import for_each_case

ONE_WORK = [
    ("A title", "A title."),
    ("A TITLE", "a title"),
    ("A title", "[Graphical abstract added] A title"),
    ("A title", "A title [Graphical abstract added]"),
    ("[Graphical abstract added] A title", "RETRACTED: A title"),
    ("A title", "Correction: A title"),
    ("A title", "A title: with a subtitle"),
    ("A title that is long enough to be cut somewhere", "A title that is long enough to be c"),
    ("A title that is long enough to be cut somewhere", "A title that is long enough to be c…"),
    ("a title that is contained", "What stands around a title that is contained, and goes on"),
    ("Fluxes at \u221220 degrees", "Fluxes at -20 degrees"),
    ("Ammonia\u2013nitrogen", "Ammonia-nitrogen"),
    ("\u2018Wild\u2019 \u201ctypes\u201d of M\u00fcller\u2019s cells", "'Wild' \"types\" of Muller's cells"),
    ("M\u00fcller cells", "Mu\u0308ller cells"),
    ("Role of $H_2$O at $10^{14}$ Hz", "Role of H\u2082O at 10\u00b9\u2074 Hz"),
    ("Role of $\\mathrm{H_2O}$", "Role of H2O"),
    (r"The $\alpha$-particle of Erd\H{o}s", "The \u03b1-particle of Erd\u0151s"),
    ("The $\\alpha$ particle", "The alpha particle"),
    ("CO 2 capture", "CO2 capture"),
    ("\ufb01ne structures", "fine structures"),
    ("STRASSE", "Stra\u00dfe"),
    ("Cells &amp; tissues in Caf\u00e9s", "Cells & tissues in Caf&eacute;s"),
    ("Waste-water treatment", "Wastewater treatment"),
    (
        "Orbit couplings of ions",
        "Orbital coupling of ions",
    ),  # an accepted manuscript, and its copy-edited version
    ("Colour of models", "The color of models"),
    ("\U0001f34b", "\U0001f34b"),
    ("\u65b9\u6cd5", "\u6df1\u5ea6\u5b66\u4e60\u65b9\u6cd5"),
    ("", "A title"),
    ("Landsat images", "Landsat8 images"),
    ("Landsat 8 images", "Landsat images"),
    ("A title [in press].\u2003[Graphical abstract added]. ", " [Review] [in press]A title"),
]
TWO_WORKS = [
    ("Alpha", "Beta"),
    ("Quantum graph states", "Neural nets"),
    ("A study. Part I", "A study. Part II"),
    ("A study. Part I", "[Graphical abstract added] A study. Part II"),
    ("Study 1", "Study 10"),
    ("Release 1.12.2", "Release 1.12.3"),
    ("Events of 2025", "Events of 2026"),
    ("Editorial board of May", "Editorial board of June"),
    ("Issue [1]", "Issue [2]"),
    ("Benzodiazepines", "Benzofurans"),
    ("Ion", "Millions"),
    ("Landsat7 images", "Landsat8 images"),
    ("A [title] of works", "A note of works"),
    ("Learning of A from B", "Learning of B from A"),
    ("\u6df1\u5ea6\u5b66\u4e60\u65b9\u6cd5\u4e00", "\u6df1\u5ea6\u5b66\u4e60\u65b9\u6cd5\u4e8c"),
    ("\U0001f34b", "\U0001f34e"),
]


def differ(title: str, other: str) -> bool:
    forth = is_different_title(read_title(title), read_title(other))
    assert forth == is_different_title(read_title(other), read_title(title)), (
        "it does not matter which comes first"
    )
    return forth


@for_each_case(("title", "other"), ONE_WORK)
def test_a_title_typeset_marked_or_edited_otherwise_is_of_the_same_work(title: str, other: str) -> None:
    assert not differ(title, other)


@for_each_case(("title", "other"), TWO_WORKS)
def test_titles_of_two_works_are_different(title: str, other: str) -> None:
    assert differ(title, other)


DISGUISES: list[Callable[[str], str]] = [
    str.upper,
    lambda title: title.replace("-", "\u2212"),
    lambda title: title.replace(" ", "\u00a0"),
    lambda title: f"{title}.",
    lambda title: f"{title} [Graphical abstract added]",
    lambda title: f"[In press] {title}",
    lambda title: title.replace("2", "$_2$").replace("beta", "$\\beta$"),
    lambda title: title.replace("\u00e9", "e\u0301"),
    lambda title: title.replace("e\u0301", "\\'e"),
    html.escape,
]
"""Of typesetting and remarks: in this order a title can have all of them."""
EDITS: list[Callable[[str], str]] = [
    lambda title: title,
    lambda title: f"RETRACTED: {title}",
    lambda title: f"{title}: a study",
    lambda title: f"{title[: len(title) * 2 // 3]}\u2026",
    lambda title: title[title.index(" ") :],
]
WORDS = [
    "quantum",
    "H2O",
    "caf\u00e9",
    "&",
    "beta-decay",
    "in",
    "Ising",
    "of",
    "3",
    "\u6df1\u5ea6",
    "phase II",
    "x-ray",
]
TITLES = st.lists(st.sampled_from(WORDS)).map(lambda words: " ".join(["Studies", *words, "by hand"]))


@given(TITLES, st.sampled_from(EDITS), st.sets(st.integers(0, len(DISGUISES) - 1)))
def test_a_disguised_title_is_never_taken_for_another_one(
    title: str, edit: Callable[[str], str], disguises: set[int]
) -> None:
    other = edit(title)
    for place in sorted(disguises):
        other = DISGUISES[place](other)
    assert not differ(title, other)


ENDS = st.text("8s2al", max_size=2)
FORMS = st.tuples(st.sampled_from(["landsat", "orbit", "H2O2", "colour"]), ENDS, ENDS)
"""A word, and two ends of it: forms of each other, or only nearly."""


@given(st.lists(FORMS, min_size=1, max_size=3), st.sampled_from(["of ions", "3", "[review]"]))
def test_which_of_two_titles_comes_first_does_not_matter(forms: list[tuple[str, str, str]], end: str) -> None:
    title, other = (" ".join([*(form[0] + form[place] for form in forms), end]) for place in (1, 2))
    differ(title, other)


def test_remarks_in_brackets_are_found_in_linear_time() -> None:
    many = 300_000  # in quadratic time, more than an hour
    assert strip_remarks("x" + "[]" * many + "x") == "x" + "[]" * many + "x"
    assert strip_remarks("[]" * many + "x" + "[] ." * many) == "x"
    assert strip_remarks("x" + " ." * many) == "x" + " ." * many
    assert strip_remarks("x" + "[" * many + "]") == "x" + "[" * (many - 1)


@given(st.text(), st.text())
def test_whatever_two_titles_are_it_is_told_without_an_error_and_a_title_is_its_own(
    title: str, other: str
) -> None:
    differ(title, other)
    assert not differ(title, title)
