"""Questions about what is there: why a paper is in a digest, what would go out now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.core.editions.compose import OF_THE_PAPER, tells
from digest.core.language.query import Query, load, names_kind
from digest.core.matching.evaluate import evaluate, reasons
from digest.core.matching.overrides import judged, may_gain, without_strangers
from digest.core.matching.percolator.engine import Engine
from digest.core.papers.document import NOTHING_KNOWN, Document, document
from digest.core.papers.identity.ids import arxiv_key, doi, page_key
from digest.errors import ConfigError
from digest.jobs.editions.compose import ONCE_IN
from digest.jobs.editions.room import Room
from digest.jobs.editions.selection import Known, Window
from digest.jobs.people.name_overrides import said_of
from digest.jobs.people.statements import standings, verdicts
from digest.model import Band, Edition, Event, Fit, Paper, PaperKey, Run, RunState
from digest.store.database.engine import Store, Transaction, highest_seq
from digest.store.database.retention import editions_kept_since
from digest.store.editions import edition_loader, editions
from digest.store.editions.editions import LastWindow, Standing
from digest.store.editions.items import written
from digest.store.editions.upcoming import Coming, find_coming_of
from digest.store.fetching import ledger as rows
from digest.store.fetching.listings import Appearance, appearances_of
from digest.store.papers import papers
from digest.store.papers.events import events_of
from digest.store.subscribers import digests
from digest.store.subscribers.digests import Digest, Follow, Pause

# --- why ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a follow says of a paper.

    Attributes:
        follow: as written.
        exclude: it takes papers out instead.
        alert: it tells at once.
        only: the follow, as written, from which alone it takes them; "" for all of the digest's.
        fit: None if it does not fit.
        tellable: the events that it fits and that are of a kind which the digest, or the follow itself, asks for.
        started_seq: what came up to there is not told because of it.
        weight: as its reader gave it.
        learned: what it counts, as a part of that, after what its reader said of papers.
    """

    follow: str
    exclude: bool
    alert: bool
    only: str
    fit: Fit | None
    tellable: tuple[Event, ...]
    started_seq: int
    weight: float
    learned: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a paper is, or is not, in a digest.

    Attributes:
        paper: None if no source has listed it.
        listed: where and how it was listed.
        events: what could be told of it.
        answers: of each follow of the digest.
        told: where it stood in the editions that told it.
        verdict: the answer in a sentence.
        pause: the digest's; None if it is active.
        zone: the digest's.
    """

    paper: Paper | None
    listed: tuple[Appearance, ...]
    events: tuple[Event, ...]
    answers: tuple[Answer, ...]
    told: tuple[Standing, ...]
    verdict: str
    pause: Pause | None
    zone: str


Shown = Callable[[Edition, Digest], int]
"""How many papers of an edition the messages of its digest show in full."""


def why(store: Store, name: str, written: str, shown: Shown | None = None) -> Why:
    """Find out why a paper is, or is not, in a digest.

    Args:
        store: where.
        name: the digest's.
        written: the paper's id in any form.
        shown: says how many papers an edition's messages show in full; None where all of its items are.

    Raises:
        ConfigError: there is no such digest, or this is no paper's id.
    """
    key = paper_key(written)
    with store.reading() as tx:
        digest = the_digest(tx, name)
        scheme, _, value = key.partition(":")
        number = papers.known_as(tx, scheme, value)
        if number is None:
            return _unlisted(key, digest)
        members = papers.one_with(tx, [number])[number]
        happened = events_of(tx, members)
        listed = appearances_of(tx, members)
        paper = papers.load(tx, [number])[number]
        told = editions.telling(tx, digest.id, [event.seq for event in happened])
        last = editions.last_window(tx, digest.id)
        full = _number_in_full(tx, told, digest, shown)
        asked = _Asked.of(tx, digest, paper, happened)
        since = editions_kept_since(tx)
        due = find_coming_of(tx, digest.id)
    if told:
        verdict = _where(told[-1], full)
    elif not listed and not happened:
        verdict = _UNANNOUNCED
    elif not digest.feed and since and happened and all(one.day < since.date() for one in happened):
        verdict = _forgotten(happened, since)
    else:
        verdict = _verdict(digest, paper, happened, asked, last=last, due=due)
    return Why(
        paper=paper,
        listed=listed,
        events=happened,
        answers=asked.answers,
        told=told,
        verdict=verdict,
        pause=digest.pause,
        zone=digest.zone,
    )


def _unlisted(key: PaperKey, digest: Digest) -> Why:
    return Why(
        paper=None,
        listed=(),
        events=(),
        answers=(),
        told=(),
        verdict=f"No source has listed {key} so far as this store knows.",
        pause=digest.pause,
        zone=digest.zone,
    )


_UNANNOUNCED = "No: it is known, but no source has announced it so far as this store knows."


def _forgotten(happened: Sequence[Event], since: datetime) -> str:
    last = max(event.day for event in happened)
    return (
        f"It cannot be said: it came up last on {last}, and editions from before {since:%Y-%m-%d} are not kept any more "
        "([store] keep says how long they are)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a digest's follows say of a paper.

    Attributes:
        answers: in the order of the digest's follows.
        tellable: whether one of its events is of a kind that the digest, or a follow that fits, asks for.
    """

    answers: tuple[Answer, ...]
    tellable: bool

    @classmethod
    def of(cls, tx: Transaction, digest: Digest, paper: Paper, happened: Sequence[Event]) -> _Asked:
        queries = {follow.query: load(follow.compiled) for follow in digest.follows}
        documents = _documents(tx, paper, happened, queries)
        said = said_of(verdicts(tx, {digest.id: [paper]}).get(digest.id, {}), paper.key)
        written = {follow.query: follow.text for follow in digest.follows if not follow.exclude}

        def answer(follow: Follow) -> Answer:
            query = queries[follow.query]
            fits = [_fit(query, one, said) for one in documents]
            named = names_kind(query)
            return Answer(
                follow=follow.text,
                exclude=follow.exclude,
                alert=follow.alert,
                only=written.get(follow.only, ""),
                fit=max(filter(None, fits), key=lambda fit: fit.band, default=None),
                tellable=tuple(
                    event
                    for event, fit, one in zip(happened, fits, documents, strict=False)
                    if fit and (tells(event, digest.kinds) or _by_kind(event, named, one, said))
                ),
                started_seq=follow.started_seq,
                weight=follow.weight,
                learned=follow.learned,
            )

        answers = tuple(map(answer, digest.follows))
        by_name = any(one.tellable for one in answers if not one.exclude)
        return cls(answers=answers, tellable=by_name or any(tells(event, digest.kinds) for event in happened))

    def left(self) -> tuple[list[Answer], list[Answer]]:
        """The follows for which it is told, and the exclusions that take it from others or from all."""
        against = [one for one in self.answers if one.exclude and one.fit and one.fit.band >= Band.LIKELY]
        wanted = [one for one in self.answers if one.fit and not one.exclude]
        if any(not one.only for one in against):
            return [], [one for one in against if not one.only]
        taken = {one.only for one in against}
        return [one for one in wanted if one.follow not in taken], against


