"""Whoever gets a digest sees what it follows, lets it rest, finds the papers saved again, and ends it; at one page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import update

from digest.core.delivery.tokens import sign_token
from digest.store.database.tables.digests import digests as digest_table
from digest.store.editions import editions
from digest.store.subscribers import digests
from digest.store.subscribers.digests import Pause
from tests.web.conftest import ME, YOU, Site
from tests.web.test_papers import list_notes
from tests.web.test_papers import press_button as said


def buttons(page: str) -> dict[str, tuple[str, dict[str, str]]]:
    """What can be done on a page: by label, where that is sent to, and what is sent."""
    soup = BeautifulSoup(page, "html.parser")
    results = {}
    for form in soup.select("form"):
        assert form["method"] == "post"
        hidden = {str(tag["name"]): str(tag["value"]) for tag in form.select("input[type=hidden]")}
        for tag in form.select("button"):
            named = {str(tag["name"]): str(tag["value"])} if "name" in tag.attrs else {}
            results[str(tag.get("aria-label", tag.text))] = str(form.get("action", "")), hidden | named
    return results


def pressed(site: Site, address: str, label: str) -> str:
    """Press a button of a page as a browser does."""
    action, sent = buttons(site.get(address).raise_for_status().text)[label]
    where = f"{address.rpartition('/')[0]}/{action}" if action else address
    return str(site.post(where, data=sent).raise_for_status().text)


def paused(site: Site, name: str = "systems") -> Pause | None:
    with site.app.store.begin_read() as tx:
        [digest] = digests.load_digests_by_id(tx, [site.get_digest_id(name)])
    return digest.pause


def headings(page: str) -> list[str]:
    return [tag.text for tag in BeautifulSoup(page, "html.parser").select("h1, h2")]


# --- the page -------------------------------------------------------------------------------------


def test_it_shows_what_the_digest_follows_as_written_and_when_it_comes(shared_site: Site) -> None:
    page = BeautifulSoup(shared_site.get(shared_site.make_manage_url()).text, "html.parser").get_text(
        " ", strip=True
    )

    for text in ("LLM serving", "mixture of experts", "Yiying Zhang", "excluded: blockchain"):
        assert text in page
    assert "on weekdays at 07:30 (Europe/Berlin)" in page
    assert "up to 25 papers" in page
    assert "English" in page


def test_it_does_not_tell_the_address_to_whom_the_mail_was_passed_on(shared_site: Site) -> None:
    page = shared_site.get(shared_site.make_manage_url()).text

    assert ME not in page
    assert YOU not in page
    assert "m•••@example.org" in page


def test_it_says_what_a_follow_has_learned(site: Site) -> None:
    said(site, site.make_paper_url(), "More like this")

    assert "higher weight, because you asked for more like this" in site.get(site.make_manage_url()).text


def test_its_feeds_are_those_of_the_digest(shared_site: Site) -> None:
    page = BeautifulSoup(shared_site.get(shared_site.make_manage_url()).text, "html.parser")

    links = [str(link["href"]) for link in page.select(".links a[type]")]

    assert shared_site.make_feed_url() in links
    assert {shared_site.get(link).status_code for link in links} == {200}


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_only_a_post_changes_anything(shared_site: Site, method: str) -> None:
    before = shared_site.load_state()

    for more in ("", "?do=pause-open", "?do=renew&version=0"):
        shared_site.request(method, shared_site.make_manage_url() + more)

    assert shared_site.load_state() == before
    assert shared_site.operator_messages == []


# --- a rest ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["For a week", "For a month", "Until I resume it"])
def test_a_digest_rests_and_goes_on(site: Site, label: str) -> None:
    page = pressed(site, site.make_manage_url(), label)

    pause = paused(site)
    assert pause is not None
    assert pause.resume_from == "then"
    [notes] = list_notes(page)
    if label == "Until I resume it":
        assert pause.until is None
        assert notes == "Paused until you resume it. The next edition then covers the whole pause."
    else:
        assert pause.until is not None
        ends = pause.until.astimezone(ZoneInfo("Europe/Berlin"))
        assert f"{ends.day} {ends:%B %Y}" in notes
        days = (ends.date() - site.app.clock().astimezone(ZoneInfo("Europe/Berlin")).date()).days
        assert (ends.hour, ends.minute) == (0, 0)
        assert days in ({7} if label == "For a week" else range(28, 32))
    assert paused(site, "all") is None

    assert list_notes(pressed(site, site.make_manage_url(), "Resume with the papers of the pause")) == []
    assert paused(site) is None
    assert [text.partition(" ")[0] for text in site.operator_messages] == ["systems", "systems"]


def test_a_digest_that_rests_gets_no_edition_and_then_all_that_came(site: Site) -> None:
    before = site.get_edition_id()
    pressed(site, site.make_manage_url(), "Until I resume it")

    site.publish_next_day()
    assert site.get_edition_id() == before
    pressed(site, site.make_manage_url(), "Resume with the papers of the pause")
    site.source.day += timedelta(2)  # a weekend
    site.publish_next_day()

    assert site.get_edition_id() > before
    with site.app.store.begin_read() as tx:
        edition = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()]
    assert {item.event.day.day for item in edition.items} == {8}


def test_going_on_from_now_leaves_out_what_came_meanwhile(site: Site) -> None:
    pressed(site, site.make_manage_url(), "Until I resume it")
    site.publish_next_day()

    pressed(site, site.make_manage_url(), "Resume from now on")

    with site.app.store.begin_read() as tx:
        [digest] = digests.load_digests_by_id(tx, [site.get_digest_id()])
    assert digest.from_seq is not None
    assert digest.from_seq > 0


def test_it_says_whom_else_a_pause_concerns(shared_site: Site) -> None:
    assert "1 other address. A pause applies to all" in shared_site.get(shared_site.make_manage_url()).text
    assert "A pause applies" not in shared_site.get(shared_site.make_manage_url(name="all")).text


def test_pausing_twice_at_the_same_time_pauses_once(site: Site) -> None:
    line = Barrier(4)

    def click() -> int:
        line.wait()
        return site.post(site.make_manage_url(), data={"do": "pause-week"}).status_code

    with ThreadPoolExecutor(4) as pool:
        assert {future.result() for future in [pool.submit(click) for _ in range(4)]} == {200}
    state = site.load_state()
    pressed(site, site.make_manage_url(), "Resume from now on")
    site.post(site.make_manage_url(), data={"do": "resume-then"})

    assert paused(site) is None
    assert site.load_state() != state


# --- papers saved ---------------------------------------------------------------------------------


def test_papers_saved_are_listed_and_taken_out_again(site: Site) -> None:
    assert "None yet." in site.get(site.make_manage_url()).text
    for number in (1, 2):
        said(site, site.make_paper_url(number), "Save")
    soup = BeautifulSoup(site.get(site.make_manage_url()).text, "html.parser")
    titles = [link.text for link in soup.select(".rows li a")]
    first = BeautifulSoup(site.get(site.make_paper_url(1)).text, "html.parser").select("h1")[0].text
    assert first in titles
    assert len(titles) == 2
    titles.remove(first)

    page = pressed(site, site.make_manage_url(), f"Remove {first}")

    assert [link.text for link in BeautifulSoup(page, "html.parser").select(".rows li a")] == titles
    assert list_notes(site.get(site.make_paper_url(1)).text) == []


def test_papers_saved_can_be_taken_to_programs_that_manage_references(site: Site) -> None:
    assert site.get(f"{site.make_manage_url()}/saved.bib").text == ""
    for number in (1, 2):
        said(site, site.make_paper_url(number), "Save")
    page = BeautifulSoup(site.get(site.make_manage_url()).text, "html.parser")
    [link] = page.find_all("a", string="Export all as BibTeX")

    answer = site.get(urljoin(site.make_manage_url(), str(link["href"])))

    assert answer.headers["content-type"] == "application/x-bibtex; charset=utf-8"
    assert answer.text.count("@misc{") == 2
    assert site.get("/manage/nobody/saved.bib").status_code == 404


def test_papers_saved_from_another_digest_are_not_there(site: Site) -> None:
    said(site, site.make_paper_url(name="all"), "Save")

    assert "None yet." in site.get(site.make_manage_url()).text


# --- the end --------------------------------------------------------------------------------------


def test_its_button_unsubscribes_that_destination_and_no_other(site: Site) -> None:
    page = pressed(site, site.make_manage_url(), "Unsubscribe")

    assert headings(page) == ["You are unsubscribed"]
    assert site.list_destinations() == {("systems", YOU), ("all", ME)}
    assert headings(site.get(site.make_manage_url()).text) == ["You are unsubscribed"]
    assert headings(pressed(site, site.make_manage_url(), "Subscribe again")) == ["You are subscribed again"]
    assert ("systems", ME) in site.list_destinations()


def test_a_digest_that_has_ended_is_said_to_be_over(site: Site) -> None:
    address = site.make_manage_url(name="all")
    with site.app.store.begin_write() as tx:
        ended = update(digest_table).where(digest_table.c.id == site.get_digest_id("all"))
        tx.execute(ended.values(state="ended"))

    assert headings(site.get(address).text) == ["Delivery has ended"]
    assert site.post(address, data={"do": "pause-week"}).status_code == 200
    assert site.operator_messages == []


def test_feeds_get_a_new_address_once_a_page(site: Site) -> None:
    old = site.make_feed_url()
    page = site.get(site.make_manage_url()).text
    _, sent = buttons(page)["Create a new address"]

    site.post(site.make_manage_url(), data=sent)
    after = site.post(site.make_manage_url(), data=sent).text

    links = [str(link["href"]) for link in BeautifulSoup(after, "html.parser").select(".links a")]
    assert old not in links
    assert site.get(links[0]).status_code == 200
    assert site.get(old).status_code == 410
    assert len(site.operator_messages) == 1


# --- links and bodies that are none ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_link_that_is_none_of_ours_is_told_so_and_changes_nothing(shared_site: Site, method: str) -> None:
    before, keys = shared_site.load_state(), shared_site.pages.keys
    good = shared_site.make_manage_url().rpartition("/")[2]
    tokens = [
        good[:-1],
        good.swapcase(),
        shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id()).rpartition("/")[2],
        shared_site.pages.make_edition_url(shared_site.get_edition_id()).rpartition("/")[2],
        sign_token("manage", "999", keys),
        sign_token("manage", "1", [b"another key of somebody else"]),
        "1",
        "..%2f..%2fetc%2fpasswd",
        "A" * 5000,
    ]
    sent = {"data": {"do": "pause-open"}} if method == "POST" else {}

    answers = [shared_site.request(method, f"/manage/{token}", **sent) for token in tokens]

    assert {response.status_code for response in answers} == {404}
    assert len({response.text for response in answers}) == 1
    assert shared_site.load_state() == before


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "pause-year"},
        {"do": "remove"},
        {"do": "remove", "paper": "\x00"},
        {"do": "renew"},
        {"do": "resume-"},
        {"undo": "more"},
    ],
)
def test_what_means_nothing_is_told_so_and_changes_nothing(shared_site: Site, sent: dict[str, str]) -> None:
    before = shared_site.load_state()

    assert shared_site.post(shared_site.make_manage_url(), data=sent).status_code == 400
    assert shared_site.load_state() == before


@pytest.mark.parametrize("paper", ["", "arxiv:0000.00000", "x" * 9000, "' OR 1=1 --"])
def test_a_paper_that_was_not_saved_cannot_be_taken_out(site: Site, paper: str) -> None:
    said(site, site.make_paper_url(), "Save")
    before = site.load_state()

    assert site.post(site.make_manage_url(), data={"do": "remove", "paper": paper}).status_code == 200
    assert site.load_state() == before
