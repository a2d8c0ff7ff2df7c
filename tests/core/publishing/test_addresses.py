from __future__ import annotations

from contextlib import suppress
from datetime import date
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.core.publishing.address_parts import AddressError
from digest.core.publishing.addresses import (
    CitationFormat,
    DayAddress,
    Order,
    PaperAddress,
    Tab,
    format_day_address,
    format_paper_address,
    parse_day_address,
    parse_page_language,
    parse_paper_address,
)
from digest.core.publishing.person_addresses import (
    NameAddress,
    PersonAddress,
    format_name_address,
    format_person_address,
    parse_name_address,
    parse_person_address,
)

DAY = date(2026, 6, 12)
LANGUAGES = st.sampled_from(["", "de", "zh", "pt_BR"])
PRINTABLE = st.text(max_size=60).filter(lambda text: text.isprintable() and text == text.strip())
DAY_ADDRESSES = st.builds(
    DayAddress,
    day=st.dates(),
    tab=st.sampled_from(Tab),
    category=PRINTABLE,
    has_code=st.booleans(),
    order=st.sampled_from(Order),
    page=st.integers(1, 999_999),
    language=LANGUAGES,
)
PAPER_ADDRESSES = st.builds(
    PaperAddress,
    key=PRINTABLE.filter(bool),
    citation=st.none() | st.sampled_from(CitationFormat),
    language=LANGUAGES,
)


def split_address(text: str) -> tuple[str, str]:
    path, _, query = text.partition("?")
    return path, query


@given(DAY_ADDRESSES)
def test_the_address_of_a_day_is_read_as_it_was_written(address: DayAddress) -> None:
    path, query = split_address(format_day_address(address))

    assert path.isascii()
    assert query.isascii()
    assert parse_day_address(path.removeprefix("/papers/"), query) == address


@given(PAPER_ADDRESSES)
def test_the_address_of_a_paper_is_read_as_it_was_written(address: PaperAddress) -> None:
    path, query = split_address(format_paper_address(address))

    assert parse_paper_address(unquote(path.removeprefix("/paper/")), query) == address


def test_defaults_are_not_written_and_the_order_of_parameters_is_fixed() -> None:
    assert format_day_address(DayAddress(day=DAY)) == "/papers/2026-06-12"
    full = parse_day_address(
        "2026-06-12", "order=votes&utm_source=mail&lang=de&page=2&has=code&category=cs.DC"
    )
    assert format_day_address(full) == "/papers/2026-06-12?category=cs.DC&has=code&order=votes&page=2&lang=de"


@given(st.text(max_size=20), st.text(max_size=80))
def test_anything_else_is_an_error_of_the_address(path: str, query: str) -> None:
    for parse in (parse_day_address, parse_paper_address):
        with suppress(AddressError):
            parse(path, query)


@pytest.mark.parametrize(
    "query",
    [
        *(
            "page=0",
            "page=-1",
            "page=1e3",
            "page=٣",
            "page=9999999",
            "page=",
            "tab=",
            "order=name",
            "has=data",
        ),
        *(
            "category=%00",
            "category=%E2%80%AEcs",
            "category=%FF",
            "page=1&page=2",
            "lang=../de",
            "category=+cs",
        ),
        *("&".join(f"x{number}=1" for number in range(40)), "x" * 1_001),
    ],
)
def test_a_parameter_without_meaning_is_refused(query: str) -> None:
    with pytest.raises(AddressError):
        parse_day_address("2026-06-12", query)


@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-6-1", "20260612", "2026-W24", "٢٠٢٦-٠٦-١٢", "", "2026-06-12x"]
)
def test_a_day_that_never_was_is_refused(day: str) -> None:
    with pytest.raises(AddressError):
        parse_day_address(day, "")


def test_the_language_of_a_page_is_read() -> None:
    assert parse_page_language("a=1&lang=de") == "de"
    assert parse_page_language("") == ""


# --- persons --------------------------------------------------------------------------------------

REFERENCES = st.builds(
    "{}#{}".format, PRINTABLE.filter(lambda text: "#" not in text and text), st.integers(1, 99_999)
)
PERSON_ADDRESSES = st.builds(
    PersonAddress, reference=REFERENCES, page=st.integers(1, 999_999), language=LANGUAGES
).filter(lambda address: not address.reference.startswith("dblp:"))
NAMES = PRINTABLE.map(lambda text: " ".join(text.split())).filter(bool)


@given(PERSON_ADDRESSES)
def test_the_address_of_a_person_is_read_as_it_was_written(address: PersonAddress) -> None:
    path, query = split_address(format_person_address(address))

    assert path.isascii()
    assert "#" not in path
    assert parse_person_address(unquote(path.removeprefix("/person/")), query) == address


@pytest.mark.parametrize(
    "path", ["arxiv:2401.00001/3", "arxiv:2401.00001#3"], ids=["with a slash", "as commands write it"]
)
def test_a_byline_is_written_in_two_ways(path: str) -> None:
    assert parse_person_address(path, "").reference == "arxiv:2401.00001#3"


@pytest.mark.parametrize("reference", ["orcid:0000-0002-1825-0097", "dblp:65/9612", "s2:1741101"])
def test_an_id_of_a_person_names_them(reference: str) -> None:
    assert parse_person_address(reference, "").reference == reference


@given(st.builds(NameAddress, name=NAMES, language=LANGUAGES))
def test_the_address_of_a_name_is_read_as_it_was_written(address: NameAddress) -> None:
    path, query = split_address(format_name_address(address))

    assert path == "/people"
    assert parse_name_address(query) == address


@pytest.mark.parametrize(
    "query", ["", "name=", "name=%20", "name=a%00b", "name=a&name=b", f"name={'x' * 201}"]
)
def test_what_is_no_name_is_refused(query: str) -> None:
    with pytest.raises(AddressError):
        parse_name_address(query)
