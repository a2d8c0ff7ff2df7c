"""A list of feeds for feed readers, as OPML 2.0 (http://opml.org/spec2.opml)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jinja2

from digest.render.branding import Branding
from digest.render.environment import fill, remove_unprintable

EXTENSION, MEDIA_TYPE = "opml", "text/x-opml"


class OpmlFeed(NamedTuple):
    """A feed in a list.

    Attributes:
        url: its address.
    """

    title: str
    url: str


def render_opml(environment: jinja2.Environment, branding: Branding, feeds: Sequence[OpmlFeed]) -> bytes:
    """Render the list.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.
        feeds: the feeds, in their order.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "title": remove_unprintable(branding.title) or "digest",
        "site_url": branding.url,
        "feeds": [OpmlFeed(remove_unprintable(feed.title), feed.url) for feed in feeds],
        "language": branding.locale.tag,
    }
    return fill(environment, "feeds/opml.xml", variables).encode()
