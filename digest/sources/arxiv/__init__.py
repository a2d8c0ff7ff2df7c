"""arXiv: the announcements of its categories, by any of its interfaces.

    [[source]]
    use = "arxiv"
    categories = ["cs.DC", "cs.LG", "cs.CL"]
    routes = ["rss", "catchup"]

Each category is requested separately, because feeds that are too full omit *new* papers. Announcement times:
https://info.arxiv.org/help/availability.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from digest import ports
from digest.core.fetching.ledger import select_announcing_routes
from digest.core.fetching.options import ServiceOptions
from digest.core.papers.taxonomy import canonicalize_category, is_known_category, suggest_category
from digest.errors import OptionError
from digest.model import Ask, Calendar, Route, Scope
from digest.ports import Page, Request, Response
from digest.sources.arxiv.rss import ACCEPT, NEW_YORK, build_feed_url, read_rss

_BUCKET = "arxiv.org"
"""A single bucket for all of arXiv's hosts, which its terms count as one (https://info.arxiv.org/help/api/tou.html)."""

_LISTING_OPENS = timedelta(hours=-4)
"""Time from a day's midnight until its lists are published: 20:00 the evening before."""
_RECORDS_OPEN = timedelta(hours=-1, minutes=-30)
"""Time from a day's midnight until its records are published: 22:30 the evening before."""

ROUTES = {
    route.name: route
    for route in (
        Route(name="rss", scope=Scope.LATEST),
        # The list of a day is replaced by the next one; that of a Friday on Sunday.
        Route(name="listing", scope=Scope.LATEST, opens=_LISTING_OPENS, keeps=timedelta(hours=20)),
        # The zone of these pages is unknown, but at midnight in New York they have the day in any case.
        Route(name="catchup", scope=Scope.DAY, keeps=timedelta(days=90)),
        Route(name="oai", scope=Scope.RECORDS, opens=_RECORDS_OPEN, keeps=None),
        Route(name="api", scope=Scope.RECORDS, opens=_RECORDS_OPEN, keeps=None),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(ServiceOptions, ports.Source):
    """arXiv, with a ledger for each category.

    Attributes:
        categories: categories (``cs.LG``), or whole archives (``cs``), whose feeds may be too full.
        routes: the routes in order of preference.
        url: the address of the feeds without the category: ``…/rss/``, or ``…/atom/`` for the same in Atom.
        pages_url: the address of the lists and the catch-up pages.
        oai_url: the address of OAI-PMH.
        oai_format: the format of the records: ``arXivRaw`` has versions, ``arXiv`` separates the parts of
            names.
        api_url: the address of the search API.
        pace: minimum number of seconds between two requests; arXiv's terms require at least 3
            (https://info.arxiv.org/help/api/tou.html).
    """

    categories: tuple[str, ...]
    routes: tuple[str, ...] = ("rss", "catchup")
    url: str = "https://rss.arxiv.org/rss/"
    pages_url: str = "https://arxiv.org/"
    oai_url: str = "https://oaipmh.arxiv.org/oai"
    oai_format: Literal["arXivRaw", "arXiv"] = "arXivRaw"
    api_url: str = "https://export.arxiv.org/api/query"
    name: str = "arxiv"
    pace: float = 3.0

    def check_options(self) -> None:
        """Validate the options."""
        _require_known_routes(self.routes)
        if self.oai_format == "arXiv" and self.announces_records and "oai" in self.routes:
            message = "records without versions announce nothing; use arXivRaw, or add another route"
            raise OptionError(message, "oai_format")
        for index, category in enumerate(self.categories):
            _require_known_category(category, f"categories[{index}]")
        if not self.categories:
            raise OptionError(
                'arXiv needs categories; write categories = ["cs.LG"], for example', "categories"
            )

    @property
    def title(self) -> str:
        """The name for readers."""
        return "arXiv"

    @property
    def sections(self) -> tuple[str, ...]:
        """The canonical IDs of the categories, each once: ``math.IT`` is the section ``cs.IT``."""
        normalized = (category.strip().lower().removesuffix(".*") for category in self.categories)
        return tuple(dict.fromkeys(map(canonicalize_category, normalized)))

    @property
    def fetch_routes(self) -> tuple[Route, ...]:
        """The routes in order of preference."""
        return tuple(ROUTES[name] for name in self.routes)

    @property
    def announces_records(self) -> bool:
        """Whether all routes are routes of records, so that announcement days are derived from these."""
        return all(route.scope is Scope.RECORDS for route in self.fetch_routes)

    @property
    def calendar(self) -> Calendar:
        """Monday to Friday; a day is due when the first announcing route has it."""
        opens = min(route.opens for route in select_announcing_routes(self.fetch_routes))
        return Calendar(zone=NEW_YORK.key, weekdays=frozenset(range(5)), opens=opens)

    # Each route is imported when it is used, because a small installation uses only one of them.

    def start(self, ask: Ask, cursor: str, now: datetime) -> Request:
        """Return the first request of a route."""
        section = ask.section
        match ask.route:
            case "oai":
                from digest.sources.arxiv import oai

                return oai.build_oai_request(self.oai_url, ask, cursor, now, self.oai_format, _BUCKET)
            case "api":
                from digest.sources.arxiv import api

                return api.build_api_request(self.api_url, ask, cursor, now, _BUCKET)
            case "listing":
                from digest.sources.arxiv import pages

                url, accept = pages.build_listing_url(self.pages_url, section), pages.ACCEPT
            case "catchup":
                from digest.sources.arxiv import pages

                assert ask.day is not None
                url, accept = pages.build_catchup_url(self.pages_url, section, ask.day), pages.ACCEPT
            case _:
                url, accept = build_feed_url(self.url, section), ACCEPT
        return Request(section=section, route=ask.route, url=url, day=ask.day, accept=accept, bucket=_BUCKET)

    def read(self, request: Request, response: Response) -> Page:
        """Parse a response.

        Raises:
            SourceError: the request was refused, or the response is truncated or about something else.
        """
        match request.route:
            case "oai":
                from digest.sources.arxiv import oai

                return oai.read_oai(request, response, announce=self.announces_records)
            case "api":
                from digest.sources.arxiv import api

                return api.read_api(request, response, announce=self.announces_records)
            case "listing" | "catchup":
                from digest.sources.arxiv import pages

                return pages.read_pages(request, response)
            case _:
                return read_rss(request, response)


# --- options --------------------------------------------------------------------------------------


def _require_known_category(category: str, key: str) -> None:
    if is_known_category(category):
        return
    if "+" in category:
        names = ", ".join(f'"{name}"' for name in category.split("+") if name)
        raise OptionError(f"{category!r} combines several categories; write them separately: {names}", key)
    suggestion = suggest_category(category)
    hint = f'did you mean "{suggestion}"?' if suggestion else "see https://arxiv.org/category_taxonomy"
    raise OptionError(f"arXiv has no category {category!r}; {hint}", key)


def _require_known_routes(names: tuple[str, ...]) -> None:
    if not names:
        raise OptionError(f"at least one route is needed; routes: {', '.join(ROUTES)}", "routes")
    for index, name in enumerate(names):
        if name not in ROUTES:
            raise OptionError(f"there is no route {name!r}; routes: {', '.join(ROUTES)}", f"routes[{index}]")
        if name in names[:index]:
            raise OptionError(f"the route {name!r} is listed twice", f"routes[{index}]")
