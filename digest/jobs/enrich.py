"""Enrich: fetch what other services have about the papers and persons that readers see, in batches.

``subjects → due ones → quota → rate limit → fetch → parse → one transaction{records, events, signals, ids, next time}``
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, zip_longest

from digest.core.names.fitting import NameMatch, match_names
from digest.core.papers.links import add_paper_links
from digest.core.papers.news import GROWTH_PERIOD
from digest.errors import SourceError
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.fetch_results import Fetched, FetchFailure
from digest.jobs.http.rate_limited import fetch_rate_limited
from digest.jobs.http.received_pages import redact_findings
from digest.model import Paper, PaperKey, RouteState, Subject, SubjectKind
from digest.ports import Enricher, EnricherPage, PersonPapers, Request
from digest.redaction import redact
from digest.store import citations, enrichments, people
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import listings
from digest.store.papers import authorships, events, papers, signals
from digest.store.papers.authorships import BylineRecord
from digest.store.people import BylineRef

MAX_SHOWN_AGE = timedelta(days=30)
"""Period after an edition for which the papers in it are enriched."""
_REFRESH_AFTER = {SubjectKind.PAPER: timedelta(days=7), SubjectKind.PERSON: timedelta(days=30)}
"""Interval between two requests for a subject that the service knows.

Numbers grow slowly, and services join and split the IDs of persons from month to month.
"""
_RETRY_UNKNOWN_AFTER = timedelta(days=3)
"""Interval between two requests for a subject that the service does not know.

New papers reach services within days.
"""
_RETRY_REFUSED_AFTER = timedelta(days=1)
"""Pause after a refused request for a subject (a locked record, an invalid ID).

It prevents that the same subjects are requested before all others.
"""
_MAX_REQUESTS = 20
"""Maximum number of requests to one service in a cycle; the rest follows in the next one."""
_MAX_REFUSALS = 3
"""Number of refusals in one pass after which the service itself is considered the cause, and is left alone."""
_BATCH_REFUSED_STATUSES = frozenset({400, 413, 414})
"""HTTP statuses with which services refuse a whole batch because of one invalid subject."""


_PROBE_SUBJECTS = (
    Subject(kind=SubjectKind.PAPER, key="arxiv:1706.03762", ids=(("arxiv", "1706.03762"),)),
    Subject(kind=SubjectKind.PAPER, key="doi:10.1038/nature14539", ids=(("doi", "10.1038/nature14539"),)),
    Subject(
        kind=SubjectKind.PERSON, key="orcid:0000-0002-1825-0097", ids=(("orcid", "0000-0002-1825-0097"),)
    ),
)
"""*Attention is all you need*, *Deep learning*, and Josiah Carberry, a fictitious person in ORCID."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentResult:
    """The result of a batch.

    Attributes:
        name: the title of the enricher.
        kind: papers or persons.
        requested: the number of requested subjects.
        known_count: how many of them the service knows.
        events: the number of events that resulted.
        unread: a sentence for each record that could not be read.
        error: what went wrong; "" if nothing did.
    """

    name: str
    kind: SubjectKind
    requested: int
    known_count: int = 0
    events: int = 0
    unread: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherBacklog:
    """The state of an enricher, and what it still has to be queried for.

    Attributes:
        request_state: the requests of the day, and the last error.
        quota: requests a day.
        waiting: the number of papers and persons that are due.
    """

    request_state: enrichments.EnricherStatus
    title: str
    quota: int
    waiting: int


