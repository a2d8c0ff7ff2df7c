"""arXiv: the announcements of its categories, by any of the ways it can be asked.

    [[source]]
    use = "arxiv"
    categories = ["cs.DC", "cs.LG", "cs.CL"]
    routes = ["rss", "catchup"]

Each category is asked by itself: the feeds drop *new* papers where they are over-full. What arXiv announces
when is described at https://info.arxiv.org/help/availability.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from digest import ports
from digest.core.taxonomy import canonical, known, suggest
from digest.errors import OptionError
from digest.model import Ask, Calendar, Route, Scope
from digest.ports import Page, Request, Response
from digest.sources.arxiv.rss import ACCEPT, NEW_YORK, feed_url, read_rss

_BUCKET = "arxiv.org"
"""All of arXiv's hosts together: its terms count them as one (https://info.arxiv.org/help/api/tou.html)."""

ROUTES = {
    route.name: route
    for route in (
        Route(name="rss", scope=Scope.LATEST),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ports.Source):
    """arXiv, one account for each category.

    Attributes:
        categories: what to list: categories (``cs.LG``), or whole archives (``cs``), whose feeds may be over-full.
        routes: the ways of asking, the one to try first at the front.
        url: where the feeds are, the category left out: ``…/rss/``, or ``…/atom/`` for the same in Atom.
        name: of this source in tables and messages.
        pace: seconds between two requests; arXiv's terms ask for at least 3
            (https://info.arxiv.org/help/api/tou.html).
        max_bytes: the longest answer that is read.
    """

    categories: tuple[str, ...]
    url: str = "https://rss.arxiv.org/rss/"
    name: str = "arxiv"
    pace: float = 3.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        if not self.categories:
            raise OptionError(
                'arXiv needs categories; write categories = ["cs.LG"], for example', "categories"
            )
        for place, category in enumerate(self.categories):
            _demand_known(category, f"categories[{place}]")
        if urlsplit(self.url).scheme not in {"http", "https"} or not urlsplit(self.url).netloc:
            message = f"the url {self.url!r} is no web address; it starts with https:// or http://"
            raise OptionError(message, "url")
        if self.pace < 0:
            raise OptionError("pace is at least 0 seconds", "pace")
        if self.max_bytes < 1:
            raise OptionError("max_bytes is at least 1 byte", "max_bytes")

    @property
    def title(self) -> str:
        """The name that readers know."""
        return "arXiv"

    @property
    def sections(self) -> tuple[str, ...]:
        """The categories under the ids that arXiv goes by, each once: ``math.IT`` is the section ``cs.IT``."""
        plain = (category.strip().lower().removesuffix(".*") for category in self.categories)
        return tuple(dict.fromkeys(map(canonical, plain)))

    @property
    def routes(self) -> tuple[Route, ...]:
        """The ways of asking."""
        return (ROUTES["rss"],)

    @property
    def calendar(self) -> Calendar:
        """Monday to Friday from New York's midnight on; the feeds hold a day until the next midnight."""
        return Calendar(zone=NEW_YORK.key, weekdays=frozenset(range(5)), keeps=timedelta(days=1))

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:  # noqa: ARG002 - a feed has no day but today
        """The feed of one category."""
        return Request(
            section=ask.section,
            route=ask.route,
            url=feed_url(self.url, ask.section),
            accept=ACCEPT,
            bucket=_BUCKET,
        )

    def read(self, request: Request, response: Response) -> Page:
        """Read an answer.

        Raises:
            SourceError: the answer says no, breaks off, or is not about what was asked.
        """
        return read_rss(request, response)


# --- options --------------------------------------------------------------------------------------


def _demand_known(category: str, key: str) -> None:
    if known(category):
        return
    if "+" in category:
        parts = ", ".join(f'"{part}"' for part in category.split("+") if part)
        raise OptionError(f"{category!r} joins several categories; write them one by one: {parts}", key)
    meant = suggest(category)
    hint = f'did you mean "{meant}"?' if meant else "https://arxiv.org/category_taxonomy lists them"
    raise OptionError(f"arXiv has no category {category!r}; {hint}", key)