def _documents(
    tx: Transaction, paper: Paper, happened: Sequence[Event], queries: Mapping[int, Query]
) -> list[Document]:
    """A paper at each of its events as queries see it, and what persons say of its bylines."""
    engine = Engine()
    for number, query in queries.items():
        engine.add(number, query)
    known = standings(tx, [paper], engine.people).get(paper.key, NOTHING_KNOWN)
    if not happened:
        return [document(paper, standings=known)]
    return [
        document(event.paper, kind=event.kind, source=event.source, standings=known) for event in happened
    ]


def _by_kind(event: Event, named: Query | None, one: Document, said: Mapping[str, bool]) -> bool:
    """Whether a query asks for the kind of an event by itself, and that can be told."""
    withdrawn = event.paper.withdrawn and event.kind in OF_THE_PAPER
    return named is not None and not withdrawn and _fit(named, one, said) is not None


def _fit(query: Query, one: Document, said: Mapping[str, bool]) -> Fit | None:
    """The answer of a query, as this digest's reader said who the authors are."""
    fit = evaluate(query, one)
    if said and (fit or may_gain(query, said)):
        fit = judged(query, one, said)
        return fit and replace(fit, evidence=reasons(query, without_strangers(one, said)))
    return fit


def _verdict(
    digest: Digest,
    paper: Paper,
    events: Sequence[Event],
    asked: _Asked,
    *,
    last: LastWindow | None,
    due: Coming | None,
) -> str:
    """The answer for a paper that no edition has told."""
    if paper.withdrawn and not asked.tellable:
        return "No: its authors withdrew it, and a withdrawn paper is told neither as new nor as picked."
    if not events:
        return "No: it was listed on a day before this store began to tell, so it made no event."
    if not asked.tellable:
        kinds = ", ".join(sorted({event.kind.value for event in events}))
        return f"No: what is known of it is {kinds}, and the digest's `kinds` do not ask for that."
    if not any(one.fit for one in asked.answers if not one.exclude):
        return "No: none of the digest's follows fits it."
    left, against = asked.left()
    if not left:
        (out, *_) = against
        whose = f" of {out.only!r}" if out.only else ""
        return f"No: it fits, but the exclusion {out.follow!r}{whose} takes it out."
    return _when(digest, left, last, due)


def _number_in_full(tx: Transaction, told: Sequence[Standing], digest: Digest, shown: Shown | None) -> int:
    """How many papers the last of some editions shows in full, as far as that has to be known."""
    if not told or told[-1].place != "items":
        return 0
    number = told[-1].edition
    edition = editions.load(tx, [number])[number]
    return shown(edition, digest) if shown else len(edition.items)


def _where(told: Standing, full: int) -> str:
    """Where a paper stood in an edition that shows so many in full."""
    alert = ", an alert," if told.is_alert else ""
    if told.place == "rest":
        how = f"as a line, at place {told.number}, beyond the digest's limit"
    elif told.number > full:
        how = f"as a line, at place {told.number}, for its message had no room for more in full"
    else:
        how = f"in full, at place {told.number}"
    return f"Yes: edition {told.edition}{alert} told it {how}."


