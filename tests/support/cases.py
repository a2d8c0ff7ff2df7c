"""One test that walks a table of cases and names those that fail.

``pytest.mark.parametrize`` makes each case a test of its own, with its own setup, report and line in the log: some
4 ms, where a case of a pure function takes a few microseconds. For tables of such cases that is most of the time.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

MOST_TRACEBACKS = 5
"""Failures that are shown in full; all are named."""


def for_each_case(
    names: str | Sequence[str], cases: Iterable[Any], *, ids: Iterable[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test function with every case, and fail once if any of them failed.

    It takes what ``pytest.mark.parametrize`` takes, so that one can be replaced by the other. Fixtures are made once
    for all cases: use it where cases cannot get in each other's way.

    Args:
        names: the arguments of the function that a case gives, separated by commas or as a sequence.
        cases: a value each, or a tuple of values where there are several names; ``pytest.param`` too.
        ids: what to call the cases in a failure; their values by default.
    """
    expected = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_get_values(case, single=len(expected) == 1) for case in cases]
    labels = list(ids) if ids is not None else [""] * len(table)
    assert len(labels) == len(table) > 0, "each case has a label, and there is at least one"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def walk(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for label, values in zip(labels, table, strict=True):
                case = dict(zip(expected, values, strict=True))
                try:
                    test(**case, **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other cases are tried as well
                    error.add_note(f"in the case {label or _format_case(case)}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(
                    _summarize_failures(failures, len(table)), failures[:MOST_TRACEBACKS]
                )

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in expected]
        walk.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return walk

    return decorate


def make_long_cases(*values: Any) -> list[Any]:
    """Return further values of a parameter, each a case that only ``pytest -m long`` tries."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]


def _get_values(case: Any, *, single: bool) -> Sequence[Any]:
    """Give the values of a case, one for each name."""
    if hasattr(case, "marks") and hasattr(case, "values"):  # what pytest.param makes
        assert not case.marks, "a mark would be for all cases"
        values: Sequence[Any] = case.values
        return values
    return [case] if single else case


def _format_case(case: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r:.200}" for name, value in case.items())


def _summarize_failures(failures: Sequence[BaseException], total: int) -> str:
    named = "; ".join(error.__notes__[-1].removeprefix("in the case ") for error in failures)
    more = f", the first {MOST_TRACEBACKS} in full" if len(failures) > MOST_TRACEBACKS else ""
    return f"{len(failures)} of {total} cases failed{more}: {named}"
