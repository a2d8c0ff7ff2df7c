"""Chats and webhooks that readers add on the page of a digest, from the form to what arrives, and back to nothing."""

from __future__ import annotations

import gc
import io
import json
import multiprocessing
import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme
from bs4 import BeautifulSoup

from digest.app import App
from digest.channels import webhook
from digest.channels.webhook import make_signature_headers
from digest.demo.publisher import Publisher
from digest.jobs.delivery.channels import ProcessShare
from digest.jobs.delivery.readers.address_book import StoredAddressBook
from digest.jobs.http.ssrf_guard import SsrfGuard
from digest.testing.mail_server import MailServer
from digest.worker_processes import COMPOSED, ProcessTask, run_worker_process
from tests.channels.http_service import CannedAnswer, HttpService
from tests.support.timeouts import PATIENCE
from tests.web.conftest import serve_workspace
from tests.web.signup.conftest import SignupSite, find_traces, make_signup_workspace, read_database
from tests.web.signup.test_own_digests import ADA, ALL_FORMS, BOB, Reader

HOST = "lab.example.org"
HOOK = f"https://{HOST}/hooks/very-secret-path?key=another-secret"
CHAT = "https://hooks.slack.com/services/T0Secret1/B0Secret2/SecretSecret3"
SECRETS = ("very-secret-path", "another-secret", "T0Secret1", "B0Secret2", "SecretSecret3")
ALL = ["webhook", "slack", "discord", "ntfy"]


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> Iterator[SignupSite]:
    workspace = make_signup_workspace(
        composed_folder,
        tmp_path / "world",
        mail_server.port,
        signup=f"destinations = {json.dumps(ALL)}",
    )
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


@pytest.fixture
def ada(signup_site: SignupSite) -> Reader:
    return Reader(signup_site, ADA)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[trustme.CA]:
    """An authority that signs certificates which this machine trusts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    webhook._make_tls_context.cache_clear()
    yield authority
    webhook._make_tls_context.cache_clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopbackBook(StoredAddressBook):
    """An address book that checks hosts as it does, and leads to a port of this machine instead."""

    port: int

    def resolve_host(self, host: str, port: int) -> list[tuple[str, int]]:
        checked = StoredAddressBook.resolve_host(self, host, port)
        return [("127.0.0.1", self.port) for _ in checked]


def lead_to(service: HttpService, monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let the name server give these addresses for every host, and all connections lead to a service."""
    make_book = vars(App)["address_book"].fget

    def make_loopback_book(app: App) -> StoredAddressBook:
        book = make_book(app)
        assert isinstance(book, StoredAddressBook)
        guard = SsrfGuard(resolve=lambda _host, _port: addresses or ("93.184.216.34",))
        return LoopbackBook(
            store=book.store, load_keys=book.load_keys, allowed=book.allowed, guard=guard, port=service.port
        )

    monkeypatch.setattr(App, "address_book", property(make_loopback_book))


def run(ada: Reader, status: int = 0) -> str:
    """Deliver what is due, and return all that the command writes."""
    return ada.site.workspace.run("run", "--apply", now=ada.site.app.clock(), status=status).output


def read_secret(page: str) -> str:
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]+", page.replace("&#43;", "+"))
    return str(secret)


def list_rows(ada: Reader) -> list[str]:
    rows = ada.get().select("#destinations + ul > li")
    return [" ".join(row.get_text(" ").split()) for row in rows]


def get_number(ada: Reader) -> str:
    return str(ada.get().select("#destinations + ul [name=destination]")[0]["value"])


def find_secrets(text: str | bytes, *more: str) -> list[str]:
    content = text if isinstance(text, bytes) else text.encode()
    return [secret for secret in (*SECRETS, *more) if find_traces(content, secret)]


# --- the way --------------------------------------------------------------------------------------


