"""The image and the services of deploy/, built and run in a fresh root of Debian's packages: as another user, read-only.

There is no container runtime here. The steps of the Containerfile and the commands of compose.yaml are read from these files and
carried out by chroot in namespaces of their own; in place of the base image, python:…-slim, there is a minimal Debian with its
own Python, of the release that this machine has.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy import make_url

import digest
from digest.demo.publisher import NEW_YORK, Publisher, load_shipped_papers
from digest.testing.mail_server import MailServer
from tests.system.programs.containerfile import Image, Mount, build_image
from tests.system.programs.relay import relay_to
from tests.worker.conftest import wait_until

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deploy" / "compose"
STOP_SECONDS = 20
"""The promise: a service that is told to stop ends within this time."""
MAIL_SECONDS = 180
"""The promise: a mail is in the catch-all within this time."""


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    folder = Path(tempfile.mkdtemp(prefix="digest-image-"))
    # In memory, 50,000 files come and go in seconds; a busy disk takes a minute to delete them.
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", folder], check=True)
    try:
        yield build_image(ROOT / "deploy" / "container" / "Containerfile", folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


@pytest.fixture(scope="module")
def services() -> Any:
    return yaml.safe_load((COMPOSE / "compose.yaml").read_text("utf-8"))["services"]


@dataclass(frozen=True, slots=True)
class Host:
    """What the containers of compose.yaml have around them, on loopback.

    Attributes:
        image: the image, with the variables of compose.yaml.
        mounts: the configuration of compose.yaml, and volumes.
        mail: the catch-all.
        port: stands for port 8080 of the image.
        folder: for logs.
    """

    image: Image
    mounts: Sequence[Mount]
    mail: MailServer
    port: int
    folder: Path

    def with_port(self, command: Sequence[str]) -> list[str]:
        """Replace the port, which another program of this machine may have."""
        assert any("8080" in word for word in command)
        return [word.replace("8080", str(self.port)) for word in command]


@pytest.fixture
def host(image: Image, bare_postgres_url: str, tmp_path: Path) -> Iterator[Host]:
    uid, gid = map(int, image.user.split(":"))
    volumes = [Mount(tmp_path / name.replace("/", "-"), name, writable=True) for name in image.volumes]
    for volume in volumes:
        volume.source.mkdir()
        os.chown(volume.source, uid, gid)
    config_folder = tmp_path / "config"
    config_folder.mkdir()
    day = datetime.now(NEW_YORK).date()
    with ExitStack() as stack:
        url = make_url(bare_postgres_url)
        socket_folder = url.query.get("host")
        if isinstance(socket_folder, str):
            port = stack.enter_context(relay_to(f"{socket_folder}/.s.PGSQL.5432"))
            url = url.set(host="127.0.0.1", port=port, query={})
        papers = [replace(paper, day=day) for paper in load_shipped_papers()]
        publisher = stack.enter_context(Publisher(papers, day=day))
        mail = stack.enter_context(MailServer())
        config = (COMPOSE / "digest.toml").read_text("utf-8")
        for old, new in (
            ('host = "mail" ', 'host = "127.0.0.1" '),
            ("port = 1025", f"port = {mail.port}"),
            ('use = "arxiv"', f'use = "arxiv"\nroutes = ["rss"]\nurl = "{publisher.url}/rss/"'),
        ):
            assert config.count(old) == 1, old
            config = config.replace(old, new)
        (config_folder / "digest.toml").write_text(config, encoding="utf-8")
        store_url = url.render_as_string(hide_password=False)
        variables = {"DIGEST_STORE_URL": store_url, "DIGEST_SMTP_PASSWORD": "", "DIGEST_KEY": ""}
        yield Host(
            image.with_environment(variables),
            [*volumes, Mount(config_folder, "/etc/digest")],
            mail,
            find_free_port(),
            tmp_path,
        )


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def fetch_status(port: int, path: str) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
            status: int = response.status
            return status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_the_services_of_the_compose_file_bring_a_mail_and_stop_in_time(host: Host, services: Any) -> None:
    image, mounts = host.image, host.mounts
    began_at = time.monotonic()
    apply = services["apply"]
    result = image.run([*apply["entrypoint"], *apply["command"]], mounts)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Applied." in result.stdout

    web_command = host.with_port([*image.entrypoint, *image.command])
    worker_command = [*image.entrypoint, *services["worker"]["command"]]
    health_command = host.with_port(image.healthcheck)
    worker_health = services["worker"]["healthcheck"]["test"]
    assert worker_health[0] == "CMD-SHELL"
    logs = [host.folder / f"{name}.log" for name in ("web", "worker-1", "worker-2")]
    with ExitStack() as stack:
        web = stack.enter_context(image.start(web_command, mounts, logs[0]))
        workers = [stack.enter_context(image.start(worker_command, mounts, log)) for log in logs[1:]]
        wait_until(lambda: fetch_status(host.port, "/readyz") == 200)
        assert image.run(health_command, mounts).returncode == 0
        wait_until(lambda: host.mail.received, timeout=MAIL_SECONDS)
        mail_seconds = time.monotonic() - began_at
        assert {process.uids().real for process in (web, *workers)} == {int(image.user.split(":")[0])}
        check_worker = ["/bin/sh", "-c", worker_health[1]]
        assert [image.run_beside(process, check_worker).returncode for process in workers] == [0, 0]
        assert image.run_beside(web, check_worker).returncode == 1, "it has no processes of a worker"
        stop_seconds = []
        for process in (*workers, web):
            stopped_at = time.monotonic()
            process.terminate()
            process.wait(STOP_SECONDS)
            stop_seconds.append(time.monotonic() - stopped_at)

    assert mail_seconds < MAIL_SECONDS
    assert [mail.recipients for mail in host.mail.received] == [("reader@example.org",)]
    for log in logs:
        assert "Stopped." in log.read_text("utf-8"), log.read_text("utf-8")
        assert "Traceback" not in log.read_text("utf-8")
    assert image.run(health_command, mounts).returncode == 1, "nobody answers any more"
    print(f"\nfirst mail after {mail_seconds:.0f} s; stopped after {stop_seconds} s")  # noqa: T201 - for -s


def test_services_can_write_only_into_their_volumes(host: Host) -> None:
    def write(path: str) -> int:
        return host.image.run(["touch", path], host.mounts).returncode

    assert [write(f"{folder}/new") for folder in ("/tmp", *host.image.volumes)] == [0, 0, 0]
    assert [write(f"{folder}/new") for folder in ("/etc/digest", "/opt/digest/bin", "/", "/usr", "/etc")] == [
        1
    ] * 5
    result = host.image.run(
        ["sh", "-c", "id -u; id -G; pg_dump --version; command -v pip gcc || true"], host.mounts
    )
    assert result.stdout.splitlines()[:2] == ["10001", "10001"], result.stderr
    assert "pg_dump (PostgreSQL)" in result.stdout


def test_the_image_says_what_is_in_it(image: Image) -> None:
    document = json.loads((image.root / "opt" / "digest" / "sbom.cdx.json").read_text("utf-8"))

    versions = {part["name"]: part["version"] for part in document["components"]}
    assert document["bomFormat"] == "CycloneDX"
    assert document["metadata"]["component"]["name"] == "papers-digest"
    assert {"psycopg", "procrastinate", "apprise", "zstandard", "sqlalchemy"} <= {
        re.sub(r"[-_.]+", "-", name).lower() for name in versions
    }
    result = image.run(["/opt/digest/bin/digest", "--version"])
    assert digest.__version__ in result.stdout
