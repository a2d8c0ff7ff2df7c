"""A language without Latin letters: what has some in it was not looked up."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from digest.model import Edition
from digest.render.languages.catalogues import SHIPPED_FOLDER
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from tests.render.samples import SITE

PART = re.compile(r"(%\(\w+\)s|%%)")


def make_invented_language(own: Path) -> LocaleBundle:
    """The language, in a folder of somebody's own templates."""
    (own / "locales").mkdir()
    catalog = read_po(BytesIO((SHIPPED_FOLDER / "de.po").read_bytes()))
    new_catalog = Catalog(locale="ru")
    for message in catalog:
        if message.id:
            texts = [message.id] if isinstance(message.id, str) else [message.id[1]] * new_catalog.num_plurals
            messages = [_invent_text(text) for text in texts]
            new_catalog.add(message.id, messages[0] if isinstance(message.id, str) else tuple(messages))
    with (own / "locales" / "ru.po").open("wb") as file:
        write_po(file, new_catalog)
    return make_locale_bundle("ru", SITE, own, None)


def _invent_text(text: str) -> str:
    return "".join(
        part if PART.fullmatch(part) else re.sub("[A-Za-z]", "ж", part) for part in PART.split(text)
    )


ALLOWED = {
    "PDF",
    "DOI",
    "HTML",
    "RSS",
    "Atom",
    "JSON",
    "Feed",
    "Slack",
    "UTC",
    "CEST",
    "arXiv",
    "https",
    "wide",
}


def find_english_words(text: str, edition: Edition) -> list[str]:
    """The words of a text that neither papers, follows nor names have."""
    papers = [item.event.paper for item in (*edition.items, *edition.overflow)]
    reasons = [reason for item in (*edition.items, *edition.overflow) for reason in item.reasons]
    theirs = (
        *(
            message
            for paper in papers
            for message in (paper.title, paper.abstract, paper.comment, paper.journal_ref, paper.url)
        ),
        *(
            message
            for paper in papers
            for message in (*paper.organizations, *paper.code_urls, *paper.categories)
        ),
        *(message for paper in papers for who in paper.authors for message in (who.name, *who.affiliations)),
        *(
            message
            for reason in reasons
            for message in (reason.follow, *(word for e in reason.evidence for word in e.words))
        ),
        *(edition.title, SITE.title, SITE.contact, *SITE.source_titles.values()),
        *(message for batch in edition.batches for message in (batch.section, batch.error)),
    )
    matches = set(re.findall("[A-Za-z]{2,}", " ".join(theirs))) | ALLOWED
    return [word for word in re.findall("[A-Za-z]{2,}", text) if word not in matches]


def extract_visible_text(html: str) -> str:
    """What a page shows, and what is read aloud of it."""
    bare = re.sub(r"(?s)<style.*?</style>|<!--.*?-->|<svg.*?</svg>", " ", html)
    matches = re.findall(r'(?:alt|title|aria-label)="([^"]*)"', bare)
    return unescape(" ".join([re.sub(r"(?s)<[^>]*>", " ", bare), *matches]))
