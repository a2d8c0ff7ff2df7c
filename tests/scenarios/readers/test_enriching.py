"""What others know of the papers and persons that readers see: asked for in batches, within a quota, and told."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from digest.app import open_app
from digest.jobs.people.opened_persons import OpenedPersons
from digest.jobs.people.public_person import load_public_person
from digest.model import PaperKey, Signal
from digest.store.database.engine import open_store
from digest.store.database.tables.papers import signals as signals_table
from digest.store.papers import signals
from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.fakes.scripted_host import make_entry, make_rss
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

NOW = datetime(2026, 6, 12, 20, 0, tzinfo=UTC)
ADA = "A5023888391"
ORCID = "0000-0002-1825-0097"
CONFIG = """
    [store]
    url = "sqlite:///digest.db"

    [output]
    folder = "out"

    [[source]]
    use = "feed"
    url = "{url}/papers.xml"
    pace = 0
    {enrichers}
    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "daily 20:00"
    timezone = "UTC"
    keywords = ["paper"]
    authors = [{{ name = "Ada Lovelace", orcid = "{orcid}" }}]
    kinds = ["new", "picked", "published"]
"""


@dataclass(frozen=True, slots=True)
class EnrichingScenario:
    """A world whose papers others know.

    Attributes:
        workspace: where ``digest`` runs.
        host: all services.
    """

    workspace: Workspace
    host: ScriptedHost

    def with_enrichers(self, *tables: str) -> None:
        """Write the configuration; in a table ``{url}`` is the host's."""
        written = "\n".join(
            "[[enricher]]\n" + textwrap.dedent(table).format(url=self.host.url) for table in tables
        )
        text = textwrap.dedent(CONFIG).format(url=self.host.url, orcid=ORCID, enrichers=written)
        self.workspace.write(text)

    def signals(self, *keys: str) -> dict[tuple[str, str, str], float]:
        """The numbers that are kept, by subject, kind and source."""
        store = open_store(f"sqlite:///{self.workspace.folder / 'digest.db'}", NOW)
        with store.begin_read() as tx:
            found_signals = signals.load_signals(tx, map(PaperKey, keys))
        store.close()
        return {(signal.subject, signal.kind, signal.source): signal.value for signal in found_signals}


@pytest.fixture
def scenario(tmp_path: Path) -> Iterator[EnrichingScenario]:
    signed = "<author>ada@example.org (Ada Lovelace)</author>"
    papers = [
        make_entry(f"The paper 2606.0000{n}", f"https://arxiv.org/abs/2606.0000{n}", NOW, more=signed)
        for n in (1, 2)
    ]
    with ScriptedHost() as host:
        host.answers["/papers.xml"] = CannedResponse(make_rss(*papers))
        yield EnrichingScenario(Workspace(tmp_path), host)


def work(number: int, **fields: Any) -> dict[str, Any]:
    """A work of OpenAlex."""
    place = {"landing_page_url": f"https://arxiv.org/abs/2606.{number:05}", "version": "submittedVersion"}
    return {
        "id": f"https://openalex.org/W{100000 + number}",
        "doi": f"https://doi.org/10.48550/arxiv.2606.{number:05}",
        "title": f"The paper 2606.{number:05}",
        "primary_location": place,
        "locations": [place],
        "authorships": [
            {
                "raw_author_name": "Ada Lovelace",
                "author": {"id": f"https://openalex.org/{ADA}"},
                "raw_affiliation_strings": ["The Institute"],
            }
        ],
        "cited_by_count": 10 + number,
    } | fields


def lists(*results: dict[str, Any]) -> CannedResponse:
    return CannedResponse(json.dumps({"meta": {}, "results": list(results)}).encode())


def authors(request: HostRequest) -> CannedResponse:
    assert request.query["filter"].startswith(("id:", "orcid:"))
    ada = {
        "id": f"https://openalex.org/{ADA}",
        "orcid": f"https://orcid.org/{ORCID}",
        "works_count": 3,
        "cited_by_count": 40,
        "summary_stats": {"h_index": 2},
    }
    return lists(ada)


OPENALEX = """
    use = "openalex"
    url = "{url}"
    key = "s3cret"
    pace = 0
"""


