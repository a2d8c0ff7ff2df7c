"""Handlers of what robots and search engines read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from fastapi import Request, Response

from digest.jobs.publishing.sitemaps import list_months, load_month
from digest.render.publishing.public_pages.sitemap import MEDIA_TYPE, render_sitemap, render_sitemap_index
from digest.web.publishing.public_responder import PublicResponder, make_public_response

_MONTH_FILE = re.compile(r"([12]\d{3})-(0[1-9]|1[0-2])\.xml", re.ASCII)
_ROBOTS = """\
User-agent: *
Disallow: /*order=
Disallow: /*has=
Disallow: /search
Disallow: /people
Disallow: /api/
Sitemap: {url}/sitemap.xml
"""
"""Robots need not read each order of the same papers, searches, and what pages show as JSON (RFC 9309)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotRoutes:
    """The handlers."""

    public: PublicResponder

    def show_robots(self, request: Request) -> Response:
        """Return what robots may read."""
        text = _ROBOTS.format(url=self._site_url)
        return self._respond(request, None, text.encode, "text/plain; charset=utf-8")

    def show_sitemap_index(self, request: Request) -> Response:
        """Return the index of the sitemaps."""
        months = list_months(self.public.responder.app.store)
        return self._respond(
            request, tuple(months), lambda: render_sitemap_index(months, self._site_url), MEDIA_TYPE
        )

    def show_sitemap(self, file: str, request: Request) -> Response:
        """Return the sitemap of a month."""
        match = _MONTH_FILE.fullmatch(file)
        month = date(int(match[1]), int(match[2]), 1) if match else None
        content = load_month(self.public.responder.app.store, month) if month else None
        if content is None or not content.keys:
            return self.public.make_not_found(request)
        return self._respond(
            request, content, lambda: render_sitemap(content.days, content.keys, self._site_url), MEDIA_TYPE
        )

    @property
    def _site_url(self) -> str:
        return self.public.responder.pages.url

    def _respond(
        self, request: Request, version: object, render: Callable[[], bytes], media_type: str
    ) -> Response:
        return self.public.responder.make_cached_at(
            request.scope["path"], request, version, lambda: make_public_response(render(), media_type)
        )
