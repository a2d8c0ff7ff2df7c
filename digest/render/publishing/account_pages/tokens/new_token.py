"""The page that shows a new API token, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

import jinja2

from digest.core.publishing.addresses import format_page_address
from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.publishing.public_pages.links import ACCOUNT_PATH, PublicSite, make_public_links


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTokenPage:
    """The content of the page.

    Attributes:
        secret: the token.
        name: its name.
        expires_at: when it ends.
    """

    secret: str = field(repr=False)
    name: str
    expires_at: datetime


def render_new_token(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: NewTokenPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    day = branding.locale.whole_day(page.expires_at.astimezone(UTC).date())
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda language: format_page_address(ACCOUNT_PATH, language)),
        "new_token": page.secret,
        "token_name": page.name,
        "valid_until": branding.locale.gettext("valid until %(day)s", day=day),
        "account_href": site.link(format_page_address(ACCOUNT_PATH, site.language_parameter)),
    }
    return fill(environment, "web/new_token.html", variables).encode()
