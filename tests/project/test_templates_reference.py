"""The reference of templates names all that they get: a field that nobody wrote about fails here."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.render.reference import Reference, Seen, by_variable, quoted, seen, tables, unlinked

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "templates.md").read_text("utf-8")
ROWS = list(tables(PAGE))
NAMES = sorted(file.relative_to(ROOT / "templates").as_posix() for file in (ROOT / "templates").rglob("*.*"))


@pytest.fixture(scope="module")
def reference() -> Reference:
    return seen()


def is_example(cell: str, of: Seen) -> bool:
    """Whether an example is something that a template got; of what has fields these have examples."""
    return set(quoted(cell)) <= set(of.examples)


def test_every_template_is_named_with_its_blocks() -> None:
    told = {name: cells for _, cells in ROWS for name in quoted(cells[0])}

    for name in NAMES:
        blocks = re.findall(r"{% block (\w+) %}", (ROOT / "templates" / name).read_text("utf-8"))
        assert name in told, f"docs/reference/templates.md says nothing of {name}"
        if blocks:
            assert [name] in [
                quoted(cells[0]) for _, cells in ROWS if quoted(cells[1]) == list(dict.fromkeys(blocks))
            ]


def test_every_variable_is_explained(reference: Reference) -> None:
    told = {
        (name, unlinked(cells[1])): {
            one for pattern in quoted(cells[2]) for one in NAMES if fnmatch(one, pattern)
        }
        for heading, cells in ROWS
        if heading == "Variables"
        for name in quoted(cells[0])
    }
    got = by_variable(reference)

    assert sorted(told) == sorted(got)
    for variable, templates in got.items():
        assert templates <= told[variable], variable


def test_every_field_is_explained(reference: Reference) -> None:
    types = {heading for heading, cells in ROWS if len(cells) == 4}
    told = [(heading, quoted(cells[0])[0], unlinked(cells[1])) for heading, cells in ROWS if heading in types]

    assert sorted(told) == sorted((kind, name, one.type) for (kind, name), one in reference.fields.items())


def test_nothing_is_without_an_explanation_and_examples_are_what_templates_get(reference: Reference) -> None:
    for heading, cells in ROWS:
        name = quoted(cells[0])[0]
        if heading == "Variables":
            assert cells[3], name
            examples = [
                text
                for (_, one), known in reference.variables.items()
                if one == name
                for text in known.examples
            ]
            assert is_example(cells[4], Seen("", examples)), f"{name}: {examples[:3]}"
        elif (heading, name) in reference.fields:
            assert cells[2], (heading, name)
            known = reference.fields[heading, name]
            assert is_example(cells[3], known), f"{heading}.{name}: {known.examples[:3]}"
