"""The nouns: what the words of the design mean in code.

Frozen, hashable, without behaviour beyond reading them. Instants are aware and UTC; days are the
announcing source's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import NamedTuple, NewType

from digest.failures import FailureKind

PaperKey = NewType("PaperKey", str)
"""``arxiv:2401.00001`` (no version), else ``doi:…``, else ``url:…``."""


# --- papers and how they are announced ------------------------------------------------------------


class ListingKind(StrEnum):
    """How a source lists a paper."""

    NEW = "new"
    CROSS = "cross"
    REPLACE = "replace"
    REPLACE_CROSS = "replace-cross"
    PICKED = "picked"
    """Chosen by editors or votes."""
    PUBLISHED = "published"


class EventKind(StrEnum):
    """What a digest can tell about a paper."""

    NEW = "new"
    GROWN = "grown"
    """It has a category, abstract, affiliation or id that it did not have when it was new."""
    VERSION = "version"
    PICKED = "picked"
    PUBLISHED = "published"
    CODE = "code"
    """Its code was found later."""


class Author(NamedTuple):
    """A name as printed on a paper: evidence, not a person.

    A tuple, for a day has ten thousand of them and a frozen dataclass takes twice as long to make.
    """

    name: str
    affiliations: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    """Pairs of scheme (``hf``, ``orcid``) and value, where the source says who that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One work, whoever lists it.

    Attributes:
        key: its identity.
        title: as announced, TeX and all; a single line.
        abstract: as announced; "" where the source gives none.
        authors: in the order printed.
        categories: the source's own, the primary one first.
        version: the newest version that a source told; 1 where it has none; 0 where it has them and told none.
        version_told: of one telling: its source says the version; False where it was worked out, so that what is
            newer goes before what is older.
        url: the page to read about it.
        pdf_url: the paper itself, or "".
        doi: of the publication, bare and in lower case, or "".
        journal_ref: where it was published, or "".
        comment: the authors' remark, or "".
        license_url: or "".
        ids: what else it is known by: pairs of scheme (``arxiv``, ``doi``) and value.
        code_urls: where its code is.
        project_urls: its own pages that hold no code.
        organizations: those that it is said to come from as a whole.
        institutions: the ROR ids, bare, of those that its authors work at.
        references: the keys of the papers that it cites, where a source tells them.
        withdrawn: its authors took it back.
    """

    key: PaperKey
    title: str
    abstract: str = ""
    authors: tuple[Author, ...] = ()
    categories: tuple[str, ...] = ()
    version: int = 1
    version_told: bool = True
    url: str
    pdf_url: str = ""
    doi: str = ""
    journal_ref: str = ""
    comment: str = ""
    license_url: str = ""
    ids: tuple[tuple[str, str], ...] = ()
    code_urls: tuple[str, ...] = ()
    project_urls: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one source says of one version of a paper; all that is known of a paper is made of these.

    Attributes:
        source: whose.
        paper: as that source tells it; its version is at least 1.
    """

    source: str
    paper: Paper


class Submitter(NamedTuple):
    """The person who put a paper on a list, where readers make it.

    Attributes:
        name: as that person wants to be called there.
        id: of an account: scheme and name, ``("hf", "ada")``.
    """

    name: str
    id: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One paper's appearance in a batch, as the source printed it.

    Attributes:
        published_at: when its source says that it was published, UTC; None if it does not say.
        submitter: of what a person picked; None where nobody is named.
        may_be_newer: the page shows the paper as it was later than that: its version is that one or a newer one.
    """

    kind: ListingKind
    paper: Paper
    published_at: datetime | None = None
    submitter: Submitter | None = None
    may_be_newer: bool = False

    @property
    def version(self) -> int:
        """The version that was announced; 0 where that is not told."""
        stated_version = self.paper.version if self.paper.version_told else 0
        # The first replacement is always the second version, and what is new the first one.
        return stated_version if not self.may_be_newer or stated_version <= _FIRST_REPLACEMENT else 0


_FIRST_REPLACEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A number about a paper or a person on a day, as one source counts.

    Attributes:
        subject: the key of the paper that it is about; of a person an id, ``orcid:0000-0002-1825-0097``.
        kind: what is counted: ``votes``, ``comments``, ``stars``, ``citations``, ``h-index``, ``papers``.
    """

    subject: str
    kind: str
    source: str
    day: date
    value: float


