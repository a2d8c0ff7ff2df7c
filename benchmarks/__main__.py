"""Runs the benchmarks named, or all; exit status 1 if one falls short of what is wanted of it."""

from __future__ import annotations

import argparse
import pkgutil
import sys
from importlib import import_module

import benchmarks

NOT_BENCHMARKS = {
    "__main__",
    "by_hand",
    "count_names",
    "http_load",
    "measure",
    "mix",
    "peers",
    "plain_digest",
    "sink",
    "slow_line",
}


def main() -> int:
    """Run and print."""
    names = sorted({module.name for module in pkgutil.iter_modules(benchmarks.__path__)} - NOT_BENCHMARKS)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(names)}; all if none"
    )
    parser.add_argument(
        "--small", action="store_true", help="check the outputs on little data; no ratio is judged"
    )
    wish = parser.parse_args()
    if unknown := set(wish.names) - set(names):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    short = False
    for name in wish.names or names:
        result = import_module(f"benchmarks.{name}").run(small=wish.small)
        print(f"{name}: {result.table()}\n")
        short = short or not (wish.small or result.met)
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
