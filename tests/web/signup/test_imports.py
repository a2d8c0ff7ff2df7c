"""Imports into digests and of whole accounts, and their export: in two steps, within limits, by the reader alone."""

from __future__ import annotations

import http.client
import io
import json
import time
import zipfile
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from bs4 import BeautifulSoup
from sqlalchemy import select

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_digest import MAX_FOLLOWS, MAX_LIBRARY_PAPERS
from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.core.subscribers.transfer.archive import ArchivedDigest, write_digests
from digest.core.subscribers.transfer.archive_file import write_archive
from digest.core.times.schedule import parse_schedule
from digest.jobs.subscribers import opinions
from digest.model import DigestOptions
from digest.store.database.tables.digests import editions
from digest.web.accounts.transfer.uploads import MAX_UPLOAD_BYTES
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.support.timeouts import PATIENCE
from tests.web.signup.conftest import SignupSite, read_database
from tests.web.signup.test_own_digests import Reader, list_titles

ADA, BOB = "ada@example.org", "bob@example.org"
BIBTEX = b"""
@article{one, title={Fast {KV} caches <b>now</b>}, eprint={2401.00001}, archiveprefix={arXiv}}
@article{two, title={A second paper}, doi={10.1145/3600006.3613165}}
@article{three, title={Without an id}}
"""
LINES = """Kaiming He
https://orcid.org/0000-0002-1825-0097
"speculative decoding"
cs.DC
Geoffrey Hinton - new articles
title:(
"""


def upload(
    reader: Reader, path: str, /, file: bytes | None = None, form_token: str | None = None, **fields: str
) -> httpx.Response:
    """Post a form with a file, as browsers do."""
    token = make_form_token(reader.token) if form_token is None else form_token
    headers = {
        "cookie": f"{SESSION_COOKIE}={reader.token}",
        "sec-fetch-site": fields.pop("site", "same-origin"),
    }
    parts: dict[str, tuple[str | None, str | bytes]] = {
        name: (None, value) for name, value in ({"token": token} | fields).items()
    }
    parts["file"] = ("refs.bib" if file else "", file or b"")
    return reader.site.post(path, files=parts, headers=headers)


def read(reader: Reader, *, file: bytes | None = None, text: str = "") -> BeautifulSoup:
    """The first step of an import into the reader's digest."""
    response = upload(reader, f"{reader.path}/import", file, do="read", text=text)
    assert response.status_code == 200, response.text
    return BeautifulSoup(response.text, "html.parser")


def add(reader: Reader, page: BeautifulSoup) -> httpx.Response:
    """The second step, with the form that the first one shows."""
    return upload(reader, f"{reader.path}/import", do="add", plan=get_plan(page))


def get_plan(page: BeautifulSoup) -> str:
    (field,) = page.select("[name=plan]")
    return str(field["value"])


def export(reader: Reader) -> bytes:
    response = reader.signup_site.get_account(reader.token, "/account/export")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["cache-control"] == "private, no-store"
    return response.content


def read_member(content: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name).decode()


def make_archive(*digests: ArchivedDigest, **members: object) -> bytes:
    """An archive of some digests, and with other members as JSON."""
    files = [(f"{name}.json", json.dumps(document).encode()) for name, document in members.items()]
    return write_archive([("digests.json", write_digests(digests).encode()), *files])


def read_archive(reader: Reader, content: bytes) -> BeautifulSoup:
    """The first step of the import of an archive."""
    response = upload(reader, "/account/import", content, do="read")
    assert response.status_code == 200, response.text
    return BeautifulSoup(response.text, "html.parser")


def add_archive(reader: Reader, page: BeautifulSoup) -> httpx.Response:
    """The second step, with the form that the first one shows."""
    (records,) = page.select("[name=records]")
    return upload(reader, "/account/import", do="add", plan=get_plan(page), records=str(records["value"]))


