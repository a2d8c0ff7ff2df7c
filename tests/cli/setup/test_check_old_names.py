"""`digest check` after an upgrade: what is written with names of the previous release, by its user, is told and no failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.demo.publisher import Publisher
from tests.support.workspace import Workspace, make_config

PLUGIN = """
from digest.sources import feed

class Source(feed.Source):
    def page_of(self, paper):
        return None
"""


def test_old_names_in_templates_and_plugins_are_told_with_the_new_ones_and_fail_nothing(
    tmp_path: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab_source_of_last_year.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))
    template = tmp_path / "mine" / "mail" / "edition.md"
    template.parent.mkdir(parents=True)
    template.write_text("\n{{ locale.joined(['a']) }}")
    source = f'[[source]]\nuse = "lab_source_of_last_year:Source"\nurl = "{publisher.url}/rss/cs.DC"\nname = "lab"\n'
    workspace = Workspace(tmp_path)
    workspace.write(
        make_config(publisher.url, more=source).replace("[output]", '[output]\n    templates = "mine"')
    )

    output = workspace.run("check").output

    assert (
        "source lab: ok: `page_of` of the plug-in is ignored, because it is now called `find_paper_page`"
        in output
    )
    assert (
        f"templates: ok: the template {template}, line 2 uses `joined`, which is now `join_parts`; the old"
        in output
    )


def test_a_plugin_with_the_old_name_of_what_it_must_define_is_an_error_at_its_line(
    tmp_path: Path, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab_source_of_two_years_ago.py").write_text(
        "from digest import ports\n\nclass Source(ports.Source):\n    ways = ()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    workspace = Workspace(tmp_path)
    workspace.write(
        make_config(publisher.url, more='\n[[source]]\nuse = "lab_source_of_two_years_ago:Source"\n')
    )

    output = workspace.run("check", status=2).output

    assert "`fetch_routes`, the new name of `ways`" in output
    assert "digest.toml" in output
