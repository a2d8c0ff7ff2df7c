"""What operators see and do on their pages: each change once, and in the audit log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import insert, select

from digest.core.delivery.signup_links import SignupRequest, seal_request
from digest.core.subscribers.sessions import make_form_token
from digest.jobs.subscribers.signup.sessions import find_session
from digest.render.languages.english import format_short_day
from digest.store.database.tables.digests import deliveries, digests, editions, notices, runs
from digest.store.database.tables.readers import suppressions
from digest.store.delivery.rates import pause_server
from digest.store.editions.restore_hold import hold_all
from digest.store.operations.audit import forget_old
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.web.conftest import Site
from tests.web.operator.conftest import OPERATOR, READER, OperatorSite
from tests.web.signup.conftest import find_traces, read_database, suppress
from tests.web.signup.test_own_digests import Reader


@pytest.fixture
def reader(operator_site: OperatorSite) -> Reader:
    """A reader with a public digest, and one of a search."""
    reader = Reader(operator_site.signup_site, READER)
    reader.post("follow", query="planning")
    post_as(reader.signup_site.site, reader.token, "/account/digests", query="xylophone")
    return reader


def post_as(site: Site, token: str, path: str, **fields: str) -> None:
    """Send a form of somebody's account."""
    headers = {"cookie": f"{SESSION_COOKIE}={token}", "sec-fetch-site": "same-origin"}
    response = site.post(path, data={"token": make_form_token(token)} | fields, headers=headers)
    assert response.status_code == 303


# --- the overview ---------------------------------------------------------------------------------


def test_the_overview_names_what_needs_the_operator(operator_site: OperatorSite) -> None:
    app = operator_site.signup_site.site.app
    assert "Nothing needs attention." in operator_site.read()
    assert "due" in operator_site.read()
    run = operator_site.hold_run()
    with app.store.begin_write() as tx:
        pause_server(tx, "smtp.example.org", app.clock(), "421 too busy")
        row = {"name": "x", "text": "A problem.", "noted_at": app.clock(), "due_at": app.clock()}
        tx.execute(insert(notices).values(row | {"attempts": 2, "told": []}))
    text = operator_site.read()
    assert f"Run {run} of" in text
    assert "is held too much of it was refused" in text
    assert "smtp.example.org is in trouble 421 too busy" in text
    assert "1 notice not delivered" in text
    assert "A problem." in operator_site.read("/operator/notices")
    assert "retried after 2 failed attempts" in operator_site.read("/operator/notices")


def test_the_overview_says_that_a_restored_database_sends_nothing(operator_site: OperatorSite) -> None:
    app = operator_site.signup_site.site.app
    with app.store.begin_planning() as tx:
        hold_all(tx, app.clock())

    text = operator_site.read()

    assert "The database was restored, and nothing is sent from a backup of" in text
    assert "digest check --restored" in text


def test_sources_and_days_are_shown(operator_site: OperatorSite) -> None:
    text = operator_site.read("/operator/sources")
    assert "arXiv cs.DC last reached 2026-05-07" in text
    assert "Thu 2026-05-07: complete" in text


# --- runs -----------------------------------------------------------------------------------------


