"""What following a person brings, on authors of whom it is known who they are; and what names and persons cost.

Each person of QIAN is followed by each of the names printed, and by a name with an id that one "yes, this one" gave.
What is told as surely or likely theirs must be so in 99 of 100; how much of theirs that is, and how much comes as
maybe, is printed. The papers there have one author each, so that only names and workplaces tell.

The names are 20,000 different ones of real days. Their peer is folding alone: what comparing letters would take.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise

import zstandard

from benchmarks.measure import Row, cpu_seconds, recorded
from digest.core.names import fitting as names
from digest.core.names import parts as name_reading
from digest.core.people.persons import Signature, resolve_persons
from tests.generators.labelled_people import FILE, FollowScore, read_blocks, score_follows

DAYS = tuple(f"corpus/days/2026-03-{day:02}.jsonl.zst" for day in (10, 11, 12, 13, 16, 17, 18, 19))
MOST_NAMES, MOST_PAIRS = 20_000, 5_000
WANTED = 0.99
BLOCK = 2_000
"""So many signatures has a block that few names of the world reach."""


@dataclass(frozen=True, slots=True)
class Result:
    """What follows bring, by their kind, and the costs; or, with neither, why there are none."""

    title: str
    told: dict[str, FollowScore]
    rows: tuple[Row, ...] = ()

    @property
    def met(self) -> bool:
        """Whether follows of each kind are as precise as wanted."""
        return all(one.precision >= WANTED for one in self.told.values())

    def table(self) -> str:
        """The result for people."""
        lines = [self.title]
        for kind, one in self.told.items():
            judged = "met" if one.precision >= WANTED else "MISSED"
            lines.append(f"  {kind:<16} {one.format_line()}; wanted {WANTED}: {judged}")
        for row in self.rows:
            each = f"{row.seconds * 1e6:9.2f} µs {row.times:6.2f}×"
            lines.append(f"  {row.work:<36} {row.candidate:<32}{each}")
        return "\n".join(lines)


def run(*, small: bool) -> Result:
    """Judge the follows, and measure."""
    days = DAYS[:1] if small else DAYS
    found = recorded(FILE, *days)
    if found is None:
        return Result(
            "not run: the recorded authors are not beside the checkout (or in DIGEST_TEST_DATA)", {}
        )
    known, *packed = found
    blocks = read_blocks(io.StringIO(known.decode()))
    judged = score_follows(blocks[:50] if small else blocks)
    if not small:
        judged["together"] = sum(judged.values(), start=FollowScore.make_empty())
    rows = (*_names(packed, small=small), *_persons(small=small))
    return Result("what follows of persons bring, and CPU a name, a pair, a signature", judged, rows)


def _names(packed: list[bytes], *, small: bool) -> list[Row]:
    lines = (
        line for day in packed for line in zstandard.ZstdDecompressor().stream_reader(day).read().splitlines()
    )
    printed = {name: None for line in lines for name in json.loads(line)["authors"]}
    different = list(islice(printed, 1_000 if small else MOST_NAMES))
    pairs = list(pairwise(sorted(different, key=names.make_block_key)))[:MOST_PAIRS]

    def all_of(work: Callable[[str], object]) -> Callable[[], None]:
        def candidate() -> None:
            _forget()
            for name in different:
                work(name)

        return candidate

    def compared() -> None:
        for one, other in pairs:
            names.match_names(one, other)

    compared()  # a name is read once, and compared with many

    candidates: dict[str, Callable[[], object]] = {
        "folded": all_of(names.fold_name),
        "block": all_of(names.make_block_key),
        "read and handles": all_of(names.make_index_keys),
    }
    repeats = 3 if small else 7
    taken = cpu_seconds({"compared with the next": compared}, repeats=repeats)
    each = {"compared with the next": taken["compared with the next"] / len(pairs)}
    each |= {
        name: seconds / len(different) for name, seconds in cpu_seconds(candidates, repeats=repeats).items()
    }
    return [
        Row(
            work=f"{len(different):,} names, of each",
            candidate=candidate,
            seconds=seconds,
            times=each["folded"] / seconds,
        )
        for candidate, seconds in each.items()
    ]


def _forget() -> None:
    """Names are read once; here they are to be read each time."""
    for cached in (
        name_reading.parse_name,
        name_reading.find_spellings,
        names.fold_name,
        names.make_block_key,
        names.make_index_keys,
    ):
        cached.cache_clear()


def _persons(*, small: bool) -> list[Row]:
    """A block of one common name, by how many signatures it has; its papers share co-authors now and then."""
    sizes = (100, 200) if small else (BLOCK // 4, BLOCK // 2, BLOCK)
    candidates: dict[str, Callable[[], object]] = {
        f"{size:,}": partial(resolve_persons, _block(size)) for size in sizes
    }
    taken = cpu_seconds(candidates, repeats=3)
    each = [seconds / size for size, seconds in zip(sizes, taken.values(), strict=True)]
    return [
        Row(
            work="persons, of each signature",
            candidate=f"{size:,} in the block",
            seconds=one,
            times=each[0] / one,
        )
        for size, one in zip(sizes, each, strict=True)
    ]


def _block(size: int) -> list[Signature]:
    """Five papers of each person, two names in ten with initials."""
    given = ("Yang", "Yan", "Yi", "Ying", "Yu", "Yong", "Yun", "Yue", "Y.", "Y.")
    return [
        Signature(
            paper=number,
            position=0,
            name=f"{given[number // 5 % len(given)]} Liu",
            coauthors=frozenset(
                f"colleague{number // 5 * 7 + (number + step) % 7}ofperson" for step in range(3)
            )
            | {f"passerby{number * 31 % 997}"},
            categories=(("cs.CV", "cs.DC", "cs.LG", "math.NT")[number // 5 % 4],),
        )
        for number in range(size)
    ]
