"""Chats, webhooks and a local program, from a file to what arrives there, through the real desk on both databases."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from digest.app import App, open_app
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.model import Deferred, Delivery, Edition, Fault, FileSet, Mail, Refused, Sent, Unknown
from digest.store.delivery import outbox
from digest.store.editions.edition_loader import EditionLoader
from digest.store.editions.editions import load_editions
from digest.testing.mail_server import MailServer
from tests.channels.http_service import DROP, CannedAnswer, HttpService, RecordedRequest, answer_in_turn
from tests.store.factories import NOW, add_to_now, announce, make_new_listing

SMTP = '[smtp]\nhost = "127.0.0.1"\nport = {}\nsecurity = "none"\nfrom = "digest@example.org"\n'
SECRET = "0123456789abcdef01234567"
HOOK = "3ccdd113474722377935511fc85d3dd4"
SMALL = """
[site]
title = "Lab"
contact = "ops@example.org"
[store]
url = "{url}"
[[source]]
use = "arxiv"
categories = ["cs.DC"]
{more}
[[digest]]
name = "llm"
to = [{to}]
schedule = "daily 7:30"
timezone = "UTC"
queries = ["a OR paper OR title"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "digest.toml"
    path.touch(0o600)
    return path


def write(file: Path, store_url: str, to: str, more: str = "") -> None:
    text = SMALL.replace("{url}", store_url).replace("{to}", to).replace("{more}", more)
    file.write_text(text, encoding="utf-8")


@contextmanager
def composed(file: Path, papers: int = 1) -> Iterator[App]:
    """A file's world in which an edition is due."""
    with open_app(file, NOW, {}) as app:
        titles = (f"Paper {number} {'of some length ' * 8}" for number in range(1, papers + 1))
        announce(
            app.store,
            *(make_new_listing(number, title=title) for number, title in enumerate(titles, start=1)),
        )
        app.apply_config()
        with app.open_steps() as steps:
            steps.fire()
            list(steps.match())
            steps.close(wait=False)
            assert steps.compose() == 1
        yield app


def deliver(file: Path, at: datetime = NOW) -> list[DeliveryAttempt]:
    with open_app(file, at, {}) as app, app.open_steps() as steps:
        return [event for event in steps.deliver() if isinstance(event, DeliveryAttempt)]


def all_of(app: App) -> list[Delivery]:
    with app.store.begin_read() as tx:
        return list(outbox.list_recent(tx, limit=100))


def load_edition(app: App, number: int) -> Edition:
    with app.store.begin_read() as tx:
        return load_editions(tx, {number}, EditionLoader())[number]


def hook(service: HttpService) -> str:
    return f'{{ webhook = "http://127.0.0.1:{service.port}/private-path", secret = "{SECRET}" }}'


def test_a_webhook_gets_an_edition_once_and_its_repeat_has_the_same_number(
    file: Path, store_url: str
) -> None:
    with HttpService(answer=answer_in_turn(DROP, CannedAnswer())) as service:
        write(file, store_url, hook(service))
        with composed(file):
            assert [type(attempt.receipt) for attempt in deliver(file)] == [Unknown]
            assert deliver(file, add_to_now(minutes=10)) == [], (
                "what may have arrived is not sent again at once"
            )
            assert [type(attempt.receipt) for attempt in deliver(file, add_to_now(minutes=20))] == [Sent]
            assert deliver(file, add_to_now(days=1)) == []
    first, second = service.requests

    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    document = first.json
    assert (document["type"], document["data"]["digest"], len(document["data"]["items"])) == (
        "edition.published",
        "llm",
        1,
    )


def test_who_wants_to_be_left_alone_is_and_others_go_on(file: Path, store_url: str) -> None:
    slow = CannedAnswer(status=429, headers=(("Retry-After", "600"),))
    with HttpService(answer=answer_in_turn(slow, CannedAnswer())) as service:
        write(file, store_url, f'{hook(service)}, "files:here"')
        with composed(file) as app:
            receipts = {attempt.delivery.channel: attempt.receipt for attempt in deliver(file)}
            assert isinstance(receipts["files"], Sent)
            receipt = receipts["webhook"]
            assert isinstance(receipt, Deferred)
            assert receipt.fault is Fault.DOMAIN
            assert deliver(file, add_to_now(minutes=9)) == []
            assert [type(attempt.receipt) for attempt in deliver(file, add_to_now(minutes=11))] == [Sent]
            assert {delivery.state for delivery in all_of(app)} == {"sent"}


def test_a_refusal_is_the_end_and_no_secret_is_kept_anywhere(file: Path, store_url: str) -> None:
    with HttpService(answer=lambda _: CannedAnswer(status=410, body=b"gone")) as service:
        port = service.port
        write(file, store_url, hook(service))
        with composed(file) as app:
            [attempt] = deliver(file)
            assert attempt.receipt == Refused(answer="HTTP 410 gone")
            [delivery] = all_of(app)

    assert (delivery.state, delivery.domain) == ("refused", "127.0.0.1")
    assert delivery.address.startswith(f"http://127.0.0.1:{port}/…/")
    assert "private-path" not in repr(delivery)
    assert SECRET not in repr(app)


def test_a_chat_that_broke_off_goes_on_where_it_was(file: Path, store_url: str) -> None:
    yes, busy = CannedAnswer(body=b"{}"), CannedAnswer(status=503)
    with HttpService(answer=answer_in_turn(yes, busy, yes)) as service:
        write(file, store_url, f'"mmost://127.0.0.1:{service.port}/{HOOK}"')
        with composed(file, papers=25):
            [first] = deliver(file)
            [second] = deliver(file, add_to_now(minutes=5))
            assert deliver(file, add_to_now(days=1)) == []
    texts = [request.json["text"] for request in service.requests]

    assert isinstance(first.receipt, Deferred)
    assert first.receipt.sent_parts == 1
    assert isinstance(second.receipt, Sent)
    assert texts[1] == texts[2]
    assert len(set(texts)) == len(texts) - 1
    assert HOOK not in f"{first}{second}"


def test_a_lost_answer_of_a_chat_costs_at_most_the_message_that_it_was_to(file: Path, store_url: str) -> None:
    yes = CannedAnswer(body=b"{}")
    with HttpService(answer=answer_in_turn(yes, DROP, yes)) as service:
        write(file, store_url, f'"mmost://127.0.0.1:{service.port}/{HOOK}"')
        with composed(file, papers=25):
            assert [type(attempt.receipt) for attempt in deliver(file)] == [Unknown]
            assert [type(attempt.receipt) for attempt in deliver(file, add_to_now(minutes=20))] == [Sent]
    texts = [request.json["text"] for request in service.requests]

    assert texts[1] == texts[2]
    assert len(set(texts)) == len(texts) - 1


def test_a_program_takes_mail_in_place_of_a_server(file: Path, store_url: str, tmp_path: Path) -> None:
    program = tmp_path / "take.py"
    program.write_text(
        "import sys, json, pathlib\n"
        "pathlib.Path(sys.argv[1]).write_text(json.dumps([sys.argv[2:], sys.stdin.read()]))\n",
        encoding="utf-8",
    )
    more = (
        '[sendmail]\nfrom = "Digest <digest@example.org>"\n'
        f'command = "{sys.executable} -S {program} {tmp_path}/got"\n'
    )
    write(file, store_url, '"me@example.org"', more)
    with composed(file):
        [attempt] = deliver(file)
    arguments, content = json.loads((tmp_path / "got").read_text(encoding="utf-8"))

    assert isinstance(attempt.receipt, Sent)
    assert arguments == ["-f", "digest@example.org", "--", "me@example.org"]
    assert "From: Digest <digest@example.org>\nTo: me@example.org\n" in content


def test_an_address_that_changes_is_another_destination_and_what_waits_for_the_old_one_is_dropped(
    file: Path, store_url: str
) -> None:
    with HttpService(answer=lambda _: CannedAnswer(status=503)) as service:
        write(file, store_url, hook(service))
        with composed(file) as app:
            deliver(file)
            write(file, store_url, hook(service).replace("private-path", "another"))
            with open_app(file, add_to_now(hours=1), {}) as changed:
                changed.apply_config()
            assert deliver(file, add_to_now(hours=1)) == []
            assert [delivery.state for delivery in all_of(app)] == ["dropped"]


def test_a_process_that_is_killed_repeats_no_number_that_it_had_not_used(file: Path, store_url: str) -> None:
    event = threading.Event()
    running: list[subprocess.Popen[bytes]] = []

    def say(_: RecordedRequest) -> CannedAnswer | str:
        if len(service.requests) == 5 and not event.is_set():
            event.set()
            running[0].kill()
            running[0].wait()
            return DROP
        return CannedAnswer()

    with HttpService(answer=say) as service:
        hooks = (
            f'{{ webhook = "http://127.0.0.1:{service.port}/{n}", secret = "{SECRET}" }}' for n in range(12)
        )
        write(file, store_url, ", ".join(hooks))
        with composed(file) as app:
            command = [sys.executable, "-m", "digest", "deliver", "--config", str(file)]
            for at in (NOW, add_to_now(minutes=30)):
                running[:] = [
                    subprocess.Popen([*command, "--now", at.isoformat()], stdout=subprocess.DEVNULL)
                ]
                running[0].wait()
            assert {delivery.state for delivery in all_of(app)} == {"sent"}
    numbers = {path: set[str]() for path in service.list_paths()}
    for request in service.requests:
        numbers[request.path].add(request.headers["webhook-id"])

    assert event.is_set()
    assert [len(number) for number in numbers.values()] == [1] * 12, (
        "who looks at the number has each exactly once"
    )
    assert 12 <= len(service.requests) <= 12 + 10 * 4


# --- books ----------------------------------------------------------------------------------------


def test_a_book_goes_by_mail_and_into_a_folder_once_and_is_the_same_for_who_makes_it(
    file: Path, store_url: str
) -> None:
    with MailServer() as server:
        books = '{ address = "files:books", form = "epub" }'
        to = f'{books}, {{ address = "maildir:inbox", form = "epub" }}, {{ address = "me@kindle.com", form = "epub" }}'
        write(file, store_url, to, SMTP.format(server.port))
        with composed(file, papers=3) as app:
            pending = all_of(app)
            assert {type(attempt.receipt) for attempt in deliver(file)} == {Sent}
            assert deliver(file, add_to_now(days=1)) == []
            messages = [
                app.message_writer.make_message(load_edition(app, delivery.edition), delivery)
                for delivery in pending
            ]
    folder = file.parent / "out"
    [book] = (folder / "books").iterdir()
    [stored] = (folder / "inbox" / "new").iterdir()
    [received] = server.received

    assert (book.name, {delivery.form for delivery in pending}) == ("llm-2026-06-12T0530.epub", {"epub"})
    by_channel = {delivery.channel: message for delivery, message in zip(pending, messages, strict=True)}
    files, sent = by_channel["files"], by_channel["smtp"]
    assert isinstance(files, FileSet)
    assert files.files == ((book.name, book.read_bytes()),)
    assert isinstance(sent, Mail)
    assert sent.content == received.content
    for content in (received.content, stored.read_bytes()):
        message = message_from_bytes(content, policy=policy.default)
        [attachment] = message.iter_attachments()
        assert attachment.get_filename() == book.name


def test_a_test_of_a_book_is_marked_in_its_title(file: Path, store_url: str) -> None:
    write(file, store_url, '{ address = "files:books", form = "epub" }')
    with composed(file) as app:
        edition = load_edition(app, all_of(app)[0].edition)
        [destination] = app.settings.digests[0].destinations
        message = app.message_writer.make_test_message(edition, destination, "<1@example.org>")

    assert isinstance(message, FileSet)
    [(_, content)] = message.files
    assert b"<dc:title>[test] llm 2026-06-12" in content
