"""Questions about what is there: why a paper is in a digest, what would go out now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.core.compose import compose, tells
from digest.core.document import document
from digest.core.evaluate import evaluate
from digest.core.ids import arxiv_key, doi, page_key
from digest.core.reading import reading
from digest.errors import ConfigError
from digest.jobs.compose import ONCE_IN, Window
from digest.model import (
    Band,
    Batch,
    Edition,
    Event,
    Fit,
    ListingKind,
    Paper,
    PaperKey,
    Run,
    RunState,
)
from digest.store import digests, editions, papers
from digest.store import ledger as rows
from digest.store.digests import Digest
from digest.store.engine import Store, Transaction, highest_seq
from digest.store.events import events_of
from digest.store.listings import listings_of

# --- why ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a paper is, or is not, in a digest.

    Attributes:
        paper: None if no source has listed it.
        listed: where it was listed: the batch and how.
        events: what could be told of it.
        fits: each follow as written, whether it takes papers out, and its answer.
        told: the editions that told it, and whether in full or in the rest.
        verdict: the answer in a sentence.
    """

    paper: Paper | None
    listed: tuple[tuple[Batch, ListingKind], ...]
    events: tuple[Event, ...]
    fits: tuple[tuple[str, bool, Fit | None], ...]
    told: tuple[tuple[int, str], ...]
    verdict: str


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
                fits=(),
                told=(),
                verdict=f"No source has listed {key} so far as this store knows.",
            )
        members = papers.one_with(tx, [number])[number]
        happened = events_of(tx, members)
        listed = tuple((rows.batch(tx, batch), kind) for batch, kind in listings_of(tx, members))
        paper = papers.load(tx, [number])[number]
        told = editions.telling(tx, digest.id, [event.seq for event in happened])
    about = document(paper)
    fits = tuple(
        (follow.text, follow.exclude, evaluate(reading(follow.query_text).query, about))
        for follow in digest.follows
    )
    verdict = _verdict(digest, paper, happened, fits, told) if listed or happened else _UNANNOUNCED
    return Why(paper=paper, listed=listed, events=happened, fits=fits, told=told, verdict=verdict)


_UNANNOUNCED = "No: it is known, but no source has announced it so far as this store knows."


def _verdict(
    digest: Digest,
    paper: Paper,
    events: Sequence[Event],
    fits: Sequence[tuple[str, bool, Fit | None]],
    told: Sequence[tuple[int, str]],
) -> str:
    wanted = [text for text, exclude, fit in fits if fit and not exclude]
    out = [text for text, exclude, fit in fits if fit and exclude and fit.band >= Band.LIKELY]
    if told:
        edition, place = told[-1]
        where = "in full" if place == "items" else "among the rest, beyond the digest's limit"
        return f"Yes: edition {edition} told it {where}."
    if paper.withdrawn and not any(tells(event, digest.kinds) for event in events):
        return "No: its authors withdrew it, and a withdrawn paper is told neither as new nor as picked."
    if not events:
        return "No: it was listed on a day before this store began to tell, so it made no event."
    if not any(tells(event, digest.kinds) for event in events):
        kinds = ", ".join(sorted({event.kind.value for event in events}))
        return f"No: what is known of it is {kinds}, and the digest's `kinds` do not ask for that."
    if not wanted:
        return "No: none of the digest's follows fits it."
    if out:
        return f"No: it fits, but the exclusion {out[0]!r} takes it out."
    if all(event.seq <= digest.told_to for event in events):
        return "No: it came before this digest, or the follow that it fits, began."
    return "Not yet: it fits, and comes with the next edition."


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
    """The active digest of a name.

    Raises:
        ConfigError: there is none; names those there are.
    """
    known = digests.active_digests(tx)
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
        window = Window.load(tx, run, [digest])
        told = editions.told(tx, [digest.id], now - ONCE_IN).get(digest.id, frozenset())
        # Nothing came since its last edition: then that edition gave the account of these days.
        batches = rows.last_batches(tx) if window.run.to_seq != digest.told_to else ()
    what = compose(window.candidates(digest), kinds=digest.kinds, limit=digest.limit, told=told)
    return Edition(
        id=0,
        digest=digest.name,
        title=digest.title,
        period=run.period,
        zone=digest.zone,
        composed_at=now,
        items=what.items,
        rest=what.rest,
        dropped=what.dropped,
        excluded=what.excluded,
        batches=batches,
    )