def rate_papers(reader: Reader) -> None:
    """Get an edition, save its first paper, ask for more like it and for less like the second one."""
    reader.compose()
    store, now = reader.site.app.store, reader.site.app.clock()
    with store.begin_read() as tx:
        is_own = editions.c.digest_id == reader.digest
        edition = tx.execute(select(editions.c.id).where(is_own)).scalar_one()
    for number, opinion in ((1, Opinion.SAVED), (1, Opinion.MORE), (2, Opinion.LESS)):
        opinions.save_opinion(store, edition, number, opinion, now)


@pytest.fixture
def ada(signup_site: SignupSite) -> Reader:
    return Reader(signup_site, ADA)


@pytest.fixture
def bob(signup_site: SignupSite, ada: Reader) -> Reader:
    """Another reader, who comes after the first one."""
    assert ada.token
    return Reader(signup_site, BOB)


# --- into a digest --------------------------------------------------------------------------------


def test_a_library_is_shown_first_and_followed_after_yes(ada: Reader) -> None:
    before = ada.list_follows()
    page = read(ada, file=BIBTEX)
    text = page.get_text()
    assert "Read as: BibTeX" in text
    assert "2 papers: new versions" in text
    assert "Without an id" in text
    assert "it has no arXiv id, no DOI and no address" in text
    assert ada.list_follows() == before, "nothing is added before yes"
    response = add(ada, page)
    assert (response.status_code, response.headers["location"]) == (303, f"{ada.path}?saved=follows")
    added = [follow for follow, *_ in ada.list_follows()][len(before) :]
    assert added == ["Fast KV caches now", "A second paper"]
    shown = ada.get().get_text()
    assert "2 papers of your library" in shown
    assert "1 of 500 follows, 1 of 200 exclusions · 2 of 5,000 papers of a library" in shown
    assert "A second paper" not in shown, "a library is one line"
    destination = ada.make_editor(timedelta()).load(ada.digest).summary.destination
    managed = ada.site.get(ada.site.pages.make_manage_url(destination)).text
    assert "2 papers of your library" in managed
    assert "A second paper" not in managed


def test_a_library_is_removed_as_a_whole(ada: Reader) -> None:
    add(ada, read(ada, file=BIBTEX))
    assert ada.post("unfollow-library").status_code == 303
    assert len(ada.list_follows()) == 2
    assert "of your library" not in ada.get().get_text()


def test_names_searches_pages_and_alerts_are_read_from_lines(ada: Reader) -> None:
    page = read(ada, text=LINES)
    text = page.get_text()
    assert "3 people" in text
    assert "1 search" in text
    assert "1 of them is in the digest already." in text
    assert "This bracket is not closed" in text
    add(ada, page)
    assert [follow for follow, *_ in ada.list_follows()][2:] == [
        "Kaiming He",
        "https://orcid.org/0000-0002-1825-0097",
        '"speculative decoding"',
        "Geoffrey Hinton",
    ]


def test_importing_twice_adds_nothing_twice(ada: Reader) -> None:
    page = read(ada, file=BIBTEX)
    for _ in range(2):
        assert add(ada, page).status_code == 303
    again = read(ada, file=BIBTEX)
    assert "2 of them are in the digest already." in again.get_text()
    assert "There is nothing new in it." in again.get_text()
    assert again.select("[name=plan]") == []
    assert len(ada.list_follows()) == 4


