"""What ``digest deliveries`` and ``digest status`` say of deliveries, and what can be decided about them."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from digest.model import Deferred, Fault, Receipt, Refused, Sent, Unknown
from digest.store.database.engine import Store, open_store
from digest.store.database.tables.digests import destinations
from digest.store.delivery import outbox, rates, receipts
from digest.store.editions import held_runs
from tests.store.factories import NOW, make_due_edition
from tests.support.workspace import Workspace, make_config

RECEIPTS: list[Receipt] = [
    Sent(answer="250 2.0.0 queued"),
    Refused(answer="550 5.1.1 no such user"),
    Refused(answer="554 5.7.1 your address is listed", fault=Fault.OURS),
    Deferred(answer="450 4.2.1 later"),
]
SMTP = '\n[smtp]\nhost = "127.0.0.1"\nport = 9\nsecurity = "none"\nfrom = "digest@example.org"\n'
LIMITS = '[delivery]\nrate = "100/second"\ndomains = { "a.org" = "20/minute" }\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Six deliveries: one sent, two refused, one put off, and two not tried."""
    workspace = Workspace(tmp_path)
    workspace.write(make_config("http://127.0.0.1:9", to='"me@example.org"') + SMTP + LIMITS)
    with opened(workspace) as store:
        make_due_edition(store, 6)
        with store.begin_write() as tx:
            deliveries = outbox.claim_deliveries(tx, "smtp", 7, NOW, 4)
            receipts.record_receipts(tx, list(zip(deliveries, RECEIPTS, strict=True)), NOW)
            other = destinations.c.address == "0005@example.org"
            tx.execute(update(destinations).where(other).values(domain="a.org"))
    return workspace


class opened:  # noqa: N801 - read as a verb
    """The world's store, between two commands."""

    def __init__(self, workspace: Workspace) -> None:
        self.store = open_store(f"sqlite:///{workspace.folder / 'digest.db'}", NOW)

    def __enter__(self) -> Store:
        return self.store

    def __exit__(self, *_exc: object) -> None:
        self.store.close()


def states(workspace: Workspace) -> dict[str, int]:
    return Counter(entry["state"] for entry in workspace.run("deliveries", "list", "--json").json)


def listed(workspace: Workspace, *options: str) -> list[str]:
    return [entry["address"][:4] for entry in workspace.run("deliveries", "list", "--json", *options).json]


# --- which ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ["0005", "0004", "0003", "0002", "0001", "0000"]),
        (("--last", "2"), ["0005", "0004"]),
        (("--state", "refused"), ["0002", "0001"]),
        (("--code", "550"), ["0001"]),
        (("--code", "5.7.1"), ["0002"]),
        (("--code", "5"), []),
        (("--address", "0003@example.org"), ["0003"]),
        (("--address", "@A.org"), ["0005"]),
        (("--run", "1", "--state", "sent"), ["0000"]),
        (("--run", "2"), []),
    ],
)
def test_deliveries_are_found_by_state_run_code_and_address(
    workspace: Workspace, options: tuple[str, ...], expected: list[str]
) -> None:
    assert listed(workspace, *options) == expected


def test_a_list_shows_the_state_and_what_the_other_side_said(workspace: Workspace) -> None:
    output = workspace.run("deliveries", "list").plain_output

    assert "systems → 0001@example.org: refused 550 5.1.1 no such user" in output
    assert "There is no such delivery." in workspace.run("deliveries", "list", "--run", "9").plain_output
    refused = workspace.run("deliveries", "list", "--json", "--code", "5.7.1").json[0]
    assert (refused["blame"], refused["run"], refused["expires_at"]) == ("ours", 1, None)
    assert workspace.run("deliveries", "list", "--json", "--code", "450").json[0]["expires_at"] is not None


def test_domains_are_counted_by_state(workspace: Workspace, tmp_path: Path) -> None:
    lines = workspace.run("deliveries", "domains").plain_output.splitlines()
    assert lines == ["example.org: 2 ready, 2 refused, 1 sent", "a.org: 1 ready"]
    assert workspace.run("deliveries", "domains", "--last", "1", "--json").json == [
        {"domain": "example.org", "deliveries": {"ready": 2, "refused": 2, "sent": 1}}
    ]
    (tmp_path / "new").mkdir()
    empty = Workspace(tmp_path / "new")
    empty.write(make_config("http://127.0.0.1:9", to='"me@example.org"') + SMTP)
    assert empty.run("deliveries", "domains").plain_output == "There are no deliveries yet.\n"