def test_papers_that_were_shown_and_persons_who_are_followed_are_asked_for(
    scenario: EnrichingScenario,
) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    ran = scenario.workspace.run("run", now=NOW)

    assert "OpenAlex: found 1 of 2 papers" in ran.output
    works = next(request for request in scenario.host.requests if request.path == "/works")
    assert works.query["filter"] == "doi:10.48550/arxiv.2606.00001|10.48550/arxiv.2606.00002"
    assert works.query["api_key"] == "s3cret"
    assert "s3cret" not in ran.output
    assert scenario.signals("arxiv:2606.00001", f"orcid:{ORCID}") == {
        ("arxiv:2606.00001", "citations", "openalex"): 11.0,
        (f"orcid:{ORCID}", "papers", "openalex"): 3.0,
        (f"orcid:{ORCID}", "citations", "openalex"): 40.0,
        (f"orcid:{ORCID}", "h-index", "openalex"): 2.0,
    }


def test_nobody_is_asked_again_before_it_is_time_and_the_unknown_sooner(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    scenario.workspace.run("run", now=NOW)
    scenario.workspace.run("enrich", now=NOW)  # for the person whom OpenAlex named
    request_count = len(scenario.host.paths())

    again = scenario.workspace.run("enrich", now=NOW + timedelta(hours=1))
    assert "Nothing to query" in again.output
    assert len(scenario.host.paths()) == request_count
    scenario.workspace.run("enrich", now=NOW + timedelta(days=3, hours=1))
    (unknown,) = scenario.host.requests[request_count:]
    assert unknown.query["filter"] == "doi:10.48550/arxiv.2606.00002"


def test_an_id_that_is_the_same_persons_makes_a_byline_sure(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1), work(2)), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    scenario.workspace.run("run", now=NOW)

    document = scenario.workspace.run("enrich", "--json", now=NOW + timedelta(days=31)).json
    assert document["failed"] is False
    why = scenario.workspace.run("people", "show", "arxiv:2606.00002#1").output
    assert ORCID in why


