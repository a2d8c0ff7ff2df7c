"""`digest deliver` in ten processes at once, on one store, against a real mail server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from sqlalchemy import select

from digest.store import deliveries, rates
from digest.store.engine import open_store
from digest.store.paper_tables import buckets
from tests.servers import MailServer
from tests.store.given import NOW, due
from tests.world import World, config

ROOT = Path(__file__).parents[1]
WORKERS = 10
DELIVERIES = 300
MAIL = """
[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "digest@example.org"
connections = 2

[delivery]
rate = "{rate}/second"
domains = {{ "example.org" = "{rate}/second" }}
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/digest.db"
    return str(request.getfixturevalue("postgres_url"))


def test_ten_processes_send_everything_once_and_together_keep_the_rate(
    tmp_path: Path, url: str, mail_server: MailServer
) -> None:
    world = World(tmp_path)
    rate = 100
    text = config("http://127.0.0.1:9").replace("sqlite:///digest.db", url)
    world.write(text + MAIL.format(port=mail_server.port, rate=rate))
    world.run("db", "upgrade")
    store = open_store(url, NOW)
    due(store, DELIVERIES)

    command = [sys.executable, "-m", "digest", "deliver", "--config", str(tmp_path / "digest.toml")]
    began = [
        subprocess.Popen(command, cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(WORKERS)
    ]
    said = [process.communicate(timeout=100)[0].decode() for process in began]

    assert [process.returncode for process in began] == [0] * WORKERS, said
    sent = Counter(str(message_from_bytes(mail.content)["Message-ID"]) for mail in mail_server.received)
    assert len(sent) == DELIVERIES
    assert set(sent.values()) == {1}
    with store.reading() as tx:
        assert deliveries.count_by_state(tx) == {"sent": DELIVERIES}
        first = min(one.sent_at for one in deliveries.recent(tx, most=DELIVERIES) if one.sent_at)
        spent_to = tx.execute(select(buckets.c.next_at).where(buckets.c.name == rates.ALL)).scalar_one()
    store.close()
    # Nothing that one of them spent was overwritten by another; the first was claimed a little before it was sent.
    assert spent_to - first >= timedelta(seconds=DELIVERIES / rate - 1)
