"""The public page of a digest to which everybody can subscribe, and the form with which they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import jinja2

from digest.core.publishing.address_parts import join_address
from digest.core.publishing.search_address import SearchAddress, format_search_address
from digest.model import Schedule
from digest.render.branding import Branding
from digest.render.editions.schedules import describe_schedule
from digest.render.environment import fill, remove_unprintable
from digest.render.papers.links import Link
from digest.render.publishing.public_pages.links import PublicSite, make_public_links
from digest.render.publishing.public_pages.signup_form import make_digest_form


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicDigestPage:
    """The content of the page.

    Attributes:
        description: one sentence for readers.
        limit: the maximum number of papers in an edition.
        queries: what it follows, as written.
        exclusions: what it excludes, as written.
    """

    name: str
    title: str
    description: str
    schedule: Schedule
    limit: int
    queries: Sequence[str]
    exclusions: Sequence[str]


def format_digest_address(name: str, language: str = "") -> str:
    """Return the canonical address of the page, below that of the site."""
    return join_address(f"/digests/{name}", {"lang": language})


def render_public_digest(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: PublicDigestPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    search = SearchAddress(text="", language=site.language_parameter)
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_digest_address(page.name, name)),
        "title": remove_unprintable(page.title),
        "description": remove_unprintable(page.description),
        "form": make_digest_form(page.name, site, branding.locale),
        "schedule": describe_schedule(page.schedule, branding.locale),
        "limit": branding.locale.number(page.limit),
        "follows": [
            Link(
                label=remove_unprintable(text),
                href=site.link(format_search_address(replace(search, text=text))),
            )
            for text in page.queries
        ],
        "excludes": [remove_unprintable(text) for text in page.exclusions],
    }
    return fill(environment, "web/public_digest.html", variables).encode()
