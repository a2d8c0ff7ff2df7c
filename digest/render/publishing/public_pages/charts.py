"""Charts of public pages: positions of what their templates draw as SVG."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from digest.core.people.coauthors import Coauthorship

# --- papers by year or week -----------------------------------------------------------------------

_BAR_STEP, _BAR_WIDTH = 44, 26
_CHART_HEIGHT, _LABEL_HEIGHT = 96, 22
_MAX_LABELS = 14


class Bar(NamedTuple):
    """A bar of a chart; all positions are in the units of its view box.

    Attributes:
        label: the text below it, which every bar has in the table behind the chart.
        value: its number.
        has_label: whether the chart has room for the text below it.
    """

    label: str
    value: int
    x: int
    y: int
    height: int
    has_label: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """A chart of vertical bars.

    Attributes:
        bar_width: the width of each bar.
        baseline: the lower end of the bars.
        label_y: the baseline of the texts below them.
    """

    bars: tuple[Bar, ...]
    width: int
    height: int = _CHART_HEIGHT + _LABEL_HEIGHT
    bar_width: int = _BAR_WIDTH
    baseline: int = _CHART_HEIGHT
    label_y: int = _CHART_HEIGHT + _LABEL_HEIGHT - 6


def make_bar_chart(values: Sequence[tuple[str, int]]) -> BarChart:
    """Make the chart of labelled numbers."""
    highest = max((value for _, value in values), default=0) or 1
    label_step = -(-len(values) // _MAX_LABELS) or 1
    bars = []
    for index, (label, value) in enumerate(values):
        height = round(value / highest * (_CHART_HEIGHT - 4))
        bars.append(
            Bar(
                label=label,
                value=value,
                x=index * _BAR_STEP + (_BAR_STEP - _BAR_WIDTH) // 2,
                y=_CHART_HEIGHT - height,
                height=height,
                has_label=(len(values) - 1 - index) % label_step == 0,
            )
        )
    return BarChart(bars=tuple(bars), width=max(len(values), 1) * _BAR_STEP)


# --- co-authors -----------------------------------------------------------------------------------

_ROW_HEIGHT = 28
_CENTER_GAP = 30
"""Minimum distance of co-authors from the person, to either side."""
_LABEL_GAP, _MAX_LABEL_WIDTH = 12, 172


class GraphLayout(NamedTuple):
    """The room that a graph has.

    Attributes:
        width: the width of the view box.
        center_x: where the person is.
        arc_width: how far an arc is from its chord.
        arcs: the number of arcs: 1 to the right of the person, or 2, one to each side.
    """

    width: int
    center_x: int
    arc_width: int
    arcs: int


WIDE_LAYOUT = GraphLayout(width=640, center_x=320, arc_width=100, arcs=2)
NARROW_LAYOUT = GraphLayout(width=320, center_x=12, arc_width=70, arcs=1)
"""For a phone, on which names of the wide graph would be too small to be read or pressed."""


class GraphNode(NamedTuple):
    """A co-author in a graph; all positions are in the units of its view box.

    Attributes:
        number: the index of the co-author.
        radius: larger for closer co-authors.
        label_x: where the name begins or ends.
        is_left: whether the name stands to the left of the node, where it ends.
    """

    number: int
    x: int
    y: int
    radius: float
    label_x: int
    is_left: bool


class GraphEdge(NamedTuple):
    """A line between two co-authors, or between the person and a co-author; wider for more common papers."""

    path: str
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CoauthorGraph:
    """A graph with the person in the middle, and co-authors on arcs on which no names overlap.

    Attributes:
        spokes: the lines to the person.
        edges: the lines between co-authors.
    """

    nodes: tuple[GraphNode, ...]
    spokes: tuple[GraphEdge, ...]
    edges: tuple[GraphEdge, ...]
    center_x: int
    center_y: int
    width: int
    height: int


def make_coauthor_graph(coauthorship: Coauthorship, layout: GraphLayout) -> CoauthorGraph:
    """Lay out the co-authors of a person; those who write together are neighbours."""
    order = _order_by_pairs(len(coauthorship.coauthors), coauthorship.pairs)
    rows = -(-len(order) // layout.arcs)
    height = max(rows, 2) * _ROW_HEIGHT
    center_x, center_y = layout.center_x, height // 2
    highest = max((coauthor.weight for coauthor in coauthorship.coauthors), default=1.0)
    nodes: dict[int, GraphNode] = {}
    for place, index in enumerate(order):
        is_left = place >= rows
        row = place if not is_left else len(order) - 1 - place  # up again on the left side, as on a circle
        y = round((row + 0.5) * height / rows)
        arc = round(layout.arc_width * sqrt(max(0.0, 1 - ((y - center_y) / (height / 2 + _ROW_HEIGHT)) ** 2)))
        side = -1 if is_left else 1
        x = center_x + side * (_CENTER_GAP + arc)
        share = coauthorship.coauthors[index].weight / highest
        nodes[index] = GraphNode(index, x, y, round(3 + 5 * sqrt(share), 1), x + side * _LABEL_GAP, is_left)
    return CoauthorGraph(
        nodes=tuple(nodes[index] for index in order),
        spokes=tuple(
            GraphEdge(
                f"M{center_x} {center_y}L{node.x} {node.y}",
                _compute_width(coauthorship.coauthors[node.number].papers),
            )
            for node in nodes.values()
        ),
        edges=tuple(
            GraphEdge(_draw_curve(nodes[first], nodes[second], center_x, center_y), _compute_width(count))
            for (first, second), count in sorted(coauthorship.pairs.items())
        ),
        center_x=center_x,
        center_y=center_y,
        width=layout.width,
        height=height,
    )


def shorten_node_name(name: str) -> str:
    """Shorten a name to what fits beside its node in every layout, by the usual widths of letters."""
    width = 0.0
    for index, char in enumerate(name):
        width += _estimate_width(char)
        if width > _MAX_LABEL_WIDTH:
            return f"{name[: index - 1].rstrip()}…"
    return name


def _estimate_width(char: str) -> float:
    """Estimate the width of a character of a name, which has 14 units in height (Unicode Standard Annex 11)."""
    if unicodedata.combining(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF" or char in "MWmw@":
        return 14
    return 10 if char.isupper() else 7.5


def _order_by_pairs(count: int, pairs: Mapping[tuple[int, int], int]) -> list[int]:
    """Order co-authors so that each follows the one with whom they share most papers, closest first otherwise."""
    remaining = dict.fromkeys(range(count))
    order: list[int] = []
    while remaining:
        last = order[-1] if order else -1
        following = max(remaining, key=lambda index: (pairs.get(_sort_pair(last, index), 0), -index))
        order.append(following)
        del remaining[following]
    return order


def _sort_pair(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)


def _compute_width(papers: int) -> float:
    return round(min(1 + sqrt(papers - 1) / 2, 4), 1)


def _draw_curve(first: GraphNode, second: GraphNode, center_x: int, center_y: int) -> str:
    """Draw a curve between two nodes that bends towards the middle."""
    bend_x, bend_y = ((first.x + second.x) // 2 + center_x) // 2, ((first.y + second.y) // 2 + center_y) // 2
    return f"M{first.x} {first.y}Q{bend_x} {bend_y} {second.x} {second.y}"
