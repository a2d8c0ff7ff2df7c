"""Who unsubscribes gets nothing more, by whatever way; and nobody is unsubscribed by looking."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from bs4 import BeautifulSoup

from digest.core.delivery.tokens import sign_token
from tests.web.conftest import ME, YOU, Site, send_raw, serve_workspace

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def button(page: str) -> tuple[str, str]:
    """What can be done on a page: the label, and where that is sent to."""
    soup = BeautifulSoup(page, "html.parser")
    [form] = soup.select("form")
    [pressed] = form.select("button")
    assert form["method"] == "post"
    assert form.select("input") == []
    return pressed.text, str(form["action"])


def title(page: str) -> str:
    heading = BeautifulSoup(page, "html.parser").h1
    assert heading is not None
    return heading.text


def pressed(site: Site, address: str, page: str) -> str:
    """Press the only button of a page, as a browser resolves where it leads."""
    _, action = button(page)
    assert action.startswith("../")
    return str(site.post(f"{address.rpartition('/')[0]}/{action}").raise_for_status().text)


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_only_a_post_changes_anything(shared_site: Site, method: str) -> None:
    before = shared_site.load_state()
    stop = shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id())

    for address in (
        stop,
        stop.replace("/unsubscribe/", "/subscribe/"),
        shared_site.pages.make_edition_url(shared_site.get_edition_id()),
        shared_site.make_feed_url(),
    ):
        for _ in range(2):
            shared_site.request(method, address)

    assert shared_site.load_state() == before
    assert shared_site.operator_messages == []


def test_the_page_asks_and_its_button_stops_that_destination_and_no_other(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())

    page = site.get(address).text
    assert title(page) == "Unsubscribe?"
    assert "systems is sent to m•••@example.org" in page
    assert button(page)[0] == "Unsubscribe"
    after = pressed(site, address, page)

    assert title(after) == "You are unsubscribed"
    assert site.list_destinations() == {("systems", YOU), ("all", ME)}
    assert site.operator_messages == ["me@example.org unsubscribed from systems."]


def test_the_page_does_not_tell_the_address_to_whom_the_mail_was_passed_on(shared_site: Site) -> None:
    assert (
        ME
        not in shared_site.get(shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id())).text
    )


def test_stopped_by_mistake_is_mended_by_one_button(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())
    site.post(address)

    page = site.get(address).text
    assert "Unsubscribed by mistake?" in page
    after = pressed(site, address, page)

    assert title(after) == "You are subscribed again"
    assert ("systems", ME) in site.list_destinations()
    again = address.replace("/unsubscribe/", "/subscribe/")
    assert title(pressed(site, again, after)) == "You are unsubscribed"
    assert ("systems", ME) not in site.list_destinations()


def test_reloading_a_page_with_an_answer_shows_how_things_stand(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())
    site.post(address)

    assert title(site.get(address.replace("/unsubscribe/", "/subscribe/")).text) == "You are unsubscribed"


def test_a_title_with_signs_of_html_is_shown_as_it_is(shared_site: Site) -> None:
    page = shared_site.get(
        shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id(name="all"))
    ).text

    assert "All of it &amp; more is sent to" in page


# --- by one click (RFC 8058) ----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["urlencoded", "multipart", "nothing", "something else"])
def test_one_click_of_a_mail_program_stops_it(site: Site, form: str) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())
    bodies: dict[str, dict[str, Any]] = {
        "urlencoded": {"data": ONE_CLICK},
        "multipart": {"files": {name: (None, value) for name, value in ONE_CLICK.items()}},
        "nothing": {},
        "something else": {"json": {"a": 1}},
    }

    answer = site.post(address, **bodies[form])

    assert answer.status_code == 200
    assert "location" not in answer.headers
    assert "set-cookie" not in answer.headers
    assert ("systems", ME) not in site.list_destinations()


def test_one_click_needs_neither_agent_nor_origin_nor_a_body_s_length(site: Site) -> None:
    path = site.pages.make_unsubscribe_url(site.get_destination_id()).removeprefix(site.pages.url)
    body = "List-Unsubscribe=One-Click"

    answer = send_raw(
        site,
        f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        f"{len(body):x}\r\n{body}\r\n0\r\n\r\n".encode(),
    )

    assert answer.startswith(b"HTTP/1.1 200")
    assert ("systems", ME) not in site.list_destinations()


def test_clicking_again_is_answered_the_same_and_told_once(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())

    answers = [site.post(address, data=ONE_CLICK) for _ in range(3)]

    assert [response.status_code for response in answers] == [200, 200, 200]
    assert len({response.text for response in answers}) == 1
    assert len(site.operator_messages) == 1


def test_many_clicks_at_the_same_time_stop_it_once(site: Site) -> None:
    address, line = site.pages.make_unsubscribe_url(site.get_destination_id()), threading.Barrier(6)

    def click() -> int:
        line.wait()
        return site.post(address, data=ONE_CLICK).status_code

    with ThreadPoolExecutor(6) as pool:
        assert {future.result() for future in [pool.submit(click) for _ in range(6)]} == {200}
    assert len(site.operator_messages) == 1


# --- what it stops --------------------------------------------------------------------------------


def test_what_waits_to_go_there_is_dropped(site: Site) -> None:
    site.post(site.pages.make_unsubscribe_url(site.get_destination_id()))

    assert site.list_deliveries() == [(ME, "dropped"), (ME, "ready"), (YOU, "ready")]


def test_the_next_editions_go_to_the_others(site: Site) -> None:
    site.post(site.pages.make_unsubscribe_url(site.get_destination_id()))

    site.publish_next_day()

    assert site.list_deliveries().count((ME, "ready")) == 2
    assert site.list_deliveries().count((YOU, "ready")) == 2


def test_it_wins_over_the_file(site: Site) -> None:
    site.post(site.pages.make_unsubscribe_url(site.get_destination_id()))

    site.change("limit = 25", "limit = 24")

    assert ("systems", ME) not in site.list_destinations()


def test_the_link_of_who_left_the_file_still_stops_it_for_good(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())
    site.change(f'"{ME}", "{YOU}"', f'"{YOU}"')

    page = site.get(address).text
    assert title(page) == "Delivery has ended"
    assert title(pressed(site, address, page)) == "You are unsubscribed"

    site.change(f'"{YOU}"', f'"{ME}", "{YOU}"')
    assert ("systems", ME) not in site.list_destinations()


def test_who_left_the_file_cannot_come_back_by_a_button(site: Site) -> None:
    address = site.pages.make_unsubscribe_url(site.get_destination_id())
    site.post(address)
    path = site.workspace.folder / "digest.toml"
    text = path.read_text("utf-8")
    number = site.get_destination_id()
    path.write_text(text.replace(f'"{ME}", "{YOU}"', f'"{YOU}"'), encoding="utf-8")
    with serve_workspace(site.workspace, site.source) as later:
        later.app.apply_config(allows_other_file=True)
        after = later.post(
            later.pages.make_unsubscribe_url(number).replace("/unsubscribe/", "/subscribe/")
        ).text

    assert title(after) == "You cannot resume it here"
    assert ("systems", ME) not in site.list_destinations()


# --- links that are none --------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("route", ["unsubscribe", "subscribe"])
def test_a_link_that_is_none_of_ours_is_told_so_and_changes_nothing(
    shared_site: Site, route: str, method: str
) -> None:
    before, keys = shared_site.load_state(), shared_site.pages.keys
    good = shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id()).rpartition("/")[2]
    tokens = [
        good[:-1],
        good[1:],
        f"{good}A",
        good.swapcase(),
        good.replace(".", ""),
        good.replace("1.", "2.", 1),
        sign_token("edition", "1", keys),
        sign_token("feed", "1", keys),
        sign_token("unsubscribe", "1", [b"another key of somebody else"]),
        sign_token("unsubscribe", "999", keys),
        sign_token("unsubscribe", "1", [b""]),
        "1",
        "%00",
        "..%2f..%2fetc%2fpasswd",
        "' OR 1=1 --",
        "A" * 5000,
    ]

    answers = [shared_site.request(method, f"/{route}/{token}") for token in tokens]

    assert {response.status_code for response in answers} == {404}
    assert len({response.text for response in answers}) == 1
    assert title(answers[0].text) == "This link does not work"
    assert "ops@example.org" in answers[0].text
    assert shared_site.load_state() == before
