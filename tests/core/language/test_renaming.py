"""Follows that name a source go on to mean it when it is called by another name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.language.query import Fact, Not, Query
from digest.core.language.renaming import rename_facts, rename_in_text
from tests.support.cases import for_each_case

FORMER = "example.org/feed?token=0a1b2c3d"
NAMES = {FORMER: "example.org/feed", f"{FORMER}&id=7": "Second"}


def renamed(query: Query) -> Query:
    return rename_facts(query, lambda fact: NAMES.get(fact.value, fact.value).lower())


@for_each_case(
    ("typed", "now"),
    [
        (f"graph source:{FORMER}", "graph source:example.org/feed"),
        (f"graph source:{FORMER.upper()}", "graph source:example.org/feed"),
        (
            f'graph AND (source:"{FORMER}" OR source:x.org)',
            'graph AND (source:"example.org/feed" OR source:x.org)',
        ),
        (f"graph NOT source:{FORMER}&id=7", "graph NOT source:Second"),
        ("graph source:example.org/feed?token=0a1b2c3", "graph source:example.org/feed?token=0a1b2c3"),
        ("graph title:nets", "graph title:nets"),
    ],
)
def test_only_the_name_changes_in_what_a_reader_typed(typed: str, now: str) -> None:
    query = renamed(parse(typed))
    text = rename_in_text(typed, NAMES, query)

    assert text.lower() == now.lower()
    assert parse(text) == query


def test_a_text_that_would_mean_something_else_becomes_the_query_itself() -> None:
    query = renamed(parse(f'graph source:{FORMER} "{FORMER}"'))

    assert rename_in_text(f'graph source:{FORMER} "{FORMER}"', NAMES, query) == str(query)
    assert f"source:{FORMER}" not in str(query)


SOURCES = st.sampled_from([*NAMES, "x.org", "arxiv"])


@given(names=st.lists(SOURCES, min_size=1, max_size=4), prefix=st.sampled_from(["", "NOT "]))
def test_facts_with_a_former_name_have_the_present_one_and_all_else_stays(
    names: list[str], prefix: str
) -> None:
    facts = [f"{prefix}source:{name}" for name in names]
    query = renamed(parse(f"graph {' '.join(facts)} category:cs.LG"))
    expected = [f"{prefix}source:{NAMES.get(name, name).lower()}" for name in names]

    assert query == parse(f"graph {' '.join(expected)} category:cs.LG")


def test_behind_a_not_too() -> None:
    assert renamed(Not(query=Fact(field="source", value=FORMER))) == Not(
        query=Fact(field="source", value="example.org/feed")
    )