def test_a_webhook_is_added_gets_a_signed_edition_is_removed_and_gets_nothing_more(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HttpService(authority=authority, tls=True, name=HOST) as service:
        lead_to(service, monkeypatch)
        added = ada.post("add-destination", address=HOOK)
        assert (added.status_code, added.headers["cache-control"]) == (200, "private, no-store")
        secret = read_secret(added.text)
        assert "it is not shown again" in added.text
        assert "whsec_" not in str(ada.get())
        output = run(ada)

        (request,) = service.requests
        assert (request.host, request.path) == (HOST, HOOK.removeprefix(f"https://{HOST}"))
        signed = make_signature_headers(
            request.headers["webhook-id"], int(request.headers["webhook-timestamp"]), request.body, secret
        )
        assert request.headers["webhook-signature"] == signed["webhook-signature"]
        assert request.json["type"] == "edition.published"
        assert len(request.json["data"]["items"]) > 5
        assert len(ada.list_mails()) == 1
        (row,) = list_rows(ada)
        assert row.startswith(f"https://{HOST}/…/")
        assert "Webhook · gets each edition" in row

        removed = ada.post("remove-destination", destination=get_number(ada))
        assert removed.headers["location"] == f"{ada.path}?saved=removed"
        assert list_rows(ada) == []
        ada.post("send")
        run(ada)
        assert len(service.requests) == 1

    seen = [added.text.replace(secret, ""), output, str(ada.get()), "".join(ada.site.operator_messages)]
    assert find_secrets("\n".join(seen), secret) == []
    assert find_secrets(read_database(ada.site), secret) == []


def test_a_chat_gets_editions_without_mail_and_feed(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HttpService(authority=authority) as service:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{service.port}")
        response = ada.post("add-destination", address=CHAT)
        assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}?saved=destination")
        options = {name: text for name, text in ALL_FORMS["options"].items() if name not in {"mail", "feed"}}
        assert ada.post("options", **options).status_code == 303
        run(ada)
        (request,) = service.requests[:1]
    assert f"https://{request.host}{request.path}" == CHAT
    assert ada.list_mails() == []
    (row,) = list_rows(ada)
    assert re.match(
        r"slack://…/\w{8} Slack · gets each edition", row.replace("bekommt jede Ausgabe", "gets each edition")
    )


@pytest.mark.long
def test_a_worker_process_finds_the_addresses_of_readers_as_well(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HttpService(authority=authority) as service:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{service.port}")
        ada.post("add-destination", address=CHAT)
        for command in ("match", "compose"):
            ada.site.workspace.run(command, now=ada.site.app.clock())
        task = ProcessTask(
            config=ada.site.workspace.folder / "digest.toml",
            now=ada.site.app.clock(),
            environ=dict(os.environ),
            share=ProcessShare(1, 2),
            gc_thresholds=gc.get_threshold(),
        )
        pipe, child_pipe = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(
            target=run_worker_process, args=(task, child_pipe)
        )
        process.start()
        pipe.send(COMPOSED)
        process.join(PATIENCE)
        assert process.exitcode == 0
    assert {f"https://{request.host}{request.path}" for request in service.requests} == {CHAT}


def test_a_host_inside_gets_no_request_and_its_reader_is_told_why(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HttpService(authority=authority, tls=True, name=HOST) as service:
        lead_to(service, monkeypatch, "93.184.216.34", "169.254.169.254")
        ada.post("add-destination", address=HOOK)
        output = run(ada, status=1)
        assert service.requests == []
    (row,) = list_rows(ada)
    assert f"the last edition did not arrive: no request is sent to {HOST}" in row
    assert f"no request is sent to {HOST}" in output
    assert len(ada.list_mails()) == 1


def test_the_page_shows_the_status_of_an_answer_and_nothing_else_of_it(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f"<script>alert(1)</script> {HOOK}".encode()
    with HttpService(
        authority=authority, tls=True, name=HOST, answer=lambda _: CannedAnswer(status=410, body=body)
    ) as service:
        lead_to(service, monkeypatch)
        ada.post("add-destination", address=HOOK)
        output = run(ada, status=1)
        assert len(service.requests) == 1
    page = ada.get()
    assert "the last edition did not arrive: HTTP 410" in page.get_text()
    assert "alert(1)" not in f"{page}{output}"
    assert page.select("li script") == []
    assert find_secrets(str(page) + output) == []
    assert find_secrets(read_database(ada.site)) == []


def test_the_operator_is_not_bothered_with_what_a_reader_can_see_and_mend(
    ada: Reader, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.site.change("[signup]", '[operator]\nnotify = ["files:notices"]\n\n[signup]')
    with HttpService(
        authority=authority, tls=True, name=HOST, answer=lambda _: CannedAnswer(status=410)
    ) as service:
        lead_to(service, monkeypatch)
        ada.post("add-destination", address=HOOK)
        run(ada, status=1)
        assert len(service.requests) == 1
    with ada.site.app.store.begin_read() as tx:
        assert tx.exec_driver_sql("SELECT name FROM notices").all() == []


# --- the form -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("my secret chat", "This is not an address that this site can send to."),
        (f"https://{HOST}/{'very-secret-path' * 200}", "The address is too long: at most 2,000 characters."),
        (f"http://{HOST}/very-secret-path", "must begin with https://"),
        (f"https://me:very-secret-path@{HOST}/", "have no port, no login and no #"),
        ("https://169.254.169.254/very-secret-path", "does not lead to a server on the public internet"),
        ("slack://T0Secret1/B0Secret2/SecretSecret3", "must begin with https://"),
    ],
)
def test_what_is_no_address_is_refused_in_words_and_not_repeated(ada: Reader, typed: str, words: str) -> None:
    response = ada.post("add-destination", address=typed)

    assert response.status_code == 400
    alert = BeautifulSoup(response.text, "html.parser").select_one("[role=alert]")
    assert alert is not None
    assert words in alert.get_text()
    assert find_secrets(response.text) == []
    assert list_rows(ada) == []


def test_a_sixth_one_is_announced_before_it_is_refused(ada: Reader) -> None:
    assert "0 of 5 chats and webhooks" in ada.get().get_text()
    for number in range(5):
        ada.post("add-destination", address=f"https://{HOST}/{number}")
    page = ada.get()
    assert "5 of 5 chats and webhooks" in page.get_text()
    assert page.select("[name=address]") == []

    response = ada.post("add-destination", address=CHAT)
    assert (response.status_code, "at most 5 chats and webhooks" in response.text) == (400, True)


def test_of_another_reader_nothing_is_removed(signup_site: SignupSite, ada: Reader) -> None:
    bob = Reader(signup_site, BOB)
    ada.post("add-destination", address=HOOK)
    before = list_rows(ada)

    assert bob.post("remove-destination", destination=get_number(ada)).status_code == 303
    assert bob.post("remove-destination", path=ada.path, destination=get_number(ada)).status_code == 404
    for forged in ("", "-1", "x", "9" * 30):
        assert ada.post("remove-destination", destination=forged).status_code == 400
    assert ada.post("remove-destination", destination="9" * 18).status_code == 303
    assert list_rows(ada) == before


def test_a_service_that_leaves_the_file_is_withheld_and_the_page_says_so(ada: Reader) -> None:
    ada.post("add-destination", address=CHAT)
    ada.site.change(json.dumps(ALL), '["webhook"]')

    (row,) = list_rows(ada)
    assert "off: this site no longer sends there" in row
    listed = ada.site.workspace.run("subscribers", "list", "--json").json
    assert "withheld" in json.dumps(listed)
    ada.post("remove-destination", destination=get_number(ada))
    assert list_rows(ada) == []


def test_commands_show_the_public_address_and_stop_it(ada: Reader) -> None:
    ada.post("add-destination", address=CHAT)
    (row,) = list_rows(ada)
    address = row.split()[0]
    listed = ada.site.workspace.run("subscribers", "list").output
    assert address in listed

    stopped = ada.site.workspace.run("subscribers", "stop", address).output
    assert f"{address}: unsubscribed" in stopped
    assert "off; add it again to continue" in list_rows(ada)[0]
    assert find_secrets(listed + stopped) == []


def test_the_export_has_the_public_address_alone_and_an_import_does_not_bring_it_back(ada: Reader) -> None:
    secret = read_secret(ada.post("add-destination", address=HOOK).text)
    archive = ada.signup_site.get_account(ada.token, "/account/export").content
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        contents = {name: file.read(name).decode() for name in file.namelist()}
    (digest,) = json.loads(contents["digests.json"])["digests"]

    assert digest["destinations"] == [list_rows(ada)[0].split()[0]]
    assert "add them again there" in contents["README.txt"]
    assert find_secrets("".join(contents.values()), secret) == []


@pytest.mark.parametrize("language", ["de", "zh"])
def test_the_section_is_in_the_language_of_the_page(ada: Reader, language: str) -> None:
    ada.post("add-destination", address=CHAT)
    page = ada.get(f"{ada.path}?lang={language}")
    section = page.select_one("#destinations")
    assert section is not None
    assert section.get_text() in {"Chats und Webhooks", "聊天和 Webhook"}
    assert "gets each edition" not in page.get_text()


def test_without_a_word_in_the_file_there_is_no_form_and_no_destination(
    composed_folder: Path, source: Publisher, mail_server: MailServer, tmp_path: Path
) -> None:
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port)
    with serve_workspace(workspace, source) as site:
        reader = Reader(SignupSite(site, mail_server), ADA)
        assert reader.get().select("#destinations, [name=address]") == []
        response = reader.post("add-destination", address=HOOK)
        assert (response.status_code, "This site does not send there" in response.text) == (400, True)


def test_a_check_names_the_channels_that_readers_can_use(ada: Reader) -> None:
    checks = {entry["what"]: entry["said"] for entry in ada.site.workspace.run("check", "--json").json}

    assert checks["channel notify"] == checks["channel webhook"] == "ready for destinations of readers"
