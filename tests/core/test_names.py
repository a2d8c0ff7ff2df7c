"""A follow of a person finds the names that can be hers, and says how sure the spelling makes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.names import NameFit, folded, name_fit

FULL, INITIALS, NOT = NameFit.FULL, NameFit.INITIALS, NameFit.NOT

PAIRS = [
    # the same name
    ("Wencong Xiao", "Wencong Xiao", FULL),
    ("wencong xiao", "Wencong Xiao", FULL),
    ("WENCONG XIAO", "Wencong Xiao", FULL),
    ("  Wencong   Xiao ", "Wencong Xiao", FULL),
    ("Wencong Xiao", "Wencong Chen", NOT),
    ("Wencong Xiao", "Wenjing Xiao", NOT),
    ("Wencong Xiao", "Wencong Xiaoping", NOT),
    ("Li Xu", "Oliver Xu", NOT),
    ("", "Wencong Xiao", NOT),
    ("Wencong Xiao", "", NOT),
    # order
    ("Wencong Xiao", "Xiao, Wencong", FULL),
    ("Xiao, Wencong", "Wencong Xiao", FULL),
    ("Wencong Xiao", "Xiao，Wencong", FULL),
    ("Wencong Xiao", "Xiao Wencong", INITIALS),
    ("Xiao Wencong", "Wencong Xiao", INITIALS),
    ("Wencong Xiao", "XIAO Wencong", INITIALS),
    ("Xiao, Wencong", "Xiao Wencong", INITIALS),
    ("Wencong Xiao", "Wencong, Xiao", INITIALS),
    ("Wencong Xiao", "Xiao W", INITIALS),
    ("Wencong Xiao", "Xiao W.", INITIALS),
    ("Wei Li", "Li W. Zhang", NOT),
    ("Li Wei", "Wei Zhang Li", NOT),
    ("Vincent van Gogh", "van Gogh, Vincent", FULL),
    # initials
    ("Wencong Xiao", "W. Xiao", INITIALS),
    ("W. Xiao", "Wencong Xiao", INITIALS),
    ("W. Xiao", "W. Xiao", INITIALS),
    ("W Xiao", "Wencong Xiao", INITIALS),
    ("Wencong Xiao", "X. Xiao", NOT),
    ("Wencong Xiao", "W. Xu", NOT),
    ("Wencong Xiao", "Wencong X.", NOT),
    ("Yuri Petrov", "Yu. Petrov", INITIALS),
    ("Christian Szegedy", "Chr. Szegedy", INITIALS),
    # middle names
    ("Geoffrey Hinton", "Geoffrey E. Hinton", FULL),
    ("Geoffrey E. Hinton", "Geoffrey Hinton", FULL),
    ("Geoffrey E. Hinton", "Geoffrey Everest Hinton", FULL),
    ("Geoffrey E. Hinton", "G. E. Hinton", INITIALS),
    ("Geoffrey E. Hinton", "G.E. Hinton", INITIALS),
    ("Geoffrey E. Hinton", "GE Hinton", INITIALS),
    ("Geoffrey Hinton", "G. E. Hinton", INITIALS),
    ("Geoffrey E. Hinton", "Geoffrey A. Hinton", NOT),
    ("G. E. Hinton", "G. A. Hinton", NOT),
    ("Geoffrey E. Hinton", "Geoffrey A. E. Hinton", FULL),
    ("Geoffrey Hinton", "Geoffrey Everest Hinton", INITIALS),
    ("Geoffrey Everest Hinton", "Geoffrey Hinton", INITIALS),
    ("Geoffrey Everest Hinton", "Geoffrey Albert Hinton", NOT),
    ("Michael Jordan", "Michael I. Jordan", FULL),
    ("Michael Jordan", "J. Michael Jordan", INITIALS),
    ("Alexander Wettig", "R. Alexander Wettig", INITIALS),
    # nicknames
    ("Robert Tibshirani", "Rob Tibshirani", NOT),
    ("Alexander Rush", "Sasha Rush", NOT),
    ("Alexander Rush", "Alex Rush", NOT),
    ('Robert "Bob" Tarjan', "Robert Tarjan", FULL),
    ("Robert (Bob) Tarjan", "Robert Tarjan", FULL),
    # hyphens
    ("Jean-Pierre Serre", "Jean Pierre Serre", FULL),
    ("Jean-Pierre Serre", "Jean\u2010Pierre Serre", FULL),
    ("Jean-Pierre Serre", "J.-P. Serre", INITIALS),
    ("Jean-Pierre Serre", "J. P. Serre", INITIALS),
    ("Jean-Pierre Serre", "J-P Serre", INITIALS),
    ("Jean-Pierre Serre", "JP Serre", INITIALS),
    ("Jean-Pierre Serre", "J.-M. Serre", NOT),
    ("Jean-Pierre Serre", "Jean-Marie Serre", NOT),
    ("Jean-Pierre Serre", "Jean Serre", INITIALS),
    ("Xiao-Ming Li", "Xiaoming Li", FULL),
    ("Xiaoming Li", "Xiao Ming Li", FULL),
    ("Xiaoming Li", "X.-M. Li", INITIALS),
    ("Xiaoming Li", "Ming-Xiao Li", NOT),
    ("Leibny Paola García-Perera", "Leibny Paola Garcia Perera", FULL),
    ("Leibny Paola García-Perera", "Leibny Paola García", INITIALS),
    ("Mary Smith-Jones", "Mary Jones", INITIALS),
    ("Mary Smith-Jones", "M. Jones", NOT),
    ("Flor Miriam Plaza-del-Arco", "Flor Miriam Plaza del Arco", FULL),
    # family names of several words
    ("García Márquez, Gabriel", "Gabriel García Márquez", FULL),
    ("Gabriel García Márquez", "Gabriel García-Márquez", FULL),
    ("Gabriel García Márquez", "Gabriel Márquez", INITIALS),
    ("Gabriel García Márquez", "Gabriel García", INITIALS),
    # diacritics, transliteration, TeX
    ("Paul Erdős", "Paul Erdos", FULL),
    ("Paul Erdos", "Paul Erdős", FULL),
    ("Paul Erdős", r"Paul Erd\H{o}s", FULL),
    (r"Paul Erd\H os", "Paul Erdős", FULL),
    ("Paulo André Lima de Castro", r"Paulo Andr\'e Lima de Castro", FULL),
    ("Seza Doğruöz", r"Seza Do{\u g}ru\"oz", FULL),
    ("Bernhard Schölkopf", "Bernhard Schoelkopf", FULL),
    ("Bernhard Schölkopf", "Bernhard Scholkopf", FULL),
    ("Bernhard Schölkopf", "Bernhard Sch\u006f\u0308lkopf", FULL),
    ("Anders Søgaard", "Anders Soegaard", FULL),
    ("Anders Søgaard", r"Anders S{\o}gaard", FULL),
    ("Łukasz Kaiser", "Lukasz Kaiser", FULL),
    ("Kıvanç Tatar", r"K{\i}van{\c c} Tatar", FULL),
    ("Иван Петров", "Ivan Petrov", FULL),
    ("Novak Đoković", "Novak Djokovic", FULL),
    # particles
    ("Aaron van den Oord", "Aäron van den Oord", FULL),
    ("Aaron van den Oord", "Aaron Van Den Oord", FULL),
    ("Aaron van den Oord", "Aaron Oord", INITIALS),
    ("Aaron van den Oord", "A. van den Oord", INITIALS),
    ("Aaron van den Oord", "Aaron van der Oord", INITIALS),
    ("Vincent van Gogh", "Vincent de Gogh", INITIALS),
    ("Bart de Boer", "Bart De Boer", FULL),
    ("Bart de Boer", "Bart Deboer", FULL),
    ("Mohammed Al-Naser", "Mohammed Alnaser", FULL),
    ("Mohammed Al-Naser", "Mohammed al Naser", FULL),
    ("Mohammed Al-Naser", "Mohammed Naser", INITIALS),
    ("Conor O'Brien", "Conor O\u2019Brien", FULL),
    ("Conor O'Brien", "Conor O Brien", FULL),
    ("Le Zhang", "L. Zhang", INITIALS),
    ("Le Zhang", "Wei Le Zhang", NOT),
    ("Thi Van Nguyen", "Thi V. Nguyen", FULL),
    ("Quoc V. Le", "Quoc Le", FULL),
    # suffixes and titles
    ("Martin Luther King Jr.", "Martin Luther King", FULL),
    ("Martin Luther King", "King, Martin Luther, Jr.", FULL),
    ("Martin Luther King Jr.", "Martin Luther King, Jr.", FULL),
    ("Martin Luther King Jr.", "Martin Luther King Sr.", NOT),
    ("John Smith III", "John Smith II", NOT),
    ("John Smith", "John Smith III", FULL),
    ("John Smith", "Dr. John Smith", FULL),
    ("John Smith", "John Smith, PhD", FULL),
    # one name alone
    ("Hinton", "Geoffrey Hinton", INITIALS),
    ("Geoffrey Hinton", "Hinton", INITIALS),
    ("van den Oord", "Aaron van den Oord", INITIALS),
    ("Geoffrey", "Geoffrey Hinton", NOT),
    ("Plato", "Plato", FULL),
    ("Plato", "Platon", NOT),
    # collaborations
    ("ATLAS Collaboration", "The ATLAS Collaboration", FULL),
    ("LHCb Collaboration", "LHCb collaboration", FULL),
    ("ATLAS Collaboration", "CMS Collaboration", NOT),
    ("ATLAS", "ATLAS Collaboration", INITIALS),
    ("ATLAS Collaboration", "John Atlas", NOT),
    ("Wencong Xiao", "Xiao Collaboration", NOT),
    ("Qwen Team", "Qwen Team", FULL),
    # Chinese script
    ("王伟", "王伟", FULL),
    ("王伟", "Wei Wang", FULL),
    ("Wei Wang", "王偉", FULL),
    ("王伟", "Wang Wei", INITIALS),
    ("王伟", "王维", INITIALS),
    ("王伟", "李伟", NOT),
    ("肖文聪", "Wencong Xiao", FULL),
    ("肖文聪", "W. Xiao", INITIALS),
    ("欧阳修文", "Xiuwen Ouyang", FULL),
    ("Wencong Xiao 肖文聪", "Wencong Xiao", FULL),
]


@pytest.mark.parametrize(("wanted", "printed", "fit"), PAIRS)
def test_a_name_fits_as_the_table_says(wanted: str, printed: str, fit: NameFit) -> None:
    assert name_fit(wanted, printed) is fit


def test_the_table_has_a_hundred_pairs_and_none_twice() -> None:
    assert len(PAIRS) >= 100
    assert len({pair[:2] for pair in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize(("wanted", "printed", "fit"), PAIRS)
def test_it_does_not_matter_which_of_two_names_was_wanted(wanted: str, printed: str, fit: NameFit) -> None:
    assert name_fit(printed, wanted) is fit


# The ending keeps particles, suffixes and collaborations out.
part = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüéçñøłő"), min_size=2, max_size=8).map(
    lambda letters: letters.title() + "ik"
)


@given(st.lists(part, min_size=1, max_size=3), part)
def test_a_name_fits_itself_fully_and_so_with_a_comma(given_names: list[str], family: str) -> None:
    written = " ".join([*given_names, family])
    assert name_fit(written, written) is FULL
    assert name_fit(written, f"{family}, {' '.join(given_names)}") is FULL


@given(part, part)
def test_initials_are_a_maybe(given_name: str, family: str) -> None:
    assert name_fit(f"{given_name} {family}", f"{given_name[0]}. {family}") is INITIALS


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_gets_an_answer_and_both_ways_the_same(left: str, right: str) -> None:
    assert name_fit(left, right) is name_fit(right, left)


def test_a_hostile_byline_takes_no_longer_than_a_name() -> None:
    for evil in ("ö-" * 5000, "A. " * 5000, "\u201c" * 50000, "(" * 50000, "Xu " * 5000, "{\\u g}" * 5000):
        assert name_fit(f"{evil} Xiao", f"{evil} Xiao Xiao") in NameFit


# --- the same name in another list ----------------------------------------------------------------


def test_one_name_in_two_lists_of_the_same_authors_is_known_again() -> None:
    spellings = ["Paul Erdős", r"Paul Erd\H{o}s", "PAUL ERDOS", "Paul  Erdo\u030bs"]

    assert {folded(name) for name in spellings} == {"paulerdos"}
    assert folded("Jean-Paul O'Neil") == folded("Jean Paul O\u2019Neil")
    assert folded("P. Erdos") != folded("Paul Erdos")
    assert folded("Li Wei") != folded("Wei Li")
    assert folded("李雨") == "liyu"
