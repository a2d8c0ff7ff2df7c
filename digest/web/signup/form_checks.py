"""What is checked of forms that strangers can fill in: where they were, and whether a person did."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request

_TRUSTED_SITES = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site of a form on our own pages; programs and old browsers send none
(https://www.w3.org/TR/fetch-metadata/)."""
_HONEYPOT = "website"
"""A field that no person sees; programs that fill in forms do."""


def is_from_own_page(request: Request) -> bool:
    """Whether a form was on a page of this site, as far as the browser tells."""
    return request.headers.get("sec-fetch-site", "none") in _TRUSTED_SITES


def is_from_person(form_fields: Mapping[str, str]) -> bool:
    """Whether a person filled in a form, as far as the field tells that no person sees."""
    return not form_fields.get(_HONEYPOT)
