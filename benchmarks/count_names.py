"""Counts names over the recorded papers and writes the lists of names that the package ships.

Run ``python -m benchmarks.count_names`` in a checkout with the recorded papers beside it (or in DIGEST_TEST_DATA). The
same papers give the same files, byte for byte.
"""

from __future__ import annotations

import io
import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard

from benchmarks.measure import DATA
from digest.core.names.fitting import extract_first_name, fold_family_end, make_block_key
from digest.core.names.parts import PARTICLES, parse_name

ROOT = Path(__file__).parents[1]
FIRST_NAMES = ROOT / "digest" / "core" / "names" / "first_names.txt"
FAMILY_NAMES = ROOT / "digest" / "core" / "people" / "common_surnames.txt"

LEAST_FAMILIES = 10
"""A word that stands first before fewer family names is too rare to be counted on as a given name."""
OFTENER_GIVEN = 8
"""A word is a given name if it stands before this many times as many family names as it has given names before it:
``Martin``, ``Ali`` and ``Scott`` are both."""


def authors(data: Path) -> Iterator[str]:
    """The authors of all recorded papers, as printed, paper by paper."""
    for file in sorted((data / "corpus").glob("*/*.jsonl.zst")):
        if file.parent.name == "events":
            continue
        with file.open("rb") as packed:
            for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8"):
                yield from json.loads(line)["authors"]


def count_first_names(names: Iterable[str]) -> list[str]:
    """The words that are given names and hardly ever family names, in order.

    Args:
        names: each once.
    """
    families: dict[str, set[str]] = defaultdict(set)
    given: dict[str, set[str]] = defaultdict(set)
    for name in names:
        if first := extract_first_name(name):
            family = parse_name(name).readings[0].family_end
            families[first].add(family)
            given[family].add(first)
    return sorted(
        word
        for word, its in families.items()
        if len(its) >= max(LEAST_FAMILIES, OFTENER_GIVEN * len(given.get(word, ())))
        and word not in PARTICLES
        and fold_family_end(f"{word}smith") != "smith"  # Abdul stands before family names, too
    )


def count_given_names(names: Iterable[str]) -> list[str]:
    """How many given names there are before each family name that has several, by their initials.

    Args:
        names: each once.

    Returns:
        ``rossi:a7b2c4j``, in order: seven given names that begin with a, one with j.
    """
    given: dict[str, set[str]] = defaultdict(set)
    for name in names:
        if first := extract_first_name(name):
            given[make_block_key(name)].add(first)
    families: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for where, its in sorted(given.items()):
        family, _, initial = where.rpartition("|")
        families[family].append((initial, len(its)))
    return [
        f"{family}:" + "".join(f"{initial}{number if number > 1 else ''}" for initial, number in counts)
        for family, counts in families.items()
        if sum(number for _, number in counts) > 1
    ]


def make_file(title: str, words: Iterable[str]) -> str:
    """The text of a list of words.

    Args:
        title: one line that says what the words are.
        words: its content.
    """
    return "\n".join(
        (
            f"# {title}",
            "# Counted in the lists of authors of 168,546 papers on arXiv (metadata: CC0) by",
            "# `python -m benchmarks.count_names`, which writes this file: do not edit it by hand.",
            *textwrap.wrap(" ".join(words), width=110, break_on_hyphens=False),
            "",
        )
    )


def make_files(names: Iterable[str]) -> dict[Path, str]:
    """The texts of the lists, by their files.

    Args:
        names: all that are printed, each once.
    """
    first = "Words that are given names and hardly ever family names."
    family = (
        "Number of given names before each family name, by their initials: "
        "`rossi:a7b2j` is seven with a, two with b, one with j."
    )
    return {
        FIRST_NAMES: make_file(first, count_first_names(names)),
        FAMILY_NAMES: make_file(family, count_given_names(names)),
    }


def main() -> int:
    """Write the tables."""
    if not DATA.is_dir():
        print("The recorded papers are not beside the checkout (or in DIGEST_TEST_DATA).", file=sys.stderr)
        return 1
    for file, text in make_files(set(authors(DATA))).items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