def test_what_has_no_room_is_said_before_yes_and_the_rest_is_added(ada: Reader) -> None:
    ids = "\n".join(f"2401.{number:05}" for number in range(MAX_LIBRARY_PAPERS + 3))
    page = read(ada, text=ids)
    assert "3 papers have no room: a digest can have 5,000 papers of a library." in page.get_text()
    assert "5,000 papers: new versions" in page.get_text()
    assert add(ada, page).status_code == 303
    assert len(ada.list_follows()) == 2 + MAX_LIBRARY_PAPERS
    shown = ada.get()
    assert "5,000 of 5,000 papers of a library" in shown.get_text()
    assert len(str(shown)) < 100_000
    names = "\n".join(f'"{number} words"' for number in range(MAX_FOLLOWS + 4))
    page = read(ada, text=names)
    assert "5 searches and people have no room: a digest can have 500 follows." in page.get_text()
    assert add(ada, page).status_code == 303
    assert len(ada.list_follows()) == 1 + MAX_FOLLOWS + MAX_LIBRARY_PAPERS
    assert upload(ada, f"{ada.path}/import", do="add", plan='[["","more","more"]]').status_code == 400


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Choose a file, or paste a text."),
        (b"PK\x03\x04 and so on", "This is the archive of an account."),
        (b"\x00\x01\x02", "This cannot be read."),
        (b"[" * 1_000_000, "nested too deeply"),
        (b"[" + b"[]," * 2_000_000 + b"[]]", "This is too large."),
        (b"<!DOCTYPE opml [<!ENTITY a 'b'>]><opml>&a;</opml>", "This cannot be read."),
        (b"<html><body>Not found</body></html>", "a web page"),
        (b"x\n" * 60_000, "This is too large."),
    ],
    ids=["nothing", "zip", "binary", "deep", "wide", "entities", "page", "lines"],
)
def test_what_cannot_be_read_is_refused_in_words(ada: Reader, content: bytes, words: str) -> None:
    response = upload(ada, f"{ada.path}/import", content, do="read")
    assert response.status_code == 400
    assert words in BeautifulSoup(response.text, "html.parser").get_text()
    assert len(ada.list_follows()) == 2


@pytest.mark.parametrize(
    "plan",
    [
        "",
        "{}",
        "[" * 100_000,
        '[["","title:(","title:("]]',
        '[["","a\\u0000","b"]]',
        '[["","a","b\\u0000"]]',
        '[["not a key","title"]]',
        '[["arXiv:2401.00001v2","title"]]',
        "[[1,2,3]]",
        "[" + ",".join(['["","a","a"]'] * 6_000) + "]",
    ],
)
def test_a_form_that_no_page_shows_is_refused(ada: Reader, plan: str) -> None:
    assert upload(ada, f"{ada.path}/import", do="add", plan=plan).status_code == 400
    assert upload(ada, "/account/import", do="add", plan=plan).status_code == 400
    digest = ArchivedDigest(name="new", title="New", schedule=None, options=DigestOptions())
    valid = write_digests([digest])
    if plan:
        assert upload(ada, "/account/import", do="add", plan=valid, records=plan).status_code == 400
    assert upload(ada, f"{ada.path}/import", do="everything", plan=plan).status_code == 400
    assert len(ada.list_follows()) == 2
    assert len(ada.list_digests()) == 1


def test_what_a_file_contains_is_shown_as_text(ada: Reader) -> None:
    page = read(ada, text='"<b>x</b>"\n"<script>alert(1)</script> words"\nKaiming \x07\u202eHe\n"a & b"')
    assert page.select("script:not([src])") == []
    assert page.select("main b, li b") == []
    assert "alert(1)" in page.get_text()


def test_a_form_that_is_no_upload_and_one_that_is_cut_off_are_refused(ada: Reader) -> None:
    path = f"{ada.path}/import"
    assert ada.post("read", path, text="words").status_code == 400
    headers = {
        "cookie": f"{SESSION_COOKIE}={ada.token}",
        "sec-fetch-site": "same-origin",
        "content-type": "multipart/form-data; boundary=x",
    }
    for body in (b"", b"--x\r\nContent-Disposition: form-data; name=text\r\n\r\nwords", b"--y--"):
        assert ada.site.post(path, content=body, headers=headers).status_code == 400
    headers["content-type"] = "multipart/form-data"
    assert ada.site.post(path, content=b"--x--", headers=headers).status_code == 400