# --- trying again, dropping -----------------------------------------------------------------------


def test_what_was_refused_is_tried_again_at_once_and_as_if_for_the_first_time(workspace: Workspace) -> None:
    output = workspace.run("deliveries", "retry", "--code", "5.7.1").plain_output

    assert output == "1 delivery is due now; the next pass sends it.\n"
    assert states(workspace) == {"sent": 1, "refused": 1, "ready": 4}
    (document,) = workspace.run("deliveries", "list", "--json", "--address", "0002@example.org").json
    assert (document["state"], document["attempts"], document["blame"]) == ("ready", 0, "")
    numbers = [
        str(entry["id"]) for entry in workspace.run("deliveries", "list", "--json", "--state", "refused").json
    ]
    assert workspace.run("deliveries", "retry", *numbers, "--json").json == {"deliveries": 1}


def test_what_was_sent_is_never_sent_again(workspace: Workspace) -> None:
    output = workspace.run("deliveries", "retry", "--address", "0000@example.org", status=1).plain_output

    assert output == "None of them can be retried: 1 sent.\n"
    assert states(workspace)["sent"] == 1
    output = workspace.run("deliveries", "drop", "1", status=1).plain_output
    assert output == "None of them can be dropped: 1 sent.\n"
    output = workspace.run("deliveries", "retry", "77", status=1).plain_output
    assert output == "There is no such delivery; `digest deliveries list` lists them.\n"


def test_what_was_refused_can_be_dropped_by_its_state_or_number_and_by_nothing_else(
    workspace: Workspace,
) -> None:
    workspace.run("deliveries", "drop", "--address", "0001@example.org", status=1)
    assert states(workspace)["refused"] == 2

    assert workspace.run("deliveries", "drop", "2", "--json").json == {"deliveries": 1}
    output = workspace.run("deliveries", "drop", "--state", "refused").plain_output
    assert output == "1 delivery is dropped.\n"
    assert states(workspace) == {"sent": 1, "ready": 3, "dropped": 2}
    assert workspace.run("status", "--json").json["troubles"] == []


def test_what_is_tried_again_in_a_run_that_is_held_waits_for_its_release_and_that_is_said(
    workspace: Workspace,
) -> None:
    with opened(workspace) as store, store.begin_write() as tx:
        held_runs.hold_run(tx, 1, "too much of it was refused")

    output = workspace.run("deliveries", "retry", "--state", "refused", now=NOW).plain_output
    assert "Run 1 is held, so its deliveries wait until you run `digest deliveries release 1`." in output
    workspace.run("deliver", now=NOW, status=1)
    output = workspace.run("deliveries", "retry", "2", now=NOW, status=1).plain_output
    assert output.startswith("None of them can be retried: 1 held; `digest deliveries release RUN` continues")


def test_what_is_tried_again_of_a_run_that_was_dropped_goes_out(workspace: Workspace) -> None:
    with opened(workspace) as store, store.begin_write() as tx:
        held_runs.drop_run(tx, 1, "an operator dropped it")
    workspace.run("deliveries", "retry", "2", "5", now=NOW)
    workspace.run("deliver", now=NOW, status=1)

    assert states(workspace) == {"sent": 1, "refused": 1, "ready": 2, "dropped": 2}


def test_what_waits_can_be_dropped_and_brought_back(workspace: Workspace) -> None:
    assert (
        workspace.run("deliveries", "drop", "--address", "@a.org").plain_output == "1 delivery is dropped.\n"
    )
    assert states(workspace) == {"sent": 1, "refused": 2, "ready": 2, "dropped": 1}

    assert workspace.run("deliveries", "drop", "--run", "1").plain_output == "2 deliveries are dropped.\n"
    assert states(workspace) == {"sent": 1, "refused": 2, "dropped": 3}
    assert "an operator dropped it" in workspace.run("deliveries", "list", "--state", "dropped").plain_output

    assert workspace.run("deliveries", "retry", "--state", "dropped", "--json").json == {"deliveries": 3}


@pytest.mark.parametrize("command", ["retry", "drop"])
def test_nothing_is_done_to_all_of_them_by_accident(workspace: Workspace, command: str) -> None:
    before = states(workspace)

    errors = workspace.run("deliveries", command, status=2).errors

    assert "choose deliveries by number, --state, --run, --code or --address" in errors
    assert states(workspace) == before


# --- runs that are held ---------------------------------------------------------------------------


