"""Programs that guard mailboxes open every link of a mail: that changes nothing, and each link leads somewhere."""

from __future__ import annotations

import email
import email.policy
import re
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup

from digest.store.editions import editions
from tests.web.conftest import ME, Site


def links_of_a_mail(site: Site) -> set[str]:
    """All links of a mail that lead to the site: of both parts, and of the headers."""
    with site.app.store.begin_read() as tx:
        edition = editions.load_editions(tx, [site.get_edition_id()])[site.get_edition_id()]
    mail = site.app.message_writer.mail_maker.make_mail(
        edition,
        delivery=1,
        recipient=ME,
        message_id="<one@example.org>",
        unsubscribe=site.pages.make_unsubscribe_url(site.get_destination_id()),
        page=site.pages.make_edition_url(site.get_edition_id()),
        manage=site.make_manage_url(),
    )
    message = email.message_from_bytes(mail.content, policy=email.policy.default)
    parts = {mimepart.get_content_type(): mimepart.get_content() for mimepart in message.iter_parts()}
    results = {
        str(link["href"]) for link in BeautifulSoup(parts["text/html"], "html.parser").select("a[href]")
    }
    results |= set(re.findall(r"https?://\S+", parts["text/plain"]))
    results |= {
        link for _, value in message.items() for link in re.findall(r"<(https?://[^>]+)>", str(value))
    }
    return {link for link in results if link.startswith(site.pages.url)}


def test_a_mail_leads_to_its_page_to_each_paper_s_and_to_manage_and_unsubscribe(shared_site: Site) -> None:
    links = links_of_a_mail(shared_site)

    with shared_site.app.store.begin_read() as tx:
        papers = len(
            editions.load_editions(tx, [shared_site.get_edition_id()])[shared_site.get_edition_id()].items
        )
    assert {shared_site.make_paper_url(number) for number in range(1, papers + 1)} <= links
    assert {
        shared_site.make_manage_url(),
        shared_site.pages.make_edition_url(shared_site.get_edition_id()),
    } <= links
    assert shared_site.pages.make_unsubscribe_url(shared_site.get_destination_id()) in links


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_opening_every_link_of_a_mail_and_what_these_pages_link_to_changes_nothing(
    shared_site: Site, method: str
) -> None:
    before = shared_site.load_state()
    links = links_of_a_mail(shared_site)
    further = {
        urljoin(link, str(tag["href"]))
        for link in links
        for tag in BeautifulSoup(shared_site.get(link).text, "html.parser").select("[href]")
    }

    all_values = links | {link for link in further if link.startswith(shared_site.pages.url)}
    answers = {link: shared_site.request(method, link) for link in sorted(all_values)}

    assert {link for link, answer in answers.items() if answer.status_code != 200} == set()
    assert len(all_values) > len(links)
    assert all("set-cookie" not in answer.headers for answer in answers.values())
    assert shared_site.load_state() == before
    assert shared_site.operator_messages == []
