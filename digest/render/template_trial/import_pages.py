"""Tries the templates of imports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_digest import OwnDigest, OwnDigestDetails, OwnFollow
from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.core.subscribers.transfer.archived_records import (
    ArchivedAnswer,
    ArchivedOpinion,
    ArchivedRecords,
    RecordOutcome,
)
from digest.core.subscribers.transfer.imported import (
    ImportedContent,
    ImportMistake,
    ImportProblem,
    ProblemKind,
    make_library_follow,
)
from digest.model import DigestOptions, PaperKey
from digest.render.locale_bundle import LocaleBundle
from digest.render.publishing.account_pages.imports import (
    AccountImportPage,
    ImportPage,
    render_account_import,
    render_import,
)
from digest.render.publishing.public_pages.links import PublicSite

_CONTENT = ImportedContent(
    format_name="BibTeX",
    follows=(
        *(make_library_follow(PaperKey(f"arxiv:2401.{number:05}"), "A sample") for number in range(12)),
        OwnFollow(text="Ada Sample", query='author:"Ada Sample"'),
        OwnFollow(text="sample", query="sample"),
    ),
    problems=tuple(ImportProblem(kind, "A sample", "A reason.") for kind in (*ProblemKind, *ProblemKind)),
    unread=1,
)
_ARCHIVED = ArchivedDigest(
    name="sample", title="A sample", schedule=None, options=DigestOptions(), follows=_CONTENT.follows
)
_AT, _KEY = datetime(2026, 6, 12, tzinfo=UTC), PaperKey("arxiv:2401.00001")
_RECORDS = ArchivedRecords(
    opinions=tuple(ArchivedOpinion("sample", _KEY, "A sample", opinion, _AT) for opinion in Opinion),
    answers=(ArchivedAnswer("sample", _KEY, "A sample", 0, "Ada Sample", is_person=False, at=_AT),),
)


def try_imports(locale_bundle: LocaleBundle, site: PublicSite, digest: OwnDigest) -> None:
    """Try the pages of imports, with what they show before, after and without a file."""
    environment, branding = locale_bundle.environment, locale_bundle.branding
    page = ImportPage(details=_make_details(digest), form_token="sample")  # noqa: S106 - not a password
    for mistake in ImportMistake:
        render_import(environment, branding, site, replace(page, mistake=(mistake, "A reason.")))
    for content in (_CONTENT, ImportedContent()):
        render_import(environment, branding, site, replace(page, content=content))
    account_page = AccountImportPage(
        form_token="sample",  # noqa: S106 - not a password
        present=(_ARCHIVED,),
        left_out=(_ARCHIVED,),
        records=dict.fromkeys(RecordOutcome, _RECORDS),
        problems=_CONTENT.problems,
        is_read=True,
    )
    for added, records in (((_ARCHIVED,), account_page.records), ((), {})):
        shown = replace(account_page, added=added, records=records)
        render_account_import(environment, branding, site, shown)
    mistake_page = AccountImportPage(
        form_token="sample",  # noqa: S106 - not a password
        mistake=(ImportMistake.NO_ARCHIVE, ""),
    )
    render_account_import(environment, branding, site, mistake_page)


def _make_details(digest: OwnDigest) -> OwnDigestDetails:
    return OwnDigestDetails(
        summary=digest,
        name="sample",
        options=DigestOptions(),
        follows=_CONTENT.follows[-1:],
        sent_seq=0,
        public_digest="",
        is_customized=False,
        is_mailed=True,
        feed_version=0,
    )
