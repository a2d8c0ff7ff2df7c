"""The reference of sources and of enrichers has their options, all of them and as they are."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest

from digest import plugins
from tests.support.cases import for_each_case

PAGES = {
    kind: (Path(__file__).parents[2] / "docs" / "reference" / f"{kind}.md").read_text("utf-8")
    for kind in ("sources", "enrichers")
}
SECTIONS = {
    (kind, name): text
    for kind, page in PAGES.items()
    for name, text in re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
}


@pytest.mark.parametrize("kind", PAGES)
def test_each_has_its_section(kind: str) -> None:
    assert sorted(name for of, name in SECTIONS if of == kind) == sorted(plugins.list_names(kind))


@for_each_case(("kind", "name"), SECTIONS)
def test_a_table_has_the_options_and_what_they_are_by_default(kind: str, name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .*\.(?: .*)? \|$", SECTIONS[kind, name], re.MULTILINE)
    plugin = plugins.load(kind, name)
    fields = {field.name: field for field in dataclasses.fields(plugin)}
    options = [option for option, _ in rows]
    own = list(plugin.__annotations__)

    assert sorted(options) == sorted(fields)
    assert [option for option in options if option in own] == own
    for option, row in rows:
        field = fields[option]
        if field.default is dataclasses.MISSING:
            assert row == "(needed)", option
        elif not row.startswith("("):  # what follows from another option is described
            assert row == f"`{json.dumps(field.default)}`", option
        else:
            assert not field.default, option


@for_each_case(("kind", "name"), SECTIONS)
def test_what_is_shown_to_start_from_can_be_made(kind: str, name: str) -> None:
    matches = re.findall(r"^```toml\n(.*?)^```$", SECTIONS[kind, name], re.MULTILINE | re.DOTALL)[0]

    assert made(kind, name, matches).name


@for_each_case(("kind", "name"), SECTIONS)
def test_each_says_on_top_of_its_file_how_it_is_used(kind: str, name: str) -> None:
    module = sys.modules[plugins.load(kind, name).__module__]
    table = rf"^    \[\[{kind.removesuffix('s')}\]\]\n(?:    .*\n)+"
    matches = textwrap.dedent(re.findall(table, module.__doc__ or "", re.MULTILINE)[0])

    assert made(kind, name, matches).name


def made(kind: str, name: str, text: str) -> Any:
    """The plug-in of a table of the configuration."""
    (table,) = tomllib.loads(text)[kind.removesuffix("s")]
    assert table.pop("use") == name
    return plugins.build(plugins.load(kind, name), table)
