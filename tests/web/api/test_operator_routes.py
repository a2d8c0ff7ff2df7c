"""Programs of operators: how the service is, and decisions on held runs, each in the audit log."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select, update

from digest.store.database.tables.digests import deliveries, digests, editions, runs
from digest.store.editions.held_runs import hold_run, list_held_runs
from tests.web.api.conftest import Program, check_private, list_audit
from tests.web.conftest import ME, YOU
from tests.web.signup.conftest import suppress


def hold(program: Program) -> int:
    """Hold the last run, as after too many refusals; its number."""
    with program.site.app.store.begin_write() as tx:
        run = int(max(tx.execute(select(runs.c.id)).scalars()))
        assert hold_run(tx, run, "too many refusals")
        tx.execute(update(deliveries).values(state="held"))
    return run


def list_states(program: Program) -> set[str]:
    return {state for _, state in program.site.list_deliveries()}


def test_the_status_says_what_arrived_what_waits_and_what_is_held_and_names_no_address(bob: Program) -> None:
    run = hold(bob)
    suppress(bob.site, YOU)

    status = bob.get("/operator/status")

    assert {section["state"] for section in status["sections"]} == {"complete"}
    assert status["held_runs"] == [
        {"id": run, "period": status["runs"][0]["period"], "reason": "too many refusals"}
    ]
    assert status["deliveries"] == bob.get("/operator/deliveries")["deliveries"]
    assert set(status["deliveries"]) == {"held"}
    assert (status["suppressed"], status["all_fail"]) == (1, False)
    assert ME not in json.dumps(status)
    assert YOU not in json.dumps(status)


def test_the_last_runs_are_listed_with_their_digests(bob: Program) -> None:
    document = bob.get("/operator/runs?limit=1")

    assert (len(document["runs"]), document["held"]) == (1, [])
    (run,) = document["runs"]
    assert run["digest_count"] == len(run["digests"]) > 0
    assert bob.request("GET", "/operator/runs?limit=0").status_code == 400
    assert bob.request("GET", "/operator/runs?limit=101").status_code == 400


@pytest.mark.parametrize("is_open", [False, True])
def test_digests_that_readers_made_are_counted_and_not_named(
    ada: Program, bob: Program, *, is_open: bool
) -> None:
    """The name of a digest of a search is a hash of what its reader follows, which others can guess and try."""
    (before,) = bob.get("/operator/runs?limit=1")["runs"]
    with ada.site.app.store.begin_write() as tx:
        run = tx.execute(select(runs).where(runs.c.id == before["id"])).one()
        own = {"name": "search-0123456789ab", "slot_id": run.slot_id}
        tx.execute(update(digests).where(digests.c.id == ada.reader.digest).values(own))
        if is_open:
            tx.execute(update(runs).where(runs.c.id == run.id).values(state="open"))
        else:
            first = select(func.min(editions.c.id)).where(
                editions.c.run_id == run.id, editions.c.skipped == ""
            )
            moved = update(editions).where(editions.c.id == first.scalar_subquery())
            assert tx.execute(moved.values(digest_id=ada.reader.digest)).rowcount == 1

    documents = [bob.get(path) for path in ("/operator/runs?limit=1", "/operator/status")]
    for document in documents:
        (run_document, *_) = document["runs"]
        assert run_document["reader_digest_count"] >= 1
        assert (
            run_document["digest_count"] == len(run_document["digests"]) + run_document["reader_digest_count"]
        )
        assert "search-" not in json.dumps(document)


@pytest.mark.parametrize(
    ("decision", "state", "action"), [("release", "ready", "release-run"), ("drop", "dropped", "drop-run")]
)
def test_a_held_run_is_decided_on_once_and_the_audit_log_has_it(
    bob: Program, decision: str, state: str, action: str
) -> None:
    run = hold(bob)
    count = len(bob.site.list_deliveries())

    response = bob.request("POST", f"/operator/runs/{run}/{decision}")

    assert (response.status_code, response.json()) == (200, {"deliveries": count})
    check_private(response)
    assert list_states(bob) == {state}
    with bob.site.app.store.begin_read() as tx:
        assert list_held_runs(tx) == ()
    for number in (run, run + 1, 10**18 - 1):
        for path in ("release", "drop"):
            assert bob.request("POST", f"/operator/runs/{number}/{path}").status_code == 404
    assert list_states(bob) == {state}
    assert [entry for entry in list_audit(bob.site) if not entry[0].startswith(("read-", "make-"))] == [
        (action, f"run {run}", count)
    ]
    (entry,) = (entry for entry in bob.get("/operator/audit")["entries"] if entry["action"] == action)
    assert (entry["kind"], entry["address"], entry["name"]) == (
        "token",
        "bob@example.org",
        f"token {bob.load_row().id}",
    )


def test_a_run_that_is_not_held_is_left_alone(bob: Program) -> None:
    before = bob.site.list_deliveries()
    (run, *_) = bob.get("/operator/runs")["runs"]

    for decision in ("release", "drop"):
        assert bob.request("POST", f"/operator/runs/{run['id']}/{decision}").status_code == 404
    assert bob.site.list_deliveries() == before


def test_the_audit_log_is_read_page_by_page(bob: Program) -> None:
    follows = f"{bob.digest_path}/follows"
    for number in range(5):
        bob.request("POST", follows, json={"query": f"word{number}"})

    first = bob.get("/operator/audit?limit=3")
    second = bob.get(f"/operator/audit?limit=3&cursor={first['next_cursor']}")

    numbers = [entry["id"] for entry in (*first["entries"], *second["entries"])]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers) >= 5
    for cursor in ("0", "x", "9" * 30):
        assert bob.request("GET", f"/operator/audit?cursor={cursor}").status_code == 400
