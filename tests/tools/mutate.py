"""Mutation testing: change one place of the program at a time, and see whether a test fails.

``python -m tests.tools.mutate`` draws mutants of the packages in ``AREAS`` with a fixed seed, runs for each the tests
that execute its line, and prints which survive. A survivor is a line that no test holds to what it does, or a change
that makes no difference.

The checkout is copied first, so that the one you work in stays as it is. It needs ``.[test,postgres,mutants]``; on
two cores that do nothing else, coverage takes half an hour and 220 mutants an hour and a half.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from tests.support.postgres import start_postgres

ROOT = Path(__file__).parents[2]
AREAS = {"digest/core": 0.4, "digest/store": 0.25, "digest/channels/smtp": 0.15, "digest/web": 0.2}
"""Share of the mutants that each package gets."""
COPIED = (
    "digest",
    "tests",
    "templates",
    "config",
    "docs",
    "benchmarks",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
)
LONGEST_RUN = 120.0
"""Most seconds of tests, as the coverage run timed them, that a mutant has to survive."""
TIME_LIMIT = 900.0
"""Seconds after which a mutant counts as killed: it does not come to an end."""


# --- mutants --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A change of one place.

    Attributes:
        path: the file, from the root of the checkout.
        line: where the changed code begins, from 1.
        start: the offset of the replaced bytes, and ``end`` where they end.
        text: what replaces them.
        change: what was done, for people.
    """

    path: str
    line: int
    start: int
    end: int
    text: str
    change: str

    def apply(self, source: bytes) -> bytes:
        """Give the file's content with the change."""
        return source[: self.start] + self.text.encode() + source[self.end :]


_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def iter_variants(node: ast.AST) -> Iterator[ast.AST]:
    """Make every changed form of one node; the nodes below it stay as they are."""
    if isinstance(node, ast.expr):
        yield from _variants_of_expression(node)
    match node:
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()


