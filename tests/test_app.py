"""What one can rely on of the parts that a file becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.channels import smtp
from digest.config import read_settings
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


def counted(made: tuple[Connection, ...]) -> dict[tuple[str, bool], int]:
    names = [(line.server, line.is_stand_by) for line in made if line.channel == "smtp"]
    return {name: names.count(name) for name in names}


def test_folders_have_one_line_each_and_a_server_its_connections(tmp_path: Path) -> None:
    made = lines(tmp_path, "connections = 3\n")

    assert [(line.channel, line.server) for line in made] == [
        ("files", ""),
        ("maildir", ""),
        *[("smtp", "smtp.example.org:587")] * 3,
    ]
    assert not any(line.is_stand_by for line in made)


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
