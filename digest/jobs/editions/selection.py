"""The window of a run as its digests see it: what their follows fit there, what they tell of it, and why.

``match blocks → rows of hits → one composition a digest → items with their reasons``
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple

from digest.core.editions.compose import (
    Composition,
    EventMasks,
    FollowMatch,
    MatchReason,
    RankedEvents,
    compose,
    find_match_reasons,
    make_event_masks,
    make_sent_mask,
)
from digest.core.language.query import (
    has_author_ids,
    has_not_and_author,
)
from digest.core.matching.bitmaps import MatchBitmaps, list_positions
from digest.core.matching.evaluate import find_highlights, list_positive_leaves
from digest.core.matching.overrides import remove_strangers
from digest.jobs.editions.evidence_cache import EvidenceCache, is_kind_name_dependent
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.people.name_overrides import FollowKey, ReaderVerdicts, apply_verdicts, filter_verdicts
from digest.jobs.people.statements import find_events_by_denied, load_verdicts
from digest.model import Event, EventKind, Paper, Run
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.editions import alerts, editions, items
from digest.store.editions.overflow import Overflow, Rank
from digest.store.editions.overflow import OverflowReason as RestGround
from digest.store.papers import events
from digest.store.subscribers.digests import Digest, Follow


class DigestSelection(NamedTuple):
    """What a digest tells of its window.

    Attributes:
        verdicts: what its reader answered about persons there.
        waited_mask: the events that come first: editions before had no room for them.
    """

    digest: Digest
    composition: Composition
    verdicts: ReaderVerdicts
    waited_mask: int = 0


class EarlierCoverage(NamedTuple):
    """What editions before had the chance to tell of a window: of each digest, rows that an edition covered, and told.

    Attributes:
        masks: by digest; of each edition the events of its window, and those among them whose papers it told.
    """

    masks: Mapping[int, Sequence[tuple[int, int]]]

    def list_waiting_masks(self, digest: int) -> Sequence[int]:
        """The events that come first, if they are to be told, for each edition that had no room for them.

        What waited longest comes first: by rank alone, a *maybe* would wait for as long as something better comes each
        day. Each row begins where this window does, so a later edition's has those of earlier ones, and is greater.
        """
        return sorted({covered for covered, _ in self.masks.get(digest, ())})

    def compute_sent_mask(self, digest: int) -> int:
        """The events that are told, be it by another event of their papers that was told in their place."""
        return reduce(or_, (sent for _, sent in self.masks.get(digest, ())), 0)


_ReasonGroup = tuple[int, tuple[MatchReason, ...]]
"""A row of events told that are there for the same reasons."""
_NO_HITS = MatchBitmaps(0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWindow:
    """What a shard's digests can tell about, read once for all.

    Attributes:
        low: the event after this one has the lowest place.
        hits_by_query: what queries fit, by their number.
        denied_masks: by digest, the events that somebody may have signed whom its reader said not to be the one.
    """

    run: Run
    low: int
    hits_by_query: Mapping[int, MatchBitmaps]
    denied_masks: Mapping[int, int]
    cache: EvidenceCache
    event_masks: EventMasks
    _kind_masks: dict[tuple[EventKind, ...], int] = field(default_factory=dict)

    @classmethod
    def load(cls, tx: Transaction, run: Run, digests: Sequence[Digest], cache: EvidenceCache) -> RunWindow:
        """Read the hits of all queries followed, and the events hit that were not read for another shard."""
        assert run.to_seq is not None
        low = min((digest.get_window_start(run) for digest in digests), default=run.to_seq)
        follows_by_query = {follow.query: follow for digest in digests for follow in digest.follows}
        hits_by_query = cache.load_hits(tx, follows_by_query, (low, run.to_seq))
        denying = {query for query, follow in follows_by_query.items() if has_not_and_author(follow.compiled)}
        denied_masks = _load_denied_masks(tx, digests, denying, low, run.to_seq)
        cache.follows_by_query.update(
            {
                query: follows_by_query[query]
                for query in (hits_by_query.keys() | denying if denied_masks else hits_by_query)
            }
        )
        all_mask = reduce(or_, (*(hits.maybe for hits in hits_by_query.values()), *denied_masks.values()), 0)
        seqs = [low + 1 + position for position in list_positions(all_mask)]
        cache.events.update(events.load_events_by_seq(tx, [seq for seq in seqs if seq not in cache.events]))
        cache.resolve_authors(
            tx,
            {
                query: [low + 1 + position for position in list_positions(hits.maybe)]
                for query, hits in hits_by_query.items()
                if has_author_ids(follows_by_query[query].compiled)
                or is_kind_name_dependent(follows_by_query[query].compiled)
            },
        )
        masks = make_event_masks((seq - low - 1, cache.events[seq]) for seq in seqs)
        return cls(
            run=run,
            low=low,
            hits_by_query=hits_by_query,
            denied_masks=denied_masks,
            cache=cache,
            event_masks=masks,
        )

    def select_digests(
        self,
        tx: Transaction,
        digests: Sequence[Digest],
        since: datetime,
        capacity: EditionCapacity | None = None,
    ) -> Iterator[DigestSelection]:
        """What digests tell, but for the reasons.

        Args:
            tx: a transaction.
            digests: the digests for which this was read.
            since: what they told after this is not told again.
            capacity: how much goes into an edition; None for all.
        """
        earlier = self._load_earlier_coverage(tx, digests)
        follow_matches = {digest.id: self._list_follow_matches(digest) for digest in digests}
        verdicts = self._apply_verdicts(tx, digests, follow_matches)
        sent_masks = self._load_sent_masks(tx, digests, follow_matches, since)
        for digest in digests:
            waiting_masks = earlier.list_waiting_masks(digest.id)
            composition = compose(
                follow_matches[digest.id],
                self.event_masks,
                requested=self._get_kind_mask(digest),
                sent=sent_masks.get(digest.id, 0) | earlier.compute_sent_mask(digest.id),
                limit=digest.options.limit,
                waiting_masks=waiting_masks,
            )
            composition = (
                capacity.limit_composition(digest, composition, self._get_paper_at)
                if capacity
                else composition
            )
            yield DigestSelection(
                digest=digest,
                composition=composition,
                verdicts=verdicts.get(digest.id, {}),
                waited_mask=waiting_masks[-1] if waiting_masks else 0,
            )

    def _get_paper_at(self, position: int) -> tuple[int, Paper]:
        return self.low + 1 + position, self._get_event(position).paper

    def get_seq_before(self, mask: int) -> int:
        """The event before the first one of a row."""
        return self.low + next(iter(list_positions(mask)))

    def _get_kind_mask(self, digest: Digest) -> int:
        """The events of the kinds that a digest asks for."""
        mask = self._kind_masks.get(digest.options.kinds)
        if mask is None:
            mask = self._kind_masks[digest.options.kinds] = self.event_masks.select_eligible(
                digest.options.kinds
            )
        return mask

    # what its follows fit

    def _list_follow_matches(self, digest: Digest) -> list[FollowMatch]:
        """A digest's follows that fit something in its part of the window, or may because of an answer."""
        kind_mask = self._get_kind_mask(digest)
        possible_masks = self._find_possible_masks(digest)
        follow_matches = []
        for follow in digest.follows:
            hits = self.hits_by_query.get(follow.query)
            if hits is None:
                if (follow.query, follow.only) not in possible_masks:
                    continue
                hits = _NO_HITS
            if follow_mask := self._compute_follow_mask(digest, follow):
                hits = MatchBitmaps(*(mask & follow_mask for mask in hits))
            named_mask = self._find_named_mask(follow.query, hits.maybe & ~kind_mask)
            follow_matches.append(
                FollowMatch(
                    follow.query,
                    follow.text,
                    follow.effective_weight,
                    follow.exclude,
                    follow.only,
                    hits,
                    named_mask,
                )
            )
        return follow_matches

    def _compute_follow_mask(self, digest: Digest, follow: Follow) -> int:
        """The part of the window in which a follow is asked; 0 if that is all of it."""
        start = digest.get_window_start(self.run)
        active_from = start if follow.exclude else max(start, follow.started_seq)
        return -1 << (active_from - self.low) if active_from > self.low else 0

    def _find_possible_masks(self, digest: Digest) -> dict[FollowKey, int]:
        """The events that follows may fit because a person behind a NOT is said to be somebody else."""
        denied_mask = self.denied_masks.get(digest.id, 0)
        return {
            (follow.query, follow.only): denied_mask & (self._compute_follow_mask(digest, follow) or -1)
            for follow in digest.follows
            if denied_mask and has_not_and_author(follow.compiled)
        }

    def _find_named_mask(self, query_id: int, mask: int) -> int:
        """The events of a row whose kind a query names by itself."""
        if '"kind"' not in self.cache.follows_by_query[query_id].compiled:
            return 0
        return sum(
            1 << position
            for position in list_positions(mask)
            if self.cache.is_kind_named(query_id, self.low + 1 + position)
        )

    def _apply_verdicts(
        self, tx: Transaction, digests: Sequence[Digest], follow_matches: dict[int, list[FollowMatch]]
    ) -> Mapping[int, ReaderVerdicts]:
        """Let wishes fit as their readers' answers say; says what these were, by digest."""
        answering = {answer.digest for answer in people.load_feedback_of_digests(tx, follow_matches)}
        possible_masks = {
            digest.id: self._find_possible_masks(digest) for digest in digests if digest.id in answering
        }
        events_by_digest = {
            digest_id: self._collect_possible_events(follow_matches[digest_id], masks.values())
            for digest_id, masks in possible_masks.items()
        }
        if not events_by_digest:
            return {}
        reader_verdicts = load_verdicts(
            tx,
            {
                digest_id: [event.paper for event in digest_events.values()]
                for digest_id, digest_events in events_by_digest.items()
            },
        )
        for digest_id, digest_verdicts in reader_verdicts.items():
            queries = {
                follow_match.query: self.cache.load_query(follow_match.query)
                for follow_match in follow_matches[digest_id]
            }
            follow_matches[digest_id] = apply_verdicts(
                tx,
                follow_matches[digest_id],
                queries,
                events_by_digest[digest_id],
                digest_verdicts,
                possible_masks=possible_masks[digest_id],
            )
        return reader_verdicts

    def _collect_possible_events(
        self, follow_matches: Iterable[FollowMatch], possible_masks: Iterable[int]
    ) -> dict[int, Event]:
        """The events that a digest's follows fit, or may fit because of an answer, by position."""
        hit_masks = (follow_match.hits.maybe for follow_match in follow_matches)
        return {
            position: self._get_event(position)
            for mask in (*hit_masks, *possible_masks)
            for position in list_positions(mask)
        }

    # what was told before

    def _load_earlier_coverage(self, tx: Transaction, digests: Sequence[Digest]) -> EarlierCoverage:
        """The editions of digests whose windows reach into this one: they had no room for some of it."""
        starts = {
            digest.id: digest.get_window_start(self.run) for digest in digests if digest.from_seq is not None
        }
        earlier_editions = [] if self.run.is_alert else editions.list_sent_after(tx, starts)
        if not earlier_editions:
            return EarlierCoverage({})
        keys = editions.describe_events(tx, self.cache.events)
        masks: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for digest, to_seq, sent_seqs in earlier_editions:
            covered = (1 << max(0, to_seq - self.low)) - 1
            sent_papers = {key for key, _, _ in editions.describe_events(tx, sent_seqs).values()}
            mask = reduce(
                or_,
                (
                    1 << (seq - self.low - 1)
                    for seq, (key, _, _) in keys.items()
                    if key in sent_papers and seq > self.low
                ),
                0,
            )
            masks[digest].append((covered, mask & covered))
        return EarlierCoverage(masks)

    def _load_sent_masks(
        self,
        tx: Transaction,
        digests: Sequence[Digest],
        follow_matches: Mapping[int, Sequence[FollowMatch]],
        since: datetime,
    ) -> dict[int, int]:
        """The events that digests have told before, by digest: windows tile, so only few can."""
        repeating_ids = {digest.id for digest in digests if digest.options.repeat_alerts}
        candidate_ids = [
            digest.id for digest in digests if self._has_possible_repeats(digest, follow_matches[digest.id])
        ]
        sent_by_digest = editions.load_sent(
            tx, [digest_id for digest_id in candidate_ids if digest_id not in repeating_ids], since
        )
        sent_by_digest |= editions.load_sent(
            tx,
            [digest_id for digest_id in candidate_ids if digest_id in repeating_ids],
            since,
            without_alerts=True,
        )
        # A window may reach further back than the time after which a paper is told again.
        once_ids = [digest.id for digest in digests if digest.id not in repeating_ids]
        for digest_id, sent_in_alerts in alerts.load_sent_after(tx, once_ids, self.run, self.low).items():
            sent_by_digest[digest_id] = sent_by_digest.get(digest_id, frozenset()) | sent_in_alerts
        if not sent_by_digest:
            return {}
        keys_by_position = {
            seq - self.low - 1: paper_event
            for seq, paper_event in editions.describe_events(tx, self.cache.events).items()
            if seq > self.low
        }
        return {
            digest: make_sent_mask(sent_seqs, keys_by_position)
            for digest, sent_seqs in sent_by_digest.items()
        }

    def _has_possible_repeats(self, digest: Digest, follow_matches: Iterable[FollowMatch]) -> bool:
        start = digest.get_window_start(self.run)
        if digest.from_seq is not None or any(follow.started_seq > start for follow in digest.follows):
            return True
        repeats = self.event_masks.repeats
        kind_mask = self._get_kind_mask(digest)
        return any(
            follow_match.hits.maybe & repeats & (kind_mask | follow_match.explicit)
            for follow_match in follow_matches
            if not follow_match.exclude
        )

    # why

    def build_items(self, selection: DigestSelection) -> tuple[Sequence[str], int, Overflow]:
        """The items of an edition as they are kept, what most are there for, and the rest, marked in titles only."""
        reason_groups = find_match_reasons(selection.composition, self.event_masks)
        shown_mask = reduce(or_, [mask for mask, _, _ in selection.composition.items], 0)
        return (
            self._build_full_items(selection, shown_mask, reason_groups),
            _find_main_query(shown_mask, reason_groups),
            self._build_overflow(selection.composition.overflow, reason_groups),
        )

    def _build_full_items(
        self, selection: DigestSelection, shown_mask: int, reason_groups: Sequence[_ReasonGroup]
    ) -> list[str]:
        first_seq = self.low + 1
        get_evidence = (
            self._make_evidence_reader(selection.verdicts) if selection.verdicts else self.cache.get_evidence
        )
        reasons: dict[int, list[str]] = {}
        for mask, match_reasons in reason_groups:
            if group_mask := mask & shown_mask:
                prefixes = [
                    (items.encode_reason_start(follow_match.follow, confidence), follow_match.query, sibling)
                    for follow_match, confidence, sibling in match_reasons
                ]
                for position in list_positions(group_mask):
                    reasons[position] = [
                        items.encode_reason(
                            prefix,
                            get_evidence(query, first_seq + (position if sibling is None else sibling)),
                        )
                        for prefix, query, sibling in prefixes
                    ]
        return [
            items.encode_item(first_seq + position, rank, reasons[position])
            for mask, part, score in selection.composition.items
            for rank in (items.encode_rank(part, score, waited=bool(mask & selection.waited_mask)),)
            for position in list_positions(mask)
        ]

    def _make_evidence_reader(self, reader_verdicts: ReaderVerdicts) -> Callable[[int, int], str]:
        """What is marked, as ``EvidenceCache.get_evidence`` tells it, for a reader who said of persons who they are."""

        def read_evidence(query: int, seq: int) -> str:
            paper_verdicts = filter_verdicts(reader_verdicts, self.cache.events[seq].paper.key)
            if not paper_verdicts:
                return self.cache.get_evidence(query, seq)
            document = remove_strangers(self.cache.build_document(seq), paper_verdicts)
            return items.encode_evidence(
                find_highlights(list_positive_leaves(self.cache.load_query(query)), document)
            )

        return read_evidence

    def _build_overflow(
        self, ranked_groups: Sequence[RankedEvents], reason_groups: Sequence[_ReasonGroup]
    ) -> Overflow:
        """Hundreds of papers, most of which are there for the same few reasons."""
        if not ranked_groups:
            return Overflow()
        all_masks = reduce(or_, (entry.mask for entry in ranked_groups), 0)
        own_groups = [
            (group_mask, match_reasons)
            for mask, match_reasons in reason_groups
            if (group_mask := mask & all_masks)
        ]
        ranks = [
            Rank(
                part,
                score,
                [
                    (group_index, group_mask)
                    for group_index, (own_mask, _) in enumerate(own_groups)
                    if (group_mask := mask & own_mask)
                ],
            )
            for mask, part, score in ranked_groups
        ]
        reasons = [
            [self._build_overflow_reason(entry, mask) for entry in match_reasons]
            for mask, match_reasons in own_groups
        ]
        return Overflow(first_seq=self.low + 1, reason_groups=reasons, ranks=ranks)

    def _build_overflow_reason(self, match_reason: MatchReason, mask: int) -> RestGround:
        follow_match, confidence, sibling = match_reason
        event_mask = mask if sibling is None else 1 << sibling
        query = (
            self.cache.follows_by_query[follow_match.query].canonical
            if follow_match.hits.title & event_mask
            else ""
        )
        return RestGround(follow_match.follow, confidence, query)

    def _get_event(self, position: int) -> Event:
        return self.cache.events[self.low + 1 + position]


def _find_main_query(shown_mask: int, reason_groups: Sequence[_ReasonGroup]) -> int:
    """The query that most of the events shown are there for, of several the one that came last: few have it."""
    counts: dict[int, int] = defaultdict(int)
    for mask, match_reasons in reason_groups:
        if group_mask := mask & shown_mask:
            event_count = group_mask.bit_count()
            for follow_match, _, _ in match_reasons:
                counts[follow_match.query] += event_count
    return max(counts, key=lambda query: (counts[query], query), default=0)


def _load_denied_masks(
    tx: Transaction, digests: Sequence[Digest], denying: Collection[int], low: int, high: int
) -> dict[int, int]:
    """By digest, the events that somebody may have signed whom its reader said not to be the one: rows."""
    digest_ids = [
        digest.id for digest in digests if any(follow.query in denying for follow in digest.follows)
    ]
    seqs_by_digest = find_events_by_denied(tx, digest_ids, low, high) if digest_ids else {}
    masks = {
        digest: reduce(or_, (1 << (seq - low - 1) for seq in seqs), 0)
        for digest, seqs in seqs_by_digest.items()
    }
    return {digest: mask for digest, mask in masks.items() if mask}