def test_a_file_that_is_too_large_is_refused_on_the_way_and_other_forms_stay_short(ada: Reader) -> None:
    large = b"x" * (MAX_UPLOAD_BYTES + 1)
    assert upload(ada, f"{ada.path}/import", large, do="read").status_code == 413
    headers = {
        "cookie": f"{SESSION_COOKIE}={ada.token}",
        "sec-fetch-site": "same-origin",
        "content-type": "multipart/form-data; boundary=x",
    }
    chunks = (b"x" * 1_000_000 for _ in range(20))
    path = f"{ada.path}/import"
    assert ada.site.post(path, content=chunks, headers=headers).status_code in {400, 413}
    assert upload(ada, ada.path, b"x" * 100_000, do="follow").status_code == 413
    assert upload(ada, "/account", b"x" * 100_000, do="sign-out").status_code == 413


def test_more_uploads_than_have_room_are_put_off(ada: Reader) -> None:
    address = urlsplit(ada.site.server_url)
    waiting: list[http.client.HTTPConnection] = []

    def begin_upload() -> None:
        """Begin an upload, and do not end it."""
        connection = http.client.HTTPConnection(address.hostname or "", address.port)
        waiting.append(connection)
        connection.putrequest("POST", f"{ada.path}/import")
        for name, value in {
            "cookie": f"{SESSION_COOKIE}={ada.token}",
            "sec-fetch-site": "same-origin",
            "content-type": "multipart/form-data; boundary=x",
            "content-length": "1000",
        }.items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(b"--x\r\n")

    for _ in range(4):
        begin_upload()
    deadline = time.monotonic() + PATIENCE
    while (response := upload(ada, f"{ada.path}/import", do="read", text="words")).status_code != 503:
        assert time.monotonic() < deadline
        begin_upload()  # the site may have given up on one that was too slow
    assert response.headers["retry-after"] == "60"
    assert ada.get(f"{ada.path}/import"), "other pages are there"
    for connection in waiting:
        connection.close()
    while upload(ada, f"{ada.path}/import", do="read", text="words").status_code != 200:
        assert time.monotonic() < deadline


@pytest.mark.parametrize("path", ["/import", "account"])
def test_nobody_else_imports(signup_site: SignupSite, ada: Reader, bob: Reader, path: str) -> None:
    address = "/account/import" if path == "account" else ada.path + path
    plan = '[["","more","more"]]'
    before, follows = ada.load_row(), ada.list_follows()
    if path != "account":
        assert upload(bob, address, do="add", plan=plan).status_code == 404
        assert upload(bob, address, BIBTEX, do="read").status_code == 404
        assert signup_site.get_account(bob.token, address).status_code == 404
    assert upload(ada, address, form_token=make_form_token(bob.token), do="add", plan=plan).status_code == 400
    assert upload(ada, address, form_token="", do="add", plan=plan).status_code == 400
    assert upload(ada, address, site="cross-site", do="add", plan=plan).status_code == 400
    ada_token, ada.token = ada.token, make_session_token()
    response = upload(ada, address, do="add", plan=plan)
    assert (response.status_code, response.headers["location"]) == (303, "/sign-in")
    assert signup_site.get_account(ada.token, address).headers["location"] == "/sign-in"
    ada.token = ada_token
    assert (ada.load_row(), ada.list_follows()) == (before, follows)


@pytest.mark.parametrize("language", ["de", "zh"])
def test_the_pages_of_imports_stay_in_their_language(ada: Reader, language: str) -> None:
    for path in (f"{ada.path}/import", "/account/import"):
        page = ada.get(f"{path}?lang={language}")
        assert page.html is not None
        assert str(page.html["lang"]).startswith(language)
        assert f"lang={language}" in str(page.select("form[enctype]")[0]["action"])
    response = upload(ada, f"{ada.path}/import?lang={language}", do="add", plan='[["","more","more"]]')
    assert response.headers["location"] == f"{ada.path}?lang={language}&saved=follows"


# --- the archive of an account --------------------------------------------------------------------


