"""The archive of an account: its digests as JSON that can be imported again. The format is described in docs/howto/your-digest.md.

The same digests give the same text. A later version adds fields, and never changes the meaning of one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from digest.core.subscribers.library.queries import read_library_key
from digest.core.subscribers.own_digest import (
    MAX_EXCLUSIONS,
    MAX_FOLLOWS,
    MAX_LIBRARY_PAPERS,
    MAX_WEIGHT,
    OFFERED_KINDS,
    EditError,
    OwnFollow,
    add_missing_follows,
)
from digest.core.subscribers.schedule_choice import (
    ScheduleChoice,
    make_chosen_schedule,
    read_schedule_choice,
)
from digest.core.subscribers.transfer.imported import (
    ImportContentError,
    ImportMistake,
    ImportProblem,
    ProblemKind,
    make_library_follow,
    read_canonical_follow,
    remove_control_characters,
)
from digest.core.subscribers.transfer.json_values import (
    get_bool,
    get_instant,
    get_list,
    get_mapping,
    get_number,
    get_text,
    get_weight,
    load_json,
)
from digest.core.times.schedule import (
    WEEKDAYS,
    count_daily_firings,
    format_expression,
    load_zone,
    parse_schedule,
)
from digest.errors import ConfigError
from digest.model import Abstracts, Arrangement, DigestOptions, Frequency, PaperKey, Schedule

FORMAT, VERSION = "papers-digest account", 1
DIGESTS_FILE = "digests.json"
_MAX_DIGESTS = 100
_MAX_TITLE, _MAX_LANGUAGE = 200, 35
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
DEFAULT_SCHEDULE = Schedule(frequency=Frequency.WEEKLY, days=(0,), at="08:00", zone="UTC")
"""The schedule of a digest whose own one cannot be read, or fires too often."""
_MAX_DAILY_FIRINGS = 24
"""Number of editions a day that a reader can import; an operator can declare a digest that comes more often."""
_MAX_EXPRESSION = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDigest:
    """A digest.

    Attributes:
        name: its name, which distinguishes it among the digests of its reader.
        title: its title.
        schedule: when its editions come; None if it cannot be read, or fires too often.
        options: its options.
        is_mailed: whether its editions go to the reader's address.
        is_paused: whether it is paused.
        paused_until: when the pause ends by itself; None if somebody has to end it.
        follows: its follows, the papers of libraries last, and its exclusions.
        destinations: the public addresses of its chats and webhooks, which no import brings back.
    """

    name: str
    title: str
    schedule: Schedule | None
    options: DigestOptions
    is_mailed: bool = True
    is_paused: bool = False
    paused_until: datetime | None = None
    follows: tuple[OwnFollow, ...] = ()
    destinations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDigests:
    """The digests of an archive, and what of them could not be read."""

    digests: tuple[ArchivedDigest, ...]
    problems: tuple[ImportProblem, ...] = ()


# --- writing --------------------------------------------------------------------------------------


def write_digests(digests: Iterable[ArchivedDigest], *, indent: int | None = 1) -> str:
    """Return the document with digests."""
    document = {"format": FORMAT, "version": VERSION, "digests": [_write_digest(entry) for entry in digests]}
    return json.dumps(document, ensure_ascii=indent is None, indent=indent)


def _write_digest(digest: ArchivedDigest) -> dict[str, Any]:
    options = digest.options
    papers = {
        entry.query: key
        for entry in digest.follows
        if not entry.exclude and (key := read_library_key(entry.query))
    }
    return {
        "name": digest.name,
        "title": digest.title,
        "schedule": _write_schedule(digest.schedule) if digest.schedule else None,
        "timezone": options.timezone,
        "mail": digest.is_mailed,
        "destinations": list(digest.destinations),
        "paused": digest.is_paused,
        "paused_until": format_archive_instant(digest.paused_until) if digest.paused_until else None,
        "options": {
            "language": options.language,
            "kinds": [kind.value for kind in options.kinds],
            "limit": options.limit,
            "full": options.full,
            "minimum": options.minimum,
            "when_empty": options.when_empty,
            "abstracts": options.abstracts.value,
            "arrange": options.arrange.value,
            "feed": options.feed,
            "feed_entries": options.feed_entries,
            "alerts_a_day": options.alerts_a_day,
            "repeat_alerts": options.repeat_alerts,
        },
        "follows": [
            _write_follow(entry) for entry in digest.follows if entry.query not in papers or entry.exclude
        ],
        "papers": [
            {"id": papers[entry.query], "title": entry.text, "weight": entry.weight, "alert": entry.alert}
            for entry in digest.follows
            if not entry.exclude and entry.query in papers
        ],
    }


def _write_schedule(schedule: Schedule) -> dict[str, Any]:
    choice = read_schedule_choice(schedule)
    if choice is None:
        return {
            "expression": format_expression(schedule),
            "latest": schedule.latest or None,
            "timezone": schedule.zone,
        }
    return {
        "days": [WEEKDAYS[day] for day in choice.days],
        "month_day": choice.month_day or None,
        "at": choice.at,
        "latest": choice.latest or None,
        "timezone": choice.zone,
    }


def _write_follow(follow: OwnFollow) -> dict[str, Any]:
    return {
        "text": follow.text,
        "query": follow.query,
        "weight": follow.weight,
        "exclude": follow.exclude,
        "alert": follow.alert,
        "only": follow.only or None,
    }


def format_archive_instant(instant: datetime) -> str:
    """Format an instant: RFC 3339, in UTC."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


