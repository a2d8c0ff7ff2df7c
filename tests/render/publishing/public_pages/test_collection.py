from __future__ import annotations

from datetime import date

import pytest
from bs4 import BeautifulSoup

from digest.core.matching.search.totals import CountKind, Total
from digest.core.publishing.collection import Collection, PeriodCount
from digest.core.publishing.collection_addresses import CollectionAddress, CollectionKind
from digest.core.publishing.coverage import Coverage
from digest.render.locale_bundle import make_locale_bundle
from digest.render.publishing.public_pages.collection import CollectionPage, render_collection
from digest.render.publishing.public_pages.links import PublicSite, SiteLanguage
from tests.render.samples import SITE

LANGUAGE = SiteLanguage("en", "en", "English")
PUBLIC_SITE = PublicSite(
    url=SITE.url,
    languages=(LANGUAGE,),
    language=LANGUAGE,
    style_path="/style/sample.css",
    script_path="/script/sample.js",
    zone_script_path="/script/zone.js",
)


@pytest.mark.parametrize(
    ("language", "labels", "row"),
    [
        ("en", ["Dec", "Jan", "Feb"], "December 2025"),
        ("de", ["Dez", "Jan", "Feb"], "Dezember 2025"),
        ("zh", ["12月", "1月", "2月"], "2025年12月"),
    ],
)
def test_the_chart_of_months_names_them_shortly_and_its_table_fully(
    language: str, labels: list[str], row: str
) -> None:
    bundle = make_locale_bundle(language, SITE, None, None)
    collection = Collection(
        query="sample",
        total=Total(6, CountKind.EXACT),
        papers=(),
        next_cursor="",
        is_cut=False,
        weeks=(),
        months=tuple(PeriodCount(date(2025 + month // 12, month % 12 + 1, 1), 2) for month in (11, 12, 13)),
        contributors=(),
        coverage=Coverage(announced_since={}, imports=()),
    )
    page = CollectionPage(
        address=CollectionAddress(kind=CollectionKind.TOPIC, name="sample"),
        title="Sample",
        collection=collection,
        feeds=(),
    )

    html = render_collection(bundle.environment, bundle.branding, PUBLIC_SITE, page)
    document = BeautifulSoup(html, "html.parser")

    assert [text.get_text() for text in document.select("svg text")] == labels
    assert document.select("table tbody th")[0].get_text() == row
