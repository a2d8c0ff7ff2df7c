"""The pages on which readers import: papers, searches and persons into a digest, and the archive of an account."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import jinja2

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_digest import (
    MAX_FOLLOWS,
    MAX_LIBRARY_PAPERS,
    OwnDigestDetails,
    OwnFollow,
    count_own_follows,
    is_library_paper,
    select_missing_follows,
)
from digest.core.subscribers.signup_rules import MAX_DIGESTS
from digest.core.subscribers.transfer.archive import DEFAULT_SCHEDULE, ArchivedDigest, write_digests
from digest.core.subscribers.transfer.archived_records import (
    ArchivedRecords,
    RecordOutcome,
    RecordPlan,
    write_records,
)
from digest.core.subscribers.transfer.imported import (
    ImportedContent,
    ImportMistake,
    ImportProblem,
    ProblemKind,
)
from digest.core.subscribers.transfer.plan import write_plan
from digest.render.branding import Branding
from digest.render.editions.schedules import describe_schedule
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.publishing.account_pages.own_digest import (
    format_import_address,
    format_own_digest_address,
)
from digest.render.publishing.public_pages.links import (
    ACCOUNT_IMPORT_PATH,
    ACCOUNT_PATH,
    PublicSite,
    make_public_links,
)

_MAX_ROWS = 10
"""Number of entries of a kind that a page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage:
    """The page of an import into a digest.

    Attributes:
        details: the digest.
        form_token: the token of the session's forms.
        content: what was read; None before.
        mistake: why nothing was read, and the details in English; None if something was, or before.
    """

    details: OwnDigestDetails
    form_token: str
    content: ImportedContent | None = None
    mistake: tuple[ImportMistake, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountImportPage:
    """The page of an import into an account.

    Attributes:
        form_token: the token of the session's forms.
        added: the digests of the archive that would be added.
        present: those that the reader has.
        left_out: those that have no room.
        records: what would happen with saved papers, opinions and answers.
        problems: what of the archive could not be read.
        is_read: whether an archive was read.
        mistake: why none was read, and the details in English; None if one was, or before.
    """

    form_token: str
    added: Sequence[ArchivedDigest] = ()
    present: Sequence[ArchivedDigest] = ()
    left_out: Sequence[ArchivedDigest] = ()
    records: RecordPlan = field(default_factory=dict)
    problems: Sequence[ImportProblem] = ()
    is_read: bool = False
    mistake: tuple[ImportMistake, str] | None = None


class ImportGroup(NamedTuple):
    """What is of one kind.

    Attributes:
        title: what it is, with its number.
        rows: the first of it.
        more: how much more there is; "" for nothing.
    """

    title: str
    rows: list[str]
    more: str


class ProblemRow(NamedTuple):
    """A part of a file that cannot be followed.

    Attributes:
        text: the part.
        reason: why.
        detail: what is wrong, in English; "" if the reason says it.
    """

    text: str
    reason: str
    detail: str


def render_import(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: ImportPage
) -> bytes:
    """Render the page of an import into a digest.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale, digest_id = branding.locale, page.details.id
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_import_address(digest_id, name)),
        "title": remove_unprintable(page.details.summary.title),
        "digest_href": site.link(format_own_digest_address(digest_id, site.language_parameter)),
        "action": site.link(format_import_address(digest_id, site.language_parameter)),
        "form_token": page.form_token,
        **_describe_mistake(page.mistake, locale),
        **_describe_content(page.content, page.details, locale),
    }
    return fill(environment, "web/import.html", variables).encode()


def render_account_import(
    environment: jinja2.Environment, branding: Branding, site: PublicSite, page: AccountImportPage
) -> bytes:
    """Render the page of an import into an account.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    added = page.records.get(RecordOutcome.ADDED, ArchivedRecords())
    is_new = bool(page.added or added.opinions or added.answers)
    variables = {
        "site": branding,
        "public": make_public_links(site, lambda name: format_page_address(ACCOUNT_IMPORT_PATH, name)),
        "account_href": site.link(format_page_address(ACCOUNT_PATH, site.language_parameter)),
        "action": site.link(format_page_address(ACCOUNT_IMPORT_PATH, site.language_parameter)),
        "form_token": page.form_token,
        "is_read": page.is_read,
        "format_name": "",
        "groups": [
            *_group_digests(page.added, locale),
            *_group_records(added, locale),
            *_group_left_out(page.records, locale),
        ],
        "notes": list(_list_account_notes(page, locale)),
        "problems": _describe_problems(page.problems, locale),
        "more_problems": _count_more(len(page.problems), locale),
        "plan": write_digests(page.added, indent=None) if is_new else "",
        "records": write_records(added.opinions, added.answers, indent=None) if is_new else "",
        **_describe_mistake(page.mistake, locale),
    }
    return fill(environment, "web/import_account.html", variables).encode()


# --- what is read ---------------------------------------------------------------------------------


def _describe_content(
    content: ImportedContent | None, details: OwnDigestDetails, locale: Locale
) -> dict[str, object]:
    is_read, content = content is not None, content or ImportedContent()
    added, left_out = select_missing_follows(details.follows, content.follows)
    present_count = len(content.follows) - len(added) - len(left_out)
    return {
        "is_read": is_read,
        "format_name": content.format_name,
        "groups": list(_group_follows(added, locale)),
        "notes": list(_list_notes(content, left_out, present_count, locale)),
        "problems": _describe_problems(content.problems, locale),
        "more_problems": _count_more(len(content.problems), locale),
        "plan": write_plan(added) if added else "",
        "records": "",
    }


def _group_follows(follows: Sequence[OwnFollow], locale: Locale) -> Iterator[ImportGroup]:
    papers = [follow for follow in follows if is_library_paper(follow)]
    persons = [follow for follow in follows if follow.query.startswith("author:")]
    searches = [follow for follow in follows if follow not in persons and not is_library_paper(follow)]
    if papers:
        title = locale.ngettext(
            "%(num)s paper: new versions, publication, code, and papers that cite it",
            "%(num)s papers: new versions, publication, code, and papers that cite them",
            len(papers),
        )
        yield _make_group(title, [follow.text for follow in papers], locale)
    if persons:
        yield _make_group(
            locale.ngettext("%(num)s person", "%(num)s people", len(persons)),
            [_label_follow(follow) for follow in persons],
            locale,
        )
    if searches:
        yield _make_group(
            locale.ngettext("%(num)s search", "%(num)s searches", len(searches)),
            [_label_follow(follow) for follow in searches],
            locale,
        )


def _make_group(title: str, rows: Sequence[str], locale: Locale) -> ImportGroup:
    shown = [remove_unprintable(row) for row in rows[:_MAX_ROWS]]
    return ImportGroup(title=title, rows=shown, more=_count_more(len(rows), locale))


def _label_follow(follow: OwnFollow) -> str:
    return follow.text if follow.text == follow.query else f"{follow.text} → {follow.query}"


def _count_more(count: int, locale: Locale) -> str:
    more = count - _MAX_ROWS
    return locale.ngettext("and %(num)s more", "and %(num)s more", more) if more > 0 else ""


def _list_notes(
    content: ImportedContent, left_out: Sequence[OwnFollow], present_count: int, locale: Locale
) -> Iterator[str]:
    if present_count:
        yield locale.ngettext(
            "%(num)s of them is in the digest already.",
            "%(num)s of them are in the digest already.",
            present_count,
        )
    counts = count_own_follows(left_out)
    if counts.papers:
        yield locale.ngettext(
            "%(num)s paper has no room: a digest can have %(limit)s papers of a library.",
            "%(num)s papers have no room: a digest can have %(limit)s papers of a library.",
            counts.papers,
            limit=locale.number(MAX_LIBRARY_PAPERS),
        )
    if counts.follows:
        yield locale.ngettext(
            "%(num)s search or person has no room: a digest can have %(limit)s follows.",
            "%(num)s searches and people have no room: a digest can have %(limit)s follows.",
            counts.follows,
            limit=locale.number(MAX_FOLLOWS),
        )
    if content.unread:
        yield locale.ngettext(
            "%(num)s further line was not read, because a digest has no room for more.",
            "%(num)s further lines were not read, because a digest has no room for more.",
            content.unread,
        )


def _group_digests(digests: Sequence[ArchivedDigest], locale: Locale) -> list[ImportGroup]:
    return [
        ImportGroup(
            title=remove_unprintable(digest.title),
            rows=[_describe_counts(digest.follows, locale), _describe_coming(digest, locale)],
            more="",
        )
        for digest in digests
    ]


def _describe_coming(digest: ArchivedDigest, locale: Locale) -> str:
    if digest.schedule is not None:
        return describe_schedule(digest.schedule, locale)
    return locale.gettext(
        "%(when)s, because the schedule in the file cannot be used here",
        when=describe_schedule(DEFAULT_SCHEDULE, locale),
    )


def _describe_counts(follows: Sequence[OwnFollow], locale: Locale) -> str:
    counts = count_own_follows(follows)
    parts = [locale.ngettext("%(num)s follow", "%(num)s follows", counts.follows)]
    if counts.papers:
        parts.append(locale.ngettext("%(num)s paper", "%(num)s papers", counts.papers))
    if counts.exclusions:
        parts.append(locale.ngettext("%(num)s exclusion", "%(num)s exclusions", counts.exclusions))
    return " · ".join(parts)


# --- what was saved and said ----------------------------------------------------------------------


def _list_account_notes(page: AccountImportPage, locale: Locale) -> Iterator[str]:
    _ = locale.gettext
    for digest in page.present:
        yield _("You have this digest already: %(title)s", title=digest.title)
    if page.left_out:
        yield locale.ngettext(
            "%(num)s digest has no room: one can have %(limit)s.",
            "%(num)s digests have no room: one can have %(limit)s.",
            len(page.left_out),
            limit=locale.number(MAX_DIGESTS),
        )
    if present := page.records.get(RecordOutcome.PRESENT):
        # Translators: what a reader saved and said: "2 saved papers and 1 answer about an author".
        yield _("Here already: %(records)s", records=_count_records(present, locale))
    if RecordOutcome.UNKNOWN_PAPER in page.records:
        yield _("Papers that this site does not know may still come. Import the file again then.")


def _group_records(records: ArchivedRecords, locale: Locale) -> Iterator[ImportGroup]:
    saved = [entry.title for entry in records.opinions if entry.opinion is Opinion.SAVED]
    rated = [entry.title for entry in records.opinions if entry.opinion is not Opinion.SAVED]
    answered = [f"{entry.name} · {entry.title}" for entry in records.answers]
    counts = _list_record_counts(records, locale)
    for title, rows in zip(counts, filter(None, (saved, rated, answered)), strict=True):
        yield _make_group(title, rows, locale)


def _group_left_out(plan: RecordPlan, locale: Locale) -> Iterator[ImportGroup]:
    for outcome in RecordOutcome:
        records = plan.get(outcome)
        if records and outcome not in {RecordOutcome.ADDED, RecordOutcome.PRESENT}:
            title = _describe_absence(outcome, _count_records(records, locale), locale)
            yield _make_group(title, [record.title for record in records.all], locale)


def _describe_absence(outcome: RecordOutcome, records: str, locale: Locale) -> str:
    _ = locale.gettext
    match outcome:
        case RecordOutcome.UNKNOWN_PAPER:
            return _("Left out, because this site does not know the papers: %(records)s", records=records)
        case RecordOutcome.UNKNOWN_AUTHOR:
            return _("Left out, because the papers have no such authors here: %(records)s", records=records)
        case RecordOutcome.NO_DIGEST:
            return _(
                "Left out, because their digests have ended or have no room: %(records)s", records=records
            )
        case _:
            return _("Left out, because there is no room for more: %(records)s", records=records)


def _count_records(records: ArchivedRecords, locale: Locale) -> str:
    return locale.listed(_list_record_counts(records, locale))


def _list_record_counts(records: ArchivedRecords, locale: Locale) -> list[str]:
    """Return the numbers of saved papers, ratings and answers, each if there are any."""
    saved = sum(entry.opinion is Opinion.SAVED for entry in records.opinions)
    rated, answered = len(records.opinions) - saved, len(records.answers)
    counts = [locale.ngettext("%(num)s saved paper", "%(num)s saved papers", saved)] if saved else []
    if rated:
        counts.append(
            locale.ngettext(
                "%(num)s rating (more or less like this)", "%(num)s ratings (more or less like this)", rated
            )
        )
    if answered:
        counts.append(
            locale.ngettext("%(num)s answer about an author", "%(num)s answers about authors", answered)
        )
    return counts


# --- what cannot be read --------------------------------------------------------------------------


def _describe_problems(problems: Sequence[ImportProblem], locale: Locale) -> list[ProblemRow]:
    reasons = dict(_list_reasons(locale))
    return [
        ProblemRow(
            text=remove_unprintable(problem.text),
            reason=reasons[problem.kind],
            detail=remove_unprintable(problem.detail),
        )
        for problem in problems[:_MAX_ROWS]
    ]


def _list_reasons(locale: Locale) -> Iterator[tuple[ProblemKind, str]]:
    _ = locale.gettext
    yield ProblemKind.NO_ID, _("it has no arXiv id, no DOI and no address")
    yield ProblemKind.NO_SEARCH, _("this feed is no category, search or person of arXiv")
    yield ProblemKind.NO_PERSON, _("this is not the id of a person")
    yield ProblemKind.CITATIONS, _("citations and related papers of a person cannot be followed")
    yield ProblemKind.SCHOLAR_PAGE, _("this address does not say whose it is; write the name")
    yield ProblemKind.NO_QUERY, _("this is no query of at most 500 characters")
    yield ProblemKind.BROKEN, _("this entry is broken")
    yield ProblemKind.NO_RECORD, _("this entry is incomplete")


def _describe_mistake(mistake: tuple[ImportMistake, str] | None, locale: Locale) -> dict[str, str]:
    if mistake is None:
        return {"mistake": "", "detail": ""}
    kind, detail = mistake
    return {"mistake": dict(_list_mistakes(locale))[kind], "detail": remove_unprintable(detail)}


def _list_mistakes(locale: Locale) -> Iterator[tuple[ImportMistake, str]]:
    _ = locale.gettext
    yield ImportMistake.EMPTY, _("Choose a file, or paste a text.")
    yield (
        ImportMistake.ARCHIVE,
        _("This is the archive of an account. Import it on the page of your account."),
    )
    yield ImportMistake.NO_ARCHIVE, _("This is not the archive of an account.")
    yield (
        ImportMistake.NEWER_ARCHIVE,
        _("This archive is of a later version of the site, and cannot be read here."),
    )
    yield ImportMistake.TOO_MUCH, _("This is too large. Import a part of it.")
    yield ImportMistake.UNREADABLE, _("This cannot be read.")