# --- reading --------------------------------------------------------------------------------------


def read_digests(text: str) -> ArchivedDigests:
    """Return the digests in a document.

    What a reader could not have made here is left out or brought between its limits.

    Raises:
        ImportContentError: it is no such document, or of a later version.
    """
    document = get_mapping(load_json(text))
    if document.get("format") != FORMAT or not isinstance(document.get("version"), int):
        raise ImportContentError(ImportMistake.NO_ARCHIVE)
    if document["version"] > VERSION:
        raise ImportContentError(ImportMistake.NEWER_ARCHIVE)
    entries = get_list(document.get("digests"))
    if len(entries) > _MAX_DIGESTS:
        raise ImportContentError(ImportMistake.TOO_MUCH)
    digests: dict[str, ArchivedDigest] = {}
    problems: list[ImportProblem] = []
    for number, entry in enumerate(entries, 1):
        digest = _read_digest(get_mapping(entry), number, problems)
        digests.setdefault(digest.name, digest)
    return ArchivedDigests(digests=tuple(digests.values()), problems=tuple(problems))


def _read_digest(entry: Mapping[str, Any], number: int, problems: list[ImportProblem]) -> ArchivedDigest:
    name, title = get_text(entry.get("name")), " ".join(get_text(entry.get("title")).split())[:_MAX_TITLE]
    options = _read_options(get_mapping(entry.get("options")), get_text(entry.get("timezone")))
    return ArchivedDigest(
        name=name if _NAME.fullmatch(name) else f"imported-{number}",
        title=title if title and title.isprintable() else f"Digest {number}",
        schedule=_read_schedule(get_mapping(entry.get("schedule"))),
        options=options,
        is_mailed=get_bool(entry.get("mail"), default=True),
        is_paused=get_bool(entry.get("paused"), default=False),
        paused_until=get_instant(entry.get("paused_until")),
        follows=_read_follows(entry, problems),
    )


def _read_schedule(entry: Mapping[str, Any]) -> Schedule | None:
    try:
        if expression := get_text(entry.get("expression"))[:_MAX_EXPRESSION]:
            latest, zone = get_text(entry.get("latest")), get_text(entry.get("timezone"))
            schedule = parse_schedule(expression, zone=zone, latest=latest)
            return schedule if count_daily_firings(schedule) <= _MAX_DAILY_FIRINGS else None
        return make_chosen_schedule(_read_choice(entry))
    except (ConfigError, EditError):
        return None