def _variants_of_expression(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            changed = copy.copy(node)
            changed.ops = [_COMPARISONS[type(operator)]()]
            yield changed
        case ast.BoolOp(values=[first, *others]):
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            yield first
            yield others[-1]
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _OPERATORS and not _is_text(node):
            yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
        case ast.IfExp():
            yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield ast.Constant(number + 1)


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operation joins or formats text: its mutants raise at once."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def list_mutants(path: str, source: bytes) -> list[Mutant]:
    """List all mutants of a file, in the order of its text."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    results = []
    for node in _iter_executable(ast.parse(source)):
        for variant in iter_variants(node):
            assert isinstance(node, (ast.expr, ast.stmt))
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = offsets[node.lineno - 1] + node.col_offset
            end = offsets[node.end_lineno - 1] + node.end_col_offset
            text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(variant)))
            text = f"({text})" if isinstance(node, ast.expr) else text
            change = f"{source[start:end].decode()}  ->  {text}"
            results.append(Mutant(path, node.lineno, start, end, text, " ".join(change.split())))
    return sorted(results)


def _iter_executable(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk the nodes that run: no annotations, decorators, assertions or f-strings, whose places Python 3.11 tells wrongly."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(node, (ast.Assert, ast.JoinedStr)):
                continue
            yield node
            yield from _iter_executable(node)


def draw_mutants(count: int, seed: int) -> list[Mutant]:
    """Draw mutants, each area's share of them."""
    chance = random.Random(seed)
    drawn: list[Mutant] = []
    for area, share in AREAS.items():
        drawn += chance.sample(_list_mutants_of(area), round(count * share))
    return drawn


@cache
def _list_mutants_of(area: str) -> list[Mutant]:
    """List the mutants of a package; migrations are left out, for each runs once in the life of a database."""
    files = sorted(path for path in (ROOT / area).rglob("*.py") if "migrations" not in path.parts)
    return [
        mutant for path in files for mutant in list_mutants(str(path.relative_to(ROOT)), path.read_bytes())
    ]


# --- the tests of a line --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which tests execute a line, and how long each takes.

    Attributes:
        tests: node ids by path and line.
        seconds: by node id.
    """

    tests: dict[tuple[str, int], list[str]]
    seconds: dict[str, float]

    def of(self, mutant: Mutant) -> list[str]:
        """Give the tests for a mutant, the quickest first, as many as fit into ``LONGEST_RUN``.

        What runs when a module is imported (tables, statements, limits) runs in no test; its tests are those of the
        module's functions, and where it has none, those of its folder.
        """
        chosen: list[str] = []
        taken = 0.0
        folder = mutant.path.rpartition("/")[0] + "/"
        tests = self.tests.get((mutant.path, mutant.line)) or self._below(mutant.path) or self._below(folder)
        for test in sorted(tests, key=self.seconds.__getitem__):
            taken += self.seconds[test]
            if taken > LONGEST_RUN and chosen:
                break
            chosen.append(test)
        return chosen

    def _below(self, path: str) -> set[str]:
        return {test for (file, _), tests in self.tests.items() if file.startswith(path) for test in tests}


_PLUGIN = """
import json
def pytest_runtest_logreport(report):
    if report.when == "call":
        with open({file!r}, "a") as file:
            file.write(json.dumps([report.nodeid, report.duration]) + "\\n")
"""


def measure_coverage(checkout: Path, keep: Path, options: Sequence[str]) -> Coverage:
    """Run the whole suite with coverage by test, unless `keep` has the result of an earlier run."""
    database, times, is_complete = keep / "coverage", keep / "seconds.jsonl", keep / "complete"
    if not is_complete.exists():
        keep.mkdir(parents=True, exist_ok=True)
        (keep / "timing_of_tests.py").write_text(_PLUGIN.format(file=str(times)), encoding="utf-8")
        (keep / "rc").write_text("[run]\ncore = ctrace\nrelative_files = true\n", encoding="utf-8")
        command = [*_PYTEST, "-q", "--numprocesses=2", "-p", "timing_of_tests", "-o", "timeout=0"]
        command += ["--cov=digest", "--cov-context=test", f"--cov-config={keep / 'rc'}", "--cov-report="]
        environ = os.environ | {"PYTHONPATH": str(keep), "COVERAGE_FILE": str(database)}
        subprocess.run([*command, *options], cwd=checkout, env=environ, check=True)
        is_complete.touch()
    from coverage.numbits import numbits_to_nums

    tests: dict[tuple[str, int], list[str]] = {}
    query = """SELECT path, context, numbits FROM line_bits
        JOIN file ON file.id = file_id JOIN context ON context.id = context_id WHERE context LIKE '%|run'"""
    with closing(sqlite3.connect(database)) as store:
        for path, context, lines in store.execute(query):
            for line in numbits_to_nums(lines):
                tests.setdefault((path, line), []).append(context.removesuffix("|run"))
    seconds: dict[str, float] = {}
    for line_of_times in times.read_text("utf-8").splitlines():
        test, duration = json.loads(line_of_times)
        seconds[test] = duration
    return Coverage(
        tests, {test: seconds.get(test, 0.0) for found_test in tests.values() for test in found_test}
    )


# --- runs -----------------------------------------------------------------------------------------

_PYTEST = (sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider")


def is_killed(mutant: Mutant, checkout: Path, tests: Sequence[str], environ: dict[str, str]) -> bool:
    """Run the tests on a checkout with the change, and take it back.

    Raises:
        RuntimeError: the tests could not be run, with the change or without it.
    """
    if not tests:
        return False
    file = checkout / mutant.path
    source = file.read_bytes()
    (checkout / _ARGUMENTS).write_text("\n".join(tests), encoding="utf-8")
    _write(file, mutant.apply(source))
    try:
        status, _ = _run_tests(checkout, environ)
    except subprocess.TimeoutExpired:
        return True
    finally:
        _write(file, source)
    if status not in {0, 1}:  # it could not be imported, if that was not for another reason
        status_without, output = _run_tests(checkout, environ)
        if status_without != 0:
            raise RuntimeError(output)
    return status != 0


_ARGUMENTS = "tests_of_the_mutant"


def _run_tests(checkout: Path, environ: dict[str, str]) -> tuple[int, str]:
    """Run the tests that a file names, until one fails; give pytest's exit status and output."""
    process = subprocess.run(
        [*_PYTEST, "-x", "-q", "-n0", "-o", "addopts=--import-mode=importlib", f"@{_ARGUMENTS}"],
        cwd=checkout,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIME_LIMIT,
        check=False,
    )
    return process.returncode, process.stdout.decode(errors="replace")


_BEGINNING = time.time()
_ages = count(1)


def _write(file: Path, content: bytes) -> None:
    """Write a file with a time that it never had: Python takes compiled code of the same time and size for current."""
    file.write_bytes(content)
    unique = _BEGINNING - 2 * next(_ages)
    os.utime(file, (unique, unique))


def copy_checkout(folder: Path) -> Path:
    """Copy what the tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def judge(
    drawn: Sequence[Mutant], checkouts: Sequence[Path], coverage: Coverage, environ: dict[str, str]
) -> Iterator[tuple[Mutant, bool]]:
    """Say of each mutant whether it was killed, in their order, with as many at once as there are checkouts."""
    free: SimpleQueue[Path] = SimpleQueue()
    for checkout in checkouts:
        free.put(checkout)

    def judge_one(mutant: Mutant) -> bool:
        checkout = free.get()
        try:
            return is_killed(mutant, checkout, coverage.of(mutant), environ)
        finally:
            free.put(checkout)

    with ThreadPoolExecutor(len(checkouts)) as pool:
        yield from zip(drawn, pool.map(judge_one, drawn), strict=True)


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = print) -> None:
    """Draw, judge, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--coverage", type=Path, help="folder to keep the coverage in, for another run")
    parser.add_argument("options", nargs="*", help="for pytest, behind --: for example -m 'not system'")
    namespace = parser.parse_args(arguments)
    drawn = draw_mutants(namespace.count, namespace.seed)
    with tempfile.TemporaryDirectory() as folder:
        checkouts = [copy_checkout(Path(folder) / f"checkout{number}") for number in (1, 2)]
        environ = os.environ | {"DIGEST_TEST_SEED": "1"}
        environ.setdefault("DIGEST_TEST_DATA", str(ROOT.parent / "shared" / "data"))
        os.environ.update(environ)
        coverage = measure_coverage(
            checkouts[0], (namespace.coverage or Path(folder) / "coverage").absolute(), namespace.options
        )
        with start_postgres() as server:
            environ["DIGEST_TEST_PG"] = server.url
            killed = dict.fromkeys(AREAS, 0)
            total = dict.fromkeys(AREAS, 0)
            for mutant, is_dead in judge(drawn, checkouts, coverage, environ):
                area = next(area for area in AREAS if mutant.path.startswith(f"{area}/"))
                total[area] += 1
                killed[area] += is_dead
                if not is_dead:
                    untested = "" if coverage.of(mutant) else " (no test executes it)"
                    tell(f"survived{untested}: {mutant.path}:{mutant.line}: {mutant.change[:160]}")
        for area in AREAS:
            tell(f"{area}: {killed[area]} of {total[area]} killed")
        tell(f"seed {namespace.seed}: {sum(killed.values())} of {len(drawn)} mutants killed")


if __name__ == "__main__":
    main()
