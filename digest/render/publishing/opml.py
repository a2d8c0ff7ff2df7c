"""A list of feeds for programs that read feeds, as OPML 2.0 (http://opml.org/spec2.opml)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jinja2

from digest.render.branding import Masthead
from digest.render.environment import fill, printable

ENDING, MEDIA_TYPE = "opml", "text/x-opml"


class Listed(NamedTuple):
    """A feed in a list.

    Attributes:
        url: where it can be got.
    """

    title: str
    url: str


def opml(environment: jinja2.Environment, masthead: Masthead, feeds: Sequence[Listed]) -> bytes:
    """The list.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        feeds: in their order.

    Raises:
        RenderError: a template is missing or broken.
    """
    variables = {
        "title": printable(masthead.title) or "digest",
        "site_url": masthead.url,
        "feeds": [Listed(printable(one.title), one.url) for one in feeds],
        "language": masthead.locale.tag,
    }
    return fill(environment, "feeds/opml.xml", variables).encode()
