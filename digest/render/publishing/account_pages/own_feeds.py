"""The page with the addresses of a digest's private feeds, which can be renewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

from digest.render.branding import Branding
from digest.render.environment import fill
from digest.render.papers.links import Link
from digest.render.publishing.account_pages.sections import (
    OWN_FEEDS_PATH,
    SectionFrame,
    make_section_variables,
)
from digest.render.publishing.public_pages.links import PublicSite


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFeedsPage:
    """The content of the page.

    Attributes:
        frame: what all pages about a digest show.
        feeds: the feeds of the digest; empty if it has none.
        version: how often their addresses were renewed.
    """

    frame: SectionFrame
    feeds: Sequence[Link]
    version: int


def render_own_feeds(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: OwnFeedsPage
) -> bytes:
    """Render the page.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        **make_section_variables(page.frame, site, branding),
        "feeds": page.feeds,
        "feed_version": page.version,
        "all_feeds": site.link(OWN_FEEDS_PATH),
    }
    return fill(environment, "web/own_feeds.html", variables).encode()
