"""What `digest check` says of the servers that take our mail."""

from __future__ import annotations

import socket
from pathlib import Path

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.support.workspace import Workspace, make_config

SMTP = """
[smtp]
host = "127.0.0.1"
port = {}
security = "none"
from = "digest@example.org"

[[smtp.relay]]
host = "localhost"
port = {}
security = "none"
"""


def test_each_server_is_tried_once_and_told_by_its_name(
    tmp_path: Path, publisher: Publisher, mail_server: MailServer
) -> None:
    workspace = Workspace(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        nobody = listener.getsockname()[1]
    workspace.write(make_config(publisher.url, to='"me@example.org"') + SMTP.format(mail_server.port, nobody))

    output = workspace.run("check", status=1).output

    assert f"channel smtp 127.0.0.1:{mail_server.port}: ok: " in output
    assert f"channel smtp localhost:{nobody}: failed: localhost:{nobody}: nothing answers there" in output
    assert mail_server.connections == 1
    assert mail_server.received == []