def test_a_held_run_is_released_once_however_often_the_button_is_pressed(
    operator_site: OperatorSite,
) -> None:
    run = operator_site.hold_run()
    count = operator_site.count_states()["held"]
    page = f"/operator/runs/{run}"
    assert f"Run {run} of" in operator_site.read("/operator/runs")
    assert "held: too much of it was refused" in operator_site.read(page)
    answers = [operator_site.post(page, do="release") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert [answer.headers["location"] for answer in answers] == [f"{page}?done=yes", f"{page}?done=no"]
    assert "Nothing was changed" in operator_site.read(answers[1].headers["location"])
    assert operator_site.count_states() == {"ready": operator_site.count_states()["ready"]} | (
        {"held": count - operator_site.count_states()["ready"]}
        if count > operator_site.count_states()["ready"]
        else {}
    )
    ((action, subject, _),) = operator_site.list_changes()
    assert (action, subject) == ("release-run", f"run {run}")
    assert "Release run" not in operator_site.read(page)


def test_a_run_that_somebody_released_is_not_dropped_in_another_tab(operator_site: OperatorSite) -> None:
    run = operator_site.hold_run()
    assert "Decide" in operator_site.read(f"/operator/runs/{run}")
    operator_site.post(f"/operator/runs/{run}", do="release")
    before = operator_site.count_states()
    operator_site.post(f"/operator/runs/{run}", do="drop")
    assert operator_site.count_states() == before
    assert [action for action, _, _ in operator_site.list_changes()] == ["release-run"]


def test_a_held_run_can_be_dropped(operator_site: OperatorSite) -> None:
    run = operator_site.hold_run()
    answer = operator_site.post(f"/operator/runs/{run}", do="drop")
    assert answer.headers["location"].endswith("?done=yes")
    ((action, subject, amount),) = operator_site.list_changes()
    assert (action, subject) == ("drop-run", f"run {run}")
    assert operator_site.count_states()["dropped"] == amount
    assert "Decide" not in operator_site.read(f"/operator/runs/{run}")


# --- deliveries -----------------------------------------------------------------------------------


def test_deliveries_are_found_by_state_run_domain_code_and_address(operator_site: OperatorSite) -> None:
    operator_site.set_states("refused", "550 5.1.1 no such user")
    text = operator_site.read("/operator/deliveries")
    assert "By state Of the last 50,000 deliveries. State Deliveries refused 3" in text
    assert "example.org 3 refused" in text
    for query, count in (
        ("state=refused", 3),
        ("state=sent", 0),
        ("code=550", 3),
        ("code=450", 0),
        ("domain=EXAMPLE.org", 3),
        ("domain=example.com", 0),
        ("id=1", 1),
        ("run=999", 0),
        ("before=2", 1),
    ):
        soup = BeautifulSoup(operator_site.get(f"/operator/deliveries?{query}").text, "html.parser")
        rows = [item for item in soup.select("main ul.rows a") if "refused ·" in item.get_text()]
        assert len(rows) == count, query
    answer = operator_site.post("/operator/deliveries", do="search", address="YOU@example.org")
    text = operator_site.read(answer.headers["location"])
    assert "refused · you@example.org" in text
    assert "me@example.org" not in text.replace("Whole", "")
    unknown = operator_site.post("/operator/deliveries", do="search", address="nobody@example.org")
    assert "No digest goes to this address." in operator_site.read(unknown.headers["location"])


def test_a_filter_is_posted_so_that_what_is_typed_is_in_no_address(operator_site: OperatorSite) -> None:
    answer = operator_site.post(
        "/operator/deliveries", do="filter", state="ready", run="1", domain="ada@Example.org", code=""
    )
    assert answer.headers["location"] == "/operator/deliveries?state=ready&run=1&domain=example.org"


def test_refused_deliveries_are_retried_once_after_a_page_that_says_which(
    operator_site: OperatorSite,
) -> None:
    operator_site.set_states("refused", "550 5.1.1 no such user")
    page = "/operator/deliveries/retry?state=refused"
    text = operator_site.read(page)
    assert "Retry 3 deliveries?" in text
    assert "refused · me@example.org 550 5.1.1 no such user" in text
    assert operator_site.count_states() == {"refused": 3}, "the page changes nothing"
    soup = BeautifulSoup(operator_site.get(page).text, "html.parser")
    fields = {
        str(field["name"]): str(field["value"]) for field in soup.select("main form input[type=hidden]")
    }
    answers = [operator_site.post("/operator/deliveries/retry", **fields) for _ in range(2)]
    assert "changed=3" in answers[0].headers["location"]
    assert "changed=0" in answers[1].headers["location"]
    assert operator_site.list_changes() == [("retry-deliveries", "", 3)]
    assert operator_site.count_states() == {"ready": 3}
    assert "3 due now" in operator_site.read(answers[0].headers["location"])


def test_two_clicks_retry_once_although_the_deliveries_could_be_retried_again(
    operator_site: OperatorSite,
) -> None:
    page = "/operator/deliveries/retry?state=ready"
    soup = BeautifulSoup(operator_site.get(page).text, "html.parser")
    fields = {
        str(field["name"]): str(field["value"]) for field in soup.select("main form input[type=hidden]")
    }
    for _ in range(3):
        operator_site.post("/operator/deliveries/retry", **fields)
    assert operator_site.list_changes() == [("retry-deliveries", "", 3)]


def test_deliveries_that_came_after_the_page_was_shown_are_left_alone(operator_site: OperatorSite) -> None:
    page = "/operator/deliveries/drop?state=ready"
    soup = BeautifulSoup(operator_site.get(page).text, "html.parser")
    fields = {
        str(field["name"]): str(field["value"]) for field in soup.select("main form input[type=hidden]")
    }
    with operator_site.signup_site.site.app.store.begin_write() as tx:
        row = dict(tx.execute(select(deliveries).limit(1)).one()._mapping)
        edition = dict(tx.execute(select(editions).where(editions.c.id == row["edition_id"])).one()._mapping)
        run = dict(tx.execute(select(runs).where(runs.c.id == edition["run_id"])).one()._mapping)
        del run["id"], edition["id"], row["id"]
        run_id = tx.execute(insert(runs).values(run | {"period": "later"}).returning(runs.c.id)).scalar_one()
        edition_id = tx.execute(
            insert(editions).values(edition | {"run_id": run_id}).returning(editions.c.id)
        ).scalar_one()
        tx.execute(insert(deliveries).values(row | {"edition_id": edition_id}))
    operator_site.post("/operator/deliveries/drop", **fields)
    assert operator_site.count_states() == {"dropped": 3, "ready": 1}


def test_one_delivery_is_dropped_by_its_number(operator_site: OperatorSite) -> None:
    answer = operator_site.press("/operator/deliveries/drop?id=2", "Yes, drop 1 delivery")
    assert answer.status_code == 303
    assert operator_site.list_changes() == [("drop-deliveries", "delivery 2", 1)]
    assert "None of the selected deliveries" in operator_site.read("/operator/deliveries/drop?id=2"), (
        "it is dropped"
    )


def test_a_long_list_has_pages(operator_site: OperatorSite, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("deliveries.listing", "parts", "logs"):
        monkeypatch.setattr(f"digest.web.operator.{module}.PAGE_SIZE", 2)
    soup = BeautifulSoup(operator_site.get("/operator/deliveries?state=ready").text, "html.parser")
    (older,) = soup.select("nav.pages a")
    assert older["href"] == "/operator/deliveries?state=ready&before=2"
    last = BeautifulSoup(operator_site.get(str(older["href"])).text, "html.parser")
    assert [link["href"] for link in last.select("nav.pages a")] == ["/operator/deliveries?state=ready"]


# --- bounces and suppressions ---------------------------------------------------------------------


def test_a_suppression_is_lifted_once(operator_site: OperatorSite) -> None:
    site = operator_site.signup_site.site
    suppress(site, "me@example.org")
    assert "there is no such address 1" in operator_site.read("/operator/bounces")
    assert "me@example.org suppressed since" in operator_site.read("/operator/suppressions")
    (report,) = _list_numbers(operator_site)
    answers = [operator_site.post("/operator/suppressions", do="lift", report=str(report)) for _ in range(2)]
    assert [answer.headers["location"][-3:] for answer in answers] == ["yes", "=no"]
    assert operator_site.list_changes() == [("lift-suppressions", f"report {report}", 1)]
    assert "No address is suppressed." in operator_site.read("/operator/suppressions")
    assert "forgiven since" in operator_site.read("/operator/bounces")


def _list_numbers(operator_site: OperatorSite) -> list[int]:
    with operator_site.signup_site.site.app.store.begin_read() as tx:
        return list(tx.execute(select(suppressions.c.report_id)).scalars())


# --- subscribers ----------------------------------------------------------------------------------


def test_an_address_is_found_whole_and_its_page_shows_numbers_and_states(
    operator_site: OperatorSite, reader: Reader
) -> None:
    path = operator_site.find_path(READER.upper())
    assert path.startswith("/operator/subscribers/")
    text = operator_site.read(path)
    assert f"Digest {reader.digest}, of a reader" in text
    assert "active, by smtp" in text
    assert "no editions yet" in text
    assert "digest subscribers export ADDRESS" in text
    assert operator_site.find_path("ada@example") == "/operator/subscribers?found=no"
    assert "has no account" in operator_site.read("/operator/subscribers?found=no")
    configured = operator_site.read(operator_site.find_path("me@example.org"))
    assert "of the file: systems" in configured
    assert "the first one 2026-05-07" in configured


def test_no_page_shows_what_a_reader_follows_or_what_their_digests_are_called(
    operator_site: OperatorSite, reader: Reader
) -> None:
    site = operator_site.signup_site.site
    site.workspace.run("run", "--apply", now=site.app.clock())
    with site.app.store.begin_read() as tx:
        names = tx.execute(select(digests.c.name, digests.c.title).where(digests.c.made_by == "web")).all()
    texts = {text for row in names for text in row} | {"xylophone", "planning"}
    path = operator_site.find_path(READER)
    pages = ("", "/runs", "/runs/1", "/runs/2", "/deliveries", "/bounces", "/suppressions", "/subscribers")
    for page in (path, *(f"/operator{page}" for page in pages), "/operator/notices", "/operator/audit"):
        body = operator_site.get(page).text
        assert [text for text in texts if f">{text}" in body or f" {text} " in body] == [], page
    assert reader.digest


def test_delivery_to_an_address_is_stopped_and_resumed_once_each(
    operator_site: OperatorSite, reader: Reader
) -> None:
    path = operator_site.find_path(READER)
    number = path.rpartition("/")[2]
    for _ in range(2):
        operator_site.post(path, do="stop")
    assert {entry.state for entry in operator_site.list_destinations(READER)} == {"stopped"}
    assert "Resume delivery?" in operator_site.read(f"{path}?ask=resume")
    for _ in range(2):
        operator_site.post(path, do="resume")
    assert {entry.state for entry in operator_site.list_destinations(READER)} == {"active"}
    assert operator_site.list_changes() == [
        ("stop-address", f"subscriber {number}", 2),
        ("resume-address", f"subscriber {number}", 2),
    ]
    assert reader.digest


def test_delivery_of_ended_digests_is_not_resumed_and_not_offered(
    operator_site: OperatorSite, reader: Reader
) -> None:
    path = operator_site.find_path(READER)
    number = path.rpartition("/")[2]
    first, second = sorted({entry.digest_id for entry in operator_site.list_destinations(READER)})
    assert reader.digest in {first, second}
    operator_site.post(path, do="stop")
    operator_site.post(path, do="end-digest", digest=str(first))
    assert operator_site.post(path, do="resume").headers["location"] == f"{path}?done=yes"
    assert operator_site.list_changes()[-1] == ("resume-address", f"subscriber {number}", 1)

    operator_site.post(path, do="stop")
    operator_site.post(path, do="end-digest", digest=str(second))
    changes = operator_site.list_changes()
    assert operator_site.post(path, do="resume").headers["location"] == f"{path}?done=no"
    assert operator_site.list_changes() == changes
    for query in ("", "?ask=resume", f"?ask=end&digest={first}"):
        text = operator_site.read(f"{path}{query}")
        assert [word for word in ("Resume", "Yes,", "Pause", "End digest") if word in text] == [], query


def test_a_digest_of_a_reader_is_paused_resumed_and_ended_once_each(
    operator_site: OperatorSite, reader: Reader
) -> None:
    path, digest = operator_site.find_path(READER), str(reader.digest)
    for action in ("pause-digest", "resume-digest", "end-digest"):
        answers = [operator_site.post(path, do=action, digest=digest) for _ in range(2)]
        assert [answer.headers["location"] for answer in answers] == [f"{path}?done=yes", f"{path}?done=no"]
    assert operator_site.list_changes() == [
        (action, f"digest {digest}", 1) for action in ("pause-digest", "resume-digest", "end-digest")
    ]
    assert f"Digest {digest}, of a reader ended" in operator_site.read(path)


def test_ending_a_digest_is_asked_for_first(operator_site: OperatorSite, reader: Reader) -> None:
    path = operator_site.find_path(READER)
    text = operator_site.read(f"{path}?ask=end&digest={reader.digest}")
    assert f"End digest {reader.digest}?" in text
    assert operator_site.list_changes() == []
    operator_site.press(f"{path}?ask=end&digest={reader.digest}", f"Yes, end digest {reader.digest}")
    assert operator_site.list_changes() == [("end-digest", f"digest {reader.digest}", 1)]


def test_a_digest_of_somebody_else_or_of_the_file_cannot_be_named(
    operator_site: OperatorSite, reader: Reader
) -> None:
    mine = operator_site.find_path("me@example.org")
    assert operator_site.post(mine, do="end-digest", digest=str(reader.digest)).status_code == 400
    assert operator_site.post(mine, do="pause-digest", digest="1").status_code == 400
    assert operator_site.get(f"{mine}?ask=end&digest={reader.digest}").status_code == 400
    assert operator_site.list_changes() == []


def test_a_suppression_is_lifted_on_the_page_of_its_address(operator_site: OperatorSite) -> None:
    suppress(operator_site.signup_site.site, "me@example.org")
    path = operator_site.find_path("me@example.org")
    assert "It is suppressed since" in operator_site.read(path)
    operator_site.press(path, "Lift the suppression")
    assert [action for action, _, _ in operator_site.list_changes()] == ["lift-suppressions"]
    assert "suppressed" not in operator_site.read(path).replace("Suppressed", "")


def test_the_growth_of_the_week_is_counted(operator_site: OperatorSite, reader: Reader) -> None:
    site = operator_site.signup_site.site
    monday = site.app.clock().date() - timedelta(days=site.app.clock().weekday())
    assert f"{format_short_day(monday)} 1 1 0 0" in operator_site.read("/operator/subscribers")
    destination = operator_site.list_destinations(READER)[0].destination
    for _ in range(2):
        site.post(site.pages.make_unsubscribe_url(destination), content=b"List-Unsubscribe=One-Click")
    operator_site.signup_site.subscribe("bob@example.org")
    assert f"{format_short_day(monday)} 2 2 1 0" in operator_site.read("/operator/subscribers")
    post_as(site, reader.token, "/account/delete")
    assert f"{format_short_day(monday)} 2 2 1 1" in operator_site.read("/operator/subscribers")


def test_a_link_that_is_used_twice_is_one_sign_up(operator_site: OperatorSite) -> None:
    site = operator_site.signup_site.site
    request = SignupRequest(address=READER, public_digest="dc", language="en")
    link = f"/confirm/{seal_request(request, site.pages.keys, site.app.clock())}"
    for _ in range(2):
        operator_site.signup_site.press_button(link)
    assert " 1 1 0 0" in operator_site.read("/operator/subscribers")


# --- the audit log --------------------------------------------------------------------------------


def test_the_audit_log_names_operators_and_system_users(operator_site: OperatorSite) -> None:
    operator_site.press("/operator/deliveries/drop?id=2", "Yes, drop 1 delivery")
    operator_site.signup_site.site.workspace.run("deliveries", "retry", "2")
    text = operator_site.read("/operator/audit")
    assert "Dropped delivery 2" in text
    assert f"by {OPERATOR.lower()}" in text
    assert "Retried delivery 2" in text
    assert "on the command line" in text
    output = operator_site.signup_site.site.workspace.run("audit").plain_output
    assert f"{OPERATOR.lower()}: dropped delivery 2" in output


def test_of_an_operator_who_deletes_everything_the_changes_stay_without_them(
    operator_site: OperatorSite,
) -> None:
    site = operator_site.signup_site.site
    operator_site.press("/operator/deliveries/drop?id=2", "Yes, drop 1 delivery")
    post_as(site, operator_site.token, "/account/delete")
    assert find_session(site.app.store, operator_site.token, site.app.clock()) is None
    (entry,) = operator_site.list_audit()
    assert (entry.actor.subscriber, entry.address, entry.subject) == (None, "", "delivery 2")
    assert find_traces(read_database(site), OPERATOR.lower()) == []
    assert "a deleted reader: dropped delivery 2" in site.workspace.run("audit").plain_output


def test_of_a_reader_who_deletes_everything_nothing_is_in_the_audit_log(
    operator_site: OperatorSite, reader: Reader
) -> None:
    path = operator_site.find_path(READER)
    operator_site.post(path, do="stop")
    post_as(reader.site, reader.token, "/account/delete")
    assert [action for action, _, _ in operator_site.list_changes()] == ["stop-address"]
    assert operator_site.get(path).status_code == 404
    assert find_traces(read_database(reader.site), READER) == []


def test_entries_are_forgotten_after_a_year(operator_site: OperatorSite) -> None:
    app = operator_site.signup_site.site.app
    operator_site.press("/operator/deliveries/drop?id=2", "Yes, drop 1 delivery")
    with app.store.begin_write() as tx:
        assert forget_old(tx, app.clock() + timedelta(days=364)) == 0
        assert forget_old(tx, app.clock() + timedelta(days=366)) == 1
    assert "No changes are recorded yet." in operator_site.read("/operator/audit")
