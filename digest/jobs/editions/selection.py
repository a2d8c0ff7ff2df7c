"""Choice of the events for the editions of a run: from the matches in its window to one composition per digest.

``match blocks → sets of matched events → one composition per digest → items with their reasons``
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from digest.core.editions.compose import compose
from digest.core.editions.composition import Composition, FollowMatch
from digest.core.editions.window_events import WindowEvents, describe_window
from digest.core.language.query import has_author_ids, has_not_and_author
from digest.core.matching.event_set import NO_EVENTS, NO_MATCHES, EventSet, MatchedEvents
from digest.jobs.editions.earlier_editions import find_sent_events, load_earlier_coverage
from digest.jobs.editions.evidence_cache import EvidenceCache, is_kind_name_dependent
from digest.jobs.editions.room import EditionCapacity
from digest.jobs.people.name_overrides import FollowKey, ReaderVerdicts, apply_verdicts
from digest.jobs.people.statements import find_events_by_denied, load_verdicts
from digest.model import Event, Paper, Run
from digest.store import people
from digest.store.database.engine import Transaction
from digest.store.subscribers.digests import Digest, Follow


class DigestSelection(NamedTuple):
    """What a digest includes of its window.

    Attributes:
        verdicts: the answers of its reader about persons that sign papers of the window.
        waited: the events for which earlier editions may have had no room; the included ones come first.
    """

    digest: Digest
    composition: Composition
    verdicts: ReaderVerdicts
    waited: EventSet


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWindow:
    """The events from which the digests of a shard can choose, loaded once for all of them.

    Attributes:
        after_seq: the event before the first position; the event at position 0 is the next one.
        matched_by_query: the events that queries match, by id of the query.
        denied_by_digest: by digest, the events that may be signed by a person who is not the one that a query excludes,
            according to the digest's reader.
        events: the events that any of the queries matches, in sets.
    """

    run: Run
    after_seq: int
    matched_by_query: Mapping[int, MatchedEvents]
    denied_by_digest: Mapping[int, EventSet]
    cache: EvidenceCache
    events: WindowEvents

    @classmethod
    def load(cls, tx: Transaction, run: Run, digests: Sequence[Digest], cache: EvidenceCache) -> RunWindow:
        """Load the matches of all follows of some digests, and those matched events that are not in the cache."""
        assert run.to_seq is not None
        after_seq = min((digest.get_window_start(run) for digest in digests), default=run.to_seq)
        follows_by_query = {follow.query: follow for digest in digests for follow in digest.follows}
        matched_by_query = cache.load_matches(tx, follows_by_query, (after_seq, run.to_seq))
        denying = {query for query, follow in follows_by_query.items() if has_not_and_author(follow.compiled)}
        denied_by_digest = _load_denied(tx, digests, denying, after_seq, run.to_seq)
        used_queries = matched_by_query.keys() | (denying if denied_by_digest else ())
        cache.follows_by_query = {query: follows_by_query[query] for query in used_queries}
        possible = EventSet.union(
            [*(matched.maybe for matched in matched_by_query.values()), *denied_by_digest.values()]
        )
        seqs_by_position = {position: after_seq + 1 + position for position in possible}
        cache.load_events(tx, seqs_by_position.values())
        cache.resolve_authors(
            tx,
            {
                query: [seqs_by_position[position] for position in matched.maybe]
                for query, matched in matched_by_query.items()
                if has_author_ids(follows_by_query[query].compiled)
                or is_kind_name_dependent(follows_by_query[query].compiled)
            },
        )
        return cls(
            run=run,
            after_seq=after_seq,
            matched_by_query=matched_by_query,
            denied_by_digest=denied_by_digest,
            cache=cache,
            events=describe_window(
                (position, cache.events[seq]) for position, seq in seqs_by_position.items()
            ),
        )

    def get_seq(self, position: int) -> int:
        """Return the number of the event at a position."""
        return self.after_seq + 1 + position

    def get_seq_before(self, selected: EventSet) -> int:
        """Return the number of the event before the first one of a set."""
        return self.after_seq + next(iter(selected))

    def get_event(self, position: int) -> Event:
        """Return the event at a position."""
        return self.cache.events[self.get_seq(position)]

    def select_digests(
        self,
        tx: Transaction,
        digests: Sequence[Digest],
        since: datetime,
        capacity: EditionCapacity | None = None,
    ) -> Iterator[DigestSelection]:
        """Compose the editions of digests; their reasons are found later, for the papers that are shown.

        Args:
            tx: a transaction.
            digests: the digests for which the window was loaded.
            since: what they included after this is not included again.
            capacity: how many papers an edition has room for; None for no limit.
        """
        earlier = load_earlier_coverage(tx, self.run, digests, self.after_seq, self.cache.events)
        follow_matches = {digest.id: self._list_follow_matches(digest) for digest in digests}
        verdicts = self._apply_verdicts(tx, digests, follow_matches)
        repeating = [
            digest for digest in digests if self._has_possible_repeats(digest, follow_matches[digest.id])
        ]
        sent = find_sent_events(
            tx, self.run, digests, repeating, since, after_seq=self.after_seq, seqs=self.cache.events
        )
        for digest in digests:
            waiting = earlier.list_waiting(digest.id)
            composition = compose(
                follow_matches[digest.id],
                self.events,
                requested=self.events.select_eligible(digest.options.kinds),
                sent=sent.get(digest.id, NO_EVENTS) | earlier.get_sent(digest.id),
                limit=digest.options.limit,
                waiting=waiting,
            )
            if capacity:
                composition = capacity.limit_composition(digest, composition, self._get_paper)
            yield DigestSelection(
                digest=digest,
                composition=composition,
                verdicts=verdicts.get(digest.id, {}),
                waited=waiting[-1] if waiting else NO_EVENTS,
            )

    def _get_paper(self, position: int) -> tuple[int, Paper]:
        return self.get_seq(position), self.get_event(position).paper

    # matches of the follows

    def _list_follow_matches(self, digest: Digest) -> list[FollowMatch]:
        """Return the follows that match, or may match because of an answer, in the digest's part of the window."""
        requested = self.events.select_eligible(digest.options.kinds)
        deniable = self._find_deniable(digest)
        follow_matches = []
        for follow in digest.follows:
            matched = self.matched_by_query.get(follow.query)
            if matched is None:
                if (follow.query, follow.only) not in deniable:
                    continue
                matched = NO_MATCHES
            if inactive := self._get_inactive(digest, follow):
                matched = MatchedEvents(*(events - inactive for events in matched))
            follow_matches.append(
                FollowMatch(
                    follow.query,
                    follow.text,
                    follow.effective_weight,
                    follow.exclude,
                    follow.only,
                    matched,
                    self._find_explicit(follow.query, matched.maybe, requested),
                )
            )
        return follow_matches

    def _get_inactive(self, digest: Digest, follow: Follow) -> EventSet:
        """Return the events before the part of the window to which a follow applies."""
        start = digest.get_window_start(self.run)
        active_from = start if follow.exclude else max(start, follow.started_seq)
        return EventSet.before(active_from - self.after_seq) if active_from > self.after_seq else NO_EVENTS

    def _find_deniable(self, digest: Digest) -> dict[FollowKey, EventSet]:
        """Return the events that follows may match because the person behind their NOT is somebody else."""
        denied = self.denied_by_digest.get(digest.id)
        if not denied:
            return {}
        return {
            (follow.query, follow.only): denied - self._get_inactive(digest, follow)
            for follow in digest.follows
            if has_not_and_author(follow.compiled)
        }

    def _find_explicit(self, query: int, matched: EventSet, requested: EventSet) -> EventSet:
        """Return those matched events whose kind a query names, and the digest does not ask for."""
        if '"kind"' not in self.cache.follows_by_query[query].compiled:
            return NO_EVENTS
        return EventSet.from_positions(
            position
            for position in matched - requested
            if self.cache.is_kind_named(query, self.get_seq(position))
        )

    def _apply_verdicts(
        self, tx: Transaction, digests: Sequence[Digest], follow_matches: dict[int, list[FollowMatch]]
    ) -> Mapping[int, ReaderVerdicts]:
        """Correct the matches by what readers answered about persons; return the answers by digest."""
        answering = {answer.digest for answer in people.load_feedback_of_digests(tx, follow_matches)}
        if not answering:
            return {}
        deniable = {digest.id: self._find_deniable(digest) for digest in digests if digest.id in answering}
        possible = {
            digest: self._collect_possible(follow_matches[digest], possible_sets.values())
            for digest, possible_sets in deniable.items()
        }
        reader_verdicts = load_verdicts(
            tx,
            {
                digest: [event.paper for event in digest_events.values()]
                for digest, digest_events in possible.items()
            },
        )
        for digest, verdicts in reader_verdicts.items():
            matches = follow_matches[digest]
            follow_matches[digest] = apply_verdicts(
                tx,
                matches,
                {match.query: self.cache.load_query(match.query) for match in matches},
                possible[digest],
                verdicts,
                deniable=deniable[digest],
            )
        return reader_verdicts

    def _collect_possible(
        self, follow_matches: Iterable[FollowMatch], deniable: Iterable[EventSet]
    ) -> dict[int, Event]:
        """Return the events that follows match, or may match because of an answer, by position."""
        possible = EventSet.union([*(match.matched.maybe for match in follow_matches), *deniable])
        return {position: self.get_event(position) for position in possible}

    def _has_possible_repeats(self, digest: Digest, follow_matches: Iterable[FollowMatch]) -> bool:
        """Whether a digest may have included something of the window before.

        Windows do not overlap, so this needs a digest or a follow with a start of its own, or a second event of a paper.
        """
        start = digest.get_window_start(self.run)
        if digest.from_seq is not None or any(follow.started_seq > start for follow in digest.follows):
            return True
        repeats = self.events.repeats
        if not repeats:
            return False
        requested = self.events.select_eligible(digest.options.kinds)
        return any(
            match.matched.maybe & repeats & (requested | match.explicit)
            for match in follow_matches
            if not match.exclude
        )


def _load_denied(
    tx: Transaction, digests: Sequence[Digest], denying: Collection[int], after_seq: int, to_seq: int
) -> dict[int, EventSet]:
    """Return, by digest, the events that may be signed by somebody who is not the person meant, says the reader."""
    digest_ids = [
        digest.id for digest in digests if any(follow.query in denying for follow in digest.follows)
    ]
    seqs_by_digest = find_events_by_denied(tx, digest_ids, after_seq, to_seq) if digest_ids else {}
    return {
        digest: EventSet.from_positions(seq - after_seq - 1 for seq in seqs)
        for digest, seqs in seqs_by_digest.items()
        if seqs
    }
