"""Digests that readers change on the site: what they follow, when they come, how, and what the next edition would be."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy

import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select, update

from digest.core.subscribers.own_digest import EditError
from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.store.database.tables.digests import digests, editions, follows, subscribers
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.web.signup.conftest import SignupSite, suppress

ADA, BOB = "ada@example.org", "bob@example.org"
ALL_FORMS: dict[str, dict[str, str]] = {
    "follow": {"query": "planning"},
    "weigh": {"query": "category:cs.DC", "weight": "2.0"},
    "unfollow": {"query": "category:cs.DC"},
    "schedule": {"day2": "1", "at": "18:00", "zone": "Asia/Tokyo"},
    "options": {
        "title": "Mine",
        "mail": "1",
        "feed": "1",
        "language": "de",
        "limit": "10",
        "full": "5",
        "abstracts": "full",
        "arrange": "by follow",
        "kind-new": "1",
        "kind-version": "1",
        "tell": "1",
    },
    "pause-week": {},
    "resume-now": {},
    "add-destination": {"address": "https://example.org/hook"},
    "remove-destination": {"destination": "1"},
    "send": {},
    "end": {},
}
"""Each form of the page, with what it sends."""


class Reader:
    """A reader who is signed in, and has one digest."""

    def __init__(self, signup_site: SignupSite, address: str) -> None:
        self.site = signup_site.site
        self.signup_site = signup_site
        self.address = address
        self.token = signup_site.subscribe(address)
        (self.digest,) = self.list_digests()

    def list_digests(self) -> list[int]:
        statement = (
            select(digests.c.id)
            .join(subscribers, subscribers.c.id == digests.c.subscriber_id)
            .where(subscribers.c.address == self.address, digests.c.state != "ended")
        )
        with self.site.app.store.begin_read() as tx:
            return list(tx.execute(statement.order_by(digests.c.id)).scalars())

    @property
    def path(self) -> str:
        return f"/account/digests/{self.digest}"

    def get(self, path: str = "") -> BeautifulSoup:
        response = self.signup_site.get_account(self.token, path or self.path)
        assert response.status_code == 200, response.text
        assert response.headers["cache-control"] == "private, no-store"
        return BeautifulSoup(response.text, "html.parser")

    def post(self, do: str, path: str = "", **fields: str) -> httpx.Response:
        return post(self, make_form_token(self.token), path or self.path, do=do, **fields)

    def list_follows(self) -> list[tuple[str, float, bool, bool]]:
        columns = follows.c.text, follows.c.weight, follows.c.exclude, follows.c.alert
        is_own = (follows.c.digest_id == self.digest) & follows.c.ended_at.is_(None)
        with self.site.app.store.begin_read() as tx:
            rows = tx.execute(select(*columns).where(is_own).order_by(follows.c.id)).all()
        return [(row.text, row.weight, row.exclude, row.alert) for row in rows]

    def load_row(self) -> dict[str, object]:
        with self.site.app.store.begin_read() as tx:
            return dict(tx.execute(select(digests).where(digests.c.id == self.digest)).one()._mapping)

    def make_editor(self, later: timedelta) -> OwnDigestEditor:
        """What the site uses for the reader, at another time."""
        store, now = self.site.app.store, self.site.app.clock() + later
        with store.begin_read() as tx:
            is_own = subscribers.c.address == self.address
            subscriber = tx.execute(select(subscribers.c.id).where(is_own)).scalar_one()
        return OwnDigestEditor(store=store, subscriber=subscriber, now=now)

    def compose(self, *, later: timedelta = timedelta()) -> list[str]:
        """Run, and return the titles of the papers in the newest mail to the reader, in order."""
        count = len(self.list_mails())
        self.site.workspace.run("run", "--apply", now=self.site.app.clock() + later)
        mails = self.list_mails()[count:]
        assert len(mails) == 1
        return list_titles(mails[0])

    def list_mails(self) -> list[str]:
        """The HTML of all mails to the reader."""
        received = (
            message_from_bytes(mail.content, policy=policy.default)
            for mail in self.signup_site.server.received
            if self.address in mail.recipients
        )
        parts = (mail.get_body(("html",)) for mail in received)
        return [part.get_content() for part in parts if part is not None]


def post(
    reader: Reader, form_token: str, path: str, /, site: str = "same-origin", **fields: str
) -> httpx.Response:
    headers = {"cookie": f"{SESSION_COOKIE}={reader.token}", "sec-fetch-site": site}
    return reader.site.post(path, data={"token": form_token} | fields, headers=headers)


def list_titles(html: str) -> list[str]:
    """The titles of papers in an edition, in order."""
    headings = BeautifulSoup(html, "html.parser").select("h3")
    return [" ".join(heading.get_text().split()) for heading in headings]


@pytest.fixture
def ada(signup_site: SignupSite) -> Reader:
    return Reader(signup_site, ADA)


# --- follows --------------------------------------------------------------------------------------


def test_a_follow_is_tried_added_weighed_and_removed(ada: Reader) -> None:
    page = ada.get(f"{ada.path}?q=planning")
    assert "It brings about" in page.get_text()
    (field,) = page.select("#preview > form [name=query]")
    response = ada.post("follow", query=str(field["value"]))
    assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}?saved=follows")
    assert "counts from the next edition on" in ada.get(f"{ada.path}?saved=follows").get_text()
    ada.post("weigh", query="planning", weight="2.0", alert="1")
    ada.post("follow", query="graph", exclude="1")
    assert ada.list_follows()[-2:] == [("planning", 2.0, False, True), ("graph", 1.0, True, False)]
    text = ada.get().get_text()
    assert "more important · sent at once" in text
    assert "2 of 500 follows, 2 of 200 exclusions" in text
    ada.post("unfollow", query="planning")
    ada.post("unfollow", query="graph")
    assert [follow for follow, *_ in ada.list_follows()] == ["cs.DC", "=nothing"]


def test_what_is_tried_shows_how_it_is_read_what_came_and_how_much(ada: Reader) -> None:
    preview = ada.get(f"{ada.path}?q=large+language+model").select_one("#preview")
    assert preview is not None
    assert "large AND language AND model" in preview.get_text()
    assert re.search(r"It brings about \d+ papers a day", preview.get_text())
    assert 1 <= len(preview.select("ul.rows:first-of-type li")) <= 5


def test_of_too_much_narrower_queries_are_offered_and_of_nothing_wider_ones(ada: Reader) -> None:
    narrower = ada.get(f"{ada.path}?q=learning").select_one("#preview")
    assert narrower is not None
    assert "Is that too much?" in narrower.get_text()
    offered = [code.get_text() for code in narrower.select("li code")]
    assert "(learning) category:cs.LG" in offered
    wider = ada.get(f"{ada.path}?q=xylophone+planning").select_one("#preview")
    assert wider is not None
    assert "nothing in the last 30 days" in wider.get_text()
    assert [code.get_text() for code in wider.select("li code")] == ["planning"]


def test_a_mistake_in_a_query_is_shown_at_its_place_and_nothing_is_saved(ada: Reader) -> None:
    page = ada.get(f"{ada.path}?q=planning+title:(")
    assert page.select("#preview mark")
    response = ada.post("follow", query="planning title:(")
    assert response.status_code == 400
    assert len(ada.list_follows()) == 2


@pytest.mark.parametrize("query", ["", " ", "x" * 501, "a\x00b", "a\u202eb"])
def test_what_is_no_query_is_refused_in_words(ada: Reader, query: str) -> None:
    response = ada.post("follow", query=query)
    assert response.status_code == 400
    assert "Write what to follow, in at most 500 characters." in response.text
    assert len(ada.list_follows()) == 2


def test_a_person_is_picked_among_namesakes(ada: Reader) -> None:
    page = ada.get(f"{ada.path}?name=Hadi+Tabatabaee+Malazi")
    (field,) = page.select("#people + ul form:has([name=exclude]) [name=query]")
    assert field["value"] == 'author:"Hadi Tabatabaee Malazi"'
    assert "1 paper" in page.get_text()
    assert "No ID is known" in page.get_text()
    assert "Nobody with this name" in ada.get(f"{ada.path}?name=Wang").get_text()


def test_a_digest_may_follow_nothing_and_says_that_it_stays_empty(ada: Reader) -> None:
    ada.post("unfollow", query="category:cs.DC")
    assert "This digest follows nothing" in ada.get().get_text()


def test_clicking_twice_adds_nothing_twice(ada: Reader) -> None:
    for _ in range(2):
        assert ada.post("follow", query="planning").status_code == 303
    ada.post("weigh", query="planning", weight="4.0")
    ada.post("follow", query="planning  ")  # the same query with other spaces: as new
    assert [follow for follow, *_ in ada.list_follows()] == ["cs.DC", "=nothing", "planning"]


# --- schedule and options -------------------------------------------------------------------------


def test_a_schedule_is_chosen_and_the_next_three_dates_follow_it(ada: Reader) -> None:
    ada.post("schedule", day0="1", day3="1", at="18:30", zone="America/New_York", latest="20:00")
    page = ada.get().get_text()
    assert "every Monday and Thursday at 18:30 (America/New_York)" in page
    assert page.count("18:30 EDT") == 3
    ada.post("schedule", monthly="1", month_day="31", at="09:00", zone="UTC", latest="")
    page = ada.get().get_text()
    assert "on day 31 of each month at 09:00 (UTC)" in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"at": "07:30", "zone": "UTC"}, "Choose at least one day."),
        ({"day1": "1", "at": "25:00", "zone": "UTC"}, "Write the time as 07:30."),
        ({"day1": "1", "at": "7:30", "zone": "UTC"}, "Write the time as 07:30."),
        ({"day1": "1", "at": "07:30", "zone": "Mars/Olympus"}, "Choose a time zone from the list."),
        ({"monthly": "1", "month_day": "32", "at": "07:30", "zone": "UTC"}, "Choose at least one day."),
    ],
)
def test_a_wrong_schedule_is_refused_in_words(ada: Reader, fields: dict[str, str], words: str) -> None:
    before = ada.load_row()
    response = ada.post("schedule", **fields)
    assert response.status_code == 400
    assert words in response.text
    assert ada.load_row() == before


def test_options_are_saved_as_chosen(ada: Reader) -> None:
    assert ada.post("options", **ALL_FORMS["options"]).status_code == 303
    row = ada.load_row()
    chosen = {
        "title": "Mine",
        "feed": True,
        "language": "de",
        "limit": 10,
        "full": 5,
        "abstracts": "full",
        "arrange": "by follow",
        "kinds": ["new", "version"],
        "when_empty": "tell",
        "timezone": "Europe/Berlin",
    }
    assert {name: row[name] for name in chosen} == chosen


@pytest.mark.parametrize(
    ("left_out", "words"),
    [
        (("title",), "Give the digest a title."),
        (("kind-new", "kind-version"), "Choose at least one kind of news."),
        (("mail", "feed"), "Choose mail, the feed, or both."),
    ],
)
def test_options_that_make_no_sense_are_refused_in_words(
    ada: Reader, left_out: tuple[str, ...], words: str
) -> None:
    before = ada.load_row()
    fields = {name: value for name, value in ALL_FORMS["options"].items() if name not in left_out}
    response = ada.post("options", **fields)
    assert (response.status_code, words in response.text) == (400, True)
    assert ada.load_row() == before


@pytest.mark.parametrize(
    "forged",
    [
        {"language": "xx"},
        {"limit": "many"},
        {"limit": "9" * 30},
        {"abstracts": "some"},
        {"arrange": ""},
    ],
)
def test_options_that_no_form_offers_are_refused(ada: Reader, forged: dict[str, str]) -> None:
    before = ada.load_row()
    assert ada.post("options", **ALL_FORMS["options"] | forged).status_code == 400
    assert ada.post("weigh", query="category:cs.DC", weight="nan").status_code == 400
    assert ada.post("everything").status_code == 400
    assert ada.load_row() == before


def test_a_digest_can_come_as_a_feed_alone_and_by_mail_again(ada: Reader) -> None:
    fields = ALL_FORMS["options"]
    ada.post("options", **{name: value for name, value in fields.items() if name != "mail"})
    ada.site.workspace.run("run", "--apply", now=ada.site.app.clock())
    assert ada.list_mails() == []
    with ada.site.app.store.begin_read() as tx:
        (edition,) = tx.execute(select(editions.c.skipped).where(editions.c.digest_id == ada.digest)).all()
    assert edition.skipped == "", "its feed has it"
    ada.post("options", **fields)
    assert ada.compose(later=timedelta(days=1)) == []


def test_only_what_the_reader_changes_parts_a_digest_from_its_public_one(ada: Reader) -> None:
    row = ada.load_row()
    ada.post("schedule", **{f"day{day}": "1" for day in range(5)}, at="07:30", zone="Asia/Tokyo")
    assert ada.load_row()["is_customized"] is False
    assert "reach it, until you change it yourself" in ada.get().get_text()
    ada.post("schedule", day1="1", at="07:30", zone="Asia/Tokyo")
    assert ada.load_row()["is_customized"] is True
    assert "no longer reach it" in ada.get().get_text()
    assert row["public_digest"] == "dc"


def test_a_digest_is_paused_resumed_and_deleted(ada: Reader) -> None:
    ada.post("pause-week")
    assert "Paused until" in ada.get().get_text()
    ada.post("resume-then")
    assert "Paused until" not in ada.get().get_text()
    assert ada.post("end").headers["location"] == "/account"
    assert ada.list_digests() == []
    assert ada.signup_site.get_account(ada.token, ada.path).status_code == 404
    assert ada.post("end").status_code == 404
    ada.site.workspace.run("run", "--apply", now=ada.site.app.clock())
    assert ada.list_mails() == []


def test_a_new_digest_is_made_of_one_search(ada: Reader) -> None:
    response = ada.post("new", "/account/digests", query="planning OR scheduling")
    first, second = ada.list_digests()
    assert (first, response.headers["location"]) == (
        ada.digest,
        f"/account/digests/{second}?saved=new",
    )
    assert "planning OR scheduling" in ada.get(f"/account/digests/{second}?saved=new").get_text()
    ada.post("new", "/account/digests", query="planning OR scheduling")
    assert ada.list_digests() == [first, second], "the same search is the same digest"


@pytest.mark.parametrize(("zone", "expected"), [("Asia/Tokyo", "Asia/Tokyo"), ("../etc", "UTC"), ("", "UTC")])
def test_a_new_digest_has_the_time_zone_of_the_browser_if_there_is_such_a_zone(
    ada: Reader, zone: str, expected: str
) -> None:
    ada.post("new", "/account/digests", query="planning", zone=zone)
    assert f"every Monday at 08:00 ({expected})" in ada.get("/account").get_text()


def test_a_reader_has_at_most_twenty_digests(ada: Reader) -> None:
    for number in range(MAX_DIGESTS + 2):
        ada.post("new", "/account/digests", query=f"planning{number}")
    assert len(ada.list_digests()) == MAX_DIGESTS


# --- the next edition -----------------------------------------------------------------------------


def test_the_preview_is_the_edition_that_then_comes_paper_by_paper(ada: Reader) -> None:
    ada.post("follow", query="planning")
    ada.post("follow", query="title:training", exclude="1")
    ada.post("weigh", query="planning", weight="4.0")
    previewed = list_titles(str(ada.get(f"{ada.path}/preview")))
    assert len(previewed) > 5
    assert any("Planning" in title for title in previewed)
    assert ada.compose() == previewed


def test_a_preview_sends_and_stores_nothing(ada: Reader) -> None:
    for _ in range(2):
        ada.get(f"{ada.path}/preview")
    with ada.site.app.store.begin_read() as tx:
        assert tx.execute(select(editions.c.id).where(editions.c.digest_id == ada.digest)).all() == []
    assert ada.list_mails() == []


def test_an_edition_comes_at_once_but_at_most_once_an_hour(ada: Reader) -> None:
    assert ada.post("send").status_code == 400, "the first edition is on its way"
    ada.compose()
    assert ada.post("send").status_code == 400, "it came less than an hour ago"
    ada.post("options", **ALL_FORMS["options"])  # it tells when it is empty
    later = timedelta(hours=2)
    ada.make_editor(later).request_edition(ada.digest)
    with pytest.raises(EditError, match="sent lately"):
        ada.make_editor(later).request_edition(ada.digest)
    assert ada.compose(later=later) == []


def test_two_readers_who_ask_at_the_same_instant_both_get_an_edition(
    signup_site: SignupSite, ada: Reader
) -> None:
    bob = Reader(signup_site, BOB)
    later = timedelta(hours=2)
    ada.compose()
    assert len(bob.list_mails()) == 1
    for reader in (ada, bob):
        reader.post("options", **ALL_FORMS["options"])
    for reader in (ada, bob):
        reader.make_editor(later).request_edition(reader.digest)
        assert reader.compose(later=later) == []


# --- whose it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize("do", sorted(ALL_FORMS))
def test_nobody_else_changes_a_digest(signup_site: SignupSite, ada: Reader, do: str) -> None:
    bob = Reader(signup_site, BOB)
    fields = ALL_FORMS[do] | {"do": do}
    before, follows_before = ada.load_row(), ada.list_follows()

    assert post(bob, make_form_token(bob.token), ada.path, **fields).status_code == 404
    assert post(ada, make_form_token(bob.token), ada.path, **fields).status_code == 400
    assert post(ada, "", ada.path, **fields).status_code == 400
    assert post(ada, make_form_token(ada.token), ada.path, site="cross-site", **fields).status_code == 400
    stranger_token = make_session_token()
    response = signup_site.site.post(
        ada.path,
        data={"token": make_form_token(stranger_token)} | fields,
        headers={"cookie": f"{SESSION_COOKIE}={stranger_token}", "sec-fetch-site": "same-origin"},
    )
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in")
    assert (ada.load_row(), ada.list_follows()) == (before, follows_before)


@pytest.mark.parametrize("page", ["", "?q=planning", "/preview"])
def test_nobody_else_reads_a_digest(signup_site: SignupSite, ada: Reader, page: str) -> None:
    bob = Reader(signup_site, BOB)
    assert signup_site.get_account(bob.token, ada.path + page).status_code == 404
    assert signup_site.get_account(make_session_token(), ada.path + page).headers["location"] == "/sign-in"
    assert signup_site.site.get(ada.path + page).headers["location"] == "/sign-in"
    for number in (0, 1, 10**6, 1 << 63, 1 << 70):  # that of the file, none, and none that a database knows
        assert signup_site.get_account(ada.token, f"/account/digests/{number}{page}").status_code == 404


def test_a_page_of_a_digest_shows_no_address_and_no_other_digest(
    signup_site: SignupSite, ada: Reader
) -> None:
    Reader(signup_site, BOB)
    text = str(ada.get())
    assert BOB not in text
    assert ADA not in text


@pytest.mark.parametrize("language", ["de", "zh"])
def test_the_page_is_in_the_language_of_its_address_and_stays_there(ada: Reader, language: str) -> None:
    page = ada.get(f"{ada.path}?lang={language}")
    assert page.html is not None
    assert str(page.html["lang"]).startswith(language)
    response = ada.post("follow", f"{ada.path}?lang={language}", query="planning")
    assert response.headers["location"] == f"{ada.path}?lang={language}&saved=follows"


# --- seams ----------------------------------------------------------------------------------------


def test_mail_that_bounced_stays_off_whatever_the_reader_ticks(signup_site: SignupSite, ada: Reader) -> None:
    suppress(signup_site.site, ADA)
    fields = ALL_FORMS["options"]
    ada.post("options", **{name: value for name, value in fields.items() if name != "mail"})
    ada.post("options", **fields)
    assert "Not sent, because mail bounced" in ada.get().get_text()
    assert ada.post("send").status_code == 400
    ada.site.workspace.run("run", "--apply", now=ada.site.app.clock())
    assert ada.list_mails() == []


def test_a_form_keeps_the_options_that_it_does_not_show(ada: Reader) -> None:
    with ada.site.app.store.begin_write() as tx:
        hidden = {"minimum": 3, "feed_entries": "editions", "alerts_a_day": 9, "repeat_alerts": True}
        tx.execute(update(digests).where(digests.c.id == ada.digest).values(hidden))
    ada.post("options", **ALL_FORMS["options"])
    row = ada.load_row()
    assert {name: row[name] for name in hidden} == hidden


def test_a_digest_by_feed_alone_is_active_and_is_the_readers_own(ada: Reader) -> None:
    fields = ALL_FORMS["options"]
    ada.post("options", **{name: value for name, value in fields.items() if name != "mail"})
    assert ada.load_row()["is_customized"] is True, (
        "or a change of the public digest could take its feed away"
    )
    for page in ("/account", ada.path):
        text = ada.get(page).get_text()
        assert "Unsubscribed" not in text
        assert text.count("07:30 CE") >= 3
    ada.post("pause-open")
    assert "Paused until you resume it" in ada.get().get_text()


def test_the_first_edition_is_announced_only_until_it_came(ada: Reader) -> None:
    assert "The first edition is on its way." in ada.get().get_text()
    ada.compose()
    ada.make_editor(timedelta(hours=2)).request_edition(ada.digest)
    assert "The first edition is on its way." not in ada.get().get_text()


def test_a_new_digest_that_is_refused_says_why(ada: Reader) -> None:
    response = ada.post("new", "/account/digests", query="title:(")
    assert "Write what to follow" in ada.get(response.headers["location"]).get_text()
