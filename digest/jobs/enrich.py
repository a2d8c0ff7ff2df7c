"""Enrich: what others know of the papers and persons that readers see, in batches, the longest unasked first.

``wanted → due → a request of the quota → turn → fetch → read → one transaction{records, events, signals, ids, when again}``
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, zip_longest

from digest.core.names.fitting import NameFit, name_fit
from digest.core.papers.links import linked
from digest.core.papers.news import GROWS_FOR
from digest.errors import SourceError
from digest.jobs.http.fetch import Clock, Fetcher
from digest.jobs.http.fetch_results import Got, Trouble
from digest.jobs.http.rate_limited import ask_in_turn
from digest.model import Paper, PaperKey, RouteState, Subject, SubjectKind
from digest.ports import Enricher, Findings, Request, Signed
from digest.redaction import redact
from digest.store import citations, enrichments, people
from digest.store.database.engine import Store, Transaction
from digest.store.fetching import listings
from digest.store.papers import authorships, events, papers, signals
from digest.store.papers.authorships import Byline
from digest.store.people import Named

SHOWN = timedelta(days=30)
"""A paper that was shown longer ago is left alone."""
_AGAIN = {SubjectKind.PAPER: timedelta(days=7), SubjectKind.PERSON: timedelta(days=30)}
"""Numbers grow slowly, and ids of persons are joined and parted from month to month."""
_UNKNOWN = timedelta(days=3)
"""Services hear of new papers in days."""
_REFUSED = timedelta(days=1)
"""Who is refused by name (a locked record, an id that cannot be) is left alone, so that the others have their turn."""
_AT_ONCE = 20
"""Requests to one service in one go: a cycle has other work, and the rest follows in the next one."""
_PATIENCE = 3
"""After so many refusals in one go it is not about those whom we asked for."""
_TOO_MUCH = frozenset({400, 413, 414})
"""One that cannot be understood makes services refuse all of a batch."""


_FAMOUS = (
    Subject(kind=SubjectKind.PAPER, key="arxiv:1706.03762", ids=(("arxiv", "1706.03762"),)),
    Subject(kind=SubjectKind.PAPER, key="doi:10.1038/nature14539", ids=(("doi", "10.1038/nature14539"),)),
    Subject(
        kind=SubjectKind.PERSON, key="orcid:0000-0002-1825-0097", ids=(("orcid", "0000-0002-1825-0097"),)
    ),
)
"""*Attention is all you need*, *Deep learning*, and Josiah Carberry, whom ORCID invented."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """What has come of one request.

    Attributes:
        name: of the enricher, as people know it.
        asked: for how many papers or persons, ``kind``.
        found: how many of them it knows.
        events: how many there are to tell because of it.
        unread: records of the answer that could not be read, in words.
        error: what went wrong; "" if nothing did.
    """

    name: str
    kind: SubjectKind
    asked: int
    found: int = 0
    events: int = 0
    unread: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How asking an enricher goes.

    Attributes:
        quota: requests a day.
        waiting: how many papers and persons it is to be asked for.
    """

    asked: enrichments.Asked
    title: str
    quota: int
    waiting: int


