"""Answers about digests: why a paper is in a digest or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.core.editions.window_events import KINDS_UNLESS_WITHDRAWN, is_eligible
from digest.core.language.query import Query, extract_kind_part, load_compiled
from digest.core.matching.evaluate import collect_evidence, evaluate
from digest.core.matching.overrides import can_add_matches, evaluate_with_verdicts, remove_strangers
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import NO_STANDINGS, PaperDocument, build_document
from digest.core.papers.identity.ids import make_page_key, parse_arxiv_key, parse_doi
from digest.errors import ConfigError
from digest.jobs.people.name_overrides import filter_verdicts
from digest.jobs.people.statements import load_standings, load_verdicts
from digest.model import Confidence, Edition, Event, MatchResult, Paper, PaperKey
from digest.store.database.engine import Store, Transaction
from digest.store.database.retention import read_editions_start
from digest.store.editions import editions
from digest.store.editions.editions import EventPlacement, LastWindow
from digest.store.editions.upcoming import UpcomingEdition, find_upcoming_of
from digest.store.fetching.listings import Appearance, list_appearances
from digest.store.papers import papers
from digest.store.papers.events import load_events_of_papers
from digest.store.subscribers import digests
from digest.store.subscribers.digests import Digest, Follow, Pause

# --- explanation ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowAnswer:
    """The result of one follow for a paper.

    Attributes:
        follow: as its reader wrote it.
        exclude: whether it removes papers instead.
        alert: whether it reports matches at once.
        only: the follow, as written, from which alone it removes papers; "" for all follows of the digest.
        match_result: None if it does not match.
        eligible_events: the matched events of a kind that the digest asks for or the follow itself names.
        started_seq: events up to this number are not included because of this follow.
        weight: as its reader set it.
        learned: the factor of the weight, computed from what the reader said about papers.
    """

    follow: str
    exclude: bool
    alert: bool
    only: str
    match_result: MatchResult | None
    eligible_events: tuple[Event, ...]
    started_seq: int
    weight: float
    learned: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperExplanation:
    """Why a paper is in a digest or not.

    Attributes:
        paper: None if no source has listed it.
        listed: where and how it was listed.
        events: its events, which digests can include.
        answers: the result of each follow of the digest.
        positions: its places in the editions that included it.
        verdict: the answer in one sentence.
        pause: the pause of the digest; None if it is active.
        zone: the time zone of the digest.
    """

    paper: Paper | None
    listed: tuple[Appearance, ...]
    events: tuple[Event, ...]
    answers: tuple[FollowAnswer, ...]
    positions: tuple[EventPlacement, ...]
    verdict: str
    pause: Pause | None
    zone: str


CountFullPapers = Callable[[Edition, Digest], int]
"""Function that counts how many papers of an edition the messages of its digest show in full."""


def explain_paper(
    store: Store, name: str, paper_id: str, count_full_papers: CountFullPapers | None = None
) -> PaperExplanation:
    """Find out why a paper is in a digest or not.

    Args:
        store: the store.
        name: the name of the digest.
        paper_id: an id of the paper in any form.
        count_full_papers: counts the papers of an edition that its messages show in full; None if they show
            all items.

    Raises:
        ConfigError: there is no such digest, or this is not an id of a paper.
    """
    key = parse_paper_key(paper_id)
    with store.begin_read() as tx:
        digest = find_digest(tx, name)
        scheme, _, value = key.partition(":")
        paper_number = papers.find_by_id(tx, scheme, value)
        if paper_number is None:
            return _explain_unlisted(key, digest)
        members = papers.load_groups(tx, [paper_number])[paper_number]
        paper_events = load_events_of_papers(tx, members)
        listed = list_appearances(tx, members)
        paper = papers.load_papers(tx, [paper_number])[paper_number]
        positions = editions.list_placements(tx, digest.id, [event.seq for event in paper_events])
        last_window = editions.find_last_window(tx, digest.id)
        full_count = _count_full_papers(tx, positions, digest, count_full_papers)
        follow_answers = _FollowAnswers.evaluate_follows(tx, digest, paper, paper_events)
        editions_start = None if digest.options.feed else read_editions_start(tx)
        upcoming = find_upcoming_of(tx, digest.id)
    if positions:
        verdict = _format_position(positions[-1], full_count, digest.options.full)
    elif not listed and not paper_events:
        verdict = _UNANNOUNCED
    elif editions_start and _is_expired(paper_events, editions_start):
        verdict = _format_expired(paper_events, editions_start)
    else:
        verdict = _format_verdict(
            digest, paper, paper_events, follow_answers, last_window=last_window, upcoming=upcoming
        )
    return PaperExplanation(
        paper=paper,
        listed=listed,
        events=paper_events,
        answers=follow_answers.answers,
        positions=positions,
        verdict=verdict,
        pause=digest.pause,
        zone=digest.options.timezone,
    )


def _explain_unlisted(key: PaperKey, digest: Digest) -> PaperExplanation:
    return PaperExplanation(
        paper=None,
        listed=(),
        events=(),
        answers=(),
        positions=(),
        verdict=f"No source in this database has listed {key}.",
        pause=digest.pause,
        zone=digest.options.timezone,
    )


_UNANNOUNCED = "No: the paper is known, but no source in this database has announced it."


def _is_expired(paper_events: Sequence[Event], editions_start: datetime) -> bool:
    """Whether all events of a paper are older than the editions that are still stored."""
    return bool(paper_events) and all(event.day < editions_start.date() for event in paper_events)


def _format_expired(paper_events: Sequence[Event], editions_start: datetime) -> str:
    last_day = max(event.day for event in paper_events)
    return (
        f"Unknown: the paper was last announced on {last_day}, and editions from before {editions_start:%Y-%m-%d} were "
        "removed ([store] keep sets how long editions are kept)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _FollowAnswers:
    """The results of a digest's follows for a paper.

    Attributes:
        answers: in the order of the digest's follows.
        is_eligible: whether an event of the paper is of a kind that the digest asks for, or that a matching
            follow names.
    """

    answers: tuple[FollowAnswer, ...]
    is_eligible: bool

    @classmethod
    def evaluate_follows(
        cls, tx: Transaction, digest: Digest, paper: Paper, paper_events: Sequence[Event]
    ) -> _FollowAnswers:
        queries = {follow.query: load_compiled(follow.compiled) for follow in digest.follows}
        documents = _build_documents(tx, paper, paper_events, queries)
        digest_verdicts = load_verdicts(tx, {digest.id: [paper]}).get(digest.id, {})
        reader_verdicts = filter_verdicts(digest_verdicts, paper.key)
        follow_texts = {follow.query: follow.text for follow in digest.follows if not follow.exclude}

        def evaluate_follow(follow: Follow) -> FollowAnswer:
            query = queries[follow.query]
            matches = [_evaluate_query(query, document, reader_verdicts) for document in documents]
            kind_query = extract_kind_part(query)
            return FollowAnswer(
                follow=follow.text,
                exclude=follow.exclude,
                alert=follow.alert,
                only=follow_texts.get(follow.only, ""),
                match_result=max(filter(None, matches), key=lambda match: match.confidence, default=None),
                eligible_events=tuple(
                    event
                    for event, match, document in zip(paper_events, matches, documents, strict=False)
                    if match
                    and (
                        is_eligible(event, digest.options.kinds)
                        or _is_asked_by_kind(event, kind_query, document, reader_verdicts)
                    )
                ),
                started_seq=follow.started_seq,
                weight=follow.weight,
                learned=follow.learned,
            )

        answers = tuple(map(evaluate_follow, digest.follows))
        is_named = any(answer.eligible_events for answer in answers if not answer.exclude)
        return cls(
            answers=answers,
            is_eligible=is_named or any(is_eligible(event, digest.options.kinds) for event in paper_events),
        )

    def list_deciding(self) -> tuple[list[FollowAnswer], list[FollowAnswer]]:
        """Return the follows for which the paper is included, and the exclusions that remove it."""
        exclusions = [
            follow_answer
            for follow_answer in self.answers
            if follow_answer.exclude
            and follow_answer.match_result
            and follow_answer.match_result.confidence >= Confidence.LIKELY
        ]
        matching = [
            follow_answer
            for follow_answer in self.answers
            if follow_answer.match_result and not follow_answer.exclude
        ]
        if any(not follow_answer.only for follow_answer in exclusions):
            return [], [follow_answer for follow_answer in exclusions if not follow_answer.only]
        excluded_follows = {follow_answer.only for follow_answer in exclusions}
        return [
            follow_answer for follow_answer in matching if follow_answer.follow not in excluded_follows
        ], exclusions


def _build_documents(
    tx: Transaction, paper: Paper, paper_events: Sequence[Event], queries: Mapping[int, Query]
) -> list[PaperDocument]:
    """Return the paper at each of its events as queries see it, with the persons behind its bylines."""
    engine = Engine()
    for query_id, query in queries.items():
        engine.add(query_id, query)
    paper_standings = load_standings(tx, [paper], engine.wanted_authors).get(paper.key, NO_STANDINGS)
    if not paper_events:
        return [build_document(paper, standings=paper_standings)]
    return [
        build_document(event.paper, kind=event.kind, source=event.source, standings=paper_standings)
        for event in paper_events
    ]


def _is_asked_by_kind(
    event: Event, kind_query: Query | None, event_document: PaperDocument, verdicts: Mapping[str, bool]
) -> bool:
    """Whether a query itself names the kind of an event that may be included."""
    is_withdrawn = event.paper.withdrawn and event.kind in KINDS_UNLESS_WITHDRAWN
    return (
        kind_query is not None
        and not is_withdrawn
        and _evaluate_query(kind_query, event_document, verdicts) is not None
    )


def _evaluate_query(
    query: Query, event_document: PaperDocument, verdicts: Mapping[str, bool]
) -> MatchResult | None:
    """Evaluate a query for a reader who answered who the authors are."""
    match = evaluate(query, event_document)
    if verdicts and (match or can_add_matches(query, verdicts)):
        match = evaluate_with_verdicts(query, event_document, verdicts)
        return match and replace(
            match, evidence=collect_evidence(query, remove_strangers(event_document, verdicts))
        )
    return match


def _format_verdict(
    digest: Digest,
    paper: Paper,
    events: Sequence[Event],
    follow_answers: _FollowAnswers,
    *,
    last_window: LastWindow | None,
    upcoming: UpcomingEdition | None,
) -> str:
    """Return the answer for a paper that no edition has included."""
    if paper.withdrawn and not follow_answers.is_eligible:
        return "No: its authors withdrew it, and withdrawn papers are not reported as new or picked."
    if not events:
        return "No: it was listed before this database began to report papers, so it caused no event."
    if not follow_answers.is_eligible:
        kinds = ", ".join(sorted({event.kind.value for event in events}))
        return f"No: its events are {kinds}, which the digest's `kinds` do not include."
    if not any(
        follow_answer.match_result for follow_answer in follow_answers.answers if not follow_answer.exclude
    ):
        return "No: it matches none of the digest's follows."
    deciding, exclusions = follow_answers.list_deciding()
    if not deciding:
        (exclusion, *_) = exclusions
        owner = f" of {exclusion.only!r}" if exclusion.only else ""
        return f"No: it matches, but the exclusion {exclusion.follow!r}{owner} removes it."
    return _format_timing(digest, deciding, last_window, upcoming)


def _count_full_papers(
    tx: Transaction,
    positions: Sequence[EventPlacement],
    digest: Digest,
    count_full_papers: CountFullPapers | None,
) -> int:
    """Return the number of papers that the last of some editions shows in full; 0 if it does not matter."""
    if not positions or positions[-1].place != "items":
        return 0
    edition_id = positions[-1].edition
    edition = editions.load_editions(tx, [edition_id])[edition_id]
    return count_full_papers(edition, digest) if count_full_papers else len(edition.items)


def _format_position(position: EventPlacement, full_count: int, full_limit: int) -> str:
    """Return the answer for a paper in an edition that shows ``full_count`` papers in full, and by its digest ``full_limit``."""
    alert = " (an alert)" if position.is_alert else ""
    if position.place == "rest":
        description = f"as a line, at position {position.number}, because of the digest's limit"
    elif position.number > full_limit == full_count:
        description = (
            f"as a line, at position {position.number}, because the digest has `full = {full_limit}`"
        )
    elif position.number > full_count:
        description = f"as a line, at position {position.number}, because the message had no room for more papers in full"
    else:
        description = f"in full, at position {position.number}"
    return f"Yes: in edition {position.edition}{alert}, {description}."


def _format_timing(
    digest: Digest,
    deciding: Sequence[FollowAnswer],
    last_window: LastWindow | None,
    upcoming: UpcomingEdition | None,
) -> str:
    """Return the answer for a paper that follows match and no edition has included yet."""
    answer_events = [
        (follow_answer, event) for follow_answer in deciding for event in follow_answer.eligible_events
    ]
    if not answer_events:
        return "No: it matches only through events that the digest's `kinds` do not include."
    if any(
        event.seq > max(digest.sent_seq, follow_answer.started_seq) for follow_answer, event in answer_events
    ):
        if (
            last_window
            and last_window.dropped
            and all(event.seq <= last_window.to_seq for _, event in answer_events)
        ):
            return _format_waiting(digest, last_window, upcoming)
        return _format_coming(
            digest, upcoming, is_alert=any(follow_answer.alert for follow_answer in deciding)
        )
    if all(event.seq <= follow_answer.started_seq for follow_answer, event in answer_events):
        return "No: it was announced before this digest, or the follow that it matches, was added."
    return (
        "No: it matches now, but it did not when its edition was composed. Follows, answers and data that changed later "
        "only affect later papers."
    )


def _format_waiting(digest: Digest, last_window: LastWindow, upcoming: UpcomingEdition | None) -> str:
    explanation = f"Not yet: edition {last_window.edition} had no room for it, not even as a line"
    if digest.pause is None:
        return f"{explanation}; it comes first in the next edition{_format_due_date(upcoming)}."
    if digest.pause.resume_from == "now":
        return f"{explanation}, and the digest is paused; papers from before the end of this pause will not be reported."
    return f"{explanation}; the digest is paused, and the paper comes first in the edition after the pause."


def _format_coming(digest: Digest, upcoming: UpcomingEdition | None, *, is_alert: bool) -> str:
    if digest.pause is None:
        description = "sent as an alert, or in the next edition" if is_alert else "in the next edition"
        return f"Not yet: it matches, and will be {description}{_format_due_date(upcoming)}."
    if digest.pause.resume_from == "now":
        return "No: it matches, but the digest is paused, and papers of this pause will not be reported."
    return "Not yet: it matches, and will be in the first edition after the pause."


def _format_due_date(upcoming: UpcomingEdition | None) -> str:
    """Return when an edition is due, to be put behind its name, and whether a firing before that makes none."""
    if upcoming is None:
        return ""
    if upcoming.omitted_at is None:
        return f", on {_format_local_time(upcoming.at, upcoming.zone)}"
    return (
        f", on {_format_local_time(upcoming.at, upcoming.zone)}; there is none on {_format_local_time(upcoming.omitted_at, upcoming.zone)}, "
        "because the digest has had one on that day"
    )


def _format_local_time(at: datetime, zone: str) -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d at %H:%M}"


def parse_paper_key(text: str) -> PaperKey:
    """Return the key of a paper from an id in any form, the address of its page, or a key.

    Raises:
        ConfigError: this is not an id of a paper.
    """
    key = parse_arxiv_key(text)
    if key is not None:
        return key
    bare_doi = parse_doi(text)
    if bare_doi is not None:
        return PaperKey(f"doi:{bare_doi}")
    page = make_page_key(text.removeprefix("url:"))
    if page is not None:
        return page
    if text.startswith("url:"):  # The key of a feed's entry without a page.
        return PaperKey(text)
    raise ConfigError(
        f"{text!r} is not the id of a paper; write 2401.00001, a DOI, or the address of its page with https://"
    )


def find_digest(tx: Transaction, name: str) -> Digest:
    """Return the digest of the configuration with a name, paused or not.

    Raises:
        ConfigError: there is none; the message lists the names of all digests.
    """
    standing = digests.load_configured_digests(tx)
    match = next((digest for digest in standing if digest.name == name), None)
    if match is None:
        names = (
            ", ".join(digest.name for digest in standing)
            or "none yet; `digest run` applies the configuration"
        )
        raise ConfigError(f"there is no digest {name!r}; digests: {names}")
    return match
