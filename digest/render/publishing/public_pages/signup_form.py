"""The form with one field, by which readers subscribe to a public digest or to a search, and sign in."""

from __future__ import annotations

from typing import NamedTuple

from digest.render.environment import remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.publishing.public_pages.links import SIGN_IN_PATH, SIGNUP_PATH, PublicSite


class SignupForm(NamedTuple):
    """A form.

    Attributes:
        action: where it posts to.
        label: what it brings.
        hidden_fields: names and values of what it sends besides the address.
    """

    action: str
    label: str
    hidden_fields: tuple[tuple[str, str], ...]


def make_digest_form(name: str, site: PublicSite, locale: Locale, title: str = "") -> SignupForm | None:
    """Make the form for a public digest; None if readers subscribe by invitation only.

    Args:
        name: its name.
        site: the site.
        locale: the language of the page.
        title: its title, if the page is not about it alone.
    """
    if not site.has_signup:
        return None
    label = (
        locale.gettext("Get %(digest)s in your inbox", digest=remove_unprintable(title))
        if title
        else locale.gettext("Get this in your inbox")
    )
    return _make_form("digest", name, label, site)


def make_search_form(query: str, site: PublicSite, locale: Locale) -> SignupForm | None:
    """Make the form for what a query finds from now on; None if nobody can sign up."""
    if not site.has_signup or not query.isprintable():
        return None
    return _make_form(
        "query", query, locale.gettext("Get new papers like these in your inbox, on Mondays"), site
    )


def make_signin_form(site: PublicSite, locale: Locale) -> SignupForm:
    """Make the form that asks for a link to sign in."""
    return SignupForm(
        action=site.link(SIGN_IN_PATH),
        label=locale.gettext("The address at which you get mail from here"),
        hidden_fields=_list_language_fields(site),
    )


def _make_form(field: str, value: str, label: str, site: PublicSite) -> SignupForm:
    fields = ((field, value), *_list_language_fields(site))
    return SignupForm(action=site.link(SIGNUP_PATH), label=label, hidden_fields=fields)


def _list_language_fields(site: PublicSite) -> tuple[tuple[str, str], ...]:
    return (("lang", site.language_parameter),) if site.language_parameter else ()
