"""Abstracts are split into the sentences that a reader sees."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from digest.core.text.sentences import find_sentences, split_sentences
from tests.simulation.recorded_days import list_announcement_days, read_papers_of_day
from tests.support.cases import for_each_case


@for_each_case(
    "text",
    [
        "We win.|It is new.",
        "Is it new?|Yes!|We think so.",
        "It is 3.5 times faster.|The rest is in v2.0 of the code.",
        "See Fig. 3 and Eq. (4) of J.-P. Serre, i.e. the U.S. Report, vs. That of others.",
        "Smith et al. Nature show it.|Smith et al. (2019) show it.",
        "This was shown by Smith et al.|We extend it.",
        "There is no.|We count no. 3 and Sec. 4 of Phys. Rev. Lett. 12.",
        "Let $x=1.$|We go on.",
        "Let $a. B$ be $f. G$ of it.|$x$ is the root.",
        "It costs $5.|That is less than the $10.|We pay.",
        "\\emph{One.}|\\emph{Two} is more.",
        'They call it "new."|We do not (see above).|(It is old.)',
        "Is it so ...|We doubt it.",
        "1. First we read.|2. Then we write.",
        "It holds in dimension N.|We prove it.",
        "It is rigid.|α-RuCl₃ is not.|«Quoted» text follows.",
        "我们提出一种方法。|结果表明，它更快！|它是新的。",
        "All of it is one sentence",
    ],
)
def test_a_sentence_ends_where_readers_see_its_end(text: str) -> None:
    sentences = text.split("|")

    assert split_sentences(text.replace("|", " ")) == sentences


def test_sentences_of_chinese_need_no_blank_between_them() -> None:
    assert split_sentences("我们提出一种方法。结果表明，它更快。") == [
        "我们提出一种方法。",
        "结果表明，它更快。",
    ]


@for_each_case("blank", ["", " ", " \n\t "])
def test_no_text_has_no_sentences(blank: str) -> None:
    assert split_sentences(blank) == []


_TEXTS = st.text(alphabet=st.sampled_from("aAé1 \n.!?$()\"'。\\{}-"), max_size=60) | st.text(max_size=60)


@given(_TEXTS)
def test_no_character_is_lost_between_sentences(text: str) -> None:
    spans = find_sentences(text)

    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


@given(_TEXTS)
def test_sentences_are_in_order_and_begin_and_end_with_no_blank(text: str) -> None:
    spans = find_sentences(text)
    ends = [0, *(end for _, end in spans)]

    assert all(before <= start < end for before, (start, end) in zip(ends, spans, strict=False))
    assert all(sentence == sentence.strip() for sentence in split_sentences(text))


@for_each_case(
    "piece", [".", ". ", "A. ", "(", ". (", "$", "$$", "$1 ", "\\$", "e.g. ", "a", "。", ".)", "J.-", "1) "]
)
def test_any_text_is_split_in_linear_time(piece: str) -> None:
    # A regular expression calls no function that could be counted: in quadratic time this would take hours.
    text = piece * (500_000 // len(piece))

    assert "".join(split_sentences(text)).replace(" ", "") == text.replace(" ", "")


def test_labelled_abstracts_have_the_sentences_that_people_counted(data: Path) -> None:
    rows = (data / "contributions" / "dev.jsonl").read_text(encoding="utf-8").splitlines()
    counted = {row["id"]: row["n"] for row in map(json.loads, rows)}
    found = {
        paper.id: len(split_sentences(paper.abstract))
        for day in list_announcement_days(data, date(2026, 5, 1), date(2026, 5, 31))
        for paper in read_papers_of_day(data, day)
        if paper.id in counted
    }

    assert len(found) > 50
    assert sum(found[paper_id] == counted[paper_id] for paper_id in found) >= 0.99 * len(found)
