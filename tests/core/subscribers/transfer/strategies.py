"""Digests as readers can make them, for tests of their archive."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from digest.core.language.parser import parse
from digest.core.subscribers.opinions import RATINGS, Opinion
from digest.core.subscribers.own_digest import OFFERED_KINDS, OwnFollow
from digest.core.subscribers.schedule_choice import ScheduleChoice, list_zones, make_chosen_schedule
from digest.core.subscribers.transfer.archive import ArchivedDigest
from digest.core.subscribers.transfer.archived_records import ArchivedAnswer, ArchivedOpinion
from digest.core.subscribers.transfer.imported import make_library_follow
from digest.core.times.schedule import parse_schedule
from digest.model import Abstracts, Arrangement, DigestOptions, PaperKey, Schedule

WEIGHTS = st.sampled_from([0.25, 0.5, 1.0, 1.7, 4.0])
QUERIES = tuple(
    str(parse(text))
    for text in (
        "graph",
        '"kv cache"',
        "category:cs.LG",
        'author:"Kaiming He"',
        "author:orcid:0000-0002-1825-0097",
        "title:(graph OR tree) -survey",
        "id:2401.00001 kind:version",
        'author:"李 明"',
        "quantiz*",
    )
)
LINES = (
    st.text(min_size=1, max_size=60)
    .map(lambda text: " ".join("".join(c if c.isprintable() else " " for c in text).split()))
    .filter(bool)
)
CLOCKS = st.builds(lambda hour, minute: f"{hour:02}:{minute:02}", st.integers(0, 23), st.integers(0, 59))
ZONES = st.sampled_from(list_zones())


EXPRESSIONS = st.sampled_from(["30 7 * * 1-5", "0 8,13,18 * * *", "0 9 l * *", "15 */2 1-7 * mon"])
HOURS = st.integers(1, 24 * 31).map(lambda hours: f"every {hours} hours")


@st.composite
def make_schedules(draw: st.DrawFn) -> Schedule:
    """A schedule that a reader can choose, or one that only a file can declare."""
    days, zone = draw(st.sets(st.integers(0, 6))), draw(ZONES)
    choice = ScheduleChoice(
        days=tuple(sorted(days)),
        month_day=0 if days else draw(st.integers(1, 31)),
        at=draw(CLOCKS),
        latest=draw(st.one_of(st.just(""), CLOCKS)),
        zone=zone,
    )
    return draw(
        st.one_of(
            st.just(make_chosen_schedule(choice)),
            EXPRESSIONS.map(lambda text: parse_schedule(text, zone=zone, latest=choice.latest)),
            HOURS.map(lambda text: parse_schedule(text, zone=zone)),
        )
    )


@st.composite
def make_opinions(draw: st.DrawFn, opinions: tuple[Opinion, ...] = tuple(Opinion)) -> ArchivedOpinion:
    opinion = draw(st.sampled_from(opinions))
    return ArchivedOpinion(
        digest=draw(LINES),
        paper=PaperKey(f"arxiv:2401.{draw(st.integers(1, 99_999)):05}"),
        title=draw(LINES),
        opinion=opinion,
        at=draw(INSTANTS),
        follows=tuple(draw(st.lists(st.sampled_from(QUERIES), max_size=3))) if opinion in RATINGS else (),
    )


INSTANTS = st.datetimes(datetime(2001, 1, 1), datetime(2900, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
ANSWERS = st.builds(
    ArchivedAnswer,
    digest=LINES,
    paper=st.integers(1, 99_999).map(lambda number: PaperKey(f"arxiv:2401.{number:05}")),
    title=LINES,
    position=st.integers(0, 9_999),
    name=LINES,
    is_person=st.booleans(),
    at=INSTANTS,
)


@st.composite
def make_follows(draw: st.DrawFn) -> tuple[OwnFollow, ...]:
    queries = draw(st.lists(st.sampled_from(QUERIES), unique=True, max_size=6))
    excluded = draw(st.lists(st.sampled_from(QUERIES), unique=True, max_size=3))
    follows = [
        OwnFollow(text=draw(LINES), query=query, weight=draw(WEIGHTS), alert=draw(st.booleans()))
        for query in queries
    ]
    follows += [
        OwnFollow(text=draw(LINES), query=query, exclude=True) for query in excluded if query not in queries
    ]
    if queries:
        follows += [
            OwnFollow(text=draw(LINES), query="survey", exclude=True, only=queries[0])
            for _ in range(draw(st.integers(0, 1)))
        ]
    numbers = draw(st.sets(st.integers(1, 99_999), max_size=4))
    papers = [make_library_follow(PaperKey(f"arxiv:2401.{number:05}"), draw(LINES)) for number in numbers]
    return (*follows, *papers)


@st.composite
def make_archived_digests(draw: st.DrawFn) -> tuple[ArchivedDigest, ...]:
    names = draw(st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True), unique=True, max_size=4))
    return tuple(draw(_make_digest(name)) for name in names)


@st.composite
def _make_digest(draw: st.DrawFn, name: str) -> ArchivedDigest:
    is_paused = draw(st.booleans())
    until = datetime(2027, draw(st.integers(1, 12)), 1, tzinfo=UTC)
    schedule = draw(make_schedules())
    return ArchivedDigest(
        name=name,
        title=draw(LINES),
        schedule=schedule,
        options=DigestOptions(
            timezone=schedule.zone,
            kinds=tuple(draw(st.lists(st.sampled_from(OFFERED_KINDS), unique=True, min_size=1))),
            limit=draw(st.integers(1, 200)),
            full=draw(st.integers(0, 1_000)),
            minimum=draw(st.integers(0, 200)),
            when_empty=draw(st.sampled_from(["skip", "tell"])),
            feed=draw(st.booleans()),
            feed_entries=draw(st.sampled_from(["papers", "editions"])),
            language=draw(st.sampled_from(["en", "de", "zh"])),
            abstracts=draw(st.sampled_from(Abstracts)),
            arrange=draw(st.sampled_from(Arrangement)),
            alerts_a_day=draw(st.integers(0, 5)),
            repeat_alerts=draw(st.booleans()),
        ),
        is_mailed=draw(st.booleans()),
        is_paused=is_paused,
        paused_until=draw(st.sampled_from([None, until])) if is_paused else None,
        follows=draw(make_follows()),
    )
