"""What every page of a site has to be: readable by everybody, in any width, by day and by night."""

from __future__ import annotations

from tests.system.programs.browser import measure_appearance
from tests.system.programs.checkers import find_accessibility_faults
from tests.system.programs.chromium import Chromium
from tests.web.conftest import Site


def check_looks(chromium: Chromium, site: Site, addresses: list[str]) -> None:
    """Check pages, with the cookies of the browser."""
    for address in addresses:
        chromium.visit(site.server_url, address, width=320)
        assert (address, find_accessibility_faults(chromium)) == (address, [])
        for width in (320, 1200):
            for dark in (False, True):
                appearance = measure_appearance(chromium, width=width, dark=dark)
                where = (address, width, dark)
                assert (*where, appearance.width, appearance.outside) == (*where, width, [])
                assert (*where, appearance.overlapping, appearance.faint) == (*where, [], [])
