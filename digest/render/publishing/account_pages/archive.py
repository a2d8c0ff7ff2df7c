"""The archive of an account: a ZIP file of JSON, BibTeX and a text that explains them."""

from __future__ import annotations

import json
from typing import Any

from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.core.subscribers.transfer.account import AccountArchive
from digest.core.subscribers.transfer.archive import (
    DIGESTS_FILE,
    VERSION,
    format_archive_instant,
    write_digests,
)
from digest.core.subscribers.transfer.archive_file import write_archive
from digest.core.subscribers.transfer.archived_records import OPINIONS_FILE, SAVED_FILE, write_records
from digest.render.delivery.files import make_paper_json
from digest.render.languages.locales import Locale
from digest.render.papers.bibtex import format_bibtex

ARCHIVE_NAME, ARCHIVE_MEDIA_TYPE = "digests.zip", "application/zip"


def render_archive(archive: AccountArchive, locale: Locale) -> bytes:
    """Return the archive; the same account gives the same bytes.

    Args:
        archive: what belongs to the reader.
        locale: the language of the text that explains the files.
    """
    ratings = [entry for entry in archive.opinions if entry.opinion in RATINGS]
    return write_archive(
        [
            ("README.txt", _write_readme(locale).encode()),
            (DIGESTS_FILE, write_digests(archive.digests).encode()),
            (SAVED_FILE, _write_json(_make_saved(archive))),
            (OPINIONS_FILE, write_records(ratings, archive.answers).encode()),
            ("editions.json", _write_json(_make_editions(archive))),
            ("saved.bib", format_bibtex(archive.saved.values()).encode()),
        ]
    )


def _make_saved(archive: AccountArchive) -> dict[str, Any]:
    return {
        "papers": [
            {
                "digest": entry.digest,
                "at": format_archive_instant(entry.at),
                "paper": make_paper_json(archive.saved[entry.paper]),
            }
            for entry in archive.opinions
            if entry.opinion is Opinion.SAVED
        ]
    }


def _make_editions(archive: AccountArchive) -> dict[str, Any]:
    return {
        "editions": [
            {
                "digest": edition.digest,
                "at": format_archive_instant(edition.composed_at),
                "papers": list(edition.papers),
            }
            for edition in archive.editions
        ]
    }


def _write_json(document: dict[str, Any]) -> bytes:
    return json.dumps({"version": VERSION} | document, indent=1).encode()


def _write_readme(locale: Locale) -> str:
    _ = locale.gettext
    lines = (
        _("What you follow, saved and said on this site, as JSON in UTF-8. Your address is not in it."),
        "",
        "digests.json",
        _("your digests: what they follow and exclude, when they come, and their options"),
        "",
        "saved.json, saved.bib",
        _("the papers that you saved; the second file is for reference managers"),
        "",
        "opinions.json",
        _("where you asked for more or fewer papers like one, and what you said about authors"),
        "",
        "editions.json",
        _("your editions as far as they are still stored: when they came, and the ids of their papers"),
        "",
        _(
            "Import this file on the page of an account, here or on another site, and your digests, saved papers and opinions are there again."
        ),
        _("Of chats and webhooks it has only the public part of their addresses: add them again there."),
    )
    return "\n".join((*lines, ""))
