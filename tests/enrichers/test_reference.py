"""The reference of the enrichers has their options, all of them and as they are."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from digest import plugins

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "enrichers.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_enricher_has_its_section() -> None:
    assert sorted(SECTIONS) == sorted(plugins.names("enrichers"))


@pytest.mark.parametrize("name", SECTIONS)
def test_a_table_has_the_options_and_what_they_are_by_default(name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .*\.(?: .*)? \|$", SECTIONS[name], re.MULTILINE)
    fields = dataclasses.fields(plugins.load("enrichers", name))

    assert [row[0] for row in rows] == [field.name for field in fields]
    for (option, written), field in zip(rows, fields, strict=True):
        if field.default is dataclasses.MISSING:
            assert written == "(needed)", option
        elif not written.startswith("("):  # what follows from another option is described
            assert written == f"`{_as_toml(field.default)}`", option
        else:
            assert field.default == "", option


def _as_toml(value: object) -> str:
    return json.dumps(value)


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_shown_to_start_from_can_be_made(name: str) -> None:
    shown = re.findall(r"^```toml\n(.*?)^```$", SECTIONS[name], re.MULTILINE | re.DOTALL)[0]
    (table,) = tomllib.loads(shown)["enricher"]

    assert table.pop("use") == name
    assert plugins.build(plugins.load("enrichers", name), table).name


@pytest.mark.parametrize("name", SECTIONS)
def test_an_enricher_says_on_top_of_its_file_how_it_is_used(name: str) -> None:
    module = sys.modules[plugins.load("enrichers", name).__module__]
    shown = textwrap.dedent(
        re.findall(r"^    \[\[enricher\]\]\n(?:    .*\n)+", module.__doc__ or "", re.MULTILINE)[0]
    )
    (table,) = tomllib.loads(shown)["enricher"]

    assert table.pop("use") == name
    assert plugins.build(plugins.load("enrichers", name), table).name