def test_what_one_exports_another_imports_and_exports_the_same(ada: Reader, bob: Reader) -> None:
    add(ada, read(ada, file=BIBTEX))
    ada.post("follow", query="planning")
    ada.post("weigh", query="planning", weight="2.0", alert="1")
    ada.post("follow", query="graph", exclude="1")
    ada.post("schedule", day1="1", day4="1", at="18:30", zone="Asia/Tokyo", latest="")
    ada.post("new", "/account/digests", query="scheduling")
    bob.post("end")
    content = export(ada)
    response = upload(bob, "/account/import", content, do="read")
    page = BeautifulSoup(response.text, "html.parser")
    assert "Distributed computing & more" in page.get_text()
    assert bob.list_digests() == [], "nothing is added before yes"
    response = upload(bob, "/account/import", do="add", plan=get_plan(page))
    assert (response.status_code, response.headers["location"]) == (303, "/account")
    assert read_member(export(bob), "digests.json") == read_member(content, "digests.json")
    again = upload(bob, "/account/import", content, do="read").text
    assert "You have this digest already: scheduling" in again
    assert "There is nothing new in it." in again
    count = len(bob.list_digests())
    upload(bob, "/account/import", do="add", plan=get_plan(page))
    assert len(bob.list_digests()) == count


def test_saved_papers_and_ratings_are_counted_first_and_added_after_yes(ada: Reader, bob: Reader) -> None:
    rate_papers(ada)
    bob.post("end")
    content = export(ada)
    page = read_archive(bob, content)
    assert "1 saved paper" in page.get_text()
    assert "2 ratings (more or less like this)" in page.get_text()
    assert json.loads(read_member(export(bob), "saved.json"))["papers"] == [], "nothing is added before yes"
    assert add_archive(bob, page).headers["location"] == "/account"
    for name in ("digests.json", "saved.json", "opinions.json", "saved.bib"):
        assert read_member(export(bob), name) == read_member(content, name)
    bob.digest = bob.list_digests()[-1]
    assert "Less like this" in bob.get(f"{bob.path}/feedback").get_text()
    again = read_archive(bob, content).get_text()
    assert "Here already: 1 saved paper and 2 ratings (more or less like this)" in again
    assert "There is nothing new in it." in again
    exported = export(bob)
    add_archive(bob, page)
    assert export(bob) == exported


def test_what_an_import_leaves_out_is_listed_with_the_reason(ada: Reader) -> None:
    entry = {"digest": "dc", "at": "2026-06-12T05:30:00Z", "opinion": "more"}
    unknown = {"paper": {"key": "arxiv:9912.99999", "title": "An <b>unknown</b> paper"}}
    content = make_archive(
        saved={"version": 1, "papers": [entry | unknown]},
        opinions={
            "version": 1,
            "opinions": [entry | {"paper": "arxiv:9912.99998", "digest": "gone"}, {"title": "Half an entry"}],
        },
    )
    page = read_archive(ada, content)
    text = page.get_text()
    assert "Left out, because this site does not know the papers: 1 saved paper" in text
    assert "An <b>unknown</b> paper" in text
    assert "Import the file again then." in text
    assert "their digests have ended or have no room: 1 rating (more or less like this)" in text
    assert "Half an entry" in text
    assert "this entry is incomplete" in text
    assert "There is nothing new in it." in text
    assert page.select("[name=plan]") == []


def test_a_schedule_of_the_file_comes_back_as_it_was(ada: Reader) -> None:
    schedules = {
        "often": parse_schedule("every 2 hours", zone="UTC"),
        "cron": parse_schedule("30 7,19 * * 1-5", zone="Asia/Tokyo"),
        "lost": None,
    }
    digests = [
        ArchivedDigest(name=name, title=name, schedule=schedule, options=DigestOptions())
        for name, schedule in schedules.items()
    ]
    page = read_archive(ada, make_archive(*digests))
    text = page.get_text()
    assert "every 2 hours" in text
    assert "on the schedule 30 7,19 * * 1-5 (Asia/Tokyo)" in text
    assert "every Monday at 08:00 (UTC), because the schedule in the file cannot be used here" in text
    add_archive(ada, page)
    exported = json.loads(read_member(export(ada), "digests.json"))["digests"]
    restored = {digest["name"]: digest["schedule"] for digest in exported}
    assert restored["often"] == {"expression": "every 2 hours", "latest": None, "timezone": "UTC"}
    assert restored["cron"] == {"expression": "30 7,19 * * 1-5", "latest": None, "timezone": "Asia/Tokyo"}
    assert restored["lost"]["days"] == ["mon"]


