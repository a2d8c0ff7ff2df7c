"""One reader from the sign-up to the deletion, in Chromium and with Postfix: by mouse, without scripts, by keyboard.

The reader's address has a domain beyond ASCII, so that it is written in two ways; neither may be left at the end.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import trustme
from bs4 import BeautifulSoup

from digest.demo.publisher import Publisher, load_shipped_papers
from digest.render.paper_page import IS_NOT
from tests.support.timeouts import PATIENCE
from tests.system.programs.chromium import BrowserLog, Chromium
from tests.system.programs.postfix import Postfix
from tests.system.samples import feeds
from tests.web.conftest import THURSDAY, Site, composed_folder, serve_workspace, source
from tests.web.signup.conftest import (
    DIGEST,
    find_link,
    find_traces,
    make_signup_workspace,
    read_database,
    read_files,
)

__all__ = ["composed_folder", "source"]
pytestmark = pytest.mark.system

ADDRESS = "ada.lovelace@münchen.example"
MAILBOX = "ada.lovelace@xn--mnchen-3ya.example"
"""The same address as mail programs send it."""
AUTHOR = "Vittorio Murino"
"""Signs a paper of Thursday and one of Friday, with the same coauthors."""
FIRST_PAPER, NEXT_PAPER = (paper.title for paper in load_shipped_papers() if AUTHOR in paper.authors)

HEADING = "document.querySelector('h1').textContent"
FOLLOWS = "[...document.querySelectorAll('#follows + ul > li > a')].map((link) => link.textContent).join()"
STATUS = "document.querySelector('[role=status]').textContent"
BODY = "document.body.textContent"


# --- the browser ----------------------------------------------------------------------------------


class InputDevice(ABC):
    """What a reader uses a browser with."""

    def __init__(self, chromium: Chromium, server_url: str, *, width: int, scripts: bool) -> None:
        self.chromium = chromium
        self.has_scripts = scripts
        self._server_url, self._width = server_url, width
        self._logs: list[BrowserLog] = []

    def visit(self, path: str) -> None:
        log = self.chromium.visit(self._server_url, path, width=self._width, scripts=self.has_scripts)
        self._logs.append(log)

    def press(self, selector: str) -> None:
        """Activate a link or a button, and wait for the page that it leads to."""
        with self.chromium.loading():
            self.activate(selector)

    def list_problems(self) -> list[str]:
        return [problem for log in self._logs for problem in (*log.errors, *log.dialogs)]

    @abstractmethod
    def activate(self, selector: str) -> None: ...

    @abstractmethod
    def write(self, selector: str, text: str) -> None: ...

    @abstractmethod
    def choose(self, selector: str, option: str) -> None: ...

    @abstractmethod
    def set_time(self, selector: str, hour: int, minute: int) -> None: ...


class Mouse(InputDevice):
    """A pointer on a wide screen."""

    def activate(self, selector: str) -> None:
        self.chromium.click(selector)

    def write(self, selector: str, text: str) -> None:
        self.chromium.click(selector)
        self.chromium.write(text)

    def choose(self, selector: str, option: str) -> None:
        # The list of options is a window of the system, in which the protocol cannot click.
        self.chromium.run(f"document.querySelector({selector!r}).value = {option!r}")

    def set_time(self, selector: str, hour: int, minute: int) -> None:
        self.chromium.run(f"document.querySelector({selector!r}).value = '{hour:02}:{minute:02}'")


class Keyboard(InputDevice):
    """A phone without a pointer."""

    def activate(self, selector: str) -> None:
        self._focus(selector)
        self.chromium.press(
            " " if self.chromium.run("document.activeElement.type === 'checkbox'") else "Enter"
        )

    def write(self, selector: str, text: str) -> None:
        self._focus(selector)
        self.chromium.write(text)

    def choose(self, selector: str, option: str) -> None:
        self.write(selector, option)

    def set_time(self, selector: str, hour: int, minute: int) -> None:
        self.write(selector, f"{(hour + 11) % 12 + 1:02}{minute:02}{'AM' if hour < 12 else 'PM'}")

    def _focus(self, selector: str) -> None:
        for _ in range(300):
            self.chromium.press("Tab")
            if self.chromium.run(f"document.activeElement.matches({selector!r})"):
                return
        raise AssertionError(f"{selector} cannot be reached by keyboard")


def make_device(chromium: Chromium, server_url: str, kind: str) -> InputDevice:
    if kind == "keyboard":
        return Keyboard(chromium, server_url, width=360, scripts=True)
    return Mouse(chromium, server_url, width=800, scripts=kind == "scripts")


# --- the walk -------------------------------------------------------------------------------------


@pytest.fixture
def server(authority: trustme.CA) -> Iterator[Postfix]:
    """A mail server that takes mail for the reader's domain, too."""
    folder = Path(tempfile.mkdtemp(prefix="digest-postfix-"))
    folder.chmod(0o755)
    domains = f"example.org, {MAILBOX.partition('@')[2]}"
    with Postfix(folder, authority, more=f"virtual_mailbox_domains = {domains}\n") as server:
        yield server
    shutil.rmtree(folder)