def backlogs(store: Store, enrichers: Mapping[str, Enricher], now: datetime) -> tuple[Backlog, ...]:
    """How asking all of them goes."""
    with store.reading() as tx:
        if not enrichers:
            return ()
        wanted = _Wanted.read(tx, now)
        return tuple(
            Backlog(
                asked=enrichments.asked(tx, name, now.date()),
                title=enricher.title,
                quota=enricher.quota,
                waiting=sum(map(len, wanted.due(tx, enricher, now))),
            )
            for name, enricher in enrichers.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Of whom more is to be known.

    Attributes:
        named: papers that readers follow, save or ask to be cited.
        shown: papers that were shown, and persons.
        cited: the keys of papers of which follows ask by what they are cited.
    """

    named: Sequence[Subject]
    shown: Sequence[Subject]
    cited: Collection[PaperKey]

    @classmethod
    def read(cls, tx: Transaction, now: datetime) -> _Wanted:
        """All of them."""
        named = citations.named_papers(tx)
        return cls(
            named=citations.subjects_of(tx, named.keys),
            shown=enrichments.wanted(tx, now - SHOWN),
            cited=named.cited,
        )

    def due(
        self, tx: Transaction, enricher: Enricher, now: datetime, most: int | None = None
    ) -> tuple[Sequence[Subject], ...]:
        """For whom an enricher is to be asked now, by why: each is there once.

        Who knows what papers cite is asked for the papers that readers name, by whose ids it is known then what cites
        them, and where follows ask for that also for all that was new lately.

        Args:
            tx: a transaction.
            enricher: which.
            now: the time.
            most: of the papers that were new no more are read, for no more are asked for in one go.
        """
        shown = enrichments.due(tx, enricher.name, filter(enricher.knows, self.shown), now)
        if not enricher.tells_references:
            return (shown,)
        named = enrichments.due(tx, enricher.name, filter(enricher.knows, self.named), now)
        keys = {one.key for one in named if one.kind is SubjectKind.PAPER}
        shown = [one for one in shown if one.kind is not SubjectKind.PAPER or one.key not in keys]
        keys |= {one.key for one in shown if one.kind is SubjectKind.PAPER}
        new = citations.unasked(tx, enricher.name, now.date() - GROWS_FOR, now) if self.cited else iter(())
        others = (one for one in new if one.key not in keys and enricher.knows(one))
        return named, shown, list(islice(others, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquirer:
    """Asks enrichers and keeps what they know.

    Attributes:
        enrichers: those of the configuration, by name.
        token: of this worker: others see by it who is asking a host.
        clock: gives the time.
        sleep: waits for a host's turn, in seconds.
    """

    store: Store
    enrichers: Mapping[str, Enricher]
    fetcher: Fetcher
    token: int
    clock: Clock
    sleep: Callable[[float], None]

    def enrich(self, most: int = _AT_ONCE) -> Iterator[Enriched]:
        """Ask each enricher for those that it is to be asked for, with so many requests at the most."""
        if not self.enrichers:
            return
        with self.store.reading() as tx:
            wanted = _Wanted.read(tx, self.clock())
        for enricher in self.enrichers.values():
            yield from self._ask_for(enricher, wanted, most)

    def _ask_for(self, enricher: Enricher, wanted: _Wanted, most: int) -> Iterator[Enriched]:
        """Ask one enricher; a batch that it refuses as a whole is halved until it is known who it is about."""
        with self.store.reading() as tx:
            kinds = wanted.due(tx, enricher, self.clock(), most * enricher.most(SubjectKind.PAPER))
        # In turn: of a library of thousands, what was shown today need not wait.
        in_turn = zip_longest(*(_batches(enricher, due) for due in kinds))
        batches: deque[Sequence[Subject]] = deque(batch for turn in in_turn for batch in turn if batch)
        errors: list[str] = []
        for _ in range(most):
            if not batches or len(errors) == _PATIENCE:
                break
            outcome = self._ask(enricher, batches.popleft(), wanted.cited)
            batches.extendleft(outcome.halves)
            if outcome.told is not None:
                yield outcome.told
                errors += filter(None, [outcome.told.error])
            if outcome.is_over:
                break
        if errors:  # what was answered after it does not mend it
            with self.store.keeping() as tx:
                enrichments.note_answer(tx, enricher.name, errors[-1], self.clock())

    def try_one(self, enricher: Enricher) -> Enriched | None:
        """Ask for a paper or a person that every service knows, and keep nothing; None where the day has no request left."""
        one = next(one for one in _FAMOUS if enricher.most(one.kind) and enricher.knows(one))
        with self.store.writing() as tx:
            if not enrichments.take_request(tx, enricher.name, self.clock().date(), enricher.quota):
                return None
        heard = self._heard(enricher, enricher.ask([one]), [one])
        found = len(heard.findings.found)
        return Enriched(name=enricher.title, kind=one.kind, asked=1, found=found, error=heard.error)

    def _ask(self, enricher: Enricher, batch: Sequence[Subject], cited: Collection[PaperKey]) -> _Outcome:
        """Ask for a batch, page by page."""
        told = Enriched(name=enricher.title, kind=batch[0].kind, asked=len(batch))
        left = list(batch)
        following: Request | None = enricher.ask(batch)
        while following is not None:
            with self.store.writing() as tx:
                if not enrichments.take_request(tx, enricher.name, self.clock().date(), enricher.quota):
                    return _Outcome(is_over=True)
            heard = self._heard(enricher, following, batch)
            following = heard.findings.next
            if heard.status in _TOO_MUCH and heard.error and len(left) > 1:
                middle = len(left) // 2
                return _Outcome(halves=(left[:middle], left[middle:]))
            with self.store.keeping() as tx:
                enrichments.note_answer(tx, enricher.name, heard.error, self.clock())
                if heard.error:
                    self._put_off(tx, enricher.name, left if heard.status else ())
                    return _Outcome(told=replace(told, error=heard.error), is_over=not heard.is_refused)
                made = self._keep(tx, enricher, left, heard.findings, cited)
            found = heard.findings.found
            left = [one for one in left if one.key not in found]
            unread = (*told.unread, *map(redact, heard.findings.unread))
            told = replace(told, found=told.found + len(found), events=told.events + made, unread=unread)
        return _Outcome(told=told)

    def _heard(self, enricher: Enricher, request: Request, batch: Sequence[Subject]) -> _Heard:
        answer = ask_in_turn(
            self.store,
            enricher,
            request,
            RouteState(route=request.route),
            self.fetcher,
            token=self.token,
            clock=self.clock,
            sleep=self.sleep,
        )
        if isinstance(answer, Trouble):
            return _Heard(error=redact(answer.message))
        if not isinstance(answer, Got):
            return _Heard(error="it has nothing to say at this address")
        status = answer.response.status
        try:
            return _Heard(
                findings=enricher.read(request, batch, answer.response, self.clock().date()), status=status
            )
        except SourceError as error:
            return _Heard(error=redact(str(error)), status=status)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake in one enricher must hold back nobody's mail
            mistake = f"the enricher cannot read the answer, that is a mistake in it: {error!r}"
            return _Heard(error=redact(mistake), status=status)

    def _keep(
        self,
        tx: Transaction,
        enricher: Enricher,
        batch: Sequence[Subject],
        findings: Findings,
        cited: Collection[PaperKey],
    ) -> int:
        now = self.clock()
        made = 0
        if findings.records:
            records = _with_cited(tx, map(linked, findings.records), cited)
            made = listings.complete(tx, enricher.name, records, now.date(), cited).events
        signals.keep(tx, findings.signals)
        _say_same(tx, enricher.name, findings.same, now)
        for signed in findings.signed:
            _say_signed(tx, enricher.name, signed, now)
        # Of a further page others may be known: who is unknown is so when there is none.
        asked = [one for one in batch if one.key in findings.found or findings.next is None]
        young = _young(tx, enricher, asked, now.date())
        again = {
            one.key: _again(one, is_known=one.key in findings.found, is_young=one.key in young, now=now)
            for one in asked
        }
        enrichments.note(tx, enricher.name, asked, found=findings.found, next_at=again, now=now)
        return made

    def _put_off(self, tx: Transaction, name: str, batch: Sequence[Subject]) -> None:
        now = self.clock()
        again = dict.fromkeys((one.key for one in batch), now + _REFUSED)
        enrichments.note(tx, name, batch, found=(), next_at=again, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What came of one request.

    Attributes:
        status: the HTTP status; 0 where there was no answer to read.
        error: why nothing was found out; "" if it was.
    """

    findings: Findings = field(default_factory=Findings)
    status: int = 0
    error: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether it is about those who were asked for: others may be asked for."""
        return 400 <= self.status < 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What came of asking for a batch.

    Attributes:
        told: to be told; None where there is nothing to tell.
        halves: what to ask for in its place.
        is_over: the service is not to be asked further now.
    """

    told: Enriched | None = None
    halves: tuple[Sequence[Subject], ...] = ()
    is_over: bool = False


def _young(tx: Transaction, enricher: Enricher, asked: Iterable[Subject], today: date) -> frozenset[str]:
    """The papers that are so new that their numbers change from day to day."""
    if not enricher.daily_for:
        return frozenset()
    numbers = papers.find(tx, [PaperKey(one.key) for one in asked if one.kind is SubjectKind.PAPER])
    groups = papers.one_with(tx, numbers.values())
    since = today - enricher.daily_for
    days = events.first_days(tx, {member for group in groups.values() for member in group})
    return frozenset(
        key
        for key, number in numbers.items()
        if (first := min((days[one] for one in groups[number] if one in days), default=None))
        and first > since
    )


def _again(one: Subject, *, is_known: bool, is_young: bool, now: datetime) -> datetime:
    """When to ask for somebody again.

    For young papers from midnight on, so that a run at the same time each day is never early; also for those that are
    unknown so far, for most become known in their first days.
    """
    if is_young:
        return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time.min, UTC)
    return now + (_AGAIN[one.kind] if is_known else _UNKNOWN)