def test_a_publication_that_is_found_out_is_told_once(scenario: EnrichingScenario) -> None:
    journal = {
        "landing_page_url": "https://doi.org/10.1000/j.1",
        "version": "publishedVersion",
        "source": {"display_name": "The Journal", "type": "journal"},
    }
    results = work(1, locations=[journal], primary_location=journal, doi="https://doi.org/10.1000/j.1")
    results["locations"] = [journal, {"landing_page_url": "https://arxiv.org/abs/2606.00001"}]
    scenario.host.answers |= {"/works": lists(results), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    assert "2 events" in scenario.workspace.run("run", now=NOW).output, "it has grown, too"

    scenario.workspace.run("run", now=NOW + timedelta(days=1))
    scenario.workspace.run("run", now=NOW + timedelta(days=9))
    entries = [
        (item["event"]["kind"], item["paper"]["journal_ref"])
        for edition in scenario.workspace.read_editions()
        for item in edition["items"]
        if item["paper"]["key"] == "arxiv:2606.00001"
    ]
    assert entries == [("new", ""), ("published", "The Journal")]


def test_no_more_requests_are_made_than_a_day_has(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX + "quota = 1\n")
    scenario.workspace.run("run", now=NOW)
    requests = [path for path in scenario.host.paths() if path != "/papers.xml"]
    assert requests == ["/works"]

    status = scenario.workspace.run("status", now=NOW).output
    assert "OpenAlex: 1 of 1 requests today, 2 waiting" in status
    assert "used up" in status
    scenario.workspace.run("enrich", now=NOW + timedelta(hours=5))
    assert [path for path in scenario.host.paths() if path != "/papers.xml"] == ["/works", "/authors"]


def test_a_key_that_a_service_says_back_is_told_to_nobody(scenario: EnrichingScenario) -> None:
    wrong = CannedResponse(b'{"error": "Invalid API key: s3cret"}', 400)
    scenario.host.answers |= {"/works": wrong, "/authors": wrong}
    scenario.with_enrichers(OPENALEX)
    output = scenario.workspace.run("run", now=NOW).output + scenario.workspace.run("status", now=NOW).output

    assert "Invalid API key: …" in output
    assert "s3cret" not in output


@pytest.mark.parametrize(
    ("says", "message"),
    [
        (CannedResponse(b"no", 500), "HTTP 500"),
        (CannedResponse(b"<html>", 200), "a web page"),
        (CannedResponse(b"{}", 200), "something else"),
        (CannedResponse(b'{"error": "Invalid query"}', 400), "Invalid query"),
    ],
)
def test_a_failure_is_told_and_holds_back_nothing(
    scenario: EnrichingScenario, says: CannedResponse, message: str
) -> None:
    scenario.host.answers |= {"/works": says, "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    ran = scenario.workspace.run("run", now=NOW)

    assert "OpenAlex: failed" in ran.output
    assert len(scenario.workspace.read_editions()) == 1
    assert message in scenario.workspace.run("status", now=NOW).output
    assert scenario.workspace.run("status", "--json", now=NOW).json["enrichers"][0]["error"]


def test_records_that_cannot_be_read_are_told_in_one_line_and_by_name_in_the_document(
    scenario: EnrichingScenario,
) -> None:
    scenario.host.answers |= {"/works": lists(work(1), work(2, title=None), {}), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    ran = scenario.workspace.run("run", now=NOW)
    line = "OpenAlex: found 1 of 2 papers, 1 event; 2 could not be read: A work of OpenAlex has no title: W100002."
    assert line in ran.output

    scenario.host.answers["/works"] = lists(work(1), work(2, title=["s3cret"]), {"id": "s3cret"})
    enriched = scenario.workspace.run("enrich", "--json", now=NOW + timedelta(days=8)).json["enriched"]
    assert [entry["unread"] for entry in enriched if entry["kind"] == "paper"] == [
        ["A work of OpenAlex has no title: W100002.", "A work of OpenAlex has neither id nor DOI."]
    ]


def test_too_fast_and_used_up_until_midnight_are_told_apart(scenario: EnrichingScenario) -> None:
    scenario.host.answers["/works"] = CannedResponse(b"{}", 429, {"Retry-After": "60"})
    scenario.with_enrichers(OPENALEX)
    assert "too many requests" in scenario.workspace.run("run", now=NOW).output

    used_up = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "14400", "Retry-After": "14400"}
    scenario.host.answers["/works"] = CannedResponse(b"{}", 429, used_up)
    later = NOW + timedelta(minutes=5)
    assert "our quota is used up until" in scenario.workspace.run("enrich", now=later, status=1).output
    request_count = len(scenario.host.paths())
    scenario.workspace.run("enrich", now=later + timedelta(hours=1), status=1)
    assert len(scenario.host.paths()) == request_count, "nobody is asked before it is time"


def test_a_check_tries_each_and_says_what_is_wrong(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(), "/papers/1706.03762": CannedResponse(b"no", 500)}
    scenario.with_enrichers(OPENALEX, 'use = "hf_daily"\nurl = "{url}/papers/"\npace = 0\n')
    output = scenario.workspace.run("check", status=1).output

    assert "OpenAlex: ok: it answered" in output
    assert "Hugging Face: " in output
    assert "HTTP 500" in output


def test_a_check_asks_nobody_whose_share_of_the_day_is_used_up(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX + "quota = 1\n")

    assert "OpenAlex: ok: it answered" in scenario.workspace.run("check").output
    assert "OpenAlex: ok: not tested: today's quota is used up" in scenario.workspace.run("check").output
    assert scenario.host.paths().count("/works") == 1


# --- the others -----------------------------------------------------------------------------------


def test_semantic_scholar_is_asked_in_one_batch(scenario: EnrichingScenario) -> None:
    def batch(asked: HostRequest) -> CannedResponse:
        ids = json.loads(asked.body)["ids"]
        assert ids == ["ARXIV:2606.00001", "ARXIV:2606.00002"]
        known_one = {
            "paperId": "f" * 40,
            "externalIds": {"ArXiv": "2606.00001", "DOI": "10.1000/J.1"},
            "title": "The paper",
            "venue": "The Journal",
            "authors": [],
            "citationCount": 12,
            "influentialCitationCount": 3,
        }
        return CannedResponse(json.dumps([known_one, None]).encode())

    scenario.host.answers["/graph/v1/paper/batch"] = batch
    scenario.with_enrichers('use = "semantic_scholar"\nurl = "{url}"\nkey = "t0ken"\npace = 0\n')
    ran = scenario.workspace.run("run", now=NOW)

    assert "Semantic Scholar: found 1 of 2 papers, 1 event" in ran.output
    request = next(request for request in scenario.host.requests if request.path.endswith("/batch"))
    assert request.headers["x-api-key"] == "t0ken"
    results = scenario.signals("arxiv:2606.00001")
    assert results["arxiv:2606.00001", "citations", "semantic_scholar"] == 12.0


def test_a_morning_of_which_semantic_scholar_knows_nothing_yet_is_no_failure(
    scenario: EnrichingScenario,
) -> None:
    none = CannedResponse(b'{"error": "No valid paper ids given"}', 400)
    scenario.host.answers["/graph/v1/paper/batch"] = none
    scenario.with_enrichers('use = "semantic_scholar"\nurl = "{url}"\npace = 0\n')
    ran = scenario.workspace.run("run", now=NOW)

    assert "Semantic Scholar: found 0 of 2 papers" in ran.output
    assert "Nothing to query" in scenario.workspace.run("enrich", now=NOW + timedelta(hours=1)).output


def test_one_that_a_service_cannot_understand_does_not_keep_the_others_from_being_known(
    scenario: EnrichingScenario,
) -> None:
    def works(asked: HostRequest) -> CannedResponse:
        if "2606.00001" in asked.query["filter"]:
            return CannedResponse(b'{"error": "Invalid query parameters"}', 400)
        return lists(work(2))

    scenario.host.answers |= {"/works": works, "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    ran = scenario.workspace.run("run", now=NOW)

    assert "OpenAlex: found 1 of 1 papers" in ran.output
    assert "OpenAlex: found 1 of 1 people" in ran.output
    assert "Invalid query parameters" in scenario.workspace.run("status", now=NOW).output
    assert scenario.signals("arxiv:2606.00002")
    request_count = len(scenario.host.paths())
    scenario.workspace.run("enrich", now=NOW + timedelta(hours=1))
    assert "/works" not in scenario.host.paths()[request_count:], "it is left alone for a day"


def test_a_person_whose_record_is_locked_keeps_nobody_else_waiting(scenario: EnrichingScenario) -> None:
    other = "0000-0002-9079-593X"
    person = {"name": {"given-names": {"value": "Grace"}, "family-name": {"value": "Hopper"}}}
    scenario.host.answers |= {
        f"/{ORCID}/person": CannedResponse(b'{"response-code": 409, "developer-message": "locked"}', 409),
        f"/{other}/person": CannedResponse(json.dumps(person).encode()),
        f"/{other}/works": CannedResponse(b'{"group": []}'),
    }
    scenario.with_enrichers('use = "orcid"\nurl = "{url}"\npace = 0\n')
    config = scenario.workspace.folder / "digest.toml"
    grace = f'{{ name = "Grace Hopper", orcid = "{other}" }}'
    config.write_text(config.read_text().replace(f'orcid = "{ORCID}" }}]', f'orcid = "{ORCID}" }}, {grace}]'))
    ran = scenario.workspace.run("run", now=NOW)

    assert "ORCID: failed" in ran.output
    assert "ORCID: found 1 of 1 people" in ran.output


def test_who_is_known_by_one_kind_of_id_is_known_though_others_were_asked_for_by_another(
    scenario: EnrichingScenario,
) -> None:
    scenario.host.answers |= {"/works": lists(), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    config = scenario.workspace.folder / "digest.toml"
    grace = '{ name = "Grace Hopper", openalex = "A5000000001" }'
    config.write_text(config.read_text().replace(f'orcid = "{ORCID}" }}]', f'orcid = "{ORCID}" }}, {grace}]'))

    def by_kind(asked: HostRequest) -> CannedResponse:
        mine = {"id": "https://openalex.org/A5000000001", "works_count": 1}
        return lists(mine) if asked.query["filter"].startswith("id:") else lists()

    scenario.host.answers["/authors"] = by_kind
    scenario.workspace.run("run", now=NOW)
    request_count = len(scenario.host.paths())
    scenario.workspace.run("enrich", now=NOW + timedelta(days=4))
    filters = [
        request.query["filter"]
        for request in scenario.host.requests[request_count:]
        if request.path == "/authors"
    ]
    assert filters == [f"orcid:{ORCID}"], "whom it knows is asked for again in a month"


def test_numbers_of_two_services_stand_beside_each_other(scenario: EnrichingScenario) -> None:
    record = {"paperId": "f" * 40, "externalIds": {"ArXiv": "2606.00001"}, "title": "T", "citationCount": 7}
    scenario.host.answers |= {
        "/works": lists(work(1)),
        "/authors": authors,
        "/graph/v1/paper/batch": CannedResponse(json.dumps([record, None]).encode()),
    }
    scenario.with_enrichers(OPENALEX, 'use = "semantic_scholar"\nurl = "{url}"\npace = 0\n')
    scenario.workspace.run("run", now=NOW)

    results = scenario.signals("arxiv:2606.00001")
    assert results["arxiv:2606.00001", "citations", "openalex"] == 11.0
    assert results["arxiv:2606.00001", "citations", "semantic_scholar"] == 7.0


def test_hugging_face_tells_votes_and_code_of_a_paper(scenario: EnrichingScenario) -> None:
    fields = {
        "id": "2606.00001",
        "title": "T",
        "upvotes": 41,
        "githubRepo": "https://github.com/a/b",
        "githubStars": 5,
    }
    scenario.host.answers["/papers/2606.00001"] = CannedResponse(json.dumps(fields).encode())
    scenario.with_enrichers('use = "hf_daily"\nurl = "{url}/papers/"\npace = 0\n')
    ran = scenario.workspace.run("run", now=NOW)

    assert "Hugging Face: found 1 of 1 papers" in ran.output
    assert "Hugging Face: found 0 of 1 papers" in ran.output
    results = scenario.signals("arxiv:2606.00001")
    assert results["arxiv:2606.00001", "votes", "hf_daily"] == 41.0


def test_votes_of_a_new_paper_are_asked_for_each_day_and_later_each_week(scenario: EnrichingScenario) -> None:
    fields = {"id": "2606.00001", "title": "T", "upvotes": 41}
    scenario.host.answers["/papers/2606.00001"] = CannedResponse(json.dumps(fields).encode())
    scenario.with_enrichers('use = "hf_daily"\nurl = "{url}/papers/"\npace = 0\n')
    asked = []
    for day in range(22):
        scenario.workspace.run("run", now=NOW + timedelta(days=day))
        scenario.workspace.run("enrich", now=NOW + timedelta(days=day, hours=1))
        asked.append(scenario.host.paths().count("/papers/2606.00001"))

    assert asked == [*range(1, 9), *[8] * 6, *[9] * 7, 10]


def test_a_new_paper_that_nobody_knows_yet_is_asked_for_each_day_and_later_every_third(
    scenario: EnrichingScenario,
) -> None:
    scenario.with_enrichers('use = "hf_daily"\nurl = "{url}/papers/"\npace = 0\n')
    asked = []
    for day in range(15):
        scenario.workspace.run("run", now=NOW + timedelta(days=day))
        asked.append(scenario.host.paths().count("/papers/2606.00001"))

    assert asked == [*range(1, 9), 8, 8, 9, 9, 9, 10, 10]


def test_numbers_that_grow_old_are_thinned_out(scenario: EnrichingScenario) -> None:
    scenario.with_enrichers()
    scenario.workspace.run("run", now=NOW)
    store = open_store(f"sqlite:///{scenario.workspace.folder / 'digest.db'}", NOW)
    with store.begin_write() as tx:
        days = [NOW.date() + timedelta(days=number) for number in range(14)]
        signals.save_signals(
            tx,
            [Signal(subject="arxiv:2606.00001", kind="votes", source="x", day=day, value=1) for day in days],
        )
    scenario.workspace.run("run", "--no-wait", now=NOW + timedelta(days=120))
    with store.begin_read() as tx:
        left = tx.execute(select(signals_table.c.day).order_by(signals_table.c.day)).scalars().all()
    store.close()

    assert [f"{day:%a %d %b}" for day in left] == ["Sun 14 Jun", "Sun 21 Jun", "Thu 25 Jun"]


def test_orcid_says_which_byline_is_a_persons(scenario: EnrichingScenario) -> None:
    person = {"name": {"given-names": {"value": "Ada"}, "family-name": {"value": "Lovelace"}}}
    one = {
        "external-id-type": "doi",
        "external-id-value": "10.48550/arXiv.2606.00002",
        "external-id-relationship": "self",
    }
    scenario.host.answers |= {
        f"/{ORCID}/person": CannedResponse(json.dumps(person).encode()),
        f"/{ORCID}/works": CannedResponse(
            json.dumps({"group": [{"external-ids": {"external-id": [one]}}]}).encode()
        ),
    }
    scenario.with_enrichers('use = "orcid"\nurl = "{url}"\npace = 0\n')
    ran = scenario.workspace.run("run", now=NOW)

    assert "ORCID: found 1 of 1 people" in ran.output
    assert ORCID in scenario.workspace.run("people", "show", "arxiv:2606.00002#1").output
    assert scenario.signals(f"orcid:{ORCID}") == {(f"orcid:{ORCID}", "papers", "orcid"): 1.0}


def test_crossref_is_asked_by_doi_alone(scenario: EnrichingScenario) -> None:
    scenario.with_enrichers('use = "crossref"\nurl = "{url}"\npace = 0\n')
    scenario.workspace.run("run", now=NOW)

    assert scenario.host.paths() == ["/papers.xml"], "arXiv's papers have no DOI at Crossref"


def open_person(scenario: EnrichingScenario, reference: str, now: datetime) -> None:
    """Open the public page of a person, as somebody on the site does."""
    with open_app(scenario.workspace.folder / "digest.toml", now, {}) as app:
        person = load_public_person(app.store, reference, 1)
        assert person is not None
        opened_persons = OpenedPersons(app.store, app.clock)
        opened_persons.note(person)
        opened_persons.save()


def follow_nobody(scenario: EnrichingScenario) -> None:
    """Follow nothing that comes, so that only opened pages are a reason to ask."""
    path = scenario.workspace.folder / "digest.toml"
    text = path.read_text("utf-8").replace(f'"Ada Lovelace", orcid = "{ORCID}"', '"Nobody Else"')
    path.write_text(text.replace('keywords = ["paper"]', 'keywords = ["nothing"]'), "utf-8")


def test_a_person_whose_page_is_opened_is_asked_about_in_the_next_cycle(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX)
    follow_nobody(scenario)
    scenario.workspace.run("run", now=NOW)
    assert scenario.host.paths() == ["/papers.xml"], "nobody reads of these papers and persons"

    open_person(scenario, "arxiv:2606.00001#1", NOW)
    scenario.workspace.run("enrich", now=NOW)
    assert scenario.host.paths()[1:] == ["/works"]
    open_person(scenario, "arxiv:2606.00001#1", NOW)
    scenario.workspace.run("enrich", now=NOW)
    assert scenario.host.paths()[1:] == ["/works", "/authors"], "the paper told an ID of the person"
    scenario.workspace.run("enrich", now=NOW + timedelta(days=40))
    assert scenario.host.paths()[1:] == ["/works", "/authors"], "nobody has opened the page since"


def test_opened_pages_use_half_of_a_quota_at_most(scenario: EnrichingScenario) -> None:
    scenario.host.answers |= {"/works": lists(work(1)), "/authors": authors}
    scenario.with_enrichers(OPENALEX + "quota = 2\n")
    follow_nobody(scenario)
    scenario.workspace.run("run", now=NOW)
    for _ in range(3):
        open_person(scenario, "arxiv:2606.00001#1", NOW)
        scenario.workspace.run("enrich", now=NOW)

    assert scenario.host.paths()[1:] == ["/works"]
    scenario.workspace.run("enrich", now=NOW + timedelta(hours=5))
    assert scenario.host.paths()[1:] == ["/works", "/authors"], "it is another day"
