"""`digest demo` shows whole days, and says what it may not show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from digest.cli import cli
from digest.config import read_settings


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder that it filled, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    result = CliRunner().invoke(cli, ["demo", str(folder)])
    assert result.exit_code == 0, result.output
    return folder, result


def read_outputs(folder: Path) -> dict[str, str]:
    """Mails, pages of editions and feeds, by their paths, each on one line."""
    paths = [
        path
        for pattern in ("mail/*/*.html", "mail/*/*.txt", "editions/*/*.html", "feeds/*")
        for path in (folder / "out").glob(pattern)
    ]
    return {str(path.relative_to(folder)): " ".join(path.read_text("utf-8").split()) for path in paths}


def test_a_paper_without_abstract_says_so_wherever_it_is_shown_in_full(demo: tuple[Path, Result]) -> None:
    folder, printed = demo
    outputs = read_outputs(folder)

    assert len(outputs) == 5 + 5 + 5 + 6
    assert "Most papers have no abstract" in printed.stdout
    for text in outputs.values():
        assert "No abstract in the demo: its licence is not known." in text


def test_an_abstract_is_shown_with_its_licence(demo: tuple[Path, Result]) -> None:
    folder, _ = demo
    with_abstract = {
        path: text for path, text in read_outputs(folder).items() if "hybrid neurosymbolic framework" in text
    }

    assert {path.split("/")[1] for path in with_abstract} == {"mail", "editions", "feeds"}
    for text in with_abstract.values():
        assert "CC BY 4.0" in text
        assert "https://creativecommons.org/licenses/by/4.0/" in text


def test_its_digest_has_as_many_papers_a_day_as_a_reader_gets(demo: tuple[Path, Result]) -> None:
    folder, _ = demo
    editions = [
        json.loads(path.read_bytes()) for path in sorted(folder.glob("out/mail/language-models/*.json"))
    ]

    assert [len(edition["items"]) for edition in editions] == [13, 15, 20]
    for edition in editions:
        follows = {reason["follow"] for item in edition["items"] for reason in item["reasons"]}
        assert len(follows) >= 7


def test_an_earlier_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    (folder / "templates" / "mail").mkdir(parents=True)
    (folder / "templates" / "mail" / "edition.html").write_text("an earlier release's template")
    (folder / "digest.toml").write_text("# The demo's configuration: an earlier one\n")

    result = CliRunner().invoke(cli, ["demo", str(folder)])

    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in (folder / "templates" / "mail").iterdir()) == [
        "_paper.html",
        "_paper.txt",
    ]


def test_its_configuration_says_that_its_source_is_gone(
    demo: tuple[Path, Result],
) -> None:
    folder, printed = demo
    config = folder / "digest.toml"
    (source,) = read_settings(config, {}).sources

    assert "`digest run` cannot fetch anything" in printed.stdout
    assert "This source is therefore gone" in config.read_text("utf-8")
    assert source.options["url"] == "http://the-demo-is-over.invalid/rss/"
