"""A little OAI-PMH server as pure functions, with arXiv's rules for pages and tokens (arXiv/oaipmh)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit
from xml.sax.saxutils import escape

SCHEMA = "http://www.openarchives.org/OAI/2.0/"


class Change(NamedTuple):
    """A record as it is since an instant."""

    at: datetime
    id: str
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OaiServer:
    """Records, and how they are given out.

    Attributes:
        changes: all that ever happens; a record is as its latest change by now left it.
        page: records a page.
    """

    changes: Sequence[Change]
    page: int

    def records(self, now: datetime) -> list[Change]:
        """As they are now, in the order in which they were changed."""
        latest: dict[str, Change] = {}
        for change in sorted(self.changes):
            if change.at <= now:
                latest[change.id] = change
        return sorted(latest.values())

    def answer(self, url: str, now: datetime, *, refuse: bool = False) -> bytes:
        """Answer a request; a token counts how many records of a day to skip and ends with the UTC day."""
        qsl = dict(parse_qsl(urlsplit(url).query))
        skip = 0
        if token := qsl.get("resumptionToken"):
            qsl = dict(parse_qsl(unquote(token)))
            skip = int(qsl["skip"])
            if refuse or qsl["given"] != str(now.date()):
                return make_document("<error code='badResumptionToken'>expired</error>", now)
        since = date.fromisoformat(qsl["from"])
        until = date.fromisoformat(qsl.get("until", "9999-12-31"))
        changes = [change for change in self.records(now) if since <= change.at.date() <= until][skip:]
        if not changes:
            return make_document("<error code='noRecordsMatch'/>", now)
        shown_changes, rest = changes[: self.page], changes[self.page :]
        return make_document(
            make_list_records(
                sorted(map(make_record_of_change, shown_changes)),
                self._token(qsl, skip, shown_changes, rest, now),
            ),
            now,
        )

    def _token(
        self, parameters: dict[str, str], skip: int, changes: list[Change], rest: list[Change], now: datetime
    ) -> str:
        if not rest:
            return "<resumptionToken/>"
        day = rest[0].at.date()
        if day == changes[0].at.date():
            fields = {**parameters, "skip": skip + len(changes)}
        else:
            fields = {**parameters, "from": day, "skip": sum(change.at.date() == day for change in changes)}
        fields["given"] = now.date()
        midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
        return f"<resumptionToken expirationDate='{format_timestamp(midnight)}'>{quote(urlencode(fields))}</resumptionToken>"


def make_record_of_change(change: Change) -> str:
    """A record with as many versions as it has."""
    return make_record(
        change.id, change.at.date(), versions=[change.at - timedelta(hours=9)] * change.version
    )


# --- documents --------------------------------------------------------------------------------------


def format_timestamp(at: datetime) -> str:
    """A time as OAI-PMH writes it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_document(inside: str, now: datetime, request: str = "") -> bytes:
    """A whole answer."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="{SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <responseDate>{format_timestamp(now)}</responseDate>
    <request verb='ListRecords'{request}>https://oaipmh.arxiv.org/oai</request>
    {inside}
</OAI-PMH>""".encode()


def make_list_records(records: Sequence[str], token: str = "<resumptionToken/>") -> str:
    """The records of an answer."""
    return f"<ListRecords>{''.join(records)}{token}\n</ListRecords>"


def make_record(
    id_: str,
    day: date | str,
    *,
    versions: Sequence[datetime] = (),
    last: str = "",
    header: str = "",
    **fields: str,
) -> str:
    """A record of the format arXivRaw; a field "" is left out.

    Args:
        id_: without version.
        day: the datestamp.
        versions: when each came in.
        last: what is said of the last version.
        header: attributes of the header.
        fields: instead of those made up, under arXiv's names, ``_`` for ``-``.
    """
    told = {
        "title": f"On {id_}",
        "authors": "Ada Lovelace",
        "categories": "cs.LG",
        "abstract": "  We show it.",
        **{name.replace("_", "-"): text for name, text in fields.items()},
    }
    history = "".join(
        f'<version version="v{n}">\n<date>{came:%a, %d %b %Y %H:%M:%S} GMT</date>\n<size>1kb</size>'
        f"{last if n == len(versions) else ''}</version>\n"
        for n, came in enumerate(versions, 1)
    )
    return f"""
    <record>
        <header{header}>
            <identifier>oai:arXiv.org:{id_}</identifier>
            <datestamp>{day}</datestamp>
            <setSpec>cs:cs:LG</setSpec>
        </header>
        <metadata>
            <arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">
                <id>{id_}</id>
                <submitter>Ada Lovelace</submitter>
                {history}
                {"".join(f"<{name}>{escape(text)}</{name}>" for name, text in told.items() if text)}
            </arXivRaw>
        </metadata>
    </record>"""
