"""Each paper of an edition has a page where its reader says more, less, save, and not this person."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from digest.core.delivery.tokens import sign_token
from digest.store import people
from digest.store.editions import editions
from digest.store.subscribers import digests
from tests.web.conftest import Site, send_raw

LABELS = ["Save", "More like this", "Less like this"]


def buttons(page: str) -> list[tuple[str, dict[str, str]]]:
    """What can be done on a page: the label of each button, and what it sends back."""
    soup = BeautifulSoup(page, "html.parser")
    results: list[tuple[str, dict[str, str]]] = []
    for form in soup.select("form"):
        assert form["method"] == "post"
        assert "action" not in form.attrs
        hidden = {str(tag["name"]): str(tag["value"]) for tag in form.select("input[type=hidden]")}
        results += [
            (tag.text, hidden | {str(tag["name"]): str(tag["value"])}) for tag in form.select("button")
        ]
    return results


def press_button(site: Site, address: str, label: str) -> str:
    """Press a button of a page as a browser does."""
    page = site.get(address).raise_for_status().text
    [sent] = [sent for text, sent in buttons(page) if text == label]
    return str(site.post(address, data=sent).raise_for_status().text)


def list_notes(page: str) -> list[str]:
    """What a page says that was said, and what that changes."""
    boxes = BeautifulSoup(page, "html.parser").select(".noted")
    return [". ".join(line.get_text() for line in box.select("p")) for box in boxes]


def learned(site: Site, name: str = "systems") -> dict[str, float]:
    """What the follows of a digest have learned, where that is anything."""
    with site.app.store.begin_read() as tx:
        [digest] = digests.load_digests_by_id(tx, [site.get_digest_id(name)])
    return {follow.text: follow.learned for follow in digest.follows if follow.learned != 1}


def brought_by(site: Site, number: int = 1) -> set[str]:
    with site.app.store.begin_read() as tx:
        item = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()].items[number - 1]
    return {reason.follow for reason in item.reasons}


def by_person(site: Site) -> tuple[str, str]:
    """The page of a paper that is there because of its author, and that author."""
    site.publish_next_day()
    with site.app.store.begin_read() as tx:
        items = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()].items
    names = {
        number: evidence.words[0]
        for number, item in enumerate(items, start=1)
        for reason in item.reasons
        for evidence in reason.evidence
        if evidence.field == "author"
    }
    number, name = min(names.items())
    return site.make_paper_url(number), name


# --- the page -------------------------------------------------------------------------------------


def test_it_shows_the_paper_why_it_is_there_and_where_it_leads(shared_site: Site) -> None:
    with shared_site.app.store.begin_read() as tx:
        item = editions.load_editions(tx, [shared_site.get_edition_id()])[shared_site.get_edition_id()].items[
            0
        ]

    page = BeautifulSoup(shared_site.get(shared_site.make_paper_url()).text, "html.parser")

    assert page.h1 is not None
    assert page.h1.text == item.paper.title
    text = page.get_text()
    assert item.paper.authors[0].name in text
    assert all(follow in text for follow in brought_by(shared_site))
    assert item.paper.abstract.split()[-1] in text
    assert item.paper.url in {link["href"] for link in page.select("a")}


def test_its_way_back_leads_to_the_edition(shared_site: Site) -> None:
    page = BeautifulSoup(shared_site.get(shared_site.make_paper_url()).text, "html.parser")

    [back] = page.select("header a")

    assert isinstance(back, Tag)
    assert (
        shared_site.get(f"{shared_site.make_paper_url().rpartition('/')[0]}/{back['href']}").status_code
        == 200
    )


def test_each_item_of_an_edition_and_of_its_rest_has_a_page(site: Site) -> None:
    site.change("limit = 25", "limit = 2")
    site.publish_next_day()
    with site.app.store.begin_read() as tx:
        edition = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()]
    assert (len(edition.items), len(edition.overflow) > 3) == (2, True)
    items = [*edition.items, *edition.overflow]

    titles = [
        BeautifulSoup(site.get(site.make_paper_url(number)).raise_for_status().text, "html.parser")
        .select("h1")[0]
        .text
        for number in range(1, len(items) + 1)
    ]

    assert [title.split()[0] for title in titles] == [item.paper.title.split()[0] for item in items]
    assert site.get(site.make_paper_url(len(items) + 1)).status_code == 404


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_only_a_post_changes_anything(shared_site: Site, method: str) -> None:
    before = shared_site.load_state()

    for more in (
        "",
        "?do=more",
        "?do=saved&undo=less",
        "/more",
        "?who=a&do=is-not",
        "?save",
        "?more",
        "?less=",
    ):
        shared_site.request(method, shared_site.make_paper_url() + more)

    assert shared_site.load_state() == before
    assert shared_site.get(shared_site.make_paper_url()).headers["cache-control"] == "no-store"
    assert "set-cookie" not in shared_site.get(shared_site.make_paper_url()).headers


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("?save", "Save"),
        ("?more", "More like this"),
        ("?less", "Less like this"),
        ("?less=&utm_source=x&save", "Less like this"),
    ],
)
def test_a_link_of_a_mail_leads_to_its_button_first(shared_site: Site, query: str, first: str) -> None:
    page = BeautifulSoup(shared_site.get(shared_site.make_paper_url() + query).text, "html.parser")

    labels = [button.text for button in page.select(".choices button")]
    assert labels == [first, *(label for label in LABELS if label != first)]
    assert [button.text for button in page.select("[autofocus]")] == [first]
    assert page.select("[autofocus]") == page.select("button.first")


@pytest.mark.parametrize("query", ["", "?saved", "?more%20=1&<b>", "?do=more"])
def test_without_such_a_link_no_button_is_before_others(shared_site: Site, query: str) -> None:
    page = BeautifulSoup(shared_site.get(shared_site.make_paper_url() + query).text, "html.parser")

    assert [button.text for button in page.select(".choices button")] == LABELS
    assert page.select(".first, [autofocus]") == []


def test_a_button_that_was_pressed_is_not_offered_again(site: Site) -> None:
    address = f"{site.make_paper_url()}?save"
    page = press_button(site, address, "Save")

    assert list_notes(page)[0].startswith("Saved.")
    for text in (page, site.get(address).text):
        assert BeautifulSoup(text, "html.parser").select(".first, [autofocus]") == []
        assert next(label for label, _ in buttons(text) if label != "Undo") == "Save"


# --- more and less --------------------------------------------------------------------------------


def test_more_like_this_lets_what_brought_it_count_more_and_says_so(site: Site) -> None:
    page = press_button(site, site.make_paper_url(), "More like this")

    assert learned(site) == dict.fromkeys(brought_by(site), 1.1)
    [notes] = list_notes(page)
    assert notes.startswith("Noted: more like this. Papers for “")
    assert notes.endswith("” now have a slightly higher weight.")
    assert list_notes(site.get(site.make_paper_url()).text) == [notes]


def test_less_like_this_lets_it_count_less(site: Site) -> None:
    page = press_button(site, site.make_paper_url(), "Less like this")

    assert learned(site) == dict.fromkeys(brought_by(site), 0.9)
    assert list_notes(page)[0].endswith("” now have a slightly lower weight, but you still receive them.")


def test_saying_it_twice_is_saying_it_once(site: Site) -> None:
    first = press_button(site, site.make_paper_url(), "More like this")
    before = site.load_state()

    assert press_button(site, site.make_paper_url(), "More like this") == first
    assert site.load_state() == before


@pytest.mark.parametrize(
    "said", [["More like this"], ["Less like this"], ["Save"], ["More like this", "Save"]]
)
def test_what_is_taken_back_leaves_no_trace(site: Site, said: list[str]) -> None:
    before = site.load_state()
    for label in said:
        press_button(site, site.make_paper_url(), label)
    assert site.load_state() != before

    for _ in said:
        page = site.get(site.make_paper_url()).text
        sent = next(sent for label, sent in buttons(page) if label == "Undo")
        site.post(site.make_paper_url(), data=sent)

    assert site.load_state() == before
    assert list_notes(site.get(site.make_paper_url()).text) == []


def test_less_takes_the_place_of_more(site: Site) -> None:
    press_button(site, site.make_paper_url(), "More like this")

    page = press_button(site, site.make_paper_url(), "Less like this")

    assert learned(site) == dict.fromkeys(brought_by(site), 0.9)
    assert [note.partition(".")[0] for note in list_notes(page)] == ["Noted: less like this"]


def test_what_it_learned_does_not_depend_on_what_was_taken_back(site: Site) -> None:
    for number in (1, 2):
        press_button(site, site.make_paper_url(number), "More like this")
    with_two = learned(site)
    for label in ("Less like this", "Save", "More like this"):
        press_button(site, site.make_paper_url(3), label)
    site.post(site.make_paper_url(3), data={"undo": "more"})
    site.post(site.make_paper_url(3), data={"undo": "saved"})

    assert learned(site) == with_two


def test_exclusions_and_other_digests_are_untouched(site: Site) -> None:
    with site.app.store.begin_read() as tx:
        before = digests.load_digests_by_id(tx, [site.get_digest_id("all")])

    press_button(site, site.make_paper_url(), "Less like this")

    with site.app.store.begin_read() as tx:
        assert digests.load_digests_by_id(tx, [site.get_digest_id("all")]) == before
        [digest] = digests.load_digests_by_id(tx, [site.get_digest_id()])
    assert {follow.learned for follow in digest.follows if follow.exclude} == {1.0}


def test_a_follow_that_comes_back_to_the_file_counts_what_it_had_learned(site: Site) -> None:
    press_button(site, site.make_paper_url(), "More like this")
    before = learned(site)
    follow = min(before)

    site.change(f'"{follow}"', '"something else"')
    assert follow not in learned(site)
    site.change('"something else"', f'"{follow}"')

    assert learned(site) == before


def test_the_next_edition_is_ordered_by_what_was_learned(site: Site) -> None:
    follows = brought_by(site)
    for _ in range(3):
        press_button(site, site.make_paper_url(), "More like this")

    site.publish_next_day()

    with site.app.store.begin_read() as tx:
        items = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()].items
    liked = {item.score for item in items if {reason.follow for reason in item.reasons} == follows}
    others = {item.score for item in items if not follows & {reason.follow for reason in item.reasons}}
    assert liked <= {round(1.1 * len(follows), 6)}
    assert others <= {1.0, 2.0, 3.0}


def test_many_at_the_same_time_say_it_once(site: Site) -> None:
    line = Barrier(6)

    def click(subject: str) -> int:
        line.wait()
        return site.post(site.make_paper_url(), data={"do": subject}).status_code

    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(click, what) for what in ("more", "less") * 3]
        assert {future.result() for future in futures} == {200}

    [message] = {note.partition(".")[0] for note in list_notes(site.get(site.make_paper_url()).text)}
    counts = {"Noted: more like this": 1.1, "Noted: less like this": 0.9}[message]
    assert learned(site) == dict.fromkeys(brought_by(site), counts)


# --- not this person ------------------------------------------------------------------------------


def test_not_this_person_is_asked_of_the_authors_because_of_whom_a_paper_is_there(site: Site) -> None:
    address, name = by_person(site)

    page = press_button(site, address, f"This is not the {name} I follow")

    assert list_notes(page) == [
        f"Noted: this is not the {name} you follow. Papers by this person no longer match because of the name."
    ]
    with site.app.store.begin_read() as tx:
        [answer] = people.load_feedback_of_digests(tx, [site.get_digest_id()])
    assert (answer.byline.name, answer.yes) == (name, False)


def test_the_last_answer_about_a_person_counts_and_is_taken_back_whole(site: Site) -> None:
    address, name = by_person(site)
    before = site.load_state()

    press_button(site, address, f"This is not the {name} I follow")
    page = press_button(site, address, f"This is the {name} I follow")

    assert list_notes(page)[0].startswith(f"Noted: this is the {name} you follow.")
    assert list_notes(press_button(site, address, "Undo")) == []
    assert site.load_state() == before


def test_of_authors_whom_nobody_follows_nothing_can_be_said(site: Site) -> None:
    address, _ = by_person(site)
    before = site.load_state()

    page = site.post(address, data={"do": "is-not", "who": "Somebody Else"})

    assert page.status_code == 200
    assert site.load_state() == before


# --- links and bodies that are none ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_link_that_is_none_of_ours_is_told_so_and_changes_nothing(shared_site: Site, method: str) -> None:
    before, keys = shared_site.load_state(), shared_site.pages.keys
    good = shared_site.pages.make_edition_url(shared_site.get_edition_id()).rpartition("/")[2]
    paths = [
        *(f"/editions/{good}/{number}" for number in ("0", "00", "01", "-1", "1.0", "1e0", "99999", "9999")),
        *(
            f"/editions/{good}/{number}"
            for number in ("%31%20", "١", "one", "1%00", "' OR 1=1 --", "A" * 3000)
        ),
        f"/editions/{good[:-1]}/1",
        f"/editions/{good.swapcase()}/1",
        f"/editions/{sign_token('manage', '1', keys)}/1",
        f"/editions/{sign_token('unsubscribe', '1', keys)}/1",
        f"/editions/{sign_token('edition', '999', keys)}/1",
        f"/editions/{sign_token('edition', '1', [b'another key of somebody else'])}/1",
    ]
    more: dict[str, Any] = {"data": {"do": "more"}} if method == "POST" else {}

    answers = [shared_site.request(method, path, **more) for path in paths]

    assert {response.status_code for response in answers} == {404}
    assert len({response.text for response in answers}) == 1
    assert shared_site.load_state() == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"do=",
        b"do=everything",
        b"do=is",
        b"undo=all&who=x",
        b"\xff\xfe\x00=more",
        b"&".join([b"do=more"] * 100),
        b'{"do": "more"}',
        b"List-Unsubscribe=One-Click",
    ],
)
def test_a_body_that_means_nothing_is_told_so_and_changes_nothing(shared_site: Site, body: bytes) -> None:
    before = shared_site.load_state()

    answer = shared_site.post(
        shared_site.make_paper_url(),
        content=body,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )

    assert answer.status_code == 400
    assert shared_site.load_state() == before


def test_a_body_without_end_is_not_read_to_its_end(shared_site: Site) -> None:
    before = shared_site.load_state()
    path = shared_site.make_paper_url().removeprefix(shared_site.pages.url)
    chunk = b"%x\r\n%s\r\n" % (16_000, b"a" * 16_000)

    answer = send_raw(
        shared_site,
        f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode()
        + b"7\r\ndo=more\r\n"
        + chunk * 5
        + b"0\r\n\r\n",
    )

    assert answer.startswith(b"HTTP/1.1 413")
    assert shared_site.load_state() == before
