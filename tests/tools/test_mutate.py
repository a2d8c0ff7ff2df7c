from __future__ import annotations

import ast
from collections import Counter

from tests.tools.mutate import AREAS, ROOT, Coverage, Mutant, draw_mutants, list_mutants

PROGRAM = b'''
@frozen(True)
def judge(one: "int < 2", two=3) -> bool:
    """Say 1 + 1."""
    assert one < two
    for each in one:
        if not each and two in one:
            continue
        note(f"{each + 1}")
    return one + two if one is two else "a" + one
'''


def test_each_mutant_changes_one_thing_that_runs() -> None:
    changes = [mutant.change for mutant in list_mutants("judge.py", PROGRAM)]

    assert Counter(changes) == Counter(
        [
            "3 -> (4)",
            "not each and two in one -> (not each or two in one)",
            "not each and two in one -> (not each)",
            "not each and two in one -> (two in one)",
            "not each -> (each)",
            "two in one -> (two not in one)",
            "continue -> break",
            'note(f"{each + 1}") -> pass',
            'return one + two if one is two else "a" + one -> return None',
            "one + two if one is two else \"a\" + one -> (one + two if not one is two else 'a' + one)",
            "one + two -> (one - two)",
            "one is two -> (one is not two)",
        ]
    )


def test_every_mutant_is_a_program_that_differs_from_the_original() -> None:
    for path in (
        ROOT / "digest" / "core" / "delivery" / "rates.py",
        ROOT / "digest" / "web" / "protocol" / "conditions.py",
    ):
        source = path.read_bytes()
        for mutant in list_mutants(path.name, source):
            changed = mutant.apply(source)
            assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), mutant


def test_a_seed_draws_the_same_mutants_and_each_area_its_share() -> None:
    drawn = draw_mutants(40, seed=5)

    assert drawn == draw_mutants(40, seed=5)
    assert drawn != draw_mutants(40, seed=6)
    assert Counter(next(area for area in AREAS if mutant.path.startswith(area)) for mutant in drawn) == {
        area: round(40 * share) for area, share in AREAS.items()
    }


def test_a_mutant_of_what_runs_at_import_is_judged_by_the_tests_of_its_module_or_folder() -> None:
    coverage = Coverage(
        {("a/b.py", 9): ["slow"], ("a/b.py", 12): ["quick"], ("c/d.py", 1): ["of another folder"]},
        {"slow": 5.0, "quick": 1.0, "of another folder": 1.0},
    )
    executed, imported, of_tables = (
        Mutant(path, line, 0, 1, "", "") for path, line in (("a/b.py", 9), ("a/b.py", 1), ("a/tables.py", 1))
    )

    assert coverage.of(executed) == ["slow"]
    assert coverage.of(imported) == ["quick", "slow"]
    assert coverage.of(of_tables) == ["quick", "slow"]
