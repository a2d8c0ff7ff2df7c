from __future__ import annotations

import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from digest.core.people.coauthors import Coauthor, Coauthorship
from digest.render.publishing.public_pages.charts import (
    NARROW_LAYOUT,
    WIDE_LAYOUT,
    GraphLayout,
    make_bar_chart,
    make_coauthor_graph,
    shorten_node_name,
)


@given(st.lists(st.integers(0, 10_000), max_size=60))
def test_bars_stand_on_the_line_in_order_and_the_highest_reaches_up(values: list[int]) -> None:
    chart = make_bar_chart([(str(index), value) for index, value in enumerate(values)])

    assert [bar.value for bar in chart.bars] == values
    assert all(bar.y + bar.height == chart.baseline and bar.y >= 0 for bar in chart.bars)
    assert [bar.x for bar in chart.bars] == sorted({bar.x for bar in chart.bars})
    assert all(bar.x + chart.bar_width <= chart.width for bar in chart.bars)
    assert all(
        low.height <= high.height for low in chart.bars for high in chart.bars if low.value <= high.value
    )
    assert not chart.bars or chart.bars[-1].has_label


LABEL_WIDTH = 172


@given(st.text())
def test_a_name_in_a_graph_is_as_long_as_there_is_room(name: str) -> None:
    short = shorten_node_name(name)

    assert short == name or (short.endswith("…") and name.startswith(short[:-1].rstrip()))
    assert len([char for char in short if not unicodedata.combining(char)]) <= LABEL_WIDTH / 7
    assert shorten_node_name("Ada Lovelace-Sample") == "Ada Lovelace-Sample"
    assert shorten_node_name("王" * 30) == "王" * 11 + "…"


@st.composite
def coauthorships(draw: st.DrawFn) -> Coauthorship:
    count = draw(st.integers(1, 30))
    weights = sorted(draw(st.lists(st.floats(0.01, 30), min_size=count, max_size=count)), reverse=True)
    pairs = draw(
        st.dictionaries(
            st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
            .filter(lambda pair: pair[0] != pair[1])
            .map(lambda pair: (min(pair), max(pair))),
            st.integers(1, 9),
            max_size=40,
        )
    )
    coauthors = tuple(
        Coauthor(f"Author {index}", (1, index), 1 + index % 3, weight) for index, weight in enumerate(weights)
    )
    return Coauthorship(coauthors=coauthors, pairs=pairs, skipped_papers=0)


@given(coauthorships(), st.sampled_from([WIDE_LAYOUT, NARROW_LAYOUT]))
def test_names_in_a_graph_never_overlap_and_each_can_be_pressed(
    coauthorship: Coauthorship, layout: GraphLayout
) -> None:
    graph = make_coauthor_graph(coauthorship, layout)

    assert sorted(node.number for node in graph.nodes) == list(range(len(coauthorship.coauthors)))
    for is_left in (False, True):
        heights = sorted(node.y for node in graph.nodes if node.is_left is is_left)
        assert all(lower - upper >= 24 for upper, lower in pairwise(heights))
    assert all(0 < node.y < graph.height and 0 < node.x < graph.width for node in graph.nodes)
    labels = [node.label_x for node in graph.nodes if not node.is_left]
    assert all(x + LABEL_WIDTH <= graph.width for x in labels)
    assert all(node.label_x >= LABEL_WIDTH for node in graph.nodes if node.is_left)
    assert len(graph.spokes) == len(graph.nodes)
    assert len(graph.edges) == len(coauthorship.pairs)
