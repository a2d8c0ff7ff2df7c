"""Queries of every kind as readers write them, for properties that hold of the whole language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "graph",
        "LLM",
        "LLMs",
        "embedding",
        "multi-modal",
        "multimodal",
        "C++",
        "H_2O",
        "n_TOF",
        "naïve",
        "Gödel",
        "GPT-3.5",
        "x-ray",
        "the",
        "title",
        "量子",
        "量子LLM",
        "Ca2+",
        "Ca²⁺",
        "ΛCDM",
        "σ₈",
        "L^p",
        "SU(2)",
        "SL(2, Z)",
        "(∞,1)-categories",
        "A*",
        "C*-algebra",
        "90s",
        "WHO",
        ".NET",
        "3d",
        "Erd\\H{o}s",
        "and",
        "or",
        "not",
        "AND",
        "NEAR",
        "ADJ3",
        "2401.00001",
    ]
)
_PLAIN = WORDS.filter(
    lambda word: word.lower() not in {"and", "or", "not", "near", "adj3"} and not word.startswith("2401")
)
_PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(lambda words: f'"{" ".join(words)}"')
_NEAR = st.tuples(_PHRASES, st.integers(1, 20)).map(lambda both: f"{both[0]}~{both[1]}")
_EXACT = st.one_of(
    st.sampled_from(["RAG", "RAG-based", "Adam", "and", "AND", "2401.00001"]).map("={}".format),
    st.sampled_from(["Adam W", "C/C++", "f(x)", "p < 0.05", r"G\"odel", "a AND b", "A*", "ΛCDM"]).map(
        '="{}"'.format
    ),
)
_BEGINNINGS = st.sampled_from(["quantiz*", "Multi-Mod*", "and*", "Schrö*", "x-ray-tub*", "GPT*"])
_TEXT = st.one_of(_PLAIN, _PHRASES, _NEAR, _EXACT, _BEGINNINGS)
_TEXT_FIELDS = ("title", "ti", "abstract", "abs", "comment", "co", "journal", "jr", "institution", "TITLE")
_IDS = st.sampled_from(
    [
        "orcid:0000-0002-1825-0097",
        "orcid:0000000218250097",
        "openalex:a5023888391",
        "s2:1741101",
        "dblp:65/9612",
        "arxiv:warner_s_1",
        "hf:a-user",
    ]
)
_NAMES = st.sampled_from(
    ["Wei Wang", "Wang, Wei", "Y. Liu", "Wencong Xiao", "José", r"Kurt G\"odel", "van den Berg"]
)
_PERSONS = st.one_of(
    _NAMES.map('author:"{}"'.format),
    _IDS.map("au:{}".format),
    st.tuples(_NAMES, _IDS, _IDS).map(lambda three: f'author:("{three[0]}" {three[1]} {three[2]})'),
    st.tuples(_NAMES, _IDS, _NAMES).map(lambda three: f"author:({three[0]} {three[1]} OR {three[2]})"),
)
_FACTS = st.sampled_from(
    [
        "category:cs.LG",
        "cat:cs.*",
        "cat:math.IT",
        "cs.LG",
        "primary:cs.dc",
        "kind:version",
        "source:arXiv",
        "has:code",
        "2401.00001",
        "id:2401.00001v2",
        "id:arXiv:2401.00001",
        "id:10.48550/arXiv.2401.00001",
        "id:https://example.org/a(b)",
        "10.1000/182",
        "doi:10.1016/S0140-6736(20)30183-5",
        "cites:hep-th/9901001",
        "institution:ror:05a28rw58",
        "institution:https://ror.org/05a28rw58",
    ]
) | st.sampled_from(
    [
        'category:"cell biology"',
        "primary:(cs.DC OR hep-th)",
        "kind:(new OR Picked)",
        'source:"My Blog"',
        "doi:(10.1000/182 OR 10.1016/S0140-6736(20)30183-5)",
    ]
)
LEAVES = st.one_of(
    _TEXT,
    st.tuples(st.sampled_from(_TEXT_FIELDS), _TEXT).map(":".join),
    st.tuples(st.sampled_from(_TEXT_FIELDS), _TEXT, _TEXT).map(
        lambda all_: f"{all_[0]}:({all_[1]} OR -{all_[2]})"
    ),
    _PERSONS,
    _FACTS,
)
"""A leaf of any kind, with its field."""


@dataclass(frozen=True)
class Combination:
    """Queries joined by an operator; one query for NOT."""

    operator: str
    parts: tuple[Shape, ...]


Shape = str | Combination

SHAPES: st.SearchStrategy[Shape] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=4)).map(
            lambda both: Combination(both[0], tuple(both[1]))
        ),
        inner.map(lambda value: Combination("NOT", (value,))),
    ),
    max_leaves=8,
)
"""What queries are made of, for ``written`` to write."""


def write_query(shape: Shape, draw: st.DataObject) -> str:
    """One of the many ways to write a query: in any order, with more brackets, repeated, AND left out."""
    if isinstance(shape, str):
        return _put_in_brackets(shape, draw) if draw.draw(st.booleans()) else shape
    if shape.operator == "NOT":
        return draw.draw(st.sampled_from(["NOT ({})", "-({})"])).format(write_query(shape.parts[0], draw))
    parts: Sequence[Shape] = draw.draw(st.permutations(shape.parts))
    if draw.draw(st.booleans()):
        parts = [*parts, parts[0]]
    signs = [" OR "] if shape.operator == "OR" else [" AND ", " ", "  "]
    joined = draw.draw(st.sampled_from(signs)).join(_close_shape(part, draw) for part in parts)
    return _put_in_brackets(joined, draw) if draw.draw(st.booleans()) else joined


def _close_shape(shape: Shape, draw: st.DataObject) -> str:
    """A part that keeps to itself whatever stands beside it."""
    text = write_query(shape, draw)
    return text if isinstance(shape, str) and " OR " not in text and " " not in text else f"({text})"


def _put_in_brackets(text: str, draw: st.DataObject) -> str:
    return draw.draw(st.sampled_from(["({})", "(( {} ))"])).format(text)
