"""The workflow that ships, run step by step as a scheduled job runs it: a checkout of its own, and a branch for the state."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml  # type: ignore[import-untyped]

from digest.demo.publisher import Publisher
from digest.testing.mail_server import MailServer
from tests.arxiv_service.announcements import make_announcements
from tests.arxiv_service.history import Announcement, History
from tests.arxiv_service.release_times import NEW_YORK, get_list_time
from tests.arxiv_service.server import ArxivService
from tests.simulation.pull_workspace import DAYS, LAPTOP, SECTIONS, WEEKDAYS, make_arxiv_config, make_random
from tests.support.workspace import Workspace

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
WORKFLOW = yaml.safe_load((ROOT / "config" / "github-actions.yml").read_text("utf-8"))
JOB = WORKFLOW["jobs"]["digest"]
BRANCH = JOB["env"]["BRANCH"]
SECRETS = {
    "DIGEST_KEY": "5b1ad0f5f2c34d0e9d1b7c0d2e8a4f61",
    "DIGEST_TO": "somebody.known@reader.example",
    "DIGEST_SMTP_PASSWORD": "correct-horse-battery",
}
BERLIN = ZoneInfo("Europe/Berlin")
FIRST, SECOND = date(2026, 5, 6), date(2026, 5, 7)
CONFIG = """
[site]
title = "My digest"

[store]
url = "sqlite:///digest.db"

[output]
folder = "kept/out"

