"""OAI-PMH ListRecords, as arXiv's server answers it (arXiv/oaipmh; https://info.arxiv.org/help/oa/index.html)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode
from xml.sax.saxutils import escape

from tests.arxiv_service.answers import Answer
from tests.arxiv_service.feeds import encode_tex
from tests.arxiv_service.history import ALIASES, ARCHIVES, NOT_PHYSICS, Announcement, History
from tests.arxiv_service.release_times import get_records_time

BASE = "https://oaipmh.arxiv.org/oai"
FORMATS = ("arXiv", "arXivRaw")


class _RefusedError(Exception):
    """An OAI-PMH error: code and reason."""


class _Selection(NamedTuple):
    """What a request asks for."""

    form: str
    since: date
    until: date
    of: str
    skip: int


@dataclass(slots=True)
class Harvest:
    """The records of a history.

    Attributes:
        page: records a page.
        tokens: the resumption tokens given out, and the midnight at which each dies.
    """

    history: History
    page: int = 2500
    tokens: dict[str, datetime] = field(default_factory=dict)
    _last: tuple[object, list[Announcement]] = (None, [])

    def answer(self, query: Sequence[tuple[str, str]], now: datetime) -> Answer:
        """Answer a request; errors have status 200, too."""
        arguments = dict(query)
        rows: list[tuple[str, str]] = []
        try:
            body, rows = self._render_page(self._parse_arguments(arguments, len(query), now), now)
        except _RefusedError as error:
            code, reason = error.args
            body = f"<error code='{code}'>{escape(reason)}</error>\n"
            if code != "noRecordsMatch":
                arguments = {}
        text = "".join(f' {name}="{escape(value)}"' for name, value in arguments.items())
        document = f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">
    <responseDate>{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</responseDate>
    <request{text}>{BASE}</request>
{body}</OAI-PMH>
"""
        return Answer(
            headers={"Content-Type": "text/xml; charset=utf-8"}, body=document.encode(), rows=tuple(rows)
        )

    # --- what is asked ------------------------------------------------------------------------------

    def _parse_arguments(self, arguments: Mapping[str, str], count: int, now: datetime) -> _Selection:
        if len(arguments) < count:
            raise _RefusedError("badArgument", "a repeated argument")
        if arguments.get("verb") != "ListRecords":
            raise _RefusedError("badVerb", "Invalid verb provided")
        today = now.astimezone(UTC).date()
        token = arguments.get("resumptionToken")
        if token is not None:
            if set(arguments) != {"verb", "resumptionToken"}:
                raise _RefusedError("badArgument", "No other parameters allowed with a resumptionToken")
            if now >= self.tokens.get(token, now):
                raise _RefusedError(
                    "badResumptionToken", "The value of the resumptionToken is invalid or expired."
                )
            qsl = dict(parse_qsl(unquote(token)))
            return _make_selection(qsl, today, int(qsl["skip"]))
        if set(arguments) - {"verb", "metadataPrefix", "from", "until", "set"}:
            raise _RefusedError("badArgument", "Unexpected parameters")
        return _make_selection(arguments, today, 0)

    def _render_page(self, expected: _Selection, now: datetime) -> tuple[str, list[tuple[str, str]]]:
        """The page and the ids on it."""
        announcements = self._select_records(expected, now)[expected.skip :]
        if not announcements:
            raise _RefusedError("noRecordsMatch", "The combination of the values results in an empty list.")
        page = announcements[: self.page]
        rest = "<resumptionToken/>"
        if announcements[self.page :]:
            rest = self._make_token(expected, now)
        text = "".join(self._render_record(announcement, expected.form, now) for announcement in page)
        return f"    <ListRecords>\n{text}        {rest}\n    </ListRecords>\n", [
            (announcement.id, "") for announcement in page
        ]

    def _select_records(self, expected: _Selection, now: datetime) -> list[Announcement]:
        """What is asked for, in its order; the pages of one harvest need not look for it again."""
        of = (expected.since, expected.until, expected.of, now)
        if self._last[0] != of:
            announcements = [
                announcement
                for announcement in self.history.list_records(now)
                if expected.since <= get_datestamp(announcement) <= expected.until
                and any(_is_within(expected.of, name) for name in list_sets(announcement.categories))
            ]
            self._last = (
                of,
                sorted(
                    announcements, key=lambda announcement: (get_datestamp(announcement), announcement.id)
                ),
            )
        return self._last[1]

    def _make_token(self, expected: _Selection, now: datetime) -> str:
        """Where to go on: text that is quoted once, and has to be quoted once more to be sent."""
        plain = {
            "verb": "ListRecords",
            "metadataPrefix": expected.form,
            "from": expected.since,
            "until": expected.until,
        }
        if expected.of:
            plain["set"] = expected.of
        token = urlencode({**plain, "skip": expected.skip + self.page})
        midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), datetime.min.time(), UTC)
        self.tokens[quote(token)] = midnight
        return f"<resumptionToken expirationDate='{midnight:%Y-%m-%dT%H:%M:%SZ}'>{quote(token)}</resumptionToken>"

    # --- a record -----------------------------------------------------------------------------------

    def _render_record(self, announcement: Announcement, form: str, now: datetime) -> str:
        specs = "".join(
            f"            <setSpec>{name}</setSpec>\n" for name in list_sets(announcement.categories)
        )
        metadata = self._raw(announcement, now) if form == "arXivRaw" else self._plain(announcement, now)
        return f"""        <record>
        <header>
            <identifier>oai:arXiv.org:{announcement.id}</identifier>
            <datestamp>{get_datestamp(announcement)}</datestamp>
{specs}        </header>
        <metadata>
            <{form} xmlns="http://arxiv.org/OAI/{form}/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://arxiv.org/OAI/{form}/ https://oaipmh.arxiv.org/OAI/{form}.xsd">
            <id>{announcement.id}</id>
{metadata}            <license>http://arxiv.org/licenses/nonexclusive-distrib/1.0/</license>
            <abstract>{escape(announcement.abstract)}</abstract>
            </{form}>
        </metadata>
        </record>
"""

    def _raw(self, announcement: Announcement, now: datetime) -> str:
        versions = "".join(
            _version(number, came_in, gone=gone)
            for number, (came_in, gone) in self._versions(announcement, now).items()
        )
        return f"""            <submitter>{escape(announcement.authors[0])}</submitter>
{versions}            <title>{escape(announcement.title)}</title>
            <authors>{escape(encode_tex(", ".join(announcement.authors)))}</authors>
            <categories>{" ".join(announcement.categories)}</categories>
{_optional(announcement)}"""

    def _plain(self, announcement: Announcement, now: datetime) -> str:
        dates = [came_in for came_in, _ in self._versions(announcement, now).values()]
        updated = f"            <updated>{dates[-1]:%Y-%m-%d}</updated>\n" if dates[1:] else ""
        authors = "".join(map(_author, announcement.authors))
        return f"""            <created>{dates[0]:%Y-%m-%d}</created>
{updated}            <authors>
{authors}            </authors>
            <title>{escape(announcement.title)}</title>
            <categories>{" ".join(announcement.categories)}</categories>
{_optional(announcement)}"""

    def _versions(self, announcement: Announcement, now: datetime) -> dict[int, tuple[datetime, bool]]:
        """When each version came in and whether it is a withdrawal; those of before our time a month apart."""
        announcements = self.history.find_versions(announcement.id, now)
        first = min(announcements, default=announcement.version + 1)
        base = announcements[first].came_in if announcements else announcement.came_in
        before = {n: (base - timedelta(days=30 * (first - n)), False) for n in range(1, first)}
        return {
            **before,
            **{
                number: (announcement.came_in, announcement.withdrawn)
                for number, announcement in sorted(announcements.items())
            },
        }


