"""Questions about what is there: why a paper is in a digest, what would go out now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.core.compose import OF_THE_PAPER, tells
from digest.core.language.query import Query, load, names_kind
from digest.core.matching.engine import Engine
from digest.core.matching.evaluate import evaluate, reasons
from digest.core.matching.judged import judged, may_gain, without_strangers
from digest.core.papers.document import NOTHING_KNOWN, Document, document
from digest.core.papers.ids import arxiv_key, doi, page_key
from digest.errors import ConfigError
from digest.jobs.compose import ONCE_IN
from digest.jobs.judging import said_of
from digest.jobs.people import standings, verdicts
from digest.jobs.window import Known, Window
from digest.model import Band, Edition, Event, Fit, Paper, PaperKey, Run, RunState
from digest.store import digests, editions, papers, reading
from digest.store import ledger as rows
from digest.store.digests import Digest, Follow, Pause
from digest.store.engine import Store, Transaction, highest_seq
from digest.store.events import events_of
from digest.store.items import written
from digest.store.listings import Appearance, appearances_of
from digest.store.pruning import editions_kept_since

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
        told: the editions that told it, whether in full or in the rest, and whether as an alert.
        verdict: the answer in a sentence.
        pause: the digest's; None if it is active.
        zone: the digest's.
    """

    paper: Paper | None
    listed: tuple[Appearance, ...]
    events: tuple[Event, ...]
    answers: tuple[Answer, ...]
    told: tuple[tuple[int, str, bool], ...]
    verdict: str
    pause: Pause | None
    zone: str


def why(store: Store, name: str, written: str) -> Why:
    """Find out why a paper is, or is not, in a digest.

    Args:
        store: where.
        name: the digest's.
        written: the paper's id in any form.

    Raises:
        ConfigError: there is no such digest, or this is no paper's id.
    """
    key = paper_key(written)
    with store.reading() as tx:
        digest = the_digest(tx, name)
        scheme, _, value = key.partition(":")
        number = papers.known_as(tx, scheme, value)
        if number is None:
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
        members = papers.one_with(tx, [number])[number]
        happened = events_of(tx, members)
        listed = appearances_of(tx, members)
        paper = papers.load(tx, [number])[number]
        told = editions.telling(tx, digest.id, [event.seq for event in happened])
        asked = _Asked.of(tx, digest, paper, happened)
        since = editions_kept_since(tx)
    if not listed and not happened:
        verdict = _UNANNOUNCED
    elif (
        not told
        and not digest.feed
        and since
        and happened
        and all(one.day < since.date() for one in happened)
    ):
        verdict = _forgotten(happened, since)
    else:
        verdict = _verdict(digest, paper, happened, asked, told)
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
    told: Sequence[tuple[int, str, bool]],
) -> str:
    if told:
        edition, place, is_alert = told[-1]
        where = "in full" if place == "items" else "among the rest, beyond the digest's limit"
        return f"Yes: edition {edition}{', an alert,' if is_alert else ''} told it {where}."
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
    return _when(digest, left)


def _when(digest: Digest, left: Sequence[Answer]) -> str:
    """When a paper is told that follows fit, and that no edition has told."""
    pairs = [(one, event) for one in left for event in one.tellable]
    if not pairs:
        return "No: it fits only by what happened to it that the digest's `kinds` do not ask for."
    if any(event.seq > max(digest.told_to, one.started_seq) for one, event in pairs):
        return _coming(digest, at_once=any(one.alert for one in left))
    if all(event.seq <= one.started_seq for one, event in pairs):
        return "No: it came before this digest, or the follow that it fits, began."
    return (
        "No: it fits now, but its edition was made without it. Either more papers fitted than an edition keeps, or "
        "what lets it fit was changed, learned or answered later; that counts for what comes from then on."
    )


def _coming(digest: Digest, *, at_once: bool) -> str:
    if digest.pause is None:
        how = "as an alert, or with the next edition" if at_once else "with the next edition"
        return f"Not yet: it fits, and comes {how}."
    if digest.pause.resume_from == "now":
        return "No: it fits, and the digest is paused; what comes in this pause is not told when it goes on."
    return "Not yet: it fits, and comes when the digest, which is paused, goes on."


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


def preview(store: Store, name: str, now: datetime) -> Edition:
    """The edition that a digest would get now.

    Args:
        store: a rehearsal in which everything is applied and matched.
        name: the digest's.
        now: the edition's time.

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
        (told,) = window.tellings(tx, [digest], now - ONCE_IN)
        # Nothing came since its last edition: then that edition gave the account of these days.
        batches = rows.last_batches(tx) if window.run.to_seq != digest.told_to else ()
        shown, _, more = window.items(told)
        kept = reading.Known()
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