[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs.DC", "cs.LG", "cs.CL"]
url = "{url}/rss/"
pace = 0

[smtp]
host = "127.0.0.1"
port = {port}
security = "starttls"
ca_file = "{authority}"
username = "digest"
from = "Digest <digest@example.org>"

[[digest]]
name = "systems"
to = ["${{DIGEST_TO}}"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
latest = "10:00"
keywords = ["LLM serving", "KV cache", "mixture of experts", "MoE"]
limit = 5
feed = true
"""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One run of the workflow.

    Attributes:
        folder: its checkout.
        log: all that it said.
    """

    folder: Path
    status: int
    log: str


@dataclass(kw_only=True)
class Repository:
    """A repository with the workflow, as a bare one on a server."""

    base: Path
    publisher: Publisher
    mails: MailServer
    jobs: int = 0

    @property
    def remote(self) -> Path:
        return self.base / "remote.git"

    def git(self, *arguments: str, folder: Path | None = None) -> str:
        command = ["git", "-c", "user.name=me", "-c", "user.email=me@example.org", *arguments]
        return subprocess.run(
            command, cwd=folder or self.remote, capture_output=True, text=True, check=True, env=self.plain()
        ).stdout

    def plain(self) -> dict[str, str]:
        """An environment in which git knows of no other repository and of nobody's settings."""
        mine = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return mine | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def checkout(self) -> Path:
        self.jobs += 1
        folder = self.base / f"job-{self.jobs}"
        self.git("clone", "--quiet", "--depth", "1", f"file://{self.remote}", str(folder), folder=self.base)
        return folder

    def run(self, day: date, *, minutes: int = 0, folder: Path | None = None, only: str = "") -> Job:
        """The steps of the workflow, in a fresh checkout or in one that has begun."""
        folder = folder or self.checkout()
        now = datetime(day.year, day.month, day.day, 7, 31, tzinfo=BERLIN) + timedelta(minutes=minutes)
        log = ""
        for step in steps(only):
            environment = {**self.plain(), **JOB["env"], **filled(step.get("env", {}))}
            environment["PATH"] = f"{self.base / 'bin'}{os.pathsep}{environment['PATH']}"
            environment["NOW"] = now.isoformat()
            ran = subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            log += ran.stdout
            if ran.returncode:
                return Job(folder=folder, status=ran.returncode, log=log)
        return Job(folder=folder, status=0, log=log)

    def read_branch(self) -> dict[str, bytes]:
        """What is in the branch."""
        names = self.git("ls-tree", "-r", "--name-only", BRANCH).splitlines()
        return {name: self.git("show", f"{BRANCH}:{name}").encode() for name in names}


def steps(only: str) -> list[dict[str, Any]]:
    """The steps that are shell; what would be installed is here."""
    named = [step for step in JOB["steps"] if "run" in step and step["name"] != "Install"]
    return [step for step in named if only in ("", step["name"])]


def filled(options: dict[str, str]) -> dict[str, str]:
    """What a step gets of the repository's secrets."""
    named = {name: value.removeprefix("${{ secrets.").removesuffix(" }}") for name, value in options.items()}
    return {name: SECRETS[secret] for name, secret in named.items()}


@pytest.fixture
def repository(tmp_path: Path, publisher: Publisher, authority: Any) -> Any:
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "digest"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m digest "$@" --now "$NOW"\n',
        encoding="utf-8",
    )
    command.chmod(0o755)
    (tmp_path / "bin" / "sleep").symlink_to("/bin/true")  # between two attempts
    login = ("digest", SECRETS["DIGEST_SMTP_PASSWORD"])
    with MailServer(security="starttls", login=login, authority=authority) as mails:
        repository = Repository(base=tmp_path, publisher=publisher, mails=mails)
        repository.git(
            "init", "--quiet", "--bare", "--initial-branch=main", str(repository.remote), folder=tmp_path
        )
        seed = tmp_path / "seed"
        repository.git("clone", "--quiet", str(repository.remote), str(seed), folder=tmp_path)
        config = CONFIG.format(url=publisher.url, port=mails.port, authority=tmp_path / "authority.pem")
        (seed / "digest.toml").write_text(config, encoding="utf-8")
        repository.git("add", "digest.toml", folder=seed)
        repository.git("commit", "--quiet", "-m", "My digest", folder=seed)
        repository.git("push", "--quiet", "origin", "HEAD:main", folder=seed)
        yield repository


def test_the_first_job_says_that_there_is_no_state_and_the_next_ones_go_on_from_it(
    repository: Repository,
) -> None:
    first = repository.run(FIRST)
    again = repository.run(FIRST, minutes=40)
    repository.publisher.day = SECOND
    second = repository.run(SECOND)

    assert (first.status, again.status, second.status) == (0, 0, 0), first.log + again.log + second.log
    assert "There is no state" in first.log
    assert "There is no state" not in again.log + second.log
    assert len(repository.mails.received) == 2
    assert {"kept/out/index.html", "kept/out/feeds/systems.atom"} <= {
        path.relative_to(second.folder).as_posix() for path in second.folder.rglob("kept/out/**/*")
    }
    assert len(list(second.folder.glob("kept/out/editions/systems/*.html"))) == 2


def test_the_branch_is_one_commit_and_holds_no_address_and_no_secret(repository: Repository) -> None:
    repository.run(FIRST)
    repository.publisher.day = SECOND
    job = repository.run(SECOND)

    assert repository.git("rev-list", "--count", BRANCH).strip() == "1"
    branch = repository.read_branch()
    assert {"state/state.json", "state/editions.jsonl", "out/index.html"} <= branch.keys()
    for name, content in branch.items():
        for secret in ("reader.example", *SECRETS.values()):
            assert secret.encode() not in content, name
    assert repository.git("ls-tree", "--name-only", "main").split() == ["digest.toml"]
    assert job.status == 0


def test_the_log_names_no_address_and_no_secret(repository: Repository) -> None:
    job = repository.run(FIRST)
    repository.mails.replies.append(f"550 5.1.1 <{SECRETS['DIGEST_TO']}> is no more")
    repository.publisher.day = SECOND
    refused = repository.run(SECOND)

    assert "systems" in job.log
    assert "5.1.1" in refused.log
    for secret in ("reader.example", *SECRETS.values()):
        assert secret not in job.log + refused.log


def test_of_two_jobs_at_once_the_later_one_is_refused_and_sends_nothing(repository: Repository) -> None:
    path, other = repository.checkout(), repository.checkout()
    for folder in (path, other):
        assert repository.run(FIRST, folder=folder, only="Fetch the state").status == 0
    first = repository.run(FIRST, folder=path, only="Run")
    second = repository.run(FIRST, folder=other, only="Run")

    assert first.status == 0, first.log
    assert second.status == 1
    assert "nothing was sent" in second.log
    assert len(repository.mails.received) == 1


def test_a_job_that_begins_while_another_one_sends_leaves_the_work_to_it(repository: Repository) -> None:
    hook = repository.remote / "hooks" / "post-receive"
    hook.write_text("#!/bin/sh\ntest -e ../first || { cp -r . ../first; }\n")
    hook.chmod(0o755)
    repository.run(FIRST)
    hook.unlink()
    shutil.rmtree(repository.remote)
    (repository.base / "first").rename(repository.remote)  # as it was just before the mail was sent

    second = repository.run(FIRST, minutes=10)
    later = repository.run(FIRST, minutes=200)

    assert second.status == 0
    assert "Another cycle is running" in second.log
    assert "did not finish" in later.log
    ids = [re.search(rb"^Message-ID: .*$", mail.content, re.MULTILINE) for mail in repository.mails.received]
    assert len(ids) == 2
    assert len({match[0] for match in ids if match}) == 1


@pytest.mark.parametrize("how", ["refused", "answer lost"])
def test_a_push_that_fails_is_tried_again(repository: Repository, how: str) -> None:
    """Refused before it is kept, or kept without that its job hears of it."""
    hook = repository.remote / "hooks" / ("pre-receive" if how == "refused" else "post-receive")
    hook.write_text("#!/bin/sh\ntest -e once || { touch once; kill -9 $PPID; exit 1; }\n")
    hook.chmod(0o755)
    first = repository.run(FIRST)
    again = repository.run(FIRST, minutes=10)

    assert (first.status, again.status) == (0, 0), first.log + again.log
    assert (repository.remote / "once").exists()
    assert len(repository.mails.received) == 1


def test_a_state_that_cannot_be_fetched_is_not_taken_for_none(repository: Repository) -> None:
    repository.run(FIRST)
    folder = repository.checkout()
    repository.git("remote", "set-url", "origin", str(repository.base / "nowhere"), folder=folder)

    assert repository.run(FIRST, folder=folder).status != 0
    assert len(repository.mails.received) == 1


def test_jobs_are_never_two_at_once_and_have_no_more_rights_than_they_need() -> None:
    assert WORKFLOW["concurrency"] == {"group": "digest", "cancel-in-progress": False}
    assert WORKFLOW["permissions"] == {}
    assert JOB["permissions"] == {"contents": "write"}
    assert WORKFLOW["jobs"]["pages"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert "pip install papers-digest" in [step.get("run") for step in JOB["steps"]]


@pytest.mark.usefixtures("no_retries")
def test_ten_days_of_jobs_tell_what_one_machine_that_stays_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With new versions, papers that are listed again, a weekend, a holiday and a change of clocks."""
    monkeypatch.setenv("DIGEST_KEY", SECRETS["DIGEST_KEY"])
    history = History([*make_announcements(make_random(), DAYS, SECTIONS, 8), *make_late_cross_list()], DAYS)
    fields: dict[str, tuple[list[Any], list[Any]]] = {"all": ([], []), "weekly": ([], [])}
    with ArxivService(history, now=get_list_time(DAYS[0]), sections=SECTIONS) as service:
        stays, last = Workspace(tmp_path / "stays"), tmp_path
        stays.folder.mkdir()
        stays.write(follower(make_arxiv_config(service, f"sqlite:///{stays.folder}/digest.db", LAPTOP)))
        for day in WEEKDAYS:
            now = datetime(day.year, day.month, day.day, 7, 45, tzinfo=NEW_YORK)
            service.now = now
            last = tmp_path / f"job-{day}"
            last.mkdir()
            job = Workspace(last)
            job.write(follower(make_arxiv_config(service, f"sqlite:///{job.folder}/job.db", LAPTOP)))
            stays.run("run", now=now)
            job.run("run", "--state", str(tmp_path / "state"), now=now)
            for name, (by_jobs, _) in fields.items():
                by_jobs.extend(job.read_editions(name))
        for name, (_, stayed) in fields.items():
            stayed.extend(stays.read_editions(name))

    by_job, by_who_stays = (files_of(base / "out" / "feeds") for base in (last, stays.folder))
    assert {"all.atom", "weekly.rss", "public/all.json"} <= by_job.keys()
    assert by_job == by_who_stays
    assert [len(stayed) for _, stayed in fields.values()] == [len(WEEKDAYS), 3]
    # A weekly edition can have more papers than its limit, and then not all kinds.
    kinds = {item["event"]["kind"] for entry in fields["all"][1] for item in entry["items"]}
    assert kinds == {"new", "grown", "version"}
    for by_jobs, stayed in fields.values():
        assert by_jobs == stayed


def make_late_cross_list() -> list[Announcement]:
    """A paper that is listed in the followed section two days after it was new elsewhere; chance may bring none."""
    new = Announcement(
        day=DAYS[1],
        id="2603.90001",
        title="Listed late",
        categories=(SECTIONS[1],),
        authors=("Ada Lovelace",),
    )
    added = (SECTIONS[0],)
    late = replace(new, day=DAYS[3], action="cross", added=added, categories=(*new.categories, *added))
    return [new, late]


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def follower(config: str) -> str:
    """Of one section of three, so that what is listed there later is news, and of new versions; daily and weekly."""
    before, _, _ = config.rpartition("categories = ")
    mine = f'{before}categories = ["{SECTIONS[0]}"]\n    kinds = ["new", "version"]\n    feed = true\n'
    (table,) = re.findall(r" *\[\[digest\]\].*", mine, re.DOTALL)
    weekly = table.replace('"all"', '"weekly"').replace("weekdays", "weekly thu")
    return f"[site]\n    public_feeds = true\n{mine}\n{weekly}"
