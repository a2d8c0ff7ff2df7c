"""Sitemaps (https://www.sitemaps.org/protocol.html): one of each month, and an index of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from xml.etree.ElementTree import Element, SubElement, tostring

from digest.core.publishing.addresses import (
    DayAddress,
    PaperAddress,
    format_day_address,
    format_paper_address,
)
from digest.model import PaperKey

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
MEDIA_TYPE = "application/xml; charset=utf-8"


def render_sitemap_index(months: Iterable[date], site_url: str) -> bytes:
    """Render the index of the sitemaps of all months."""
    return _render("sitemapindex", "sitemap", [f"{site_url}/sitemaps/{month:%Y-%m}.xml" for month in months])


def render_sitemap(days: Iterable[date], keys: Iterable[PaperKey], site_url: str) -> bytes:
    """Render the sitemap of a month: the pages of its days and papers, in the language of the site."""
    paths = [
        *(format_day_address(DayAddress(day=day)) for day in days),
        *(format_paper_address(PaperAddress(key=key)) for key in keys),
    ]
    return _render("urlset", "url", [f"{site_url}{path}" for path in paths])


def _render(root_name: str, entry_name: str, addresses: Iterable[str]) -> bytes:
    root = Element(root_name, xmlns=_NAMESPACE)
    for address in addresses:
        SubElement(SubElement(root, entry_name), "loc").text = address
    content: bytes = tostring(root, "utf-8", xml_declaration=True)
    return content
