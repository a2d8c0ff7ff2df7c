"""What one can rely on of the parts that a file becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.app import open_app
from digest.channels import smtp
from digest.config import read_settings
from digest.errors import ConfigError
from digest.jobs.delivery.channels import make_connections
from digest.ports import Connection

FILE = """
[[source]]
use = "arxiv"
categories = ["cs.LG"]

[[digest]]
name = "one"
to = ["files:mail", "maildir:inbox", "me@example.org"]
schedule = "daily 7:00"
keywords = ["x"]

[smtp]
host = "smtp.example.org"
from = "digest@example.org"
"""


def lines(folder: Path, added: str = "") -> tuple[Connection, ...]:
    (folder / "digest.toml").write_text(FILE + added, encoding="utf-8")
    return make_connections(read_settings(folder / "digest.toml", {}))


def counted(connections: tuple[Connection, ...]) -> dict[tuple[str, bool], int]:
    names = [(line.server, line.is_stand_by) for line in connections if line.channel == "smtp"]
    return {name: names.count(name) for name in names}


def test_folders_have_one_line_each_and_a_server_its_connections(tmp_path: Path) -> None:
    connections = lines(tmp_path, "connections = 3\n")

    assert [(line.channel, line.server) for line in connections] == [
        ("files", ""),
        ("maildir", ""),
        *[("smtp", "smtp.example.org:587")] * 3,
    ]
    assert not any(line.is_stand_by for line in connections)


def test_each_line_has_a_connection_of_its_own(tmp_path: Path) -> None:
    first, second, *_ = (line.make_channel() for line in lines(tmp_path) if line.channel == "smtp")

    assert first is not second
    assert isinstance(first, smtp.Channel)
    assert (first.host, first.port, first.security) == ("smtp.example.org", 587, "starttls")


@pytest.mark.parametrize(("weight", "connections"), [(2, 8), (1, 4), (0.5, 2), (0.01, 1)])
def test_connections_are_shared_out_by_weight(tmp_path: Path, weight: float, connections: int) -> None:
    relay = f'weight = 2\n[[smtp.relay]]\nhost = "b"\nconnections = 8\nweight = {weight}\n'

    assert counted(lines(tmp_path, relay)) == {
        ("smtp.example.org:587", False): 4,
        ("b:587", False): connections,
    }


def test_a_stand_by_has_all_its_connections(tmp_path: Path) -> None:
    relay = '[[smtp.relay]]\nhost = "b"\nconnections = 2\nweight = 0\n'

    assert counted(lines(tmp_path, relay)) == {("smtp.example.org:587", False): 4, ("b:587", True): 2}


MISTAKES = """
[smtp]
host = "smtp.example.org"
username = "ada"
from = "digest@example.org"

[[source]]
use = "arxv"

[[source]]
use = "arxiv"
categories = ["cs.XX"]
rotes = ["rss"]
routes = ["rs"]
pace = "x"

[[enricher]]
use = "crossref"
quota = 0

[[digest]]
name = "one"
to = ["me@example.org"]
schedule = "daily 7:00"
keywords = ["x"]
limit = "x"
"""


def told_lines(folder: Path, text: str) -> list[str]:
    """The key of each mistake that opening a file tells of."""
    (folder / "digest.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error, open_app(folder / "digest.toml", None, {}):
        pass
    return [line.split(": ")[1] for line in str(error.value).splitlines()]


def test_mistakes_in_options_of_services_are_told_beside_those_of_other_tables(tmp_path: Path) -> None:
    assert told_lines(tmp_path, MISTAKES) == [
        *("smtp", "digest[0].limit"),
        *("source[0].use", "source[1].rotes", "source[1].pace", "source[1].routes[0]"),
        *("source[1].categories[0]", "enricher[0].quota"),
    ]


def test_a_misspelt_table_of_sources_is_told_with_the_mistakes_in_its_options(tmp_path: Path) -> None:
    assert told_lines(tmp_path, FILE.replace("[[source]]", "[[sources]]").replace("cs.LG", "cs.XX")) == [
        *("sources", "sources[0].categories[0]"),
    ]


def test_a_source_whose_variable_is_missing_is_one_mistake(tmp_path: Path) -> None:
    feed = '\n[[source]]\nuse = "feed"\nurl = "${NOPE}"\n'

    assert told_lines(tmp_path, FILE + feed) == ["source[1].url"]


def test_what_is_not_toml_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "digest.toml").write_text(FILE + "limit 25", encoding="utf-8")

    with pytest.raises(ConfigError) as error, open_app(tmp_path / "digest.toml", None, {}):
        pass
    assert len(str(error.value).splitlines()) == 1
