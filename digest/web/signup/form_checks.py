"""What is checked of forms that strangers can fill in: where they were, and whether a person did."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from fastapi import Request

from digest.config.values import read_address
from digest.core.publishing.request_rates import name_network
from digest.core.subscribers.signup_rules import find_address_mistake
from digest.errors import ConfigError

_HONEYPOT = "leave_empty"
"""A field that no person sees; programs that fill in forms do."""


def is_from_own_page(request: Request, site_url: str) -> bool:
    """Whether a form was on a page of this site, as far as the browser tells (Sec-Fetch-Site, Origin).

    Pages cannot forge Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/), so `same-origin` decides alone: what
    hides where a reader comes from makes Origin `null`. Old browsers and programs send none.

    Args:
        request: the request.
        site_url: the address of the site.
    """
    site, origin = (request.headers.get(name, "") for name in ("sec-fetch-site", "origin"))
    own, host = urlsplit(site_url), request.url
    own_origins = {"", f"{own.scheme}://{own.netloc}", f"{host.scheme}://{host.netloc}"}
    return site == "same-origin" or (site in {"", "none"} and origin in own_origins)


def get_network(request: Request) -> str:
    """Return the network of whoever sent a form; "" if it is not known."""
    return name_network(request.client.host if request.client else "")


def is_from_person(form_fields: Mapping[str, str]) -> bool:
    """Whether a person filled in a form, as far as the field tells that no person sees."""
    return not form_fields.get(_HONEYPOT)


def read_typed_address(form_fields: Mapping[str, str]) -> str:
    """Return the address that was typed; "" if it cannot be a mailbox on the internet."""
    try:
        address = read_address(form_fields.get("address", "").strip())
    except ConfigError:
        return ""
    return "" if find_address_mistake(address) else address
