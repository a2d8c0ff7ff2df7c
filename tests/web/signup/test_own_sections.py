"""Earlier editions, saved papers, feedback and feeds of a digest, on pages of its reader only."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from bs4 import BeautifulSoup, Tag
from sqlalchemy import insert, select

from digest.core.subscribers.library import read_library
from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.demo.publisher import Publisher
from digest.jobs.subscribers.opinions import save_opinion
from digest.store.database.tables.digests import digests, editions, feedback, follows, opinions, runs
from digest.store.editions.editions import load_editions
from digest.testing.http_host import CannedResponse
from digest.testing.mail_server import MailServer
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.zotero_library import KEY, READING_KEY, USER, ZoteroLibrary
from tests.web.conftest import serve_workspace
from tests.web.signup.conftest import SignupSite, make_signup_workspace, read_database
from tests.web.signup.test_own_digests import ADA, ALL_FORMS, BOB, Reader, post

PAGES = ("editions", "saved", "saved.bib", "saved.ris", "feedback", "feeds")
AUTHOR = "Hadi Tabatabaee Malazi"


class Records(Reader):
    """A reader who looks at what they have got and said.

    Attributes:
        minutes: how long they have been at it.
    """

    minutes = 0

    def get_section(self, section: str) -> BeautifulSoup:
        return self.get(f"{self.path}/{section}")

    def press(self, section: str, label: str, number: int = 0) -> httpx.Response:
        """Press a button of a page as a browser does; one of several with the same label by its number."""
        page = self.get_section(section)
        button = [found for found in page.select("form button") if found.get_text() == label][number]
        form = button.find_parent("form")
        assert isinstance(form, Tag)
        fields = {str(field["name"]): str(field["value"]) for field in form.select("input[type=hidden]")}
        token = fields.pop("token")
        return post(self, token, str(form["action"]), **fields, **{str(button["name"]): str(button["value"])})

    @property
    def edition(self) -> int:
        statement = select(editions.c.id).where(editions.c.digest_id == self.digest, editions.c.skipped == "")
        with self.site.app.store.begin_read() as tx:
            return int(max(tx.execute(statement).scalars()))

    @property
    def edition_url(self) -> str:
        return self.site.pages.make_edition_url(self.edition)

    def find_papers(self) -> list[str]:
        """The keys of the papers in the last edition."""
        with self.site.app.store.begin_read() as tx:
            edition = load_editions(tx, [self.edition])[self.edition]
        return [item.paper.key for item in (*edition.items, *edition.overflow)]

    def say(self, said: str, number: int = 1) -> None:
        """Press a button on the page of a paper; each time a minute later."""
        self.minutes += 1
        now = self.site.app.clock() + timedelta(minutes=self.minutes)
        assert save_opinion(self.site.app.store, self.edition, number, Opinion(said), now)

    def list_keys(self, section: str) -> list[str]:
        """The keys of the papers on a page, in order."""
        return [str(field["value"]) for field in self.get_section(section).select("ul.rows [name=paper]")]

    def add_editions(self, *periods: str, skipped: str = "") -> list[str]:
        """Copy the last edition, once for each period of a run; the addresses of the copies."""
        urls = []
        with self.site.app.store.begin_write() as tx:
            edition = dict(tx.execute(select(editions).where(editions.c.id == self.edition)).one()._mapping)
            run = dict(tx.execute(select(runs).where(runs.c.id == edition["run_id"])).one()._mapping)
            del edition["id"], run["id"]
            for period in periods:
                add_run = insert(runs).values(run | {"period": period}).returning(runs.c.id)
                number = tx.execute(add_run).scalar_one()
                values = edition | {"run_id": number, "skipped": skipped}
                add_edition = insert(editions).values(values).returning(editions.c.id)
                urls.append(self.site.pages.make_edition_url(tx.execute(add_edition).scalar_one()))
        return urls

    def load_state(self) -> list[tuple[object, ...]]:
        """All that these pages could change."""
        with self.site.app.store.begin_read() as tx:
            return [
                tuple(row)
                for table in (digests, editions, follows, opinions, feedback)
                for row in tx.execute(select(table).order_by(*table.primary_key))
            ]

    def list_learned(self) -> set[float]:
        with self.site.app.store.begin_read() as tx:
            return set(
                tx.execute(select(follows.c.learned).where(follows.c.digest_id == self.digest)).scalars()
            )


@pytest.fixture
def library() -> Iterator[ZoteroLibrary]:
    with ZoteroLibrary() as library:
        yield library


@pytest.fixture
def signup_site(
    composed_folder: Path, source: Publisher, mail_server: MailServer, library: ZoteroLibrary, tmp_path: Path
) -> Iterator[SignupSite]:
    """A site whose Zotero is on loopback."""
    signup = f'who = "anyone"\n    zotero_url = "{library.host.url}/"'
    workspace = make_signup_workspace(composed_folder, tmp_path / "world", mail_server.port, signup)
    with serve_workspace(workspace, source) as site:
        yield SignupSite(site, mail_server)


@pytest.fixture
def new_reader(signup_site: SignupSite) -> Records:
    return Records(signup_site, ADA)


@pytest.fixture
def ada(new_reader: Records) -> Records:
    """A reader who has an edition, with a paper by an author whom the digest follows."""
    new_reader.post("follow", query=f'author:"{AUTHOR}"')
    new_reader.post("options", **ALL_FORMS["options"] | {"language": "en"})
    new_reader.compose()
    return new_reader


# --- editions -------------------------------------------------------------------------------------


def test_editions_are_listed_with_their_day_their_papers_and_their_page(ada: Records) -> None:
    (row,) = ada.get_section("editions").select("ul.rows li")

    (link,) = row.select("a")
    assert link["href"] == ada.edition_url
    assert ada.site.get(str(link["href"])).status_code == 200
    assert row.get_text("|") == f"Thursday 7 May 2026|07:31 CEST · {len(ada.find_papers())} papers"


def test_before_the_first_edition_the_page_says_so(new_reader: Records) -> None:
    assert "No edition has come yet." in new_reader.get_section("editions").get_text()


def test_editions_stand_twenty_on_a_page_newest_first_without_those_that_were_skipped(ada: Records) -> None:
    urls = [ada.edition_url, *ada.add_editions(*(f"2026-06-{day:02}T07:30" for day in range(1, 25)))]
    ada.add_editions("2026-06-30T07:30", skipped="paused")
    urls.reverse()

    first, second = ada.get_section("editions"), ada.get_section("editions?page=2")

    shown = [[link["href"] for link in page.select("ul.rows a")] for page in (first, second)]
    assert shown == [urls[:20], urls[20:]]
    assert "Page 1 of 2" in first.get_text()
    (older,) = first.select("nav.pages a")
    (newer,) = second.select("nav.pages a")
    assert (older["href"], older["rel"]) == (f"{ada.path}/editions?page=2", ["next"])
    assert (newer["href"], newer["rel"]) == (f"{ada.path}/editions", ["prev"])
    assert [link["href"] for link in ada.get_section("editions?page=99").select("ul.rows a")] == urls[20:]


@pytest.mark.parametrize("number", ["0", "-1", "x", "1e3", "9" * 30, ""])
def test_what_is_no_page_number_is_refused(ada: Records, number: str) -> None:
    response = ada.signup_site.get_account(ada.token, f"{ada.path}/editions?page={number}")

    assert response.status_code == (200 if not number else 400)


def test_an_alert_is_listed_as_one(ada: Records) -> None:
    (url,) = ada.add_editions("alert-77")

    rows = ada.get_section("editions").select("ul.rows li")

    assert [row.a["href"] for row in rows if row.a and "sent at once" in row.get_text()] == [url]


# --- saved papers ---------------------------------------------------------------------------------


def test_a_saved_paper_is_listed_and_can_be_removed_once_and_again(ada: Records) -> None:
    for number in (1, 2):
        ada.say("saved", number)
    first, second = ada.find_papers()[:2]
    assert ada.list_keys("saved") == [second, first]
    links = ada.get_section("saved").select("ul.rows a")
    assert [ada.site.get(str(link["href"])).status_code for link in links] == [200, 200]

    response = ada.press("saved", "Remove")

    assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}/saved")
    assert ada.list_keys("saved") == [first]
    before = ada.load_state()
    ada.post("remove", f"{ada.path}/saved", paper="arxiv:0000.00000")  # no such paper
    assert ada.load_state() == before
    for _ in range(2):
        assert ada.post("remove", f"{ada.path}/saved", paper=first).status_code == 303
    assert "None yet" in ada.get_section("saved").get_text()
    assert ada.get_section("saved").select("#zotero, #export") == []


@pytest.mark.parametrize(
    ("file", "media_type", "form"),
    [
        ("saved.bib", "application/x-bibtex; charset=utf-8", "BibTeX"),
        ("saved.ris", "application/x-research-info-systems; charset=utf-8", "RIS"),
    ],
)
def test_exports_are_files_that_our_own_import_reads(
    ada: Records, file: str, media_type: str, form: str
) -> None:
    for number in (1, 2, 3):
        ada.say("saved", number)
    (link,) = (a for a in ada.get_section("saved").select("#export + p a") if str(a["href"]).endswith(file))

    response = ada.signup_site.get_account(ada.token, str(link["href"]))

    assert response.headers["content-type"] == media_type
    assert response.headers["content-disposition"] == f'attachment; filename="{file}"'
    assert response.headers["cache-control"] == "private, no-store"
    library = read_library(response.content)
    assert (library.format_name, library.broken) == (form, ())
    assert [key for key, _ in library.papers] == ada.list_keys("saved") == ada.find_papers()[2::-1]


def test_saved_papers_get_into_zotero_once(ada: Records, library: ZoteroLibrary) -> None:
    for number in (1, 2, 3):
        ada.say("saved", number)
    path = f"{ada.path}/saved"

    for _ in range(2):
        response = ada.post("zotero", path, user=USER, key=KEY)
        assert (response.status_code, response.headers["location"]) == (303, f"{path}?zotero=sent")
    assert "are in your Zotero library" in ada.get(f"{path}?zotero=sent").get_text()
    shown = [link.get_text() for link in ada.get_section("saved").select("ul.rows a")]
    assert len(library.titles) == 3
    assert [title.split()[0] for title in library.titles] == [title.split()[0] for title in shown]


@pytest.mark.parametrize(
    ("user", "key", "words"),
    [
        (USER, "another", "Zotero does not know this key."),
        (USER, "an other", "Zotero does not know this key."),
        (USER, READING_KEY, "This key must not write to the library of this user."),
        ("1", KEY, "Zotero has no user with this ID."),
        ("ada", KEY, "Zotero has no user with this ID."),
    ],
)
def test_why_nothing_got_into_zotero_is_told_in_words(
    ada: Records, library: ZoteroLibrary, user: str, key: str, words: str
) -> None:
    ada.say("saved")

    response = ada.post("zotero", f"{ada.path}/saved", user=user, key=key)

    page = BeautifulSoup(response.text, "html.parser")
    assert response.status_code == 400
    assert response.headers["cache-control"] == "private, no-store"
    assert words in page.select("[role=alert]")[0].get_text()
    assert [field["value"] for field in page.select("[name=user]")] == [user]
    assert library.titles == []


def test_a_zotero_that_cannot_be_reached_is_told_in_words(ada: Records, library: ZoteroLibrary) -> None:
    ada.say("saved")
    library.host.answers[f"/users/{USER}/items"] = CannedResponse(b"", 500)

    response = ada.post("zotero", f"{ada.path}/saved", user=USER, key=KEY)

    assert (response.status_code, "Zotero cannot be reached." in response.text) == (503, True)


def test_the_key_of_zotero_is_on_no_page_and_nowhere_in_the_database(
    ada: Records, library: ZoteroLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    ada.say("saved")
    caplog.set_level("DEBUG")
    for user in (USER, "1"):
        assert KEY not in ada.post("zotero", f"{ada.path}/saved", user=user, key=KEY).text
    library.host.answers[f"/users/{USER}/items"] = CannedResponse(KEY.encode(), 500)
    assert KEY not in ada.post("zotero", f"{ada.path}/saved", user=USER, key=KEY).text

    assert KEY not in ada.get_section("saved").get_text()
    assert KEY.encode() not in read_database(ada.site)
    assert not any(KEY in message for message in ada.site.operator_messages)
    assert KEY not in caplog.text


# --- feedback -------------------------------------------------------------------------------------


def test_a_rating_is_taken_back_with_what_was_learned_from_it(ada: Records) -> None:
    before = ada.load_state()
    ada.say("more", 2)
    ada.say("less", 1)
    assert ada.list_learned() != {1.0}

    rows = [row.get_text(" ") for row in ada.get_section("feedback").select("ul.rows li")]
    assert [row.startswith(("More like this", "Less like this")) for row in rows] == [True, True]
    assert rows[0].startswith("Less like this"), "the newest one first"
    for _ in rows:
        response = ada.press("feedback", "Take back")
        assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}/feedback")

    assert ada.list_learned() == {1.0}
    assert ada.load_state() == before
    assert "None yet" in ada.get_section("feedback").get_text()


def test_taking_back_one_rating_leaves_what_was_learned_from_the_others(ada: Records) -> None:
    ada.say("more", 1)
    with_one = ada.load_state()
    ada.say("more", 2)

    ada.press("feedback", "Take back")

    assert ada.load_state() == with_one


def test_saved_papers_are_no_feedback_and_stay(ada: Records) -> None:
    for do in ("saved", "more"):
        ada.say(do)

    ada.press("feedback", "Take back")

    assert len(ada.get_section("saved").select("ul.rows li")) == 1
    assert ada.get_section("feedback").select("ul.rows li") == []


@pytest.mark.parametrize(("do", "text"), [("is", "This is the"), ("is-not", "This is not the")])
def test_an_answer_about_a_person_is_taken_back(ada: Records, do: str, text: str) -> None:
    before = ada.load_state()
    pages = [f"{ada.edition_url}/{number}" for number in range(1, len(ada.find_papers()) + 1)]
    (address,) = (page for page in pages if f"the {AUTHOR} I follow" in ada.site.get(page).text)
    assert ada.site.post(address, data={"do": do, "who": AUTHOR}).status_code == 200
    assert ada.load_state() != before

    (row,) = ada.get_section("feedback").select("ul.rows li")
    assert row.get_text().startswith(f"{text} {AUTHOR} I follow")
    fields = {str(field["name"]): str(field["value"]) for field in row.select("input")}
    for other in ({"position": "99"}, {"name": "Ada Lovelace"}, {"paper": "arxiv:0000.00000"}):
        path = f"{ada.path}/feedback"
        assert post(ada, fields["token"], path, **fields | {"do": "answer"} | other).status_code in {303, 400}
        assert ada.load_state() != before
    ada.press("feedback", "Take back")

    assert ada.load_state() == before


def test_taking_back_twice_changes_nothing_more(ada: Records) -> None:
    ada.say("more")
    (row,) = ada.get_section("feedback").select("ul.rows li")
    fields = {str(field["name"]): str(field["value"]) for field in row.select("input")}
    ada.press("feedback", "Take back")
    before = ada.load_state()

    assert post(ada, fields.pop("token"), f"{ada.path}/feedback", **fields, do="rating").status_code == 303
    assert ada.load_state() == before


# --- feeds ----------------------------------------------------------------------------------------


def test_the_feeds_of_a_digest_have_addresses_that_can_be_renewed(ada: Records) -> None:
    addresses = [str(link["href"]) for link in ada.get_section("feeds").select("ul.rows a")]
    assert len(addresses) == 3
    assert ada.site.get(addresses[0]).status_code == 200
    (version,) = (str(field["value"]) for field in ada.get_section("feeds").select("[name=version]"))

    for _ in range(3):  # a second click, and one on a page that was opened before
        response = ada.post("renew", f"{ada.path}/feeds", version=version)
        assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}/feeds")

    renewed = [str(link["href"]) for link in ada.get_section("feeds").select("ul.rows a")]
    assert set(renewed).isdisjoint(addresses)
    assert [ada.site.get(address).status_code for address in addresses[1:]] == [
        410,
        410,
    ]  # the first is cached
    assert [ada.site.get(address).status_code for address in renewed] == [200, 200, 200]
    assert ada.load_row()["feed_version"] == 1
    (message,) = (text for text in ada.site.operator_messages if "new address" in text)
    assert ADA not in message


def test_a_digest_without_a_feed_says_where_to_turn_it_on(new_reader: Records) -> None:
    page = new_reader.get_section("feeds")

    assert "does not come as a feed" in page.get_text()
    assert [link["href"] for link in page.select("p.empty a")] == [f"{new_reader.path}#how"]
    assert page.select("form") == []


def test_all_private_feeds_are_one_file_for_feed_readers(ada: Records) -> None:
    ada.post("new", "/account/digests", query="planning OR scheduling")
    second = ada.list_digests()[1]
    options = ALL_FORMS["options"] | {"title": "A & <second>", "language": "en"}
    ada.post("options", f"/account/digests/{second}", **options)
    ada.post("new", "/account/digests", query="databases")  # without a feed
    links = [link["href"] for link in ada.get("/account").select("a") if "OPML" in link.get_text()]
    assert links == ["/account/feeds.opml"]

    response = ada.signup_site.get_account(ada.token, "/account/feeds.opml")

    assert response.headers["cache-control"] == "private, no-store"
    assert response.headers["content-disposition"] == 'attachment; filename="feeds.opml"'
    assert response.headers["content-type"].startswith("text/x-opml")
    outlines = ET.fromstring(response.content).findall("./body/outline")
    assert len(outlines) == 2
    assert "A & <second>" in outlines[1].attrib["text"]
    assert [ada.site.get(outline.attrib["xmlUrl"]).status_code for outline in outlines] == [200, 200]


def test_without_a_feed_the_account_links_to_no_list_of_feeds(new_reader: Records) -> None:
    assert "OPML" not in new_reader.get("/account").get_text()


# --- whose it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("saved", {"do": "remove"}),
        ("saved", {"do": "zotero", "user": USER, "key": KEY}),
        ("feedback", {"do": "rating"}),
        ("feedback", {"do": "answer", "position": "0", "name": AUTHOR}),
        ("feeds", {"do": "renew", "version": "0"}),
    ],
)
def test_nobody_else_changes_anything(
    signup_site: SignupSite, ada: Records, library: ZoteroLibrary, section: str, fields: dict[str, str]
) -> None:
    bob = Reader(signup_site, BOB)
    for do in ("saved", "more"):
        ada.say(do)
    (key,) = ada.list_keys("saved")
    path, form = f"{ada.path}/{section}", fields | {"paper": key}
    before = ada.load_state()

    assert post(bob, make_form_token(bob.token), path, **form).status_code == 404
    assert post(ada, make_form_token(bob.token), path, **form).status_code == 400
    assert post(ada, "", path, **form).status_code == 400
    assert post(ada, make_form_token(ada.token), path, site="cross-site", **form).status_code == 400
    stranger_token = make_session_token()
    response = signup_site.site.post(
        path,
        data={"token": make_form_token(stranger_token)} | form,
        headers={"cookie": f"{SESSION_COOKIE}={stranger_token}", "sec-fetch-site": "same-origin"},
    )
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in")
    assert ada.load_state() == before
    assert library.host.requests == []


@pytest.mark.parametrize("page", PAGES)
def test_nobody_else_reads_anything(signup_site: SignupSite, new_reader: Records, page: str) -> None:
    bob = Reader(signup_site, BOB)
    path = f"{new_reader.path}/{page}"
    assert signup_site.get_account(bob.token, path).status_code == 404
    assert signup_site.get_account(make_session_token(), path).headers["location"] == "/sign-in"
    assert signup_site.site.get(path).headers["location"] == "/sign-in"
    for number in (0, 1, 10**6, 1 << 63, 1 << 70):
        answer = signup_site.get_account(new_reader.token, f"/account/digests/{number}/{page}")
        assert answer.status_code == 404
    new_reader.post("end")
    assert signup_site.get_account(new_reader.token, path).status_code == 404


@pytest.mark.usefixtures("ada")
def test_the_list_of_feeds_has_only_those_of_its_reader(signup_site: SignupSite) -> None:
    bob = Reader(signup_site, BOB)
    answer = signup_site.get_account(bob.token, "/account/feeds.opml")
    assert ET.fromstring(answer.content).findall("./body/outline") == []
    assert (
        signup_site.get_account(make_session_token(), "/account/feeds.opml").headers["location"] == "/sign-in"
    )
    assert signup_site.site.get("/account/feeds.opml").headers["location"] == "/sign-in"


@pytest.mark.parametrize("form", [{}, {"do": "all"}, {"do": "remove"}, {"do": "remove", "paper": "a\x00b"}])
@pytest.mark.parametrize("section", ["saved", "feedback", "feeds"])
def test_a_form_that_no_page_has_is_refused(ada: Records, section: str, form: dict[str, str]) -> None:
    before = ada.load_state()
    assert post(ada, make_form_token(ada.token), f"{ada.path}/{section}", **form).status_code == 400
    assert ada.load_state() == before


@pytest.mark.parametrize("page", ["editions", "saved", "feedback", "feeds"])
def test_reading_changes_nothing_and_shows_no_address(ada: Records, page: str) -> None:
    for do in ("saved", "more"):
        ada.say(do)
    before = ada.load_state()
    for query in ("", "?do=remove", "?do=renew&version=0", "?do=zotero&user=1&key=a"):
        assert ADA not in str(ada.get(f"{ada.path}/{page}{query}"))
    assert ada.load_state() == before


@pytest.mark.parametrize("language", ["de", "zh"])
@pytest.mark.parametrize("page", ["editions", "saved", "feedback", "feeds"])
def test_a_page_stays_in_the_language_of_its_address(ada: Records, page: str, language: str) -> None:
    for do in ("saved", "more"):
        ada.say(do)
    found = ada.get(f"{ada.path}/{page}?lang={language}")
    assert found.html is not None
    assert str(found.html["lang"]).startswith(language)
    assert all(str(form["action"]).endswith(f"?lang={language}") for form in found.select("main form"))
    (back,) = found.select("header a[href*=digests]")
    assert back["href"] == f"{ada.path}?lang={language}"


def test_the_account_and_the_page_of_a_digest_lead_to_all_these_pages(ada: Records) -> None:
    paths = [f"{ada.path}/{page}" for page in ("editions", "saved", "feedback", "feeds")]
    for page in (ada.get(), ada.get("/account")):
        links = [str(link["href"]) for link in page.select(".links a")]
        assert [link for link in links if link in paths] == paths


def test_the_page_behind_a_link_in_a_mail_shows_no_address_and_no_other_digest(ada: Records) -> None:
    ada.post("new", "/account/digests", query="planning OR scheduling")
    (url, *_) = re.findall(r"https://\S+?/manage/[^\"\s<]+", ada.list_mails()[0])

    text = ada.site.get(url).text

    assert ADA not in text
    assert "planning OR scheduling" not in text
    assert "/account/digests" not in text
