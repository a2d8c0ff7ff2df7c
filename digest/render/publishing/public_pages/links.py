"""What all public pages link to: the front page, the newest day, style and script, and the same page in other languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from digest.core.publishing.addresses import format_page_address
from digest.core.publishing.collection_addresses import (
    CollectionAddress,
    CollectionKind,
    format_collection_address,
    is_collection_name,
)
from digest.core.publishing.search_address import SEARCH_PATH

FRONT_PATH, PAPERS_PATH, NUMBERS_PATH = "/", "/papers", "/about/numbers"
SIGNUP_PATH, SENT_PATH, SUBSCRIBED_PATH = "/sign-up", "/sign-up/sent", "/sign-up/done"
SIGN_IN_PATH, SIGN_IN_SENT_PATH, ACCOUNT_PATH = "/sign-in", "/sign-in/sent", "/account"
OWN_DIGESTS_PATH, EXPORT_PATH, ACCOUNT_IMPORT_PATH = "/account/digests", "/account/export", "/account/import"
TOKENS_PATH = "/account/tokens"
CHANGE_PATH, CHANGES_SENT_PATH = "/account/address", "/account/address/sent"
DELETE_PATH, DELETED_PATH = "/account/delete", "/account/deleted"
OPERATOR_PATH = "/operator"


class SiteLanguage(NamedTuple):
    """A language of the public pages.

    Attributes:
        name: its name in addresses and in the configuration.
        tag: its tag in HTML.
        title: its name in itself.
    """

    name: str
    tag: str
    title: str


class LanguageLink(NamedTuple):
    """A page in another language.

    Attributes:
        label: the name of the language in itself.
        href: the address of the page on this host.
        url: the whole address, for search engines.
        tag: the tag of the language.
        is_current: whether it is the language of this page.
    """

    label: str
    href: str
    url: str
    tag: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSite:
    """The public site as one of its pages sees it.

    Attributes:
        url: the address of the site, without a final slash.
        languages: the languages of its pages, its own first.
        language: the language of this page.
        style_path: the path of the style, with its hash.
        script_path: the path of the script of pages with more to load, with its hash.
        zone_script_path: the path of the script of forms with a time zone, with its hash.
        has_signup: whether readers can sign up by a form; otherwise only by invitation, if at all.
        has_accounts: whether they can sign in; without readers, operators alone can, and no page links to that.
    """

    url: str
    languages: tuple[SiteLanguage, ...]
    language: SiteLanguage
    style_path: str
    script_path: str
    zone_script_path: str
    has_signup: bool = False
    has_accounts: bool = False

    @property
    def language_parameter(self) -> str:
        """The language in addresses; "" for that of the site."""
        return "" if self.language == self.languages[0] else self.language.name

    def link(self, path: str) -> str:
        """Return the address of a path on any host, as a reverse proxy may serve the site below a path."""
        return f"{urlsplit(self.url).path.rstrip('/')}{path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicLinks:
    """The links of a public page.

    Attributes:
        home: the front page.
        search: the search.
        papers: the address that leads to the newest day, so that older days need not change with it.
        numbers: the page that explains the numbers.
        account: the reader's account, the same address for everybody; "" if nobody can sign in.
        style: the style.
        script: the script of pages with more to load.
        zone_script: the script of forms with a time zone.
        canonical: the whole address of this page.
        languages: this page in all languages.
    """

    home: str
    search: str
    papers: str
    numbers: str
    account: str
    style: str
    script: str
    zone_script: str
    canonical: str
    languages: tuple[LanguageLink, ...]


def make_public_links(site: PublicSite, make_address: Callable[[str], str]) -> PublicLinks:
    """Make the links of a page.

    Args:
        site: the site.
        make_address: returns the path of the page in a language, which is "" for that of the site.
    """
    parameter = site.language_parameter
    languages = []
    for language in site.languages:
        path = make_address("" if language == site.languages[0] else language.name)
        languages.append(
            LanguageLink(
                label=language.title,
                href=site.link(path),
                url=f"{site.url}{path}",
                tag=language.tag,
                is_current=language == site.language,
            )
        )
    return PublicLinks(
        home=site.link(format_page_address(FRONT_PATH, parameter)),
        search=site.link(format_page_address(SEARCH_PATH, parameter)),
        papers=site.link(format_page_address(PAPERS_PATH, parameter)),
        numbers=site.link(format_page_address(NUMBERS_PATH, parameter)),
        account=site.link(format_page_address(ACCOUNT_PATH, parameter)) if site.has_accounts else "",
        style=site.link(site.style_path),
        script=site.link(site.script_path),
        zone_script=site.link(site.zone_script_path),
        canonical=f"{site.url}{make_address(parameter)}",
        languages=tuple(languages),
    )


def link_collection(kind: CollectionKind, name: str, site: PublicSite) -> str:
    """Return the address of the page of a category, an institution or a topic; "" if its name cannot have a page."""
    if not is_collection_name(name):
        return ""
    address = CollectionAddress(kind=kind, name=name, language=site.language_parameter)
    return site.link(format_collection_address(address))
