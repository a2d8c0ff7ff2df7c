"""What `digest demo` leaves behind says what of it is real."""

from __future__ import annotations

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


def test_command_and_every_mail_say_that_the_papers_are_a_selection_with_sentences_of_ours(
    demo: tuple[Path, Result],
) -> None:
    folder, printed = demo
    mails = [*folder.glob("out/mail/*/*.html"), *folder.glob("out/mail/*/*.txt")]

    assert len(mails) == 10
    for text in (printed.stdout, *(mail.read_text("utf-8") for mail in mails)):
        assert "selection from" in text
        assert "sentences below" in " ".join(text.split())


def test_its_configuration_says_that_its_source_is_gone(
    demo: tuple[Path, Result],
) -> None:
    folder, printed = demo
    config = folder / "digest.toml"
    (source,) = read_settings(config, {}).sources

    assert "`digest run` cannot fetch anything" in printed.stdout
    assert "This source is therefore gone" in config.read_text("utf-8")
    assert source.options["url"] == "http://the-demo-is-over.invalid/rss/"
