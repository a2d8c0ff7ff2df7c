"""A digest's pages and feeds are in its language, all others in that of the site."""

from __future__ import annotations

import pytest

from tests.web.conftest import Site


def german(site: Site) -> None:
    site.change('name = "systems"', 'name = "systems"\nlanguage = "de"')


def test_a_digests_pages_are_in_its_language(site: Site) -> None:
    german(site)
    pages = {
        site.pages.make_unsubscribe_url(site.get_destination_id()): "Klicken Sie auf den Knopf",
        site.pages.make_edition_url(site.get_edition_id()): "Donnerstag, 7. Mai 2026",
        site.make_manage_url(): "Themen",
        site.make_paper_url(): "Mehr davon",
    }

    for address, stated_page in pages.items():
        page = site.get(address).raise_for_status().text
        assert '<html lang="de"' in page
        assert stated_page in page
    assert (
        '<html lang="en"'
        in site.get(site.pages.make_unsubscribe_url(site.get_destination_id(name="all"))).text
    )


@pytest.mark.parametrize(
    ("form", "message"),
    [("rss", "<language>de<"), ("atom", 'xml:lang="de"'), ("json", '"language": "de"')],
)
def test_a_digests_feed_is_in_its_language(site: Site, form: str, message: str) -> None:
    site.change('categories = ["cs.DC"]', 'categories = ["cs.DC"]\nfeed = true\nlanguage = "de"')

    feed = site.get(site.make_feed_url(form, "all")).raise_for_status().text

    assert message in feed
    assert "Passt zu" in feed


def test_what_is_no_digests_is_in_the_sites_language(site: Site) -> None:
    german(site)

    for address in ("/", "/nothing", "/unsubscribe/x"):
        page = site.get(address).text
        assert '<html lang="en"' in page
