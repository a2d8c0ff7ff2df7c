"""The operator's pages: their addresses, and how they are rendered."""

from __future__ import annotations

from typing import NamedTuple

import jinja2

from digest.core.publishing.addresses import format_page_address
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.publishing.operator_pages.content import OperatorContent
from digest.render.publishing.public_pages.links import (
    ACCOUNT_PATH,
    OPERATOR_PATH,
    PublicSite,
    make_public_links,
)

SOURCES_PATH, RUNS_PATH = f"{OPERATOR_PATH}/sources", f"{OPERATOR_PATH}/runs"
DELIVERIES_PATH, BOUNCES_PATH = f"{OPERATOR_PATH}/deliveries", f"{OPERATOR_PATH}/bounces"
SUPPRESSIONS_PATH, SUBSCRIBERS_PATH = f"{OPERATOR_PATH}/suppressions", f"{OPERATOR_PATH}/subscribers"
DESTINATIONS_PATH = f"{OPERATOR_PATH}/destinations"
NOTICES_PATH, AUDIT_PATH = f"{OPERATOR_PATH}/notices", f"{OPERATOR_PATH}/audit"
OPERATOR_SIGN_IN_PATH = f"{OPERATOR_PATH}/sign-in"
_SECTIONS = {
    OPERATOR_PATH: "Overview",
    SOURCES_PATH: "Sources",
    RUNS_PATH: "Runs",
    DELIVERIES_PATH: "Deliveries",
    BOUNCES_PATH: "Bounces",
    SUPPRESSIONS_PATH: "Suppressed",
    SUBSCRIBERS_PATH: "Subscribers",
    NOTICES_PATH: "Notices",
    AUDIT_PATH: "Audit log",
}


class SectionLink(NamedTuple):
    """A link to a section of the operator's pages.

    Attributes:
        label: its name.
        href: its address.
        is_current: whether the page belongs to it.
    """

    label: str
    href: str
    is_current: bool


def render_operator_page(
    environment: jinja2.Environment,
    branding: Branding,
    site: PublicSite,
    content: OperatorContent,
    form_token: str,
) -> bytes:
    """Render a page.

    Args:
        environment: the English templates.
        branding: the English branding.
        site: the site in English.
        content: what the page shows.
        form_token: the token of the forms of the session.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda _language: content.section),
        "account_href": site.link(format_page_address(ACCOUNT_PATH, site.language_parameter)),
        "sections": [
            SectionLink(label, site.link(path), path == content.section) for path, label in _SECTIONS.items()
        ],
        "content": content,
        "form_token": form_token,
    }
    return fill(environment, "web/operator.html", variables).encode()
