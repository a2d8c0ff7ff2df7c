"""The reference of templates names all that they get: a field that nobody wrote about fails here."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.render.reference import (
    Reference,
    VariableUse,
    find_quoted_texts,
    group_by_variable,
    iter_table_rows,
    record_variables,
    remove_links,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "templates.md").read_text("utf-8")
ROWS = list(iter_table_rows(PAGE))
NAMES = sorted(file.relative_to(ROOT / "templates").as_posix() for file in (ROOT / "templates").rglob("*.*"))


@pytest.fixture(scope="module")
def reference() -> Reference:
    return record_variables()


def is_example(cell: str, of: VariableUse) -> bool:
    """Whether an example is something that a template got; of what has fields these have examples."""
    return set(find_quoted_texts(cell)) <= set(of.examples)


def test_every_template_is_named_with_its_blocks() -> None:
    fields = {name: cells for _, cells in ROWS for name in find_quoted_texts(cells[0])}

    for name in NAMES:
        blocks = re.findall(r"{% block (\w+) %}", (ROOT / "templates" / name).read_text("utf-8"))
        assert name in fields, f"docs/reference/templates.md says nothing of {name}"
        if blocks:
            assert [name] in [
                find_quoted_texts(cells[0])
                for _, cells in ROWS
                if find_quoted_texts(cells[1]) == list(dict.fromkeys(blocks))
            ]


def test_every_variable_is_explained(reference: Reference) -> None:
    fields = {
        (name, remove_links(cells[1])): {
            text for pattern in find_quoted_texts(cells[2]) for text in NAMES if fnmatch(text, pattern)
        }
        for heading, cells in ROWS
        if heading == "Variables"
        for name in find_quoted_texts(cells[0])
    }
    got = group_by_variable(reference)

    assert sorted(fields) == sorted(got)
    for variable, templates in got.items():
        assert templates <= fields[variable], variable


def test_every_field_is_explained(reference: Reference) -> None:
    types = {heading for heading, cells in ROWS if len(cells) == 4}
    entries = [
        (heading, find_quoted_texts(cells[0])[0], remove_links(cells[1]))
        for heading, cells in ROWS
        if heading in types
    ]

    assert sorted(entries) == sorted(
        (kind, name, variable_use.type) for (kind, name), variable_use in reference.fields.items()
    )


def test_nothing_is_without_an_explanation_and_examples_are_what_templates_get(reference: Reference) -> None:
    for heading, cells in ROWS:
        name = find_quoted_texts(cells[0])[0]
        if heading == "Variables":
            assert cells[3], name
            examples = [
                text
                for (_, variable), variable_use in reference.variables.items()
                if variable == name
                for text in variable_use.examples
            ]
            assert is_example(cells[4], VariableUse("", examples)), f"{name}: {examples[:3]}"
        elif (heading, name) in reference.fields:
            assert cells[2], (heading, name)
            variable_use = reference.fields[heading, name]
            assert is_example(cells[3], variable_use), f"{heading}.{name}: {variable_use.examples[:3]}"
