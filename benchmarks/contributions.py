"""How often the excerpt's first choice is the sentence that says what is new, by field and against simple rules.

The labels of 195 papers were made by reading their abstracts: one best sentence, and those that serve nearly as
well. The figure of cross-validation has weights that were fitted to nine tenths of these papers and to the papers of
``contribution_labels.jsonl``, and is counted in the rest. ``python -m benchmarks.contributions`` prints the weights
fitted to all of them, for the table in ``digest.core.papers.excerpts.contribution``.
"""

from __future__ import annotations

import io
import json
import math
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import zstandard

from benchmarks.measure import DATA, cpu_seconds
from digest.core.papers.excerpts.contribution import WEIGHTS, describe_sentences, find_contribution
from digest.core.text.sentences import split_sentences
from digest.core.text.tex import tex_to_unicode

GOOD_WANTED, BEST_WANTED, FIELD_WANTED = 90.0, 70.0, 80.0
"""Percentages: of papers whose chosen sentence is a good one, is the best one, and is a good one in each field."""
MAX_MICROSECONDS = 100.0
"""Longest time a paper, with the splitting of its abstract."""
MORE_LABELS = Path(__file__).with_name("contribution_labels.jsonl")
"""Labels of other papers, only for fitting."""
_FOLDS = 10
_SMALL_PAPERS = 60
_ITERATIONS = 200
_DECAY = 0.002
"""Weight of the squared weights in the loss."""
_BEST_SHARE = 0.7
"""Share of the best sentence in the loss; the rest is for any good one."""
_FIELDS = {
    "cs": ("cs",),
    "maths": ("math",),
    "statistics, eess": ("stat", "eess"),
    "biology, finance, economics": ("q-bio", "q-fin", "econ"),
    "mathematical physics": ("math-ph", "hep-th", "nlin"),
}
_FIELD_OF = {archive: field for field, archives in _FIELDS.items() for archive in archives}
_OTHER_FIELD = "physics"
_VERBS = (
    "propos|introduc|present|show|prov(?:e|ed|es)\\b|demonstrat|develop|find\\b|found\\b|report|deriv|establish|investigat|stud(?:y|ies)"
    "|analy[sz]|construct|obtain|describ|examin|explor|design|provid|giv(?:e|es)\\b|reveal|identif|comput|extend"
)
_PATTERN = re.compile(
    rf"\b(?:we|this (?:paper|work|study|article|letter|thesis|chapter)|here|in this \w+)\b[^.;]{{0,60}}?\b(?:{_VERBS})"
    rf"|\b(?:is|are) (?:\w+ )?(?:proposed|presented|introduced|shown|proved|derived|obtained)\b"
    r"|\b(?:our|the) (?:results|findings|experiments|analysis) (?:show|reveal|indicate|demonstrate|suggest)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LabelledPaper:
    """A paper and the numbers of the sentences of its abstract that say what is new.

    Attributes:
        best: the number of the sentence that says it best.
        good: the numbers of those that say it nearly as well, and of the best one.
    """

    field: str
    title: str
    abstract: str
    best: int
    good: frozenset[int]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of the abstract."""
        return split_sentences(self.abstract)

    @cached_property
    def features(self) -> list[list[str]]:
        """The names of the features of each sentence."""
        return [sorted(names) for names in describe_sentences(self.sentences, self.title)]


@dataclass(frozen=True, slots=True)
class Figure:
    """What one way to choose achieves.

    Attributes:
        good: percentage of papers of which it chooses a good sentence, by field and of "all".
        best: the same for the best sentence.
    """

    way: str
    good: dict[str, float]
    best: dict[str, float]

    def line(self) -> str:
        """A row of the table."""
        return f"  {self.way:<38}" + "".join(
            f"{self.good[field]:>7.1f}/{self.best[field]:<5.1f}" for field in self.good
        )


@dataclass(frozen=True, slots=True)
class Result:
    """The table; or, with no rows, why there is none.

    Attributes:
        figures: of each way; the last one but one is that of cross-validation.
        papers: number of papers by field.
        microseconds: CPU time of one paper.
    """

    title: str
    figures: tuple[Figure, ...] = ()
    papers: dict[str, int] | None = None
    microseconds: float = 0.0

    @property
    def met(self) -> bool:
        """Whether the figures of cross-validation and the time are as wanted."""
        return not self.figures or (not self._list_misses() and self.microseconds <= MAX_MICROSECONDS)

    def _list_misses(self) -> list[str]:
        figure = self.figures[-2]
        wanted = [("good", figure.good["all"], GOOD_WANTED), ("best", figure.best["all"], BEST_WANTED)]
        wanted += [(field, percent, FIELD_WANTED) for field, percent in figure.good.items() if field != "all"]
        return [f"{name} {percent:.1f} of {least:.0f}" for name, percent, least in wanted if percent < least]

    def table(self) -> str:
        """The result for people."""
        if not self.figures or self.papers is None:
            return self.title
        head = f"  {'good/best, % of papers':<38}" + "".join(f"{field[:12]:>13}" for field in self.papers)
        count = f"  {'papers':<38}" + "".join(f"{papers:>13}" for papers in self.papers.values())
        misses = self._list_misses()
        in_time = "met" if self.microseconds <= MAX_MICROSECONDS else "MISSED"
        return "\n".join(
            (
                self.title,
                head,
                count,
                *(figure.line() for figure in self.figures),
                f"  wanted {GOOD_WANTED:.0f}/{BEST_WANTED:.0f}, each field {FIELD_WANTED:.0f}: "
                + (f"MISSED ({', '.join(misses)})" if misses else "met"),
                f"  {self.microseconds:.1f} µs a paper, wanted {MAX_MICROSECONDS:.0f}: {in_time}",
            )
        )


def run(*, small: bool) -> Result:
    """Measure, with all labelled papers or with the first ones."""
    title = "the sentence that says what is new"
    if not DATA.is_dir() and not os.environ.get("CI"):
        return Result(
            f"{title}: not run, the recorded papers are not beside the checkout (or in DIGEST_TEST_DATA)"
        )
    papers = read_labelled_papers(DATA / "contributions" / "dev.jsonl")
    more_papers = read_labelled_papers(MORE_LABELS)
    if small:
        papers, more_papers = papers[:_SMALL_PAPERS], []
    fields = ["all", *sorted({paper.field for paper in papers})]
    ways: dict[str, Sequence[int]] = {
        "first sentence": [0 for _ in papers],
        "second sentence": [min(1, len(paper.sentences) - 1) for paper in papers],
        "last sentence": [len(paper.sentences) - 1 for paper in papers],
        "first that has one of some patterns": [choose_by_pattern(paper.sentences) for paper in papers],
        "ours, without titles": [find_contribution(paper.sentences) for paper in papers],
        "ours, cross-validated": cross_validate(papers, more_papers),
        "ours, weights as shipped": [find_contribution(paper.sentences, paper.title) for paper in papers],
    }
    seconds = cpu_seconds(
        {
            "ours": lambda: [
                find_contribution(split_sentences(paper.abstract), paper.title) for paper in papers
            ]
        },
        repeats=3 if small else 15,
    )
    return Result(
        f"{title}, in {len(papers)} labelled abstracts",
        tuple(count(way, papers, choices, fields) for way, choices in ways.items()),
        {field: sum(field in {"all", paper.field} for paper in papers) for field in fields},
        seconds["ours"] / len(papers) * 1e6,
    )


def read_labelled_papers(labels: Path) -> list[LabelledPaper]:
    """Read labels, and the labelled papers from the recorded ones.

    Args:
        labels: a file with a paper a line: its ID, the number of the best sentence, the numbers of the good ones, and
            the number of sentences. If readable TeX is split into another number, the abstract is taken as
            announced; if that is, too, the paper is left out.
    """
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    recorded = dict(_find_recorded_papers({row["id"] for row in rows}))
    papers = []
    for row in rows:
        paper = recorded[row["id"]]
        archive = paper["categories"][0].partition(".")[0]
        for abstract in (tex_to_unicode(paper["abstract"]), " ".join(paper["abstract"].split())):
            labelled = LabelledPaper(
                _FIELD_OF.get(archive, _OTHER_FIELD),
                tex_to_unicode(paper["title"]),
                abstract,
                row["best"],
                frozenset(row["good"]),
            )
            if len(labelled.sentences) == row["n"]:
                papers.append(labelled)
                break
    return papers


def _find_recorded_papers(ids: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    for file in sorted((DATA / "corpus").glob("*/*.jsonl.zst")):
        if file.parent.name == "events":
            continue
        with file.open("rb") as packed:
            for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8"):
                # The ID is the first value of each line: reading only those lines takes a tenth of the time.
                if line.split('"', 4)[3] in ids:
                    paper = json.loads(line)
                    yield paper["id"], paper


def choose_by_pattern(sentences: Sequence[str]) -> int:
    """Return the number of the first sentence that has one of some patterns; 0 if there is none."""
    return next((number for number, sentence in enumerate(sentences) if _PATTERN.search(sentence)), 0)


def count(way: str, papers: Sequence[LabelledPaper], choices: Sequence[int], fields: Iterable[str]) -> Figure:
    """Count the papers of which a way chooses a good sentence, and the best one."""
    good, best = {}, {}
    for field in fields:
        chosen = [
            (paper, choice)
            for paper, choice in zip(papers, choices, strict=True)
            if field in {"all", paper.field}
        ]
        good[field] = 100 * sum(choice in paper.good for paper, choice in chosen) / len(chosen)
        best[field] = 100 * sum(choice == paper.best for paper, choice in chosen) / len(chosen)
    return Figure(way, good, best)


# --- fitting --------------------------------------------------------------------------------------


def cross_validate(papers: Sequence[LabelledPaper], more_papers: Sequence[LabelledPaper]) -> list[int]:
    """Choose a sentence of each paper with weights that are fitted to the papers of the other folds.

    Args:
        papers: all folds together.
        more_papers: papers to which the weights of each fold are fitted as well.
    """
    order = list(range(len(papers)))
    random.Random(0).shuffle(order)
    choices = [0] * len(papers)
    for fold in range(_FOLDS):
        left_out = set(order[fold::_FOLDS])
        weights = fit([paper for index, paper in enumerate(papers) if index not in left_out] + [*more_papers])
        for index in left_out:
            scores = [sum(weights.get(name, 0.0) for name in features) for features in papers[index].features]
            choices[index] = scores.index(max(scores))
    return choices


def fit(papers: Sequence[LabelledPaper], names: Iterable[str] = tuple(WEIGHTS)) -> dict[str, float]:
    """Fit the weights of the features to labelled papers.

    A softmax over the sentences of each paper gives their probabilities. The loss has the logarithms of those of the
    best sentence and of all good ones, and the squares of the weights. It is minimized with Adam (Kingma and Ba 2015,
    arXiv:1412.6980).

    Args:
        papers: labelled papers.
        names: the features that have weights.
    """
    columns = {name: column for column, name in enumerate(names)}
    rows = [
        [[columns[name] for name in features if name in columns] for features in paper.features]
        for paper in papers
    ]
    weights, means, squares = ([0.0] * len(columns) for _ in range(3))
    for iteration in range(1, _ITERATIONS + 1):
        gradient = [_DECAY * weight for weight in weights]
        for paper, sentences in zip(papers, rows, strict=True):
            for features, slope in zip(sentences, _find_slopes(paper, sentences, weights), strict=True):
                for column in features:
                    gradient[column] += slope / len(papers)
        for column, slope in enumerate(gradient):
            means[column] += 0.1 * (slope - means[column])
            squares[column] += 0.01 * (slope * slope - squares[column])
            step = means[column] / (1 - 0.9**iteration)
            weights[column] -= 0.05 * step / (math.sqrt(squares[column] / (1 - 0.99**iteration)) + 1e-8)
    return dict(zip(columns, weights, strict=True))


def _find_slopes(
    paper: LabelledPaper, sentences: Sequence[Sequence[int]], weights: Sequence[float]
) -> Iterator[float]:
    """Yield the derivative of the loss by the score of each sentence of a paper."""
    exponentials = [math.exp(sum([weights[column] for column in features])) for features in sentences]
    total = sum(exponentials)
    good_total = sum(exponentials[number] for number in paper.good)
    for number, exponential in enumerate(exponentials):
        is_good, is_best = number in paper.good, number == paper.best
        yield (
            exponential / total
            - (1 - _BEST_SHARE) * is_good * exponential / good_total
            - _BEST_SHARE * is_best
        )


def main() -> int:
    """Print fitted weights, and beside them how many sentences of how many fields have the feature."""
    if not DATA.is_dir():
        print("The recorded papers are not beside the checkout (or in DIGEST_TEST_DATA).", file=sys.stderr)
        return 1
    papers = [*read_labelled_papers(DATA / "contributions" / "dev.jsonl"), *read_labelled_papers(MORE_LABELS)]
    counts: dict[str, int] = defaultdict(int)
    for paper in papers:
        for features in paper.features:
            for name in features:
                counts[name] += 1
    weights = fit(papers, WEIGHTS or sorted(counts))
    for name, weight in sorted(weights.items(), key=lambda item: -item[1]):
        print(f'    "{name}": {weight:.1f},  # {counts[name]}')
    return 0


if __name__ == "__main__":
    sys.exit(main())