def _when(digest: Digest, left: Sequence[Answer], last: LastWindow | None, due: Coming | None) -> str:
    """When a paper is told that follows fit, and that no edition has told."""
    pairs = [(one, event) for one in left for event in one.tellable]
    if not pairs:
        return "No: it fits only by what happened to it that the digest's `kinds` do not ask for."
    if any(event.seq > max(digest.told_to, one.started_seq) for one, event in pairs):
        if last and last.dropped and all(event.seq <= last.to_seq for _, event in pairs):
            return _waits(digest, last, due)
        return _comes(digest, due, at_once=any(one.alert for one in left))
    if all(event.seq <= one.started_seq for one, event in pairs):
        return "No: it came before this digest, or the follow that it fits, began."
    return (
        "No: it fits now, but its edition was made without it: what lets it fit was changed, learned or answered later; "
        "that counts for what comes from then on."
    )


def _waits(digest: Digest, last: LastWindow, due: Coming | None) -> str:
    found = f"Not yet: edition {last.edition} had no room for it, not even as a line"
    if digest.pause is None:
        return f"{found}; it comes first in the next one{_on(due)}."
    if digest.pause.resume_from == "now":
        return f"{found}, and the digest is paused; what waits in this pause is not told when it goes on."
    return f"{found}; it comes first when the digest, which is paused, goes on."


def _comes(digest: Digest, due: Coming | None, *, at_once: bool) -> str:
    if digest.pause is None:
        how = "as an alert, or with the next edition" if at_once else "with the next edition"
        return f"Not yet: it fits, and comes {how}{_on(due)}."
    if digest.pause.resume_from == "now":
        return "No: it fits, and the digest is paused; what comes in this pause is not told when it goes on."
    return "Not yet: it fits, and comes when the digest, which is paused, goes on."


def _on(due: Coming | None) -> str:
    """When an edition is due, to follow its name, and whether one is left out before it."""
    if due is None:
        return ""
    if due.omitted_at is None:
        return f", on {_local(due.at, due.zone)}"
    return (
        f", on {_local(due.at, due.zone)}; there is none on {_local(due.omitted_at, due.zone)}, "
        "because the digest has had one on that day"
    )


def _local(at: datetime, zone: str) -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d at %H:%M}"


def paper_key(written: str) -> PaperKey:
    """A paper's key from an id in any form, from the address of its page, or from itself.

    Raises:
        ConfigError: this is no paper's id.
    """
    key = arxiv_key(written)
    if key is not None:
        return key
    found = doi(written)
    if found is not None:
        return PaperKey(f"doi:{found}")
    page = page_key(written.removeprefix("url:"))
    if page is not None:
        return page
    if written.startswith("url:"):  # what a feed calls an entry that has no page
        return PaperKey(written)
    raise ConfigError(
        f"{written!r} is no paper's id; write 2401.00001, a DOI, or the address of its page with https://"
    )


def the_digest(tx: Transaction, name: str) -> Digest:
    """The digest of a name, paused or not.

    Raises:
        ConfigError: there is none; names those there are.
    """
    known = digests.standing_digests(tx)
    found = next((digest for digest in known if digest.name == name), None)
    if found is None:
        names = ", ".join(digest.name for digest in known) or "none yet: `digest run` applies the file"
        raise ConfigError(f"there is no digest {name!r}; there is {names}")
    return found


# --- preview --------------------------------------------------------------------------------------


def preview(store: Store, name: str, now: datetime, room: Room | None = None) -> Edition:
    """The edition that a digest would get now.

    Args:
        store: a rehearsal in which everything is applied and matched.
        name: the digest's.
        now: the edition's time.
        room: how much goes into an edition; None for all.

    Raises:
        ConfigError: there is no such digest.
    """
    with store.reading() as tx:
        digest = the_digest(tx, name)
        run = Run(
            id=0,
            slot=digest.slot,
            period=now.astimezone(ZoneInfo(digest.zone)).strftime("%Y-%m-%dT%H:%M"),
            state=RunState.CLOSED,
            fire_at=now,
            made_at=now,
            from_seq=digest.told_to,
            to_seq=highest_seq(tx),
        )
        window = Window.load(tx, run, [digest], Known())
        (told,) = window.tellings(tx, [digest], now - ONCE_IN, room)
        # Nothing came since its last edition: then that edition gave the account of these days.
        batches = rows.last_batches(tx) if window.run.to_seq != digest.told_to else ()
        shown, _, more = window.items(told)
        kept = edition_loader.Known()
        (items,), (rest,) = kept.items(tx, [written(shown)]), kept.rests(tx, [more.written()], [batches])
    return Edition(
        id=0,
        digest=digest.name,
        title=digest.title,
        period=run.period,
        zone=digest.zone,
        composed_at=now,
        items=kept.mark_late(items, batches),
        rest=rest,
        dropped=told.what.dropped,
        excluded=told.what.excluded,
        batches=batches,
        language=digest.language,
        abstracts=digest.abstracts,
        frequency=digest.frequency,
    )
