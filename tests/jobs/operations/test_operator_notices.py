"""The operator is told of each trouble once a day, by the ways that digests go, and no notice stops anything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from digest.config import read_settings
from digest.core.delivery.throttling.pauses import ServerFailure
from digest.errors import StoreError
from digest.jobs.delivery.dispatcher import StoreUnavailable
from digest.jobs.delivery.outbox import DeliveryAttempt
from digest.jobs.delivery.servers import ServerPaused
from digest.jobs.fetching.pull import PullProgress
from digest.jobs.notices import note_trouble
from digest.jobs.operations.operator_notices import OperatorNotifier, describe_trouble
from digest.model import Deferred, Fault, Receipt, Refused, RouteState
from digest.render.branding import Branding
from digest.store.database.engine import Store
from digest.store.editions.held_runs import HeldRun
from digest.store.fetching import ledger
from digest.store.operations import notices
from tests.channels.http_service import DROP, CannedAnswer, HttpService
from tests.jobs.delivery.dispatchers import FakeClock, list_deliveries
from tests.store.factories import NOW, make_due_edition

HEAD = Branding(title="Lab", sender="Digest <digest@example.org>")
HELD = HeldRun(id=7, period="2026-06-12T07:30", reason="it bounces")


def operator(store: Store, folder: Path, to: str, clock: FakeClock, more: str = "") -> OperatorNotifier:
    file = folder / "digest.toml"
    text = (
        f"[operator]\nnotify = [{to}]\n{more}\n"
        '[[source]]\nuse = "arxiv"\ncategories = ["cs.DC"]\n[smtp]\nhost = "127.0.0.1"\nport = 9\n'
        'security = "none"\nfrom = "d@example.org"\n'
    )
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    return OperatorNotifier(
        store=store, settings=read_settings(file, {}), branding=HEAD, sign_mail=lambda mail: mail, clock=clock
    )


def hook(service: HttpService) -> str:
    return f'{{ webhook = "http://127.0.0.1:{service.port}/", secret = "0123456789abcdef01234567" }}'


def told(service: HttpService) -> list[list[str]]:
    return [[notice["name"] for notice in request.json["data"]["notices"]] for request in service.requests]


def see(who: OperatorNotifier, *happenings: object) -> None:
    assert list(who.watch_pass(iter(happenings))) == list(happenings)


def test_a_trouble_is_told_once_a_day_however_often_it_shows(store: Store, tmp_path: Path) -> None:
    clock = FakeClock()
    with HttpService() as service:
        who = operator(store, tmp_path, hook(service), clock)
        for minutes in (0, 1, 60, 23 * 60, 24 * 60 + 1, 25 * 60):
            clock.now = NOW + timedelta(minutes=minutes)
            see(who, HELD)
            see(operator(store, tmp_path, hook(service), clock), HELD)

    assert told(service) == [["run:7"], ["run:7"]]
    first, second = service.requests
    assert first.json["type"] == "operator.notice"
    assert first.headers["webhook-id"] != second.headers["webhook-id"]


def test_each_trouble_has_its_own_day(store: Store, tmp_path: Path) -> None:
    clock = FakeClock()
    with HttpService() as service:
        who = operator(store, tmp_path, hook(service), clock)
        with store.begin_write() as tx:
            for name in ("bounces", "dns:dkim", "bounces"):
                note_trouble(tx, name, f"About {name}.", NOW)
        who.send_due()

    assert told(service) == [["bounces", "dns:dkim"]]
    assert service.requests[0].json["data"]["title"] == "Lab: 2 problems"


def test_what_cannot_be_told_is_tried_again_and_who_has_it_does_not_get_it_twice(
    store: Store, tmp_path: Path
) -> None:
    clock, broken = FakeClock(), [True]
    with HttpService() as good, HttpService(answer=lambda _: DROP if broken[0] else CannedAnswer()) as bad:
        who = operator(store, tmp_path, f"{hook(good)}, {hook(bad)}", clock)
        see(who, HELD)
        who.send_due()
        assert (told(good), told(bad)) == ([["run:7"]], [["run:7"]]), "not again before its time"
        clock.now += timedelta(minutes=2)
        broken.clear()
        broken.append(False)
        who.send_due()
        clock.now += timedelta(minutes=30)
        who.send_due()

    assert (told(good), told(bad)) == ([["run:7"]], [["run:7"]] * 2)
    assert bad.requests[0].headers["webhook-id"] == bad.requests[1].headers["webhook-id"]


def test_no_notice_stops_anything(store: Store, tmp_path: Path) -> None:
    ways = '"me@example.org", "slack://nonsense", "files:/proc/nowhere", "ntfy://127.0.0.1:9/topic"'
    who = operator(store, tmp_path, ways, FakeClock())

    see(who, HELD, PullProgress(source="arxiv", section="cs.LG", route="rss", name="arXiv"))
    who.send_due()


def test_what_is_a_day_old_is_not_told_any_more(store: Store, tmp_path: Path) -> None:
    clock = FakeClock()
    with store.begin_write() as tx:
        note_trouble(tx, "run:7", "It is held.", NOW)
    with store.begin_read() as tx:
        assert [notice.name for notice in notices.list_recent(tx, NOW - timedelta(days=1))] == ["run:7"]
    clock.now += timedelta(days=2)
    with HttpService() as service:
        operator(store, tmp_path, hook(service), clock).send_due()

    assert service.requests == []


def test_a_trouble_of_the_store_is_told_although_it_cannot_be_noted(store: Store, tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Full:
        """A store that cannot be written to."""

        def begin_write(self) -> object:
            raise StoreError("the disk is full")

        def begin_read(self) -> object:
            return store.begin_read()

    with HttpService() as service:
        who = operator(store, tmp_path, hook(service), FakeClock())
        who.store = Full()  # type: ignore[assignment]
        trouble = StoreUnavailable(reason="the disk is full.")
        see(who, trouble, trouble)

    assert told(service) == [["store"]]


@pytest.mark.parametrize(
    ("happening", "name"),
    [
        (HELD, "run:7"),
        (StoreUnavailable(reason="it is full."), "store"),
        (PullProgress(source="arxiv", section="cs.LG", route="rss", name="arXiv"), None),
    ],
)
def test_what_is_a_trouble_has_a_name_that_stays(happening: object, name: str | None) -> None:
    trouble = describe_trouble(happening, NOW)

    assert (trouble[0] if trouble else None) == name


@pytest.mark.parametrize(("minutes", "is_told"), [(1, False), (2, True), (30, True)])
def test_a_server_that_hiccups_is_no_trouble_yet(minutes: int, is_told: bool) -> None:  # noqa: FBT001 - a column of a table
    until = NOW + timedelta(minutes=minutes)
    paused = ServerPaused(
        channel="smtp",
        server="mx:25",
        failure=ServerFailure(since=NOW, until=until, reason="mx:25: nothing answers"),
        replaced=False,
    )
    trouble = describe_trouble(paused, NOW)

    assert (trouble is not None) is is_told
    if trouble:
        assert trouble[0] == "server:mx:25"
        assert trouble[1].startswith("mx:25 is in trouble: nothing answers. Its mail waits.")


@pytest.mark.parametrize(
    ("channel", "receipt", "is_told"),
    [
        ("webhook", Refused(answer="HTTP 410 gone"), True),
        ("notify", Refused(answer="no hook", fault=Fault.OURS), True),
        ("webhook", Deferred(answer="HTTP 503"), False),
        ("smtp", Refused(answer="550 5.1.1 no such user"), False),
    ],
)
def test_a_chat_or_webhook_that_is_gone_is_a_trouble_and_a_reader_that_is_gone_is_none(
    store: Store,
    channel: str,
    receipt: Receipt,
    is_told: bool,  # noqa: FBT001 - a column of a table
) -> None:
    make_due_edition(store, 1)
    [delivery] = list_deliveries(store)
    trouble = describe_trouble(
        DeliveryAttempt(delivery=delivery._replace(channel=channel), receipt=receipt), NOW
    )

    assert (trouble is not None) is is_told
    if trouble:
        assert trouble[0] == f"destination:{delivery.address}"
        assert receipt.answer in trouble[1]


def test_a_notice_by_mail_has_no_header_of_a_list_and_names_each_trouble(
    store: Store, tmp_path: Path
) -> None:
    who = operator(store, tmp_path, '"maildir:box"', FakeClock())
    see(who, HELD)
    [file] = (tmp_path / "out" / "box" / "new").iterdir()
    mail = message_from_bytes(file.read_bytes(), policy=default)

    assert mail["Subject"] == "Lab: a problem"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] is None
    text = mail.get_body(("plain",))
    assert text is not None
    assert "Run 7 of 2026-06-12T07:30 is held" in text.get_content()


def test_a_notice_is_a_file_and_a_chat_too(store: Store, tmp_path: Path) -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b'{"id":"1"}')) as service:
        who = operator(
            store, tmp_path, f'"files:notes", "ntfy://127.0.0.1:{service.port}/topic"', FakeClock()
        )
        see(who, HELD)
    [file] = (tmp_path / "out" / "notes").iterdir()

    assert file.read_text(encoding="utf-8").startswith("Lab: a problem\n\nRun 7 of")
    assert service.requests[0].json["title"] == "Lab: a problem"
    assert "Run 7 of" in service.requests[0].json["message"]


def test_a_summary_comes_at_its_time_once(store: Store, tmp_path: Path) -> None:
    clock = FakeClock()
    with HttpService() as service:

        def tell() -> None:
            operator(
                store, tmp_path, hook(service), clock, 'summary = "daily 8:00"\ntimezone = "UTC"'
            ).send_due()

        for hours in (0, 1, 3, 4, 20, 26, 27):  # NOW is 05:30
            clock.now = NOW + timedelta(hours=hours)
            tell()

    assert told(service) == [["summary:2026-06-12T08:00"], ["summary:2026-06-13T08:00"]]
    text = service.requests[0].json["data"]["notices"][0]["text"]
    assert service.requests[0].json["data"]["title"] == "Lab: status"
    assert text.startswith("0 messages sent in the last 24 hours.\nAll of 0 sections were reached.")


@pytest.mark.parametrize(("errors", "is_told"), [(2, False), (3, True)])
def test_a_source_that_fails_again_and_again_by_all_its_routes_is_a_trouble(
    store: Store,
    tmp_path: Path,
    errors: int,
    is_told: bool,  # noqa: FBT001 - a column of a table
) -> None:
    with store.begin_write() as tx:
        ledger.declare_sections(tx, "arxiv", ["cs.LG"], NOW.date())
        for route in ("rss", "catchup"):
            state = RouteState(route=route, asked_at=NOW, errors=errors, error="it did not answer in time")
            ledger.note_attempt(tx, ledger.load_section(tx, "arxiv", "cs.LG"), state)
    failed = PullProgress(
        source="arxiv",
        section="cs.LG",
        route="rss",
        name="arXiv cs.LG",
        is_unreachable=True,
        error="it did not answer",
    )
    with HttpService() as service:
        see(operator(store, tmp_path, hook(service), FakeClock()), failed)

    assert told(service) == ([["source:arxiv"]] if is_told else [])


def test_a_storm_does_not_hide_what_needs_a_hand_in_any_chat(store: Store, tmp_path: Path) -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b'{"ok":true,"result":{}}')) as service:
        ways = f'"ntfy://127.0.0.1:{service.port}/topic", {hook(service)}, "files:notes"'
        who = operator(store, tmp_path, ways, FakeClock())
        with store.begin_write() as tx:
            for number in range(400):
                note_trouble(
                    tx, f"refused:d{number}.example", f"Mail to d{number}.example: 550 5.7.1 no.", NOW
                )
        see(who, HELD)
        who.send_due()
    [file] = (tmp_path / "out" / "notes").iterdir()
    [chat, document] = [request.json for request in service.requests]

    for text in (file.read_text(encoding="utf-8").partition("\n\n")[2], chat["message"]):
        assert text.startswith("Run 7 of 2026-06-12T07:30 is held")
        assert "The same applies to 399 more: d1.example, d10.example, d100.example and 396 others." in text
    assert chat["title"] == document["data"]["title"] == "Lab: 401 problems"
    assert document["data"]["notices"][0]["name"] == "run:7"
    assert len(document["data"]["notices"]) == 401, "a program is told of each by its name"


def test_what_has_no_room_in_one_message_is_told_in_the_next(store: Store, tmp_path: Path) -> None:
    with HttpService(answer=lambda _: CannedAnswer(body=b"{}")) as service:
        # Gotify: of the services that take short messages, one that Apprise lets be asked without a pause.
        who = operator(store, tmp_path, f'"gotify://127.0.0.1:{service.port}/token"', FakeClock())
        with store.begin_write() as tx:
            for number in range(180):
                note_trouble(tx, f"kind{number}:x", f"Trouble <{number}> " + "y" * 400, NOW)
        who.send_due()
    text = "".join(request.json["message"] for request in service.requests)

    assert len(service.requests) > 1
    assert [text.count(f"Trouble <{number}> ") for number in range(180)] == [1] * 180


@pytest.mark.parametrize("answer", ["error=404.", "error=404", "gone ..."])
def test_what_a_chat_answers_ends_in_one_dot(store: Store, answer: str) -> None:
    make_due_edition(store, 1)
    [delivery] = list_deliveries(store)
    trouble = describe_trouble(
        DeliveryAttempt(delivery=delivery._replace(channel="notify"), receipt=Refused(answer=answer)), NOW
    )

    assert trouble is not None
    assert f"{answer.rstrip('. ')}. `digest" in trouble[1]
