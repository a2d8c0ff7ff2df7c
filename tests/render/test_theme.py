"""What an operator can rely on of a theme: it is in mails and pages, can be read, and nothing in it is markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from digest.core.colours import compute_contrast, darken
from digest.render.branding import Branding
from digest.render.bulk.mail_cache import MailCache
from digest.render.delivery.mail import make_mail, render_mail
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.publishing.static_pages import render_archive_page
from digest.render.publishing.web_pages import NoticePage, render_edition_page, render_notice_page
from digest.render.theme import Theme, make_theme
from tests.render.samples import SITE, make_edition_of_three_parts

LOGO = "data:image/png;base64,AAAA"
EVIL = "<script>alert(1)</script>{{ 1 }}\"'&"
FOOTER = "Imprint: https://lab.example.org/imprint?a=1&b=2."


def bundle(theme: Theme, branding: Branding = SITE) -> LocaleBundle:
    return make_locale_bundle("en", replace(branding, theme=theme), None, None)


def documents(theme: Theme, branding: Branding = SITE) -> Iterator[tuple[str, str]]:
    """A mail and pages of each kind, by what they are."""
    made = bundle(theme, branding)
    edition = make_edition_of_three_parts()
    yield "mail", render_mail(made.environment, edition, made.branding).html
    pages = {
        "edition": render_edition_page(made.environment, edition, made.branding, ()),
        "archive": render_archive_page(made.environment, made.branding, {}, ()),
        "notice": render_notice_page(
            made.environment, made.branding, NoticePage(title="Sample", lines=("One.",))
        ),
    }
    yield from ((name, page.decode()) for name, page in pages.items())


# --- colours --------------------------------------------------------------------------------------


@given(st.binary(min_size=3, max_size=3))
def test_whatever_the_accent_its_variants_can_be_read_where_they_stand(channels: bytes) -> None:
    theme = make_theme(darken(f"#{channels.hex()}", "#ffffff"))

    assert compute_contrast(theme.accent, "#ffffff") >= 4.5
    assert compute_contrast(theme.marked_accent, "#fff0b8") >= 4.5
    for background in ("#51430f", "#16181c", "#2e2611"):
        assert compute_contrast(theme.dark_accent, background) >= 4.5
    for background in ("#ffffff", "#16181c"):
        assert compute_contrast(theme.bar, background) >= 3


def test_the_accent_is_in_mails_and_pages_by_day_and_by_night() -> None:
    theme = make_theme("#8c1515")

    for name, html in documents(theme):
        light, dark = html.split("prefers-color-scheme:dark", 1)
        assert theme.accent in light, name
        assert theme.dark_accent in dark, name
        assert "#1b4f91" not in html, name


# --- footer and logo ------------------------------------------------------------------------------


def test_the_footer_is_in_mails_and_pages_with_its_addresses_as_links() -> None:
    for name, html in documents(make_theme(footer=FOOTER)):
        [link] = [
            link
            for link in BeautifulSoup(html, "html.parser").select("footer a")
            if "imprint" in str(link["href"])
        ]
        assert link["href"] == "https://lab.example.org/imprint?a=1&b=2", name
        assert link.text == link["href"]
        assert link.parent is not None
        assert link.parent.text == FOOTER


def test_the_text_of_a_mail_ends_with_the_footer() -> None:
    made = bundle(make_theme(footer=FOOTER))

    text = render_mail(made.environment, make_edition_of_three_parts(), made.branding).text

    assert text.rstrip().endswith(FOOTER)


def test_pages_have_the_logo_and_mails_the_name_in_its_place() -> None:
    for name, html in documents(make_theme(logo=LOGO)):
        soup = BeautifulSoup(html, "html.parser")
        images = [(image["src"], image["alt"]) for image in soup.select("img")]
        assert soup.header is not None
        assert SITE.title in soup.header.text, name
        assert images == ([] if name == "mail" else [(LOGO, "")]), name
    assert SITE.title not in str(BeautifulSoup(dict(documents(make_theme()))["mail"], "html.parser").header)


@pytest.mark.parametrize("theme", [make_theme(footer=EVIL), make_theme(logo=EVIL)])
def test_a_theme_is_no_markup(theme: Theme) -> None:
    for name, html in documents(theme, replace(SITE, title=EVIL)):
        soup = BeautifulSoup(html, "html.parser")
        assert soup.select("script, [onerror]") == [], name
        assert all(image.attrs.keys() <= {"src", "alt", "class", "height"} for image in soup.select("img"))
        if theme.footer:
            assert EVIL in soup.text, name


@given(st.lists(st.sampled_from([*"ab .,<>\"'&()/:", "https://", "javascript:"])).map("".join))
def test_whatever_a_footer_is_its_text_stays_and_only_web_addresses_are_links(footer: str) -> None:
    soup = BeautifulSoup(f"<p>{make_theme(footer=footer).footer_html}</p>", "html.parser").p

    assert soup is not None
    assert soup.text.split() == footer.split()
    assert {tag.name for tag in soup.find_all()} <= {"a"}
    assert all(str(link["href"]).startswith("https://") and link["href"] == link.text for link in soup("a"))


def test_mails_that_are_joined_have_the_theme_of_those_that_are_rendered_one_by_one() -> None:
    made = bundle(make_theme("#8c1515", LOGO, f"{'A long line that is wrapped. ' * 5}{FOOTER}"))
    cache, edition = MailCache(made.environment, made.branding), make_edition_of_three_parts()
    to = {"recipient": "you@example.org", "message_id": "<1@example.org>"}

    plain = make_mail(made.environment, edition, made.branding, delivery=1, **to)

    assert [cache.make_mail(edition, delivery=1, **to) for _ in range(3)] == [plain] * 3
