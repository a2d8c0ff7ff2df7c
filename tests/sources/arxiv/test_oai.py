"""arXiv's records: each is read or told, and a harvest that is cut anywhere ends as one that is not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import SourceError
from digest.model import Ask, Author, ListingKind, Paper
from digest.ports import Page, Request, Response
from digest.sources.arxiv.oai import ACCEPT, TOKEN_LIFETIME, build_oai_request, make_set_name, read_oai
from tests.sources.arxiv.oai_server import Change, OaiServer, make_document, make_list_records, make_record
from tests.support.cases import for_each_case

BASE = "https://oaipmh.arxiv.org/oai"
NOW = datetime(2026, 4, 22, 4, 30, tzinfo=UTC)
DAY = date(2026, 4, 22)
CAME = datetime(2026, 4, 21, 9, 15, tzinfo=UTC)


def ask(section: str = "cs.LG", day: date | None = None, until: date | None = None) -> Ask:
    return Ask(source="arxiv", section=section, route="oai", day=day, until=until)


def start(
    request: Ask | None = None, cursor: str = "", now: datetime = NOW, prefix: str = "arXivRaw"
) -> Request:
    return build_oai_request(BASE, request or ask(), cursor, now, prefix, "arxiv.org")


def query(request: Request) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(request.url).query))


def read(body: bytes, *, announce: bool = False, section: str = "cs.LG", status: int = 200) -> Page:
    return read_oai(start(ask(section)), Response(status=status, headers=(), body=body), announce=announce)


def records(*lines: str, **options: Any) -> Page:
    return read(make_document(make_list_records(lines), NOW), **options)


def paper(text: str) -> Paper:
    (only,) = records(text).records
    return only


# --- what is asked --------------------------------------------------------------------------------


def test_the_first_harvest_begins_with_yesterday_and_has_no_end() -> None:
    request = start()
    assert query(request) == {
        "verb": "ListRecords",
        "metadataPrefix": "arXivRaw",
        "from": "2026-04-21",
        "set": "cs:cs:LG",
    }
    assert (request.section, request.route, request.bucket) == ("cs.LG", "oai", "arxiv.org")
    assert (request.accept, request.day) == (ACCEPT, None)


def test_a_harvest_goes_on_a_day_before_the_last_one_ended() -> None:
    cursor = records(make_record("2604.00001", DAY, versions=[CAME])).cursor
    assert query(start(cursor=cursor, now=NOW + timedelta(days=30)))["from"] == "2026-04-21"


def test_days_that_are_asked_for_are_harvested_by_their_datestamps() -> None:
    parameters = query(start(ask(day=date(2026, 3, 1), until=date(2026, 3, 5)), prefix="arXiv"))
    assert (parameters["from"], parameters["until"], parameters["metadataPrefix"]) == (
        "2026-03-01",
        "2026-03-05",
        "arXiv",
    )


def test_days_that_arxiv_refuses_to_be_asked_for_are_not_asked_for() -> None:
    parameters = query(start(ask(day=date(1991, 8, 14), until=date(2030, 1, 1))))
    assert (parameters["from"], parameters["until"]) == ("2005-09-16", "2026-04-22")


@for_each_case(
    ("section", "name"),
    [
        ("cs.LG", "cs:cs:LG"),
        ("math-ph", "physics:math-ph"),
        ("hep-th", "physics:hep-th"),
        ("cond-mat.mes-hall", "physics:cond-mat:mes-hall"),
        ("physics.optics", "physics:physics:optics"),
        ("physics", "physics:physics"),
        ("cond-mat", "physics:cond-mat"),
        ("math", "math"),
        ("q-bio", "q-bio"),
        ("econ.GN", "econ:econ:GN"),
    ],
)
def test_a_section_is_the_set_that_arxiv_has_for_it(section: str, name: str) -> None:
    assert make_set_name(section) == name


def test_every_set_is_one_of_arxivs_own(data: Any) -> None:
    from digest.core.papers.categories import CATEGORIES

    listed_sets = (data / "arxiv" / "oai_rendered" / "ListSets.xml").read_text(encoding="utf-8")
    ids = [line.partition(":")[0] for line in CATEGORIES.splitlines() if " = " not in line.partition(":")[0]]
    archives = {name.partition(".")[0] for name in ids}
    unlisted = [
        name for name in {*ids, *archives} if f"<setSpec>{make_set_name(name)}</setSpec>" not in listed_sets
    ]
    assert not unlisted


def test_a_cursor_that_cannot_be_read_begins_anew() -> None:
    for cursor in (
        "",
        "2026-04-01",
        "[]",
        '{"done": "2026-04-01", "other": 1}',
        '{"current": 3}',
        '{"current": {}}',
    ):
        assert query(start(cursor=cursor))["from"] == "2026-04-21"


# --- records --------------------------------------------------------------------------------------


def test_a_record_is_read_with_all_that_arxiv_says() -> None:
    versions = [CAME - timedelta(days=300), CAME - timedelta(days=90), CAME]
    read_paper = paper(
        make_record(
            "2506.01234",
            DAY,
            versions=versions,
            title="Serving with $a < b$\n  Tokens",
            authors='Paul Erd\\H{o}s (Institute of Proofs, Budapest), Seza Do\\u{g}ru\\"oz and Martin King, Jr.',
            categories="cs.LG cs.DC math.IT cs.IT",
            comments="12 pages,\n  3 figures",
            journal_ref="J. Made Up 1 (2026) 1-2",
            doi="10.1000/ABC.def 10.1000/second",
            license="http://creativecommons.org/licenses/by/4.0/",
            abstract="  We serve. For $x < y$\nit is fast.\n",
        )
    )
    assert read_paper == Paper(
        key=read_paper.key,
        title="Serving with $a < b$ Tokens",
        abstract="We serve. For $x < y$ it is fast.",
        authors=(
            Author("Paul Erdős", ("Institute of Proofs, Budapest",)),
            Author("Seza Doğruöz"),
            Author("Martin King Jr."),
        ),
        categories=("cs.LG", "cs.DC", "math.IT", "cs.IT"),
        version=3,
        url="https://arxiv.org/abs/2506.01234",
        pdf_url="https://arxiv.org/pdf/2506.01234",
        doi="10.1000/abc.def",
        journal_ref="J. Made Up 1 (2026) 1-2",
        comment="12 pages, 3 figures",
        license_url="http://creativecommons.org/licenses/by/4.0/",
    )
    assert read_paper.key == "arxiv:2506.01234"


def test_the_format_arxiv_has_authors_in_parts_and_tells_no_version() -> None:
    people = """<authors>
      <author><keyname>Collaborations</keyname><forenames>BICEP2</forenames></author>
      <author><keyname>:</keyname></author>
      <author><keyname>Hernández</keyname><forenames>José de la</forenames><suffix>Jr.</suffix>
        <affiliation>Here,\n          and There</affiliation><affiliation>Nowhere</affiliation></author>
      <author><keyname>Plato</keyname></author>
    </authors><updated>2026-04-22</updated>"""
    body = make_document(make_list_records([make_record("hep-th/9901002", DAY, categories="hep-th")]), NOW)
    body = body.replace(b"arXivRaw", b"arXiv").replace(b"<authors>Ada Lovelace</authors>", people.encode())
    (read_paper,) = read(body, section="hep-th").records
    assert read_paper.version == 0
    assert read_paper.authors == (
        Author("BICEP2 Collaborations"),
        Author("José de la Hernández Jr.", ("Here, and There", "Nowhere")),
        Author("Plato"),
    )


def test_classes_of_other_systems_are_no_categories() -> None:
    # The server prints the MSC class under the name of the ACM class, too.
    read_paper = paper(make_record("2604.00001", DAY, versions=[CAME], acm_class="68T07", msc_class="68T07"))
    assert read_paper.categories == ("cs.LG",)


def test_a_version_without_text_is_a_withdrawn_paper_and_an_earlier_one_is_not() -> None:
    gone = make_record("2604.00001", DAY, versions=[CAME, CAME], last="<source_type>I</source_type>")
    assert paper(gone).withdrawn
    back = gone.replace("<source_type>I</source_type></version>", '</version><version version="v3"/>')
    assert (paper(back).version, paper(back).withdrawn) == (3, False)
    record = make_record(
        "2604.00002", DAY, versions=[CAME], comments="Replaces a paper that has been withdrawn"
    )
    assert not paper(record).withdrawn


def test_a_deleted_record_is_withdrawn_if_it_says_anything_and_told_if_not() -> None:
    deleted = ' status="deleted"'
    assert paper(make_record("2604.00001", DAY, versions=[CAME], header=deleted)).withdrawn
    bare = "<record><header status='deleted'><identifier>oai:arXiv.org:2604.00002</identifier>"
    page = records(f"{bare}<datestamp>{DAY}</datestamp></header></record>")
    assert (page.records, page.unread) == ((), ("2604.00002, which was deleted",))


def test_what_cannot_be_read_is_told_and_the_rest_is_kept() -> None:
    page = records(
        make_record("2604.00001", DAY, versions=[CAME]),
        make_record("2604.00002", DAY, versions=[CAME], title=""),
        make_record("2604.00003", "soon", versions=[CAME]),
        make_record("26.1", DAY, versions=[CAME]),
    )
    assert [paper.key for paper in page.records] == ["arxiv:2604.00001"]
    assert page.unread == (
        "2604.00002, a record without a title",
        "2604.00003, a record without a datestamp",
        "a record without an arXiv id (oai:arXiv.org:26.1)",
    )


def test_a_page_of_nothing_else_does_not_hold_up_the_harvest() -> None:
    page = records(make_record("26.1", DAY, versions=[CAME]))
    assert (page.records, page.next) == ((), None)
    assert page.unread


def test_a_paper_has_its_id_as_arxiv_goes_by_it() -> None:
    assert paper(make_record("math.GT/0309136", DAY, versions=[CAME])).key == "arxiv:math/0309136"


# --- announcements --------------------------------------------------------------------------------


def test_records_are_announcements_by_their_datestamps_where_nothing_else_announces() -> None:
    old = CAME - timedelta(days=400)
    page = records(
        make_record("2503.00001", DAY, versions=[old]),
        make_record("2503.00002", DAY, versions=[old, CAME]),
        make_record("2503.00003", DAY, versions=[old, CAME], categories="cs.CV cs.LG"),
        make_record("2604.00001", DAY, versions=[CAME]),
        make_record(
            "2604.00002", date(2026, 4, 21), versions=[CAME - timedelta(days=1)], categories="cs.CV cs.LG"
        ),
        announce=True,
    )
    entries = [
        (page.day, [(listing.kind, listing.paper.key) for listing in page.listings])
        for page in page.announced
    ]
    assert entries == [
        (date(2026, 4, 21), [(ListingKind.CROSS, "arxiv:2604.00002")]),
        (
            DAY,
            [
                (ListingKind.REPLACE, "arxiv:2503.00002"),
                (ListingKind.REPLACE_CROSS, "arxiv:2503.00003"),
                (ListingKind.NEW, "arxiv:2604.00001"),
            ],
        ),
    ]
    assert [paper.key for paper in page.records] == ["arxiv:2503.00001"]
    assert all(not page.over_full and page.expected is None for page in page.announced)


@pytest.mark.parametrize(("before", "announced"), [(31, True), (32, False)])
def test_an_old_version_with_other_data_is_no_announcement(before: int, announced: bool) -> None:  # noqa: FBT001 - a table
    page = records(
        make_record("2603.00001", DAY, versions=[CAME - timedelta(days=before - 1)]), announce=True
    )
    assert (bool(page.announced), bool(page.records)) == (announced, not announced)


def test_an_alias_is_the_section() -> None:
    page = records(
        make_record("2604.00001", DAY, versions=[CAME], categories="math.IT cs.LG"),
        section="cs.IT",
        announce=True,
    )
    assert page.announced[0].listings[0].kind is ListingKind.NEW


def test_records_without_versions_cannot_announce() -> None:
    with pytest.raises(SourceError, match="request arXivRaw"):
        records(make_record("2604.00001", DAY), announce=True)
    page = records(
        make_record("2604.00001", DAY), make_record("2604.00002", DAY, versions=[CAME]), announce=True
    )
    assert [paper.key for paper in page.records] == ["arxiv:2604.00001"]
    assert [listing.paper.key for listing in page.announced[0].listings] == ["arxiv:2604.00002"]
    bare = (
        "<record><header status='deleted'><identifier>oai:arXiv.org:2604.00002</identifier></header></record>"
    )
    assert records(bare, announce=True).unread == ("2604.00002, which was deleted",)


# --- answers that are no records ------------------------------------------------------------------


def test_nothing_changed_is_an_empty_page_that_ends_the_harvest() -> None:
    page = read(make_document("<error code='noRecordsMatch'>none</error>", NOW))
    assert (page.records, page.announced, page.next) == ((), (), None)
    assert query(start(cursor=page.cursor))["from"] == "2026-04-21"


@for_each_case("code", ["badArgument", "badVerb", "cannotDisseminateFormat", "noSetHierarchy", "new"])
def test_any_other_error_is_told_with_arxivs_reason(code: str) -> None:
    with pytest.raises(SourceError) as error:
        read(make_document(f"<error code='{code}'>Set does not\n exist</error>", NOW))
    assert str(error.value) == f"arXiv's OAI-PMH answer for cs.LG is a refusal ({code}): Set does not exist."


@for_each_case(
    ("body", "text"),
    [
        (b"", "came back empty"),
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "a web page"),
        (b"upstream connect error", "not well-formed XML"),
        (b"<rss/>", "is a document of <rss>, not a valid OAI-PMH answer"),
        (
            b"<!DOCTYPE x [<!ENTITY a 'b'>]><OAI-PMH>&a;</OAI-PMH>",
            "a DOCTYPE, which OAI-PMH answers do not have",
        ),
        (b"<OAI-PMH><ListRecords/></OAI-PMH>", "neither records nor an error"),
        (b"<OAI-PMH><Identify><earliestDatestamp/></Identify></OAI-PMH>", "neither records nor an error"),
        (
            make_document(make_list_records(["<record><header/></record>"]), NOW),
            "its first record is without a name",
        ),
        (
            make_document(
                make_list_records([make_record("1", DAY).replace("arXiv.org", "example.org")]), NOW
            ),
            "is not arXiv's: its first record is oai:example.org:1",
        ),
        (
            make_document(make_list_records([make_record("2604.00001", DAY, creator="Lovelace, Ada")]), NOW),
            "the format oai_dc",
        ),
        (
            make_document(make_list_records([make_record("2604.00001", DAY)]), NOW, " set='cs:cs:CV'"),
            "is about the set cs:cs:CV",
        ),
        (
            make_document(make_list_records([make_record("2604.00001", DAY)]), NOW).replace(
                b"<responseDate>2026", b"<responseDate>soon"
            ),
            "does not say when it was created: 'soon-04-22T04:30:00Z'",
        ),
    ],
)
def test_an_answer_that_is_no_harvest_is_refused_and_told(body: bytes, text: str) -> None:
    with pytest.raises(SourceError, match=r"arXiv's OAI-PMH answer for cs\.LG") as error:
        read(body)
    assert text in str(error.value)
    assert str(error.value).endswith(".")


@for_each_case("status", [204, 302, 403, 429, 503])
def test_no_other_status_is_read(status: int) -> None:
    with pytest.raises(SourceError, match=f"HTTP {status}"):
        read(make_document(make_list_records([make_record("2604.00001", DAY)]), NOW), status=status)


WHOLE = make_document(
    make_list_records([make_record(f"2604.0000{n}", DAY, versions=[CAME] * n) for n in range(1, 4)]), NOW
)


@given(st.integers(0, len(WHOLE) - 1))
def test_an_answer_cut_anywhere_is_never_half_a_page(cut: int) -> None:
    with pytest.raises(SourceError, match=r"is cut off|came back empty"):
        read(WHOLE[:cut])


@given(st.lists(st.tuples(st.integers(0, len(WHOLE)), st.binary(max_size=9)), min_size=1, max_size=4))
def test_an_answer_damaged_anywhere_is_read_or_refused(damages: list[tuple[int, bytes]]) -> None:
    body = WHOLE
    for at, junk in damages:
        body = body[:at] + junk + body[at + len(junk) :]
    for announce in (False, True):
        with suppress(SourceError):
            page = read(body, announce=announce)
            assert (
                len(page.records) + sum(len(day.listings) for day in page.announced) + len(page.unread) <= 3
            )


# --- pages and cuts -------------------------------------------------------------------------------


def test_a_token_is_quoted_once_more_and_goes_alone() -> None:
    token = "verb%3DListRecords%26metadataPrefix%3DarXivRaw%26skip%3D12"
    page = read(
        make_document(
            make_list_records(
                [make_record("2604.00001", DAY)], f"<resumptionToken>{token}</resumptionToken>"
            ),
            NOW,
        )
    )
    assert page.next is not None
    assert page.next.url == f"{BASE}?verb=ListRecords&resumptionToken={token.replace('%', '%25')}"
    assert (page.next.section, page.next.bucket, page.next.accept) == ("cs.LG", "arxiv.org", ACCEPT)
    assert start(cursor=page.cursor).url == page.next.url


@pytest.mark.parametrize("text", ["<resumptionToken/>", "<resumptionToken> </resumptionToken>", ""])
def test_an_empty_token_or_none_is_the_end(text: str) -> None:
    assert read(make_document(make_list_records([make_record("2604.00001", DAY)], text), NOW)).next is None


@for_each_case(
    ("ends", "later", "used"),
    [
        ("", timedelta(minutes=59), True),
        ("", TOKEN_LIFETIME, False),
        ("2026-04-22T04:40:00Z", timedelta(minutes=9), True),
        ("2026-04-22T04:40:00Z", timedelta(minutes=10), False),
        ("2026-04-23T00:00:00Z", timedelta(minutes=59), True),
        ("2026-04-23T00:00:00Z", TOKEN_LIFETIME, False),
    ],
)
def test_an_old_token_is_not_used(ends: str, later: timedelta, used: bool) -> None:  # noqa: FBT001 - a table
    text = f" expirationDate='{ends}'" if ends else ""
    rest = f"<resumptionToken{text}>skip%3D12</resumptionToken>"
    page = read(make_document(make_list_records([make_record("2604.00001", DAY)], rest), NOW))
    parameters = query(start(cursor=page.cursor, now=NOW + later))
    assert parameters.get("resumptionToken") == ("skip%3D12" if used else None)
    assert parameters.get("from") == (None if used else "2026-04-22")


@dataclass
class Reader:
    """Harvests a server, visit after visit, and keeps what the pull job keeps.

    No time passes within a visit: what changes between two of its pages could shift the second one, by the
    way in which tokens count.
    """

    server: OaiServer
    now: datetime = datetime(2026, 3, 2, 22, tzinfo=UTC)
    refusals: frozenset[int] = frozenset()
    cursor: str = ""
    papers: dict[str, int] = field(default_factory=dict)
    request_count: int = 0

    def visit(self, requested_request: Ask | None = None, *, pages: int | None = None) -> bool:
        """Harvest so many pages at most; whether it came to the end."""
        request: Request | None = start(requested_request or ask(), self.cursor, self.now)
        while request and pages != 0:
            body = self.server.answer(request.url, self.now, refuse=self.request_count in self.refusals)
            self.request_count += 1
            page, text = _answered(request, body)
            if page is None:
                assert "refuses its own token" in text
                return False
            self.papers |= {paper.key.removeprefix("arxiv:"): paper.version for paper in page.records}
            self.cursor, request = page.cursor, page.next
            pages = None if pages is None else pages - 1
        return request is None


def _answered(request: Request, body: bytes) -> tuple[Page | None, str]:
    try:
        return read_oai(request, Response(status=200, headers=(), body=body), announce=False), ""
    except SourceError as error:
        return None, str(error)


MINUTES = st.integers(0, 6 * 24 * 60)
BEGUN = datetime(2026, 3, 1, tzinfo=UTC)


@st.composite
def histories(draw: st.DrawFn) -> OaiServer:
    """Up to 30 papers that change now and then, some of them many on one day."""
    changes = []
    for number, minutes in enumerate(draw(st.lists(st.lists(MINUTES, min_size=1, max_size=3), max_size=30))):
        for version, minute in enumerate(sorted(minutes), 1):
            changes.append(Change(BEGUN + timedelta(minutes=minute), f"2603.{number:05}", version))
    return OaiServer(changes=changes, page=draw(st.integers(1, 6)))


def truth(server: OaiServer, now: datetime) -> dict[str, int]:
    return {change.id: change.version for change in server.records(now)}


PAUSES = st.sampled_from([timedelta(minutes=1), timedelta(hours=2), timedelta(hours=9), timedelta(days=2)])
CUTS = st.lists(st.tuples(st.integers(1, 4), PAUSES), max_size=8)
LONG_CUTS = st.lists(
    st.tuples(st.integers(1, 4), PAUSES.filter(lambda pause: pause > TOKEN_LIFETIME)), max_size=8
)


def visits(reader: Reader, cuts: Sequence[tuple[int, timedelta]]) -> Iterator[bool]:
    """Visits that are cut after some pages, each followed by a pause, and then whole ones."""
    for pages, pause in cuts:
        yield reader.visit(pages=pages)
        reader.now += pause
    for _ in range(20):
        yield reader.visit()
        reader.now += timedelta(hours=2)


@given(histories(), CUTS)
def test_a_harvest_cut_at_any_page_brings_what_one_without_a_cut_brings(
    server: OaiServer, cuts: list[tuple[int, timedelta]]
) -> None:
    still = OaiServer(
        changes=[change._replace(at=min(change.at, BEGUN + timedelta(days=3))) for change in server.changes],
        page=server.page,
    )
    cut = Reader(still, now=BEGUN + timedelta(days=3, hours=22))
    reader = Reader(still, now=cut.now)
    assert reader.visit()
    for _ in visits(cut, cuts):
        pass
    assert cut.papers == reader.papers
    assert json.loads(cut.cursor).keys() == {"done"}


@given(histories(), LONG_CUTS)
def test_what_changes_between_visits_is_not_lost(
    server: OaiServer, cuts: list[tuple[int, timedelta]]
) -> None:
    reader = Reader(server, now=BEGUN + timedelta(hours=1))
    for _ in visits(reader, cuts):
        pass
    reader.now = max(reader.now, BEGUN + timedelta(days=7))
    assert reader.visit()
    assert reader.papers == truth(server, reader.now)


@given(histories(), st.frozensets(st.integers(0, 40), max_size=12))
def test_refused_tokens_lose_nothing(server: OaiServer, refusals: frozenset[int]) -> None:
    reader = Reader(server, now=BEGUN + timedelta(days=7), refusals=refusals)
    request = ask(day=BEGUN.date())
    for _ in range(60):
        if reader.visit(request):
            break
        reader.now += timedelta(hours=2)
    assert reader.papers == truth(server, reader.now)


def test_a_server_that_refuses_all_its_tokens_is_told_and_not_asked_for_ever() -> None:
    changes = [Change(BEGUN + timedelta(minutes=n), f"2603.{n:05}") for n in range(9)]
    reader = Reader(
        OaiServer(changes=changes, page=4), now=BEGUN + timedelta(hours=1), refusals=frozenset(range(99))
    )
    assert not reader.visit()
    assert reader.request_count == 4


@given(histories(), CUTS, st.integers(0, 3))
def test_a_backfill_leaves_the_harvest_where_it_is(
    server: OaiServer, cuts: list[tuple[int, timedelta]], pages: int
) -> None:
    alone = Reader(server, now=BEGUN + timedelta(days=2))
    alone.visit(pages=pages)
    mixed = Reader(server, now=alone.now, cursor=alone.cursor, papers=dict(alone.papers))
    past = ask(day=BEGUN.date(), until=BEGUN.date() + timedelta(days=1))
    for number, _ in cuts:
        mixed.visit(past, pages=number)
    mixed.visit(past)
    mixed.now = alone.now
    left = {name: value for name, value in json.loads(mixed.cursor or "{}").items() if name != "by_day"}
    assert left == {
        name: value for name, value in json.loads(alone.cursor or "{}").items() if name != "by_day"
    }
    expected = [change for change in server.records(mixed.now) if change.at.date() <= past.until]  # type: ignore[operator]
    assert {change.id for change in expected} <= mixed.papers.keys()


def test_an_interrupted_backfill_goes_on_where_it_was_and_another_one_begins_at_its_own_day() -> None:
    changes = [Change(BEGUN + timedelta(hours=9 * n), f"2603.{n:05}") for n in range(9)]
    reader = Reader(OaiServer(changes=changes, page=2), now=BEGUN + timedelta(days=6))
    march = ask(day=date(2026, 3, 1), until=date(2026, 3, 5))
    reader.visit(march, pages=2)
    later = reader.now + timedelta(hours=3)
    assert query(start(march, reader.cursor, later))["from"] == "2026-03-02"
    assert query(start(ask(day=date(2026, 2, 1)), reader.cursor, later))["from"] == "2026-02-01"
    assert query(start(ask(), reader.cursor, later))["from"] == "2026-03-06"