class PaperPage(NamedTuple):
    """A page about a paper where people talk of it.

    Attributes:
        site: what people call the site.
        url: the page.
    """

    site: str
    url: str


class SubjectKind(StrEnum):
    """What more can be known of."""

    PAPER = "paper"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A paper or a person of whom more is to be known.

    Attributes:
        key: of a paper its key; of a person one of the ids, ``orcid:0000-0002-1825-0097``.
        ids: all that it is known by: pairs of scheme and value.
    """

    kind: SubjectKind
    key: str
    ids: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something to tell about a paper.

    Attributes:
        seq: its number in commit order, from 1, without gaps.
        number: the version for ``VERSION``, 0 where nobody told it; else 0.
        day: the announcement day.
        source: who announced it.
        first: whether it is the first event of its paper.
        signals: what is known of its paper in numbers: the newest of each kind and source.
        new_categories: the categories that a paper which has grown was newly listed in, where that is why.
    """

    seq: int
    kind: EventKind
    number: int
    day: date
    source: str
    first: bool
    paper: Paper
    signals: tuple[Signal, ...] = ()
    new_categories: tuple[str, ...] = ()


# --- the ledger -----------------------------------------------------------------------------------


class BatchState(StrEnum):
    """What is known of one source, section and announcement day."""

    WAITING = "waiting"
    """Due; nothing whole came yet."""
    PARTIAL = "partial"
    """Some of it came, and it is known that more exists."""
    COMPLETE = "complete"
    EMPTY = "empty"
    """The day is over, we asked, and nothing was announced."""
    FAILED = "failed"
    """No route can bring it any more."""


