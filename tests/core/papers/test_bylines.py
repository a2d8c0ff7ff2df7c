"""One line of names becomes the authors, each with what is said of where they work."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.papers.bylines import split_byline, split_names, split_submitted
from tests.support.cases import for_each_case


@for_each_case(
    ("line", "names"),
    [
        ("Ada Lovelace", ["Ada Lovelace"]),
        ("Ada Lovelace, Charles Babbage", ["Ada Lovelace", "Charles Babbage"]),
        ("Ada Lovelace,Charles Babbage , Alan Turing", ["Ada Lovelace", "Charles Babbage", "Alan Turing"]),
        ("LHCb collaboration: R. Aaij, A. Other", ["LHCb collaboration", "R. Aaij", "A. Other"]),
        ("Euclid Collaboration, :, A. Other", ["Euclid Collaboration", "A. Other"]),
        ("John Doe, Jr., Jane Roe", ["John Doe Jr.", "Jane Roe"]),
        ("John Doe Jr., Jane Roe, III", ["John Doe Jr.", "Jane Roe III"]),
        ("Jr., Jane Roe", ["Jr.", "Jane Roe"]),
        ("Jane Roe, Senior Member, IEEE, John Doe, Fellow, IEEE", ["Jane Roe", "John Doe"]),
        ("Jane Roe, Student Member, IEEE, and John Doe, IEEE Fellow", ["Jane Roe", "John Doe"]),
        ("Jane Roe, MD, PhD, John Doe, M. S.", ["Jane Roe", "John Doe"]),
        ("Jane Roe, MSN, RN, John Doe, BSc, MBBS", ["Jane Roe", "John Doe"]),
        ("IEEE, Jane Roe, Ada Member", ["IEEE", "Jane Roe", "Ada Member"]),
        ("Ada Lovelace, and Alan Turing", ["Ada Lovelace", "Alan Turing"]),
        ("Daria Eckert and, Alexandra Anderson", ["Daria Eckert", "Alexandra Anderson"]),
        ("A. de la Macorra, 't Hooft, 王伟", ["A. de la Macorra", "'t Hooft", "王伟"]),
        ("Ada Lovelace, , Alan Turing,", ["Ada Lovelace", "Alan Turing"]),
        *((nothing, []) for nothing in ("", " ", ",", "()", "(, )", ":", "...")),
    ],
)
def test_names_are_parted_rightly(line: str, names: list[str]) -> None:
    authors = split_byline(line)
    assert [author.name for author in authors] == names
    assert not any(author.affiliations for author in authors)


@for_each_case(
    ("line", "authors"),
    [
        ("A. Author (Cornell University)", [("A. Author", ("Cornell University",))]),
        ("A. Author (Here, There), B. Other", [("A. Author", ("Here, There",)), ("B. Other", ())]),
        (
            "A. Author (Here (and, there)), B. Other",
            [("A. Author", ("Here (and, there)",)), ("B. Other", ())],
        ),
        ("A. Author (Here) (There)", [("A. Author", ("Here", "There"))]),
        ("Wencong (Alex) Xiao (MIT)", [("Wencong (Alex) Xiao", ("MIT",))]),
        ("A. Author ()", [("A. Author", ())]),
    ],
)
def test_brackets_behind_a_name_are_affiliations(
    line: str, authors: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(author.name, author.affiliations) for author in split_byline(line)] == authors


def test_a_bracket_that_does_not_close_swallows_nobody() -> None:
    names = [author.name for author in split_byline("A. Author (Here, B. Other, C. Third")]
    assert names == ["A. Author Here", "B. Other", "C. Third"]


name = st.from_regex(r"\A[A-Z][a-z]{1,8}(-[A-Z][a-z]{1,4})?\Z").filter(lambda word: word not in {"Jr", "Sr"})
person = st.builds("{} {}".format, name, name)
place = st.recursive(
    st.from_regex(r"\A[A-Z][a-z]{1,8}(, [A-Z][a-z]{1,8})?\Z"),
    lambda inner: st.builds("{0} ({0})".format, inner),
)


@given(st.lists(st.tuples(person, st.lists(place, max_size=2)), min_size=1, max_size=8))
def test_what_was_joined_is_split_again(authors: list[tuple[str, list[str]]]) -> None:
    line = ", ".join(" ".join([who, *(f"({where})" for where in places)]) for who, places in authors)
    assert [(author.name, list(author.affiliations)) for author in split_byline(line)] == authors


@given(st.text(st.sampled_from("Ab ,():.and"), max_size=60))
def test_any_line_gives_authors_with_names(line: str) -> None:
    line = " ".join(line.split())
    assert all(author.name == author.name.strip() != "" for author in split_byline(line))


# --- lines as submitters type them ------------------------------------------------------------------


@for_each_case(
    ("line", "authors"),
    [
        ("A. Author and B. Other", [("A. Author", ()), ("B. Other", ())]),
        ("A. Author, B. Other, and C. Third", [("A. Author", ()), ("B. Other", ()), ("C. Third", ())]),
        ("A. Author & B. Other", [("A. Author", ()), ("B. Other", ())]),
        (
            "A. Author (Arts and Crafts) and B. Other (Here (and There))",
            [("A. Author", ("Arts and Crafts",)), ("B. Other", ("Here (and There)",))],
        ),
        (
            "A. Author (1), B. Other (1, 2) and C. Third (2 and 3) ((1) Here, There, (2) Nowhere; (3) Last.)",
            [
                ("A. Author", ("Here, There",)),
                ("B. Other", ("Here, There", "Nowhere")),
                ("C. Third", ("Nowhere", "Last")),
            ],
        ),
        ("A. Author (1), B. Other (2)", [("A. Author", ()), ("B. Other", ())]),
        ("A. Author, et al. (Here)", [("A. Author", ())]),
        ("Anderson Andrade, Sandy Sand", [("Anderson Andrade", ()), ("Sandy Sand", ())]),
        ("", []),
    ],
)
def test_a_submitters_line_is_parted_as_arxiv_parts_it(
    line: str, authors: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(author.name, author.affiliations) for author in split_submitted(line)] == authors


@given(st.text(st.sampled_from("Ab 12,():.and&"), max_size=60))
def test_any_submitters_line_gives_authors_with_names(line: str) -> None:
    line = " ".join(line.split())
    assert all(author.name == author.name.strip() != "" for author in split_submitted(line))


# --- lines of unknown makers ------------------------------------------------------------------------


@for_each_case(
    ("line", "names"),
    [
        ("Ada Lovelace", ["Ada Lovelace"]),
        ("By Ada Lovelace and Charles Babbage", ["Ada Lovelace", "Charles Babbage"]),
        ("Ada Lovelace, Charles Babbage and Alan Turing", ["Ada Lovelace", "Charles Babbage", "Alan Turing"]),
        ("Ada, Charles & Alan", ["Ada", "Charles", "Alan"]),
        ("Kaur, M., Bhati, K. K., Li-Beisson, Y.", ["M. Kaur", "K. K. Bhati", "Y. Li-Beisson"]),
        ("Zhang, a., jiang, x.", ["a. Zhang", "x. jiang"]),
        ("Smith, John; van der Berg, J.; Doe, Jane M.", ["John Smith", "J. van der Berg", "Jane M. Doe"]),
        ("Smith, John", ["John Smith"]),
        ("van der Berg, Jan", ["Jan van der Berg"]),
        ("Ada Lovelace, Charles Babbage", ["Ada Lovelace", "Charles Babbage"]),
        ("Martin King, Jr.", ["Martin King Jr."]),
        ("Research and Development", ["Research and Development"]),
        ("A. Author (Here, There) and B. Other", ["A. Author", "B. Other"]),
        ("webmaster@example.org", []),
        ("Ada Lovelace <ada@example.org>, (bob@example.org)", ["Ada Lovelace"]),
        ("  Macworld Staff,\n\t Glenn Fleishman ", ["Macworld Staff", "Glenn Fleishman"]),
        ("", []),
        (";", []),
    ],
)
def test_names_are_parted_whoever_wrote_the_line(line: str, names: list[str]) -> None:
    assert [author.name for author in split_names(line)] == names


@given(st.text(st.sampled_from("ab A.,;&@()<> and\n"), max_size=60))
def test_any_line_gives_names_with_letters(line: str) -> None:
    assert all(any(map(str.isalpha, author.name)) for author in split_names(line))