def test_an_imported_digest_comes(ada: Reader, bob: Reader) -> None:
    content = read_member(export(ada), "digests.json")
    bob.post("end")
    upload(bob, "/account/import", do="add", plan=content)
    titles = bob.compose()
    assert len(titles) > 5
    (html,) = ada.list_mails()
    assert list_titles(html) == titles


def test_an_archive_has_what_its_reader_has_and_nothing_of_others(ada: Reader, bob: Reader) -> None:
    bob.post("follow", query="xylophone")
    ada.compose()
    content = export(ada)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == [
            "README.txt",
            "digests.json",
            "saved.json",
            "opinions.json",
            "editions.json",
            "saved.bib",
        ]
        everything = b"\n".join(map(archive.read, archive.namelist()))
    assert b"xylophone" not in everything
    assert BOB.encode() not in everything
    assert ADA.encode() not in everything
    (edition,) = json.loads(read_member(content, "editions.json"))["editions"]
    assert edition["digest"] == "dc"
    assert len(edition["papers"]) > 5
    assert export(ada) == content, "the same account gives the same bytes"
    assert ada.site.get("/account/export").headers["location"] == "/sign-in"


def test_a_reader_has_at_most_twenty_digests_after_an_import(ada: Reader) -> None:
    digests = [
        ArchivedDigest(name=f"d{number}", title=f"Title {number}", schedule=None, options=DigestOptions())
        for number in range(MAX_DIGESTS + 4)
    ]
    response = upload(ada, "/account/import", make_archive(*digests), do="read")
    page = BeautifulSoup(response.text, "html.parser")
    assert "5 digests have no room: one can have 20." in page.get_text()
    upload(ada, "/account/import", do="add", plan=write_digests(digests))
    assert len(ada.list_digests()) == MAX_DIGESTS
    assert "20 of 20 digests" in ada.get("/account").get_text()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "This is not the archive of an account."),
        (BIBTEX, "This is not the archive of an account."),
        (write_archive([("other.json", b"{}")]), "This is not the archive of an account."),
        (write_archive([("digests.json", b"{}")]), "This is not the archive of an account."),
        (write_archive([("digests.json", b"[" * 1_000_000)]), "nested too deeply"),
        (write_archive([("digests.json", b" " * (65 << 20))]), "This is too large."),
        (
            write_archive([("digests.json", b'{"format": "papers-digest account", "version": 2}')]),
            "of a later version",
        ),
        (make_archive(saved={"version": 2}), "of a later version"),
        (make_archive(opinions=[]), "This is not the archive of an account."),
        (make_archive(opinions={"version": 1, "opinions": [{}] * 20_001}), "This is too large."),
        (
            write_archive([("digests.json", write_digests(()).encode()), ("saved.json", b" " * (65 << 20))]),
            "This is too large.",
        ),
    ],
    ids=[
        "nothing",
        "library",
        "other",
        "empty",
        "deep",
        "bomb",
        "later",
        "later records",
        "no records",
        "many records",
        "bomb of records",
    ],
)
def test_what_is_no_archive_is_refused_in_words(ada: Reader, content: bytes, words: str) -> None:
    response = upload(ada, "/account/import", content, do="read")
    assert response.status_code == 400
    assert words in BeautifulSoup(response.text, "html.parser").get_text()


def test_an_upload_leaves_nothing_before_yes(ada: Reader) -> None:
    read(ada, text='"a phrase that only ada has"')
    assert b"a phrase that only ada has" not in read_database(ada.site)