@pytest.fixture
def site(composed_folder: Path, source: Publisher, server: Postfix, tmp_path: Path) -> Iterator[Site]:
    source.day = THURSDAY
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", server.port)
    with serve_workspace(workspace, source) as site:
        yield site
    source.day = THURSDAY


@dataclass
class Walk:
    """A reader on their way.

    Attributes:
        digest_path: the page of the reader's digest.
    """

    site: Site
    server: Postfix
    device: InputDevice
    digest_path: str = ""

    def get_path(self, url: str) -> str:
        return url.removeprefix(self.site.pages.url)

    def run(self, *command: str, later: timedelta = timedelta()) -> None:
        self.site.workspace.run(*command, now=self.site.app.clock() + later)

    def list_mails(self) -> list[EmailMessage]:
        """All mails to the reader in the Maildir, in order."""
        folder = self.server.inbox / "new"
        files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns) if folder.exists() else []
        mails = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
        return [mail for mail in mails if mail["Delivered-To"] == MAILBOX]

    def wait_for_mail(self, count: int) -> EmailMessage:
        """The last mail, when there are so many of them."""
        deadline = time.monotonic() + PATIENCE
        while len(mails := self.list_mails()) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(mails) == count
        return mails[-1]

    def receive_edition(self, *, later: timedelta = timedelta()) -> EmailMessage:
        count = len(self.list_mails())
        self.run("run", "--apply", later=later)
        return self.wait_for_mail(count + 1)

    def preview(self) -> list[str]:
        """The titles of the preview."""
        self.device.visit(self.digest_path)
        self.device.press("a[href$='/preview']")
        return list_titles(self.device.chromium.run("document.documentElement.outerHTML"))

    # steps

    def sign_up(self) -> None:
        device, chromium = self.device, self.device.chromium
        device.visit(f"/digests/{DIGEST}")
        device.write("#address", ADDRESS)
        device.press(".signup button")
        chromium.wait_for(f"{HEADING} === 'Look into your mail'")
        mail = self.wait_for_mail(1)
        assert mail["To"] == MAILBOX
        device.visit(self.get_path(find_link(mail)))
        chromium.wait_for(f"{HEADING} === 'One more click'")
        device.press("main button")
        chromium.wait_for(f"{HEADING} === 'Your account'")

    def open_digest(self) -> None:
        self.device.press("ul.rows a")
        self.digest_path = self.device.chromium.run("location.pathname")
        zone = self.device.chromium.run("Intl.DateTimeFormat().resolvedOptions().timeZone")
        zone = zone if self.device.has_scripts else "Europe/Berlin"
        assert f"on weekdays at 07:30 ({zone})" in self.device.chromium.run(BODY)

    def follow_search(self, words: str) -> None:
        self.device.visit(self.digest_path)
        self.device.write("#q", words)
        if not self.device.has_scripts:
            self.device.press(".search button")
        self.device.chromium.wait_for(
            "document.querySelector('#preview').textContent.includes('It brings about')"
        )
        self.device.press("#preview button.on")
        self.device.chromium.wait_for(f"{FOLLOWS}.endsWith({words!r})")

    def follow_author(self, name: str) -> None:
        self.device.visit(self.digest_path)
        self.device.write("#name", name)
        self.device.press("#people button")
        self.device.press("#people + ul button.on")
        self.device.chromium.wait_for(f"{FOLLOWS}.endsWith('author:\"{name}\"')")

    def open_paper(self, edition: EmailMessage, title: str) -> None:
        """Open the page of a paper by a link of the mail."""
        html = get_html(edition)
        number = list_titles(html).index(title) + 1
        links = [str(link["href"]) for link in BeautifulSoup(html, "html.parser").select("a[href]")]
        link = next(link for link in links if link.endswith(f"/{number}?more"))
        self.device.visit(self.get_path(link))
        assert self.device.chromium.run(HEADING).split() == title.split()

    def deny_author(self) -> None:
        """Say on the page of a paper that its author is somebody else."""
        self.device.press(f"button[value={IS_NOT}]")
        self.device.chromium.wait_for(f"{STATUS}.includes('Noted: this is not the {AUTHOR} you follow')")

    def take_denial_back(self) -> None:
        """Take the answer back on the page of feedback, which lists it alone."""
        self.device.visit(self.digest_path)
        self.device.press("a[href$='/feedback']")
        rows = self.device.chromium.run(
            "[...document.querySelectorAll('main ul.rows li')].map((row) => row.textContent)"
        )
        assert len(rows) == 1
        assert rows[0].startswith(f"This is not the {AUTHOR} I follow{FIRST_PAPER}")
        self.device.press("main ul.rows button")
        self.device.chromium.wait_for(f"{BODY}.includes('None yet')")

    def change_time(self) -> None:
        self.device.visit(self.digest_path)
        self.device.set_time("[name=at]", 18, 30)
        self.device.choose("select[name=zone]", "Asia/Tokyo")
        self.device.press("#when + form button:not([type=button])")
        self.device.chromium.wait_for(f"{BODY}.includes('on weekdays at 18:30 (Asia/Tokyo)')")

    def read_feed(self) -> list[str]:
        """The titles that newsboat shows."""
        self.device.visit(self.digest_path)
        self.device.activate("#how + form [name=feed]")
        self.device.press("#how + form button")
        self.device.chromium.wait_for(f"{STATUS}.includes('Saved.')")
        self.device.press("a[href$='/feeds']")
        url = self.device.chromium.run("document.querySelector('main a[type]').href")
        body = self.site.get(url).raise_for_status().content
        return [entry.title for entry in feeds.read_by_newsboat(body)]

    def pause_and_resume(self) -> None:
        self.device.visit(self.digest_path)
        self.device.press("button[value=pause-week]")
        self.device.chromium.wait_for("document.querySelector('button[value=resume-then]')")
        self.device.press("button[value=resume-then]")
        self.device.chromium.wait_for("document.querySelector('button[value=pause-week]')")

    def export(self) -> dict[str, str]:
        """The files of the archive that the account offers."""
        self.device.visit("/account")
        content = self.device.chromium.run(
            "fetch(document.querySelector(\"a[href$='/account/export']\").href)"
            ".then((answer) => answer.arrayBuffer())"
            ".then((content) => btoa(String.fromCharCode(...new Uint8Array(content))))"
        )
        with ZipFile(BytesIO(b64decode(content))) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}

    def unsubscribe(self, edition: EmailMessage) -> None:
        """Do what mail programs do for a reader who unsubscribes."""
        assert edition["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        link = str(edition["List-Unsubscribe"]).split(",")[0].strip("<> ")
        answer = self.site.post(self.get_path(link), content=b"List-Unsubscribe=One-Click")
        assert answer.status_code == 200
        self.device.visit(self.digest_path)
        is_mailed, has_feed = self.device.chromium.run(
            "['mail', 'feed'].map((name) => document.querySelector(`#how + form [name=${name}]`).checked)"
        )
        assert (is_mailed, has_feed) == (False, True), "the feed goes on"

    def delete_everything(self) -> None:
        self.device.visit("/account")
        self.device.press("a[href$='/account/delete']")
        self.device.press("main button")
        self.device.visit("/account")
        self.device.chromium.wait_for(f"{HEADING} === 'Sign in'")

    def list_traces(self, log: str) -> list[tuple[str, bytes]]:
        """Where the address still is, in any form: in tables, in files, and in what was logged."""
        places = read_files(self.site) | {
            "tables": read_database(self.site),
            "log": "\n".join([log, *self.site.operator_messages]).encode(),
        }
        return [
            (place, trace)
            for place, content in places.items()
            for address in (ADDRESS, MAILBOX, "ada.lovelace")
            for trace in find_traces(content, address)
        ]


def list_titles(html: str) -> list[str]:
    """The titles of the papers of an edition, in order, those in brief at the end."""
    titles = BeautifulSoup(html, "html.parser").select("h3, main > h2 + ul > li > a:first-child")
    return [" ".join(title.get_text().split()) for title in titles]


def get_html(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


@pytest.mark.parametrize("kind", ["scripts", "no scripts", "keyboard"])
def test_a_reader_can_do_everything_from_the_sign_up_to_the_deletion(
    site: Site,
    server: Postfix,
    chromium: Chromium,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    walk = Walk(site, server, make_device(chromium, site.server_url, kind))
    walk.sign_up()
    walk.open_digest()
    walk.follow_author(AUTHOR)
    walk.follow_search("planning")
    previewed = walk.preview()
    first_edition = walk.receive_edition()
    assert list_titles(get_html(first_edition)) == previewed
    assert {place for place, _ in walk.list_traces(caplog.text)} == {"tables", "digest.db"}

    walk.open_paper(first_edition, FIRST_PAPER)
    walk.deny_author()
    site.source.day += timedelta(1)
    walk.run("pull", later=timedelta(days=1))
    walk.run("match", later=timedelta(days=1))
    without_author = walk.preview()
    assert NEXT_PAPER not in without_author
    walk.take_denial_back()
    assert NEXT_PAPER in walk.preview()
    walk.open_paper(first_edition, FIRST_PAPER)
    walk.deny_author()

    walk.change_time()
    walk.run("run", "--apply", later=timedelta(days=1))
    assert len(walk.list_mails()) == 2, "nothing comes at the hour of before"
    next_edition = walk.receive_edition(later=timedelta(days=1, hours=6))
    assert list_titles(get_html(next_edition)) == without_author
    assert walk.read_feed() == [*without_author, *previewed]
    walk.pause_and_resume()
    archive = walk.export()
    assert AUTHOR in archive["digests.json"]
    assert FIRST_PAPER in archive["opinions.json"]
    walk.unsubscribe(next_edition)
    walk.delete_everything()
    assert walk.list_traces(caplog.text) == []
    assert walk.device.list_problems() == []
