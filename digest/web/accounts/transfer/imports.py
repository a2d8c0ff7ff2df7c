"""Handlers of imports: into a digest, and of the archive of an account, which is exported here, too.

Each import has two steps: the first shows what a file contains, and the second, with what the first has shown, adds it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fastapi import Request, Response

from digest.core.subscribers.own_digest import EditError
from digest.core.subscribers.transfer.archive import DIGESTS_FILE, read_digests
from digest.core.subscribers.transfer.archive_file import read_archived_texts
from digest.core.subscribers.transfer.archived_records import OPINIONS_FILE, SAVED_FILE, read_records
from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake
from digest.core.subscribers.transfer.plan import read_plan
from digest.core.subscribers.transfer.reader import read_import
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.jobs.subscribers.transfer.account_archive import load_account_archive
from digest.jobs.subscribers.transfer.restore import DigestRestorer
from digest.jobs.subscribers.transfer.restore_records import RecordRestorer
from digest.render.publishing.account_pages.archive import (
    ARCHIVE_MEDIA_TYPE,
    ARCHIVE_NAME,
    render_archive,
)
from digest.render.publishing.account_pages.imports import (
    AccountImportPage,
    ImportPage,
    render_account_import,
    render_import,
)
from digest.render.publishing.account_pages.own_digest import Saved, format_saved_address
from digest.render.publishing.public_pages.links import ACCOUNT_PATH
from digest.web.accounts.own_requests import OwnRequest, OwnResponder, UnknownFormError
from digest.web.accounts.transfer.uploads import UploadRequest, UploadResponder
from digest.web.publishing.public_responder import make_private_page


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRoutes:
    """The handlers.

    Attributes:
        own: answers requests of readers who are signed in.
        uploads: answers forms with files.
    """

    own: OwnResponder
    uploads: UploadResponder

    def show(self, digest_id: int, request: Request) -> Response:
        """Show the form of an import into a digest."""
        return self.own.respond_read(request, lambda own: self._show(own, digest_id))

    async def update(self, digest_id: int, request: Request) -> Response:
        """Show what a file contains, or add what was shown; repetitions have no effect."""
        return await self.uploads.respond(request, lambda upload: self._update(upload, digest_id))

    def show_account(self, request: Request) -> Response:
        """Show the form of an import of an archive."""
        return self.own.respond_read(request, self._show_account)

    async def update_account(self, request: Request) -> Response:
        """Show what an archive contains, or add what was shown; repetitions have no effect."""
        return await self.uploads.respond(request, self._update_account)

    def export(self, request: Request) -> Response:
        """Return the archive of the account."""
        return self.own.respond_read(request, self._export)

    # into a digest

    def _show(self, own: OwnRequest, digest_id: int) -> Response:
        details = self._make_editor(own).load(digest_id)
        return _respond_import(own, ImportPage(details=details, form_token=own.form_token), 200)

    def _update(self, upload: UploadRequest, digest_id: int) -> Response:
        own = upload.own
        editor = self._make_editor(own)
        page = ImportPage(details=editor.load(digest_id), form_token=own.form_token)
        try:
            match own.fields.get("do"):
                case "read":
                    return _respond_import(own, replace(page, content=read_import(upload.content)), 200)
                case "add":
                    editor.import_follows(digest_id, read_plan(own.fields.get("plan", "")))
                case _:
                    raise UnknownFormError
        except ImportContentError as error:
            return _respond_import(own, replace(page, mistake=(error.mistake, error.detail)), 400)
        except EditError:
            return _respond_import(own, replace(page, mistake=(ImportMistake.TOO_MUCH, "")), 400)
        language = own.view.site.language_parameter
        return self.own.public.redirect_after_post(format_saved_address(digest_id, language, Saved.FOLLOWS))

    def _make_editor(self, own: OwnRequest) -> OwnDigestEditor:
        app = self.own.public.responder.app
        return OwnDigestEditor(store=app.store, subscriber=own.session.subscriber, now=app.clock())

    # the account

    def _show_account(self, own: OwnRequest) -> Response:
        return _respond_account_import(own, AccountImportPage(form_token=own.form_token), 200)

    def _update_account(self, upload: UploadRequest) -> Response:
        own = upload.own
        page = AccountImportPage(form_token=own.form_token)
        try:
            match own.fields.get("do"):
                case "read":
                    return _respond_account_import(own, self._read_archive(upload, page), 200)
                case "add":
                    digests = read_digests(own.fields.get("plan", "")).digests
                    records = read_records([own.fields.get("records", "")])
                    self._make_restorer(own).restore(digests)
                    self._make_record_restorer(own).restore(records)
                case _:
                    raise UnknownFormError
        except ImportContentError as error:
            return _respond_account_import(own, replace(page, mistake=(error.mistake, error.detail)), 400)
        return self.own.redirect(own.view, ACCOUNT_PATH)

    def _read_archive(self, upload: UploadRequest, page: AccountImportPage) -> AccountImportPage:
        texts = read_archived_texts(upload.content, (DIGESTS_FILE, SAVED_FILE, OPINIONS_FILE))
        archived = read_digests(texts[DIGESTS_FILE])
        records = read_records([texts[SAVED_FILE], texts[OPINIONS_FILE]])
        plan = self._make_restorer(upload.own).plan(archived.digests)
        names = {digest.name for digest in plan.added}
        return replace(
            page,
            added=plan.added,
            present=plan.present,
            left_out=plan.left_out,
            records=self._make_record_restorer(upload.own).plan(records, names),
            problems=(*archived.problems, *records.problems),
            is_read=True,
        )

    def _make_record_restorer(self, own: OwnRequest) -> RecordRestorer:
        app = self.own.public.responder.app
        return RecordRestorer(store=app.store, subscriber=own.session.subscriber, now=app.clock())

    def _make_restorer(self, own: OwnRequest) -> DigestRestorer:
        app, site = self.own.public.responder.app, own.view.site
        languages = (site.language.name, *(language.name for language in site.languages))
        return DigestRestorer(
            store=app.store,
            subscriber=own.session.subscriber,
            address=own.session.address,
            languages=languages,
            now=app.clock(),
        )

    def _export(self, own: OwnRequest) -> Response:
        archive = load_account_archive(self.own.public.responder.app.store, own.session.subscriber)
        headers = {
            "cache-control": "private, no-store",
            "content-disposition": f'attachment; filename="{ARCHIVE_NAME}"',
        }
        content = render_archive(archive, own.view.bundle.branding.locale)
        return Response(content, media_type=ARCHIVE_MEDIA_TYPE, headers=headers)


def _respond_import(own: OwnRequest, page: ImportPage, status: int) -> Response:
    bundle = own.view.bundle
    return make_private_page(render_import(bundle.environment, bundle.branding, own.view.site, page), status)


def _respond_account_import(own: OwnRequest, page: AccountImportPage, status: int) -> Response:
    bundle = own.view.bundle
    return make_private_page(
        render_account_import(bundle.environment, bundle.branding, own.view.site, page), status
    )