def test_a_run_that_is_held_is_shown_with_what_can_be_done_and_can_be_let_go(workspace: Workspace) -> None:
    with opened(workspace) as store, store.begin_write() as tx:
        held_runs.hold_run(tx, 1, "it has 5,000 deliveries, but its schedule usually has 2,000")
        outbox.claim_deliveries(tx, "smtp", 7, NOW, 10)
    assert states(workspace)["held"] == 2

    output = workspace.run("status").plain_output
    assert "Run 1 of 2026-06-12T07:30 is held: it has 5,000 deliveries" in output
    assert "`digest deliveries release 1`" in output
    assert "`digest deliveries drop --run 1`" in output
    assert "`digest deliveries list --run 1`" in output
    assert workspace.run("deliveries", "list", "--run", "1").plain_output.count("held") == 2
    document = workspace.run("status", "--json").json
    assert [held_run["run"] for held_run in document["held_runs"]] == [1]

    assert (
        "run 2 is not held; runs that are held: 1;"
        in workspace.run("deliveries", "release", "2", status=2).errors
    )
    sent_output = workspace.run("deliveries", "release", "1").plain_output
    assert sent_output == "Run 1 continues with the next pass: 2 deliveries are due.\n"
    assert "held" not in states(workspace)
    assert workspace.run("status", "--json").json["held_runs"] == []
    assert (
        "run 1 is not held; no run is held;" in workspace.run("deliveries", "release", "1", status=2).errors
    )


def test_a_run_that_is_held_is_told_by_each_pass_until_it_is_dropped(workspace: Workspace) -> None:
    with opened(workspace) as store, store.begin_write() as tx:
        held_runs.hold_run(tx, 1, "too much of it was refused")
    late = NOW + timedelta(days=1)

    document = workspace.run("deliver", "--json", now=late, status=1).json
    assert [held_run["run"] for held_run in document["held_runs"]] == [1]
    assert document["failed"] is True
    assert states(workspace)["held"] == 3

    assert workspace.run("deliver", now=late, status=1).output.count("is held") == 1

    workspace.run("deliveries", "drop", "--run", "1")
    assert workspace.run("deliver", "--json", now=late).json["held_runs"] == []


# --- status ---------------------------------------------------------------------------------------


def test_status_shows_rates_servers_in_trouble_and_domains_that_want_less(workspace: Workspace) -> None:
    with opened(workspace) as store, store.begin_write() as tx:
        rates.pause_server(tx, "127.0.0.1:9", NOW, "nothing answers there")
        rates.reduce_domain_rate(tx, "a.org", 1.0, NOW, "450 4.7.1 too many")

    output = workspace.run("status", now=NOW).plain_output
    assert "at most in all 100/second, a.org 20/minute" in output
    assert "127.0.0.1:9: in trouble, next attempt" in output
    assert "nothing answers there" in output
    assert "a.org: accepts less: nothing is sent until" in output
    assert "sending 2 times slower for now" in output
    document = workspace.run("status", "--json", now=NOW).json
    assert document["rates"] == {"in all": "100/second", "a.org": "20/minute"}
    assert [server["server"] for server in document["servers"]] == ["127.0.0.1:9"]
    assert [(domain["domain"], domain["slowed"]) for domain in document["domains"]] == [("a.org", 2.0)]
    assert document["paused"] == []

    later = workspace.run("status", "--json", now=NOW + timedelta(hours=1)).json
    assert later["domains"] == []


def test_a_pass_that_finds_its_server_in_trouble_says_until_when(workspace: Workspace) -> None:
    result = workspace.run("deliver", now=NOW + timedelta(hours=1), status=1)
    assert "127.0.0.1:9 is in trouble: nothing answers there" in result.output
    assert "none of it expires" in result.output

    again = workspace.run("deliver", "--json", now=NOW + timedelta(hours=1), status=1).json
    assert again["deliveries"] == []
    assert [paused_server["server"] for paused_server in again["paused_servers"]] == ["127.0.0.1:9"]


def test_an_end_that_nobody_knows_has_its_reason(workspace: Workspace) -> None:
    with opened(workspace) as store:
        for day in range(3):
            with store.begin_write() as tx:
                deliveries = outbox.claim_deliveries(tx, "smtp", 7, NOW + timedelta(days=day), 10)
                receipts.record_receipts(
                    tx, [(delivery, Unknown(answer="it hung up")) for delivery in deliveries], NOW
                )

    assert states(workspace)["unknown"] == 2
    assert "unknown it hung up" in workspace.run("deliveries", "list", "--state", "unknown").plain_output