def _with_cited(tx: Transaction, records: Iterable[Paper], cited: Collection[PaperKey]) -> list[Paper]:
    """Records whose references have the keys by which follows ask for the papers: services name others of their ids."""
    told = list(records)
    if not cited or not any(one.references for one in told):
        return told
    known = citations.aliases(tx, cited)
    return [
        replace(one, references=tuple(dict.fromkeys((*one.references, *asked))))
        if (asked := [key for reference in one.references for key in known.get(reference, ())])
        else one
        for one in told
    ]


def _batches(enricher: Enricher, due: Iterable[Subject]) -> Iterator[list[Subject]]:
    """Subjects of one kind each, as many as may be asked for at once, in their order."""
    by_kind: dict[SubjectKind, list[Subject]] = {kind: [] for kind in SubjectKind}
    for one in due:
        by_kind[one.kind].append(one)
    for kind, subjects in by_kind.items():
        size = enricher.most(kind)
        for start in range(0, len(subjects) if size else 0, size or 1):
            yield subjects[start : start + size]


def _say_same(
    tx: Transaction,
    by: str,
    same: Iterable[tuple[tuple[str, str], tuple[str, str]]],
    now: datetime,
) -> None:
    """Say of a byline with one id that its person has the other one, too: others with it are the same person's."""
    pairs = dict.fromkeys(pair for one, other in same for pair in ((one, other), (other, one)))
    signed = authorships.one_with(tx, {one for one, _ in pairs})
    for one, other in pairs:
        if byline := signed.get(one):
            _say(tx, by, byline, other, now)


def _say_signed(tx: Transaction, by: str, signed: Signed, now: datetime) -> None:
    """Say of the one byline of each paper that fits a person's names in full that it is this person's.

    Of two that fit nobody can tell which, and none is taken.
    """
    numbers = {number for key in signed.papers if (number := papers.known_as(tx, *key.split(":", 1)))}
    for bylines in authorships.bylines_of(tx, numbers).values():
        mine = [
            one for one in bylines if any(name_fit(name, one.name) is NameFit.FULL for name in signed.names)
        ]
        if len(mine) == 1:
            _say(tx, by, mine[0], signed.id, now)


def _say(tx: Transaction, by: str, byline: Byline, known: tuple[str, str], now: datetime) -> None:
    """Say an id of a byline's person, once."""
    paper, position = byline.place
    one = Named(paper, position, byline.name)
    said = people.said_ids(tx, {paper})
    if not any((saying.scheme, saying.value) == known and saying.one == one for saying in said):
        people.say_ids(tx, one, [known], by=by, at=now)