def load_backlogs(
    store: Store, enrichers: Mapping[str, Enricher], now: datetime
) -> tuple[EnricherBacklog, ...]:
    """Load the state of all enrichers."""
    with store.begin_read() as tx:
        if not enrichers:
            return ()
        candidates = _EnrichmentCandidates.load(tx, now)
        return tuple(
            EnricherBacklog(
                request_state=enrichments.load_status(tx, name, now.date()),
                title=enricher.title,
                quota=enricher.quota,
                waiting=sum(map(len, candidates.list_due(tx, enricher, now))),
            )
            for name, enricher in enrichers.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _EnrichmentCandidates:
    """The papers and persons to enrich.

    Attributes:
        named: papers that readers follow, save, or use in ``cites:``.
        shown_subjects: papers in recent editions, and persons.
        opened: persons whose public pages were opened lately.
        cited: keys of the papers that follows use in ``cites:``.
    """

    named: Sequence[Subject]
    shown_subjects: Sequence[Subject]
    opened: Sequence[Subject]
    cited: Collection[PaperKey]

    @classmethod
    def load(cls, tx: Transaction, now: datetime) -> _EnrichmentCandidates:
        """Load all candidates."""
        named = citations.list_named_papers(tx)
        return cls(
            named=citations.make_subjects(tx, named.keys),
            shown_subjects=enrichments.list_subjects(tx, now - MAX_SHOWN_AGE),
            opened=enrichments.list_opened(tx, now),
            cited=named.cited,
        )

    def list_due(
        self, tx: Transaction, enricher: Enricher, now: datetime, limit: int | None = None
    ) -> tuple[Sequence[Subject], ...]:
        """List the subjects for which an enricher is due, by reason; each occurs once.

        An enricher with references is also queried for papers that readers name, because their IDs tell what
        cites them, and for all recent papers if any follow uses ``cites:``.

        Args:
            tx: a transaction.
            enricher: the enricher.
            now: the current time, UTC.
            limit: the maximum number of recent papers, since one pass cannot request more; None for all.

        Returns:
            Named subjects, shown subjects, recent papers and opened subjects; only the shown and the opened ones
            for an enricher without references.
        """
        shown_due = enrichments.list_due(
            tx, enricher.name, filter(enricher.is_supported, self.shown_subjects), now
        )
        opened_due = _exclude(self._list_opened_due(tx, enricher, now), shown_due)
        if not enricher.has_references:
            return shown_due, opened_due
        named_due = enrichments.list_due(tx, enricher.name, filter(enricher.is_supported, self.named), now)
        shown_due = _exclude(shown_due, named_due)
        opened_due = _exclude(opened_due, named_due)
        keys = {
            subject.key
            for subject in (*named_due, *shown_due, *opened_due)
            if subject.kind is SubjectKind.PAPER
        }
        new_subjects = (
            citations.iter_unrequested(tx, enricher.name, now.date() - GROWTH_PERIOD, now)
            if self.cited
            else iter(())
        )
        others = (
            subject for subject in new_subjects if subject.key not in keys and enricher.is_supported(subject)
        )
        return named_due, shown_due, list(islice(others, limit)), opened_due

    def _list_opened_due(self, tx: Transaction, enricher: Enricher, now: datetime) -> list[Subject]:
        """List the opened subjects; none when half of the day's quota is used, since a crawler opens every page."""
        used_requests = enrichments.load_status(tx, enricher.name, now.date()).requests
        if used_requests * 2 >= enricher.quota:
            return []
        return enrichments.list_due(tx, enricher.name, filter(enricher.is_supported, self.opened), now)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentRunner:
    """Queries enrichers and stores their answers.

    Attributes:
        enrichers: the configured enrichers, by name.
        token: the token of this worker, which holds buckets.
        clock: returns the time, UTC.
        sleep: waits until a bucket is free, in seconds.
    """

    store: Store
    enrichers: Mapping[str, Enricher]
    fetcher: Fetcher
    token: int
    clock: Clock
    sleep: Callable[[float], None]

    def enrich_all(self, max_requests: int = _MAX_REQUESTS) -> Iterator[EnrichmentResult]:
        """Query each enricher for the subjects that are due, with at most this number of requests each."""
        if not self.enrichers:
            return
        with self.store.begin_read() as tx:
            candidates = _EnrichmentCandidates.load(tx, self.clock())
        for enricher in self.enrichers.values():
            yield from self._query_enricher(enricher, candidates, max_requests)

    def _query_enricher(
        self, enricher: Enricher, candidates: _EnrichmentCandidates, max_requests: int
    ) -> Iterator[EnrichmentResult]:
        """Query one enricher; a batch that is refused as a whole is halved until the invalid subject is found."""
        with self.store.begin_read() as tx:
            due_groups = candidates.list_due(
                tx, enricher, self.clock(), max_requests * enricher.get_batch_size(SubjectKind.PAPER)
            )
        # The reasons take turns, so that today's papers do not wait for a library of thousands.
        rounds = zip_longest(*(_split_batches(enricher, due) for due in due_groups))
        batches: deque[Sequence[Subject]] = deque(
            batch for round_batches in rounds for batch in round_batches if batch
        )
        errors: list[str] = []
        for _ in range(max_requests):
            if not batches or len(errors) == _MAX_REFUSALS:
                break
            outcome = self._query_batch(enricher, batches.popleft(), candidates.cited)
            batches.extendleft(outcome.halves)
            if outcome.progress is not None:
                yield outcome.progress
                errors += filter(None, [outcome.progress.error])
            if outcome.is_over:
                break
        if errors:  # a later answer must not hide the error
            with self.store.begin_ingest() as tx:
                enrichments.note_answer(tx, enricher.name, errors[-1], self.clock())

    def try_request(self, enricher: Enricher) -> EnrichmentResult | None:
        """Request a subject that every service knows, and store nothing; return None if the day's quota is used up."""
        subject = next(
            subject
            for subject in _PROBE_SUBJECTS
            if enricher.get_batch_size(subject.kind) and enricher.is_supported(subject)
        )
        with self.store.begin_write() as tx:
            if not enrichments.take_request(tx, enricher.name, self.clock().date(), enricher.quota):
                return None
        answer = self._fetch_answer(enricher, enricher.make_request([subject]), [subject])
        known_count = len(answer.findings.known_keys)
        return EnrichmentResult(
            name=enricher.title, kind=subject.kind, requested=1, known_count=known_count, error=answer.error
        )

    def _query_batch(
        self, enricher: Enricher, batch: Sequence[Subject], cited: Collection[PaperKey]
    ) -> _BatchOutcome:
        """Query an enricher for a batch, page by page."""
        progress = EnrichmentResult(name=enricher.title, kind=batch[0].kind, requested=len(batch))
        remaining = list(batch)
        next_request: Request | None = enricher.make_request(batch)
        while next_request is not None:
            with self.store.begin_write() as tx:
                if not enrichments.take_request(tx, enricher.name, self.clock().date(), enricher.quota):
                    return _BatchOutcome(is_over=True)
            answer = self._fetch_answer(enricher, next_request, batch)
            next_request = answer.findings.next
            if answer.status in _BATCH_REFUSED_STATUSES and answer.error and len(remaining) > 1:
                middle = len(remaining) // 2
                return _BatchOutcome(halves=(remaining[:middle], remaining[middle:]))
            with self.store.begin_ingest() as tx:
                enrichments.note_answer(tx, enricher.name, answer.error, self.clock())
                if answer.error:
                    self._defer_batch(tx, enricher.name, remaining if answer.status else ())
                    return _BatchOutcome(
                        progress=replace(progress, error=answer.error), is_over=not answer.is_refused
                    )
                event_count = self._save_findings(tx, enricher, remaining, answer.findings, cited)
            known_keys = answer.findings.known_keys
            remaining = [subject for subject in remaining if subject.key not in known_keys]
            unread = (*progress.unread, *map(redact, answer.findings.unread))
            progress = replace(
                progress,
                known_count=progress.known_count + len(known_keys),
                events=progress.events + event_count,
                unread=unread,
            )
        return _BatchOutcome(progress=progress)

    def _fetch_answer(
        self, enricher: Enricher, request: Request, batch: Sequence[Subject]
    ) -> _EnricherAnswer:
        answer = fetch_rate_limited(
            self.store,
            enricher,
            request,
            RouteState(route=request.route),
            self.fetcher,
            token=self.token,
            clock=self.clock,
            sleep=self.sleep,
        )
        if isinstance(answer, FetchFailure):
            return _EnricherAnswer(error=redact(answer.message))
        if not isinstance(answer, Fetched):
            return _EnricherAnswer(error="it has no data at this address")
        status = answer.response.status
        try:
            findings = enricher.read(request, batch, answer.response, self.clock().date())
            return _EnricherAnswer(
                findings=redact_findings(findings, enricher, answer.response), status=status
            )
        except SourceError as error:
            return _EnricherAnswer(error=redact(str(error)), status=status)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug in one enricher must not delay mail
            mistake = f"the enricher plug-in failed to read the answer, which is a bug in it: {error!r}"
            return _EnricherAnswer(error=redact(mistake), status=status)

    def _save_findings(
        self,
        tx: Transaction,
        enricher: Enricher,
        batch: Sequence[Subject],
        findings: EnricherPage,
        cited: Collection[PaperKey],
    ) -> int:
        now = self.clock()
        event_count = 0
        if findings.records:
            records = _add_cited_keys(tx, map(add_paper_links, findings.records), cited)
            event_count = listings.save_records(tx, enricher.name, records, now.date(), cited).events
        signals.save_signals(tx, findings.signals)
        _record_same_ids(tx, enricher.name, findings.same_person_ids, now)
        for signed in findings.person_papers:
            _record_signatures(tx, enricher.name, signed, now)
        # Further pages may have more subjects, so a subject counts as unknown only after the last page.
        answered_subjects = [
            subject for subject in batch if subject.key in findings.known_keys or findings.next is None
        ]
        young_keys = _find_young_papers(tx, enricher, answered_subjects, now.date())
        next_at = {
            subject.key: _compute_next_at(
                subject,
                is_known=subject.key in findings.known_keys,
                is_young=subject.key in young_keys,
                now=now,
            )
            for subject in answered_subjects
        }
        enrichments.record_requests(
            tx, enricher.name, answered_subjects, known_keys=findings.known_keys, next_at=next_at, now=now
        )
        return event_count

    def _defer_batch(self, tx: Transaction, name: str, batch: Sequence[Subject]) -> None:
        now = self.clock()
        next_at = dict.fromkeys((subject.key for subject in batch), now + _RETRY_REFUSED_AFTER)
        enrichments.record_requests(tx, name, batch, known_keys=(), next_at=next_at, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class _EnricherAnswer:
    """The answer to one request.

    Attributes:
        findings: the content of the answer.
        status: the HTTP status; 0 if there was no answer to read.
        error: why there are no findings; "" if there are.
    """

    findings: EnricherPage = field(default_factory=EnricherPage)
    status: int = 0
    error: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the refusal is about the requested subjects, so that others may still be requested."""
        return 400 <= self.status < 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _BatchOutcome:
    """The outcome of a batch.

    Attributes:
        progress: the result to report; None if there is nothing to report.
        halves: the two halves to request instead of the batch.
        is_over: whether no further requests can be made in this pass.
    """

    progress: EnrichmentResult | None = None
    halves: tuple[Sequence[Subject], ...] = ()
    is_over: bool = False


def _find_young_papers(
    tx: Transaction, enricher: Enricher, subjects: Iterable[Subject], today: date
) -> frozenset[str]:
    """Return the keys of papers that are so new that their numbers change every day."""
    if not enricher.daily_period:
        return frozenset()
    numbers = papers.find_papers(
        tx, [PaperKey(entry.key) for entry in subjects if entry.kind is SubjectKind.PAPER]
    )
    groups = papers.load_groups(tx, numbers.values())
    since = today - enricher.daily_period
    days = events.load_first_days(tx, {member for group in groups.values() for member in group})
    return frozenset(
        key
        for key, number in numbers.items()
        if (first_day := min((days[entry] for entry in groups[number] if entry in days), default=None))
        and first_day > since
    )


def _compute_next_at(subject: Subject, *, is_known: bool, is_young: bool, now: datetime) -> datetime:
    """Compute when to request a subject again.

    Young papers are due from midnight (UTC), so that a run at the same time each day is never too early. This
    includes unknown ones: most become known within days.
    """
    if is_young:
        return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time.min, UTC)
    return now + (_REFRESH_AFTER[subject.kind] if is_known else _RETRY_UNKNOWN_AFTER)


def _add_cited_keys(tx: Transaction, records: Iterable[Paper], cited: Collection[PaperKey]) -> list[Paper]:
    """Add to the references of records the keys with which follows name the same papers; services use other IDs."""
    papers_read = list(records)
    if not cited or not any(paper.references for paper in papers_read):
        return papers_read
    aliases = citations.load_aliases(tx, cited)
    return [
        replace(paper, references=tuple(dict.fromkeys((*paper.references, *cited_keys))))
        if (cited_keys := [key for reference in paper.references for key in aliases.get(reference, ())])
        else paper
        for paper in papers_read
    ]


def _exclude(subjects: Iterable[Subject], others: Iterable[Subject]) -> list[Subject]:
    """Return the subjects that are not among others."""
    keys = {(subject.kind, subject.key) for subject in others}
    return [subject for subject in subjects if (subject.kind, subject.key) not in keys]


def _split_batches(enricher: Enricher, due: Iterable[Subject]) -> Iterator[list[Subject]]:
    """Split subjects into batches of one kind that fit into one request, in their order."""
    by_kind: dict[SubjectKind, list[Subject]] = {kind: [] for kind in SubjectKind}
    for subject in due:
        by_kind[subject.kind].append(subject)
    for kind, subjects in by_kind.items():
        size = enricher.get_batch_size(kind)
        for start in range(0, len(subjects) if size else 0, size or 1):
            yield subjects[start : start + size]


def _record_same_ids(
    tx: Transaction,
    source_name: str,
    same: Iterable[tuple[tuple[str, str], tuple[str, str]]],
    now: datetime,
) -> None:
    """For each pair of IDs of the same person, record the second ID for a byline that has the first one."""
    pairs = dict.fromkeys(
        pair for first_id, second_id in same for pair in ((first_id, second_id), (second_id, first_id))
    )
    signed = authorships.find_bylines_by_id(tx, {first_id for first_id, _ in pairs})
    for first_id, second_id in pairs:
        if byline := signed.get(first_id):
            _record_id(tx, source_name, byline, second_id, now)


def _record_signatures(tx: Transaction, source_name: str, signed: PersonPapers, now: datetime) -> None:
    """Record a person's ID for the byline of each paper that fully matches one of the person's names.

    A paper on which several bylines match is skipped, because it cannot be decided which one is meant.
    """
    numbers = {number for key in signed.papers if (number := papers.find_by_id(tx, *key.split(":", 1)))}
    for bylines in authorships.load_bylines(tx, numbers).values():
        matching_bylines = [
            byline
            for byline in bylines
            if any(match_names(name, byline.name) is NameMatch.FULL for name in signed.names)
        ]
        if len(matching_bylines) == 1:
            _record_id(tx, source_name, matching_bylines[0], signed.id, now)


def _record_id(
    tx: Transaction, source_name: str, byline: BylineRecord, person_id: tuple[str, str], now: datetime
) -> None:
    """Record an ID of a byline's person, unless it is already recorded."""
    paper, position = byline.place
    named_byline = BylineRef(paper, position, byline.name)
    stored_ids = people.load_person_ids(tx, {paper})
    if not any(
        (stored_id.scheme, stored_id.value) == person_id and stored_id.one == named_byline
        for stored_id in stored_ids
    ):
        people.save_person_ids(tx, named_byline, [person_id], by=source_name, at=now)
