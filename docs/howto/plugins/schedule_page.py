"""The page ``/schedule``: when the next editions come."""

from dataclasses import dataclass

from fastapi import Response

from digest.render.environment import fill
from digest.store.editions.upcoming import find_upcoming
from digest.web.answers import Responder

MAX_ROWS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRoutes:
    """The handler of the page."""

    responder: Responder

    def show(self) -> Response:
        """Show the digests that are due next."""
        app = self.responder.app
        bundle = app.get_locale_bundle(app.settings.site.language)
        locale = bundle.branding.locale
        with app.store.begin_read() as tx:
            upcoming = find_upcoming(tx, MAX_ROWS)
        rows = [(locale.format_clock(entry.at, app.clock(), entry.zone), entry.digest) for entry in upcoming]
        variables = {"site": bundle.branding, "rows": rows}
        return self.responder.make_page(fill(bundle.environment, "web/schedule.html", variables).encode())
