"""What belongs to one reader, for their programs: digests, follows, editions, saved papers, and the preview of a query."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, Field

from digest.core.publishing.listed_paper import ListedPaper
from digest.core.subscribers.follow_preview import FollowPreview, QuerySuggestion
from digest.core.subscribers.own_digest import OwnDigest, OwnDigestDetails, OwnFollow, list_next_dates
from digest.core.subscribers.own_records import ListPage, OwnEdition
from digest.core.subscribers.schedule_choice import read_schedule_choice
from digest.model import Edition, Event, Item, Paper, Schedule
from digest.render.publishing.documents.paper import PaperDocument, clean_text, make_paper_document

_NEXT_DATES = 3


class ScheduleDocument(BaseModel):
    """When editions come."""

    days: list[int] = Field(description="Days of the week, 0 for Monday; empty for a day of the month")
    month_day: int = Field(description="The day of the month; 0 for days of the week")
    at: str = Field(description="The time of day, such as 07:30")
    latest: str = Field(
        description='When an edition comes even if announcements are missing; "" for no such time'
    )
    zone: str = Field(description="The IANA name of the time zone")


class OwnDigestDocument(BaseModel):
    """A digest."""

    id: int
    title: str
    state: str = Field(description="active, paused, unsubscribed or bounced")
    paused_until: datetime | None = Field(description="When its pause ends by itself; null otherwise")
    zone: str = Field(description="The time zone in which it shows times")
    schedule: ScheduleDocument | None = Field(description="null for a schedule that only a file can have")
    next: list[datetime] = Field(description="When the next editions are due")


class OwnDigestsDocument(BaseModel):
    """All digests of the reader."""

    digests: list[OwnDigestDocument]


class FollowDocument(BaseModel):
    """A follow or an exclusion."""

    id: str = Field(description="Its name in addresses, made from its query")
    text: str = Field(description="The query as typed")
    query: str = Field(description="The query in its canonical form")
    weight: float
    exclude: bool = Field(description="Whether it excludes papers")
    alert: bool = Field(description="Whether papers are sent at once")
    only: str = Field(description='The query of the follow from which alone it excludes; "" for all')


class OwnDigestDetailsDocument(BaseModel):
    """A digest with all that it follows."""

    digest: OwnDigestDocument
    follows: list[FollowDocument]
    kinds: list[str] = Field(description="The kinds of news that it reports")
    limit: int = Field(description="The maximum number of papers of an edition")
    language: str
    is_mailed: bool
    has_feed: bool


class ReasonDocument(BaseModel):
    """Why a paper is in an edition."""

    follow: str = Field(description="The follow as its reader wrote it")
    confidence: str = Field(description="surely, likely or maybe")


class EditionPaperDocument(BaseModel):
    """A paper of an edition."""

    paper: PaperDocument
    part: str = Field(description="surely, maybe, picked or versions")
    event: str = Field(description="new, picked, version, published, code, grown or trending")
    reasons: list[ReasonDocument]


class EditionDocument(BaseModel):
    """An edition with its papers."""

    id: int | None = Field(description="Its number; null for a preview")
    title: str
    composed_at: datetime
    is_alert: bool = Field(description="Whether it was sent at once, outside the schedule")
    page: str = Field(description='The address of its page; "" for a preview')
    papers: list[EditionPaperDocument]
    more: list[EditionPaperDocument] = Field(description="Papers that the edition shows in one line each")
    left_out: int = Field(description="The number of papers without room, which come with the next edition")


class OwnEditionDocument(BaseModel):
    """An edition in a list."""

    id: int
    composed_at: datetime
    papers: int = Field(description="The number of its papers")
    is_alert: bool


class OwnEditionsDocument(BaseModel):
    """A page of editions, newest first."""

    editions: list[OwnEditionDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')


class SavedPaperDocument(BaseModel):
    """A saved paper."""

    paper: PaperDocument
    saved_at: datetime


class SavedPapersDocument(BaseModel):
    """A page of saved papers, latest first."""

    papers: list[SavedPaperDocument]
    next_cursor: str = Field(description='Where the next page begins; "" on the last one')


class SuggestionDocument(BaseModel):
    """Another query."""

    query: str
    papers_a_day: float
    without: str = Field(description='For a wider query, the part that it leaves out; "" otherwise')


class QueryPreviewDocument(BaseModel):
    """What a query would bring."""

    read_as: str = Field(description="The query as it was understood")
    hints: list[str] = Field(description="Sentences about what may not have been meant")
    papers_a_day: float | None = Field(description="About how many papers it finds a day; null if unknown")
    recent_count: int = Field(description="The number of papers of the last week")
    recent: list[PaperDocument] = Field(description="The newest of them")
    narrower: list[SuggestionDocument]
    wider: list[SuggestionDocument]


# --- making ---------------------------------------------------------------------------------------


def make_own_digests(digests: Iterable[OwnDigest], now: datetime) -> OwnDigestsDocument:
    """Make the document of all digests of a reader."""
    return OwnDigestsDocument(digests=[_make_digest(digest, now) for digest in digests])


def make_own_digest(details: OwnDigestDetails, now: datetime) -> OwnDigestDetailsDocument:
    """Make the document of a digest with all that it follows."""
    return OwnDigestDetailsDocument(
        digest=_make_digest(details.summary, now),
        follows=list(map(make_follow_document, details.follows)),
        kinds=[kind.value for kind in details.options.kinds],
        limit=details.options.limit,
        language=details.options.language,
        is_mailed=details.is_mailed,
        has_feed=details.options.feed,
    )


def _make_digest(digest: OwnDigest, now: datetime) -> OwnDigestDocument:
    return OwnDigestDocument(
        id=digest.id,
        title=clean_text(digest.title),
        state=digest.state.value,
        paused_until=digest.paused_until,
        zone=digest.zone,
        schedule=_make_schedule(digest.schedule),
        next=list(list_next_dates(digest, _NEXT_DATES, now)),
    )


def _make_schedule(schedule: Schedule) -> ScheduleDocument | None:
    choice = read_schedule_choice(schedule)
    if choice is None:
        return None
    return ScheduleDocument(
        days=list(choice.days),
        month_day=choice.month_day,
        at=choice.at,
        latest=choice.latest,
        zone=choice.zone,
    )


def make_follow_document(follow: OwnFollow) -> FollowDocument:
    """Make the document of a follow or an exclusion."""
    return FollowDocument(
        id=follow.id,
        text=follow.text,
        query=follow.query,
        weight=follow.weight,
        exclude=follow.exclude,
        alert=follow.alert,
        only=follow.only,
    )


def make_edition_document(edition: Edition, page: str, site_url: str) -> EditionDocument:
    """Make the document of an edition.

    Args:
        edition: the edition.
        page: the address of its page; "" for a preview.
        site_url: the address of the site, without a final slash.
    """
    return EditionDocument(
        id=edition.id if page else None,
        title=clean_text(edition.title),
        composed_at=edition.composed_at,
        is_alert=edition.is_alert,
        page=page,
        papers=[_make_item(item, site_url) for item in edition.items],
        more=[_make_item(item, site_url) for item in edition.overflow],
        left_out=edition.dropped,
    )


def _make_item(item: Item, site_url: str) -> EditionPaperDocument:
    return EditionPaperDocument(
        paper=_make_event_paper(item.event, site_url),
        part=item.part.value,
        event=item.event.kind.value,
        reasons=[
            ReasonDocument(follow=clean_text(reason.follow), confidence=reason.confidence.name.lower())
            for reason in item.reasons
        ],
    )


def _make_event_paper(event: Event, site_url: str) -> PaperDocument:
    return make_paper_document(ListedPaper(paper=event.paper, day=event.day, signals=event.signals), site_url)


def make_own_editions(listed: ListPage[OwnEdition]) -> OwnEditionsDocument:
    """Make the document of a page of editions."""
    return OwnEditionsDocument(
        editions=[
            OwnEditionDocument(
                id=edition.id,
                composed_at=edition.composed_at,
                papers=edition.papers,
                is_alert=edition.is_alert,
            )
            for edition in listed.entries
        ],
        next_cursor=_format_cursor(listed),
    )


def make_saved_papers(listed: ListPage[tuple[Paper, datetime]], site_url: str) -> SavedPapersDocument:
    """Make the document of a page of saved papers, each with the time at which it was saved."""
    return SavedPapersDocument(
        papers=[
            SavedPaperDocument(
                paper=make_paper_document(ListedPaper(paper=paper, day=None, signals=()), site_url),
                saved_at=saved_at,
            )
            for paper, saved_at in listed.entries
        ],
        next_cursor=_format_cursor(listed),
    )


def _format_cursor(listed: ListPage[object]) -> str:
    return str(listed.number + 1) if listed.number < listed.pages else ""


def make_query_preview(preview: FollowPreview, site_url: str) -> QueryPreviewDocument:
    """Make the document of what a query would bring."""
    return QueryPreviewDocument(
        read_as=preview.read_as,
        hints=list(preview.hints),
        papers_a_day=preview.papers_a_day,
        recent_count=preview.recent_count,
        recent=[_make_event_paper(event, site_url) for event in preview.recent],
        narrower=list(map(_make_suggestion, preview.narrower)),
        wider=list(map(_make_suggestion, preview.wider)),
    )


def _make_suggestion(suggestion: QuerySuggestion) -> SuggestionDocument:
    return SuggestionDocument(
        query=suggestion.query, papers_a_day=suggestion.papers_a_day, without=suggestion.removed
    )