def _read_choice(entry: Mapping[str, Any]) -> ScheduleChoice:
    days = [WEEKDAYS.index(day) for day in get_list(entry.get("days")) if day in WEEKDAYS]
    return ScheduleChoice(
        days=tuple(sorted(set(days))),
        month_day=get_number(entry.get("month_day"), 0, 31, 0),
        at=get_text(entry.get("at")),
        latest=get_text(entry.get("latest")),
        zone=get_text(entry.get("timezone")),
    )


_Option = TypeVar("_Option", bound=StrEnum)


def _read_options(entry: Mapping[str, Any], zone: str) -> DigestOptions:
    default = DigestOptions()
    kinds = dict.fromkeys(
        kind for name in get_list(entry.get("kinds")) for kind in OFFERED_KINDS if kind.value == name
    )
    feed_entries = get_text(entry.get("feed_entries"))
    return DigestOptions(
        timezone=zone if _is_zone(zone) else default.timezone,
        language=get_text(entry.get("language"))[:_MAX_LANGUAGE],
        kinds=tuple(kinds) or default.kinds,
        limit=get_number(entry.get("limit"), 1, 200, default.limit),
        full=get_number(entry.get("full"), 0, 1_000, default.full),
        minimum=get_number(entry.get("minimum"), 0, 200, default.minimum),
        when_empty="tell" if entry.get("when_empty") == "tell" else "skip",
        abstracts=_read_option(Abstracts, entry.get("abstracts"), default.abstracts),
        arrange=_read_option(Arrangement, entry.get("arrange"), default.arrange),
        feed=get_bool(entry.get("feed"), default=False),
        feed_entries=feed_entries if feed_entries == "editions" else "papers",
        alerts_a_day=get_number(entry.get("alerts_a_day"), 0, default.alerts_a_day, default.alerts_a_day),
        repeat_alerts=get_bool(entry.get("repeat_alerts"), default=False),
    )


def _read_option(kind: type[_Option], value: object, default: _Option) -> _Option:
    return next((member for member in kind if member.value == value), default)


def _is_zone(name: str) -> bool:
    try:
        load_zone(name)
    except ConfigError:
        return False
    return bool(name)


def _read_follows(entry: Mapping[str, Any], problems: list[ImportProblem]) -> tuple[OwnFollow, ...]:
    max_follows = MAX_FOLLOWS + MAX_EXCLUSIONS
    follows: tuple[OwnFollow, ...] = ()
    rows = [get_mapping(row) for row in get_list(entry.get("follows"))[: max_follows + 1]]
    papers = [get_mapping(row) for row in get_list(entry.get("papers"))[: MAX_LIBRARY_PAPERS + 1]]
    read: list[OwnFollow] = []
    for make_follow, chosen in ((_make_follow, rows), (_make_paper, papers)):
        for row in chosen:
            follow = read_canonical_follow(make_follow(row))
            if follow is None:
                label = get_text(row.get("text")) or get_text(row.get("id"))
                problems.append(ImportProblem(ProblemKind.NO_QUERY, remove_control_characters(label)[:200]))
            else:
                read.append(follow)
    queries = {follow.query for follow in read if not follow.exclude}
    kept = [follow for follow in read if not follow.only or (follow.exclude and follow.only in queries)]
    try:
        follows = add_missing_follows((), kept)
    except EditError:
        raise ImportContentError(ImportMistake.TOO_MUCH) from None
    return follows


def _make_follow(row: Mapping[str, Any]) -> OwnFollow:
    return OwnFollow(
        text=get_text(row.get("text")),
        query=get_text(row.get("query")) or get_text(row.get("text")),
        exclude=get_bool(row.get("exclude"), default=False),
        only=get_text(row.get("only")),
        **_read_weight(row),
    )


def _make_paper(row: Mapping[str, Any]) -> OwnFollow:
    paper = make_library_follow(PaperKey(get_text(row.get("id"))), get_text(row.get("title")))
    return OwnFollow(text=paper.text, query=paper.query, **_read_weight(row))


def _read_weight(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "weight": get_weight(row.get("weight"), 1 / MAX_WEIGHT, MAX_WEIGHT),
        "alert": get_bool(row.get("alert"), default=False),
    }