def get_datestamp(announcement: Announcement) -> date:
    """The UTC day on which the record came out as it is."""
    return get_records_time(announcement.day).date()


def list_sets(categories: Sequence[str]) -> list[str]:
    """The sets that a paper is in, ``cs:cs:LG`` or ``physics:hep-th``; an alias brings both of its names'."""
    other = {old: new for new, old in ALIASES.items()}
    names = [*categories, *(other[name] for name in categories if name in other)]
    names += [ALIASES[name] for name in categories if name in ALIASES]
    return sorted({_set(name) for name in names})


def _set(category: str) -> str:
    archive, _, name = category.partition(".")
    group = archive if archive in NOT_PHYSICS else "physics"
    return ":".join(filter(None, (group, archive, name)))


def _is_within(of: str, name: str) -> bool:
    return not of or name == of or name.startswith(of + ":")


def _make_selection(arguments: Mapping[str, str], today: date, skip: int) -> _Selection:
    form, of = arguments.get("metadataPrefix", ""), arguments.get("set", "")
    if not form:
        raise _RefusedError("badArgument", "metadataPrefix is required")
    if form not in FORMATS:
        raise _RefusedError("cannotDisseminateFormat", "Did not recognize requested format")
    if of and not _is_set(of):
        raise _RefusedError("badArgument", "Set does not exist")
    try:
        since = date.fromisoformat(arguments.get("from", "2005-09-16"))
        until = date.fromisoformat(arguments.get("until", today.isoformat()))
    except ValueError:
        raise _RefusedError("badArgument", "from date format must be YYYY-MM-DD") from None
    if since > until:
        raise _RefusedError("badArgument", "until date must be greater than or equal to from date")
    return _Selection(form, since, until, of, skip)


def _is_set(of: str) -> bool:
    group, archive, *_ = [*of.split(":"), ""]
    return group in {*NOT_PHYSICS, "physics"} and (not archive or archive in ARCHIVES)


def _version(number: int, came_in: datetime, *, gone: bool) -> str:
    """A line of the version history; what is withdrawn has no text."""
    size, kind = ("0kb", "<source_type>I</source_type>") if gone else ("1329kb", "")
    date_in = format_datetime(came_in.astimezone(UTC), usegmt=True)
    return f'            <version version="v{number}"><date>{date_in}</date><size>{size}</size>{kind}</version>\n'


def _optional(announcement: Announcement) -> str:
    named = {"comments": announcement.comment, "journal-ref": announcement.journal, "doi": announcement.doi}
    return "".join(f"            <{name}>{escape(text)}</{name}>\n" for name, text in named.items() if text)


def _author(name: str) -> str:
    fore, _, key = name.rpartition(" ")
    forenames = f"<forenames>{escape(fore)}</forenames>" if fore else ""
    return f"                <author><keyname>{escape(key)}</keyname>{forenames}</author>\n"
