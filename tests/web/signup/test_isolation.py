"""Readers with digests, sessions and saved papers of their own: nobody reads or changes what is another one's.

The pages are followed by their links, and the forms are those of the pages, so that new ones are tried as well.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from bs4 import BeautifulSoup, Tag

from digest.core.subscribers.sessions import make_form_token, make_session_token
from digest.web.signup.session_cookie import SESSION_COOKIE
from tests.web.signup.conftest import SignupSite

READERS = int(os.environ.get("DIGEST_TEST_READERS", "16"))
"""``.ci/long`` asks for fifty."""
MAX_PAGES = 60


@dataclass
class Browser:
    """A reader's browser, over one connection."""

    client: httpx.Client
    address: str
    token: str

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path, headers={"cookie": f"{SESSION_COOKIE}={self.token}"})

    def post(self, form: Form, token: str, *, site: str = "same-origin") -> httpx.Response:
        headers = {"cookie": f"{SESSION_COOKIE}={self.token}", "sec-fetch-site": site}
        return self.client.post(form.action, data={**form.fields, "token": token}, headers=headers)

    def crawl(self) -> dict[str, httpx.Response]:
        """All pages of the account, by their path."""
        pages: dict[str, httpx.Response] = {}
        waiting = ["/account"]
        while waiting:
            path = waiting.pop()
            if path in pages or not path.startswith("/account") or "lang=" in path:
                continue
            pages[path] = response = self.get(path)
            if "html" in response.headers.get("content-type", ""):
                waiting += list_links(path, response.text)
        assert len(pages) < MAX_PAGES
        return pages


@dataclass(frozen=True)
class Form:
    """A form as it is sent when nobody changes anything in it."""

    action: str
    fields: dict[str, str]


def list_links(path: str, html: str) -> list[str]:
    links = [str(link["href"]) for link in BeautifulSoup(html, "html.parser").select("a[href]")]
    places = [urlsplit(urljoin(f"https://digest.example.org{path}", link)) for link in links]
    return [
        f"{place.path}{place.query and '?'}{place.query}"
        for place in places
        if place.netloc == "digest.example.org"
    ]


def iter_forms(path: str, html: str) -> Iterator[Form]:
    """The forms of a page, once for each of their buttons."""
    for form in BeautifulSoup(html, "html.parser").select("form[method=post]"):
        action = urlsplit(urljoin(f"https://digest.example.org{path}", str(form.get("action", "")))).path
        fields = {str(field["name"]): read_value(field) for field in form.select("[name]:not(button)")}
        for button in form.select("button"):
            pressed = {str(button["name"]): str(button.get("value", ""))} if button.get("name") else {}
            yield Form(action, fields | pressed)


def read_value(field: Tag) -> str:
    if field.name == "textarea":
        return field.get_text()
    if field.name == "select":
        chosen = field.select_one("option[selected]") or field.select_one("option")
        return str(chosen.get("value", chosen.get_text())) if chosen else ""
    return str(field.get("value", "1"))


def has_number(path: str) -> bool:
    """Whether an address names something by its number."""
    return re.search(r"/\d+", path) is not None


def hide_tokens(text: str) -> str:
    return re.sub(r'name="(?:token|key)" value="[^"]*"', "", text)


@pytest.fixture
def browsers(signup_site: SignupSite) -> Iterator[list[Browser]]:
    """Readers who have signed in; each has a digest with a name and a follow of their own, and two sessions."""
    with signup_site.site.open_client() as client:
        yield [make_reader(signup_site, client, number) for number in range(READERS)]


def make_reader(signup_site: SignupSite, client: httpx.Client, number: int) -> Browser:
    address = f"reader{number}@example.org"
    signup_site.subscribe(address)
    browser = Browser(client, address, signup_site.subscribe(address))
    token = make_form_token(browser.token)
    created = browser.post(
        Form("/account/digests", {"query": f"marker{number:02}x planning", "zone": "UTC"}), token
    )
    assert created.status_code == 303
    return browser


@pytest.mark.long
def test_no_reader_reads_or_changes_what_is_another_ones(
    signup_site: SignupSite, browsers: list[Browser]
) -> None:
    owners, strangers = browsers[: READERS // 2], browsers[READERS // 2 :]
    before = [owner.crawl() for owner in owners]
    tried = 0

    for owner, stranger, pages in zip(owners, strangers, before, strict=True):
        marker = f"marker{owners.index(owner):02}x"
        assert any(marker in page.text for page in pages.values())
        for path, page in pages.items():
            assert not re.search(rf"marker(?!{marker[6:]})\d\dx", page.text), "a page shows another reader's"
            assert "public" not in page.headers.get("cache-control", "")
            if has_number(path):
                assert stranger.get(path).status_code == 404
            for form in iter_forms(path, page.text) if "html" in page.headers["content-type"] else ():
                tried += 1
                assert owner.post(form, make_form_token(stranger.token)).status_code == 400
                assert owner.post(form, make_form_token(owner.token), site="cross-site").status_code == 400
                nobody = Browser(owner.client, "", make_session_token())
                assert (
                    nobody.post(form, make_form_token(nobody.token))
                    .headers["location"]
                    .startswith("/sign-in")
                )
                answer = stranger.post(form, make_form_token(stranger.token))
                assert answer.status_code in {303, 400, 404} or not has_number(form.action)
                if answer.headers.get("location", "").startswith(("/sign-in", "/account/deleted")):
                    stranger.token = signup_site.subscribe(stranger.address)

    assert tried > 20 * len(owners)
    for owner, pages in zip(owners, before, strict=True):
        after = owner.crawl()
        assert after.keys() == pages.keys()
        for path, page in pages.items():
            if "html" in page.headers["content-type"]:
                assert hide_tokens(after[path].text) == hide_tokens(page.text), path
