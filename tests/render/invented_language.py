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
    asked = read_po(BytesIO((SHIPPED_FOLDER / "de.po").read_bytes()))
    made = Catalog(locale="ru")
    for message in asked:
        if message.id:
            texts = [message.id] if isinstance(message.id, str) else [message.id[1]] * made.num_plurals
            said = [_invent_text(text) for text in texts]
            made.add(message.id, said[0] if isinstance(message.id, str) else tuple(said))
    with (own / "locales" / "ru.po").open("wb") as file:
        write_po(file, made)
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


def find_english_words(text: str, what: Edition) -> list[str]:
    """The words of a text that neither papers, follows nor names have."""
    papers = [one.event.paper for one in (*what.items, *what.overflow)]
    reasons = [reason for one in (*what.items, *what.overflow) for reason in one.reasons]
    theirs = (
        *(
            said
            for one in papers
            for said in (one.title, one.abstract, one.comment, one.journal_ref, one.url)
        ),
        *(said for one in papers for said in (*one.organizations, *one.code_urls, *one.categories)),
        *(said for one in papers for who in one.authors for said in (who.name, *who.affiliations)),
        *(
            said
            for one in reasons
            for said in (one.follow, *(word for e in one.evidence for word in e.words))
        ),
        *(what.title, SITE.title, SITE.contact, *SITE.source_titles.values()),
        *(said for one in what.batches for said in (one.section, one.error)),
    )
    known = set(re.findall("[A-Za-z]{2,}", " ".join(theirs))) | ALLOWED
    return [word for word in re.findall("[A-Za-z]{2,}", text) if word not in known]


def extract_visible_text(html: str) -> str:
    """What a page shows, and what is read aloud of it."""
    bare = re.sub(r"(?s)<style.*?</style>|<!--.*?-->|<svg.*?</svg>", " ", html)
    said = re.findall(r'(?:alt|title|aria-label)="([^"]*)"', bare)
    return unescape(" ".join([re.sub(r"(?s)<[^>]*>", " ", bare), *said]))