class DayVerdict(StrEnum):
    """What a route's answer about a day was worth."""

    WHOLE = "whole"
    SHORT = "short"
    """It holds fewer listings than it says that the day has."""
    CUT = "cut"
    """It reached the route's limit: asking again would only bring it again."""
    QUIET = "quiet"
    """It has nothing of that day."""
    UNCHECKED = "unchecked"
    """It is whole, unless it is the day before again: that day is not known yet, so nobody can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAnswer:
    """What a route last answered about a batch.

    Attributes:
        at: when the answer had come.
        listed: how many listings it had.
        expected: how many it said there are; None if it did not say.
    """

    route: str
    at: datetime
    verdict: DayVerdict
    listed: int
    expected: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The account of one source, section and announcement day.

    Attributes:
        due_at: when it should be out.
        expected: how many listings the source said there are; None if it does not say.
        received: how many listings are stored.
        late: how many of them came when it had already been complete or empty.
        asked_at: when the last attempt ended, whatever came of it.
        answered_at: when the source last gave a readable answer for this day, empty ones too.
        error: what went wrong at the last attempt, in the words of the host or of its source, "" if nothing did; for
            the operator alone, and not kept with editions.
        failure: what readers are told of it; None if nothing went wrong.
        answers: what each route last answered about it.
        fills: its source's days fill while they last.
        usual: how many listings its section usually has on a day; None where it is not known, or was not looked up.
    """

    id: int
    source: str
    section: str
    day: date
    state: BatchState
    due_at: datetime
    expected: int | None = None
    received: int = 0
    late: int = 0
    asked_at: datetime | None = None
    answered_at: datetime | None = None
    error: str = ""
    failure: FailureKind | None = None
    answers: tuple[DayAnswer, ...] = ()
    fills: bool = False
    usual: int | None = None

    @property
    def is_filling(self) -> bool:
        """Whether what there is of it is all there is so far: nothing is missing, and more may come."""
        was_asked = self.state is BatchState.WAITING and self.answered_at is not None
        return self.fills and self.failure is None and (was_asked or self.state is BatchState.PARTIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteState:
    """How asking a section by one route went.

    Attributes:
        url: where the validators are from; they mean nothing for another address.
        etag: the validator of the last whole answer, "" if none; so are ``last_modified`` and ``body_hash``.
        cursor: what the source remembers from page to page.
        unfinished: its last answer was one page of several, and the rest has not come.
        asked_at: when the last attempt ended.
        answered_at: when an attempt last ended well.
        next_at: our own pause: not asked before it, unless a person asks.
        interval: between two visits of a plain feed, as it has turned out; zero at first.
        freshness: what its last whole answer said about when to come again; None if nothing.
        fruitless: attempts in a row that brought nothing of what was due.
        errors: attempts in a row that failed.
        error: what went wrong at the last one, "" if nothing did.
        gone: the address is gone for good (HTTP 410): it is not asked, unless a person asks.
    """

    route: str
    url: str = ""
    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""
    cursor: str = ""
    unfinished: bool = False
    asked_at: datetime | None = None
    answered_at: datetime | None = None
    next_at: datetime | None = None
    interval: timedelta = timedelta(0)
    freshness: Freshness | None = None
    fruitless: int = 0
    errors: int = 0
    error: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The part of a source that is counted by itself, and how asking for it went, route by route.

    Attributes:
        since: days before it make no events: a first pull floods nobody.
        routes: those that have been asked.
    """

    source: str
    name: str
    since: date
    routes: tuple[RouteState, ...] = ()

    def get_route(self, name: str) -> RouteState:
        """How asking by a route went."""
        return next((state for state in self.routes if state.route == name), RouteState(route=name))

    @property
    def asked_at(self) -> datetime | None:
        """When the last attempt by any route ended."""
        return max((state.asked_at for state in self.routes if state.asked_at), default=None)

    @property
    def answered_at(self) -> datetime | None:
        """When an attempt by any route last ended well."""
        return max((state.answered_at for state in self.routes if state.answered_at), default=None)

    @property
    def next_at(self) -> datetime | None:
        """When our pauses are over by which it is not asked; None where there is none."""
        return min((state.next_at for state in self.routes if state.next_at), default=None)

    @property
    def last_asked(self) -> RouteState | None:
        """The route that was asked last: where one failed and another stood in, that one."""
        return max(
            (state for state in self.routes if state.asked_at), key=attrgetter("asked_at"), default=None
        )


# --- follows and what fits them -------------------------------------------------------------------


class Confidence(IntEnum):
    """How sure it is that a paper is what a follow asks for; a greater one is surer."""

    NOT = 0
    MAYBE = 1
    LIKELY = 2
    SURELY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What in a paper fits a query: a field and the words in it, as printed there, to be highlighted."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A query's answer to a paper.

    Attributes:
        in_title: something that was asked for stands in the title.
        author_confidence: how surely one of the authors is one asked for.
    """

    confidence: Confidence
    evidence: tuple[Evidence, ...]
    in_title: bool = False
    author_confidence: Confidence = Confidence.NOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a paper is in a digest: the follow as its reader wrote it, and what fits it."""

    follow: str
    confidence: Confidence
    evidence: tuple[Evidence, ...]


# --- schedules ------------------------------------------------------------------------------------


class Frequency(StrEnum):
    """How often a slot fires."""

    ONCE = "once"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    EVERY = "every"
    CRON = "cron"
    ALERT = "alert"
    """After each match pass, for the follows that ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a slot fires.

    Attributes:
        zone: an IANA name; for ``EVERY`` always ``UTC``.
        at: the wall clock, ``07:30``; "" for ``EVERY``; for ``ONCE`` the instant, UTC; for ``CRON`` the expression.
        days: weekdays 0 (Monday) … 6 for ``DAILY`` and ``WEEKLY``; days of the month for ``MONTHLY``.
        every: seconds between firings for ``EVERY``, else 0.
        latest: the wall clock by which an edition goes out complete or not; "" for none.
    """

    frequency: Frequency
    zone: str = "UTC"
    at: str = ""
    days: tuple[int, ...] = ()
    every: int = 0
    latest: str = ""


# --- editions -------------------------------------------------------------------------------------


ALERT_PREFIX = "alert-"
"""What the period of an alert begins with; the number of the last event of its window follows."""


class EditionPart(StrEnum):
    """The headings of an edition, in their order."""

    SURELY = "surely"
    MAYBE = "maybe"
    PICKED = "picked"
    """By editors or votes."""
    VERSIONS = "versions"
    """News about papers: new versions, publications, code."""


class Abstracts(StrEnum):
    """How much of each abstract a reader wants."""

    FULL = "full"
    SHORT = "short"
    """The first sentences."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A paper in an edition, with the event told and the reasons.

    Attributes:
        late: it is of a day before those that its edition waited for.
        waited: the edition before had no room for it, so it comes first in this one.
    """

    event: Event
    part: EditionPart
    reasons: tuple[Reason, ...]
    score: float
    late: bool = False
    waited: bool = False

    @property
    def paper(self) -> Paper:
        """The paper told of."""
        return self.event.paper


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedEdition:
    """An edition that could not reach its reader in time; the next mail names it.

    Attributes:
        edition: its number.
        period: as ``Edition`` has it; so are ``zone`` and ``composed_at``.
        page: the web address where it can be read; "" where there is none.
    """

    edition: int
    period: str
    zone: str
    composed_at: datetime
    page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One issue of a digest: what its mail, its page and its feed show.

    Attributes:
        digest: the digest's name; ``title`` is the one that readers see.
        period: the firing's local date and time, ``2026-06-12T07:30``; of an alert ``alert-12345``.
        zone: the digest's IANA zone, for the times shown.
        composed_at: its time; the Date of its mail.
        items: shown in full, in their order, part by part.
        overflow: the next ones, shown as a line each.
        dropped: how many more fit and have no room: they come first in the next edition.
        excluded: how many papers the exclusions took out.
        batches: the run's batches as they stood when it was composed.
        missed: earlier ones that could not reach whoever this message is for, the oldest first.
        language: its reader's, as ``[[digest]] language`` has it.
        abstracts: how much of each is shown.
        frequency: of the schedule that it was made by.
    """

    id: int
    digest: str
    title: str
    period: str
    zone: str
    composed_at: datetime
    items: tuple[Item, ...]
    overflow: Sequence[Item] = field(default=(), hash=False)  # not read for that
    dropped: int = 0
    excluded: int = 0
    batches: tuple[Batch, ...] = ()
    missed: tuple[MissedEdition, ...] = ()
    language: str = "en"
    abstracts: Abstracts = Abstracts.SHORT
    frequency: Frequency = Frequency.DAILY

    @property
    def is_alert(self) -> bool:
        """Whether it was told at once, for a follow that wants that, and not by the digest's schedule."""
        return self.period.startswith(ALERT_PREFIX)


# --- runs ------------------------------------------------------------------------------------------


class RunState(StrEnum):
    """How far a run is."""

    OPEN = "open"
    """It has fired and has no window yet."""
    CLOSED = "closed"
    """Its window and shards are made; editions are being composed."""
    COMPOSED = "composed"
    MERGED = "merged"
    """Its slot fired again before it closed: the later run has its papers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One firing of a slot, for one period.

    Attributes:
        latest_at: when its editions go out complete or not; None for none.
        closed_at: when it had its window; None until then.
        ready_seq: the highest seq when it became ready; it closes when all up to there is matched.
        from_seq: the window begins after it; None until it is closed.
        to_seq: the window ends with it; None until it is closed.
    """

    id: int
    slot: int
    period: str
    state: RunState
    fire_at: datetime
    made_at: datetime
    latest_at: datetime | None = None
    closed_at: datetime | None = None
    ready_seq: int | None = None
    from_seq: int | None = None
    to_seq: int | None = None

    @property
    def is_alert(self) -> bool:
        """Whether it was made of what follows fit that want to tell at once."""
        return self.period.startswith(ALERT_PREFIX)


# --- deliveries -----------------------------------------------------------------------------------


class MessageForm(StrEnum):
    """The form of a message that a channel wants."""

    MAIL = "mail"
    STORED_MAIL = "stored-mail"
    """A mail that is put into a folder: its address is that folder, and no reader's."""
    FILES = "files"
    CHAT = "chat"
    """For people to read in a chat or on a phone."""
    JSON = "json"
    """For programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A whole message as RFC 5322 has it, with its envelope.

    Attributes:
        delivery: the delivery that it carries.
        sender: the envelope's sender, a bare address.
        recipient: the envelope's recipient, a bare address.
        message_id: with its angle brackets.
        content: the bytes, lines ending in CRLF.
    """

    delivery: int
    sender: str
    recipient: str
    message_id: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSet:
    """The files of an edition.

    Attributes:
        delivery: the delivery that it carries.
        folder: where the reader wants them, absolute.
        files: path relative to the folder, and content.
    """

    delivery: int
    folder: str
    files: tuple[tuple[str, bytes], ...]


class Span(NamedTuple):
    """A stretch of a line in a chat.

    Attributes:
        text: what is read there, as it is; it is escaped where it is put into a markup.
        url: where it leads, or "".
        strong: whether it stands out.
    """

    text: str
    url: str = ""
    strong: bool = False


Block = tuple[tuple[Span, ...], ...]
"""Lines that belong together: no message of a chat ends between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What is said in a chat, in one message or in several: how many, and in which markup, its service decides.

    Attributes:
        delivery: the delivery that it carries.
        address: the destination's, without its secrets.
        title: a single line.
        opening: what comes first.
        papers: each in full, and as a single line for where that would be too long.
        omission_notices: what is said where the last papers find no room: of none of them, of one, and so on; "" for nothing.
        page: where all of it can be read, or "".
        page_label: what leads there.
        sent_parts: so many messages of it, the first ones, are there already.
    """

    delivery: int
    address: str
    title: str
    opening: Block = ()
    papers: tuple[tuple[Block, Block], ...] = ()
    omission_notices: tuple[str, ...] = ("",)
    page: str = ""
    page_label: str = ""
    sent_parts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a program is told.

    Attributes:
        delivery: the delivery that it carries.
        address: the destination's, without its secrets.
        idempotency_key: the same at each attempt, and no other's: who has seen it need not look again.
        content: JSON, in UTF-8.
    """

    delivery: int
    address: str
    idempotency_key: str
    content: bytes


Message = Mail | FileSet | Chat | Document


class Fault(StrEnum):
    """Whose fault it is that a message was not taken."""

    ADDRESS = "address"
    """It is about this recipient: others at the same server are none the worse."""
    DOMAIN = "domain"
    """The recipient's server wants less from us, or is in trouble."""
    OURS = "ours"
    """Our server, our connection, our reputation or our message: no reader is to suffer for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The other side has it."""

    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deferred:
    """Not now: try again. Where the fault is ours, the attempt counts only if the server takes other messages.

    Attributes:
        tried: False where the way was in trouble before the other side heard of this message; says nothing about it.
        retry_after: how long the other side asks us to wait; None if it does not say.
        sent_parts: how many messages of it the other side has, the first ones.
    """

    answer: str
    fault: Fault = Fault.ADDRESS
    tried: bool = True
    retry_after: timedelta | None = None
    sent_parts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Never: trying again would change nothing."""

    answer: str
    fault: Fault = Fault.ADDRESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The connection ended after the message and before the answer: it may have arrived.

    Attributes:
        sent_parts: how many messages of it the other side has for sure, the first ones.
    """

    answer: str
    sent_parts: int = 0


Receipt = Sent | Deferred | Refused | Unknown


class BounceClass(StrEnum):
    """What is said of an address, once it is over with a message, by whatever road it comes."""

    GONE = "gone"
    """There is no such address."""
    CLOSED = "closed"
    """It takes no mail any more, as far as its server says; said twice, it is as good as gone."""
    SOFT = "soft"
    """This message did not reach it; a later one may."""
    DOMAIN = "domain"
    """Its server wants less from us, or is in trouble: nothing is said of the address."""
    OURS = "ours"
    """Our server, reputation, signature or message is at fault, and nobody else."""
    COMPLAINT = "complaint"
    """Its reader called the message unwanted."""
    NOTHING = "nothing"
    """A message is late, has arrived, or was answered by a machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchKeys:
    """By what a report may say which message of ours it is about; some of it can be told by anybody.

    Attributes:
        senders: envelope senders that it quotes, and addresses that it came to.
        message_ids: with their angle brackets.
        unsubscribe_tokens: the tokens of addresses where it can be unsubscribed.
        recipients: whom it was for, as far as it says.
    """

    senders: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    unsubscribe_tokens: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What somebody says became of a message of ours after it had been taken.

    Attributes:
        status: the enhanced status code (RFC 3463), "" if there is none.
        answer: what was said, in a line.
        match_keys: which message.
        is_trusted: who says it is known, so it can be about a message that only its recipient tells.
        at: when it happened, as it says; None if it does not.
    """

    bounce_class: BounceClass
    status: str = ""
    answer: str = ""
    match_keys: MatchKeys = MatchKeys()
    is_trusted: bool = False
    at: datetime | None = None


# --- what a source says of itself -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """When a source announces.

    Attributes:
        zone: the IANA zone that its days are counted in.
        weekdays: the weekdays it may announce on, 0 is Monday; what is a holiday is for the batch to find out.
        opens: from the day's midnight to when the first of its routes has the day, by the wall clock; can be negative.
        fills: the day fills while it lasts: it is asked until it is over, and no run waits for it.
    """

    zone: str
    weekdays: frozenset[int]
    opens: timedelta = timedelta(0)
    fills: bool = False


class Scope(StrEnum):
    """What a route brings when it is asked."""

    LATEST = "latest"
    """The day that is out at the moment, whichever that is."""
    DAY = "day"
    """The one day that it is asked for."""
    RECORDS = "records"
    """What changed since it was last asked, whatever the day: papers without an announcement day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way to ask a source.

    Attributes:
        opens: from a day's midnight to when the route has that day, by the wall clock; can be negative.
        keeps: for how long after a day's midnight it can bring that day; None for ever.
        spans: a route of days that can be asked for several in a row at once.
        weekdays: when a route of records has something new, 0 is Monday; None for the weekdays of the calendar.
    """

    name: str
    scope: Scope
    opens: timedelta = timedelta(0)
    keeps: timedelta | None = timedelta(days=1)
    spans: bool = False
    weekdays: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What to ask a source: decided by the ledger, put into a request by the source.

    Attributes:
        day: for a route of days the one wanted, or the first one; for one of records the first day of
            change wanted, None to go on where it stopped.
        until: the last day wanted, where there are several; None for one day, or for records up to now.
    """

    source: str
    section: str
    route: str
    day: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How often a feed says that it is worth asking.

    Attributes:
        ttl: the least time between two visits that its maker asks for; None if it does not say.
        skip_hours: the hours, UTC, in which nothing comes.
        skip_weekdays: the weekdays, UTC, on which nothing comes; 0 is Monday.
    """

    ttl: timedelta | None = None
    skip_hours: frozenset[int] = frozenset()
    skip_weekdays: frozenset[int] = frozenset()
