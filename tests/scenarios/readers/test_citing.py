"""Papers that cite what somebody follows: found out by services, and told when it is known."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost
from tests.fakes.scripted_host import make_entry, make_rss
from tests.support.workspace import Workspace

pytestmark = pytest.mark.usefixtures("no_retries")

NOW = datetime(2026, 6, 12, 20, 0, tzinfo=UTC)
CITED = "10.1000/j.9"
CONFIG = """
    [store]
    url = "sqlite:///digest.db"

    [output]
    folder = "out"

    [[source]]
    use = "feed"
    url = "{url}/papers.xml"
    pace = 0
    {enricher}
    [[digest]]
    name = "systems"
    to = ["files:mail"]
    schedule = "daily 20:00"
    timezone = "UTC"
    {follows}
"""
SEMANTIC_SCHOLAR = '[[enricher]]\nuse = "semantic_scholar"\nurl = "{url}"\npace = 0\n'
OPENALEX = '[[enricher]]\nuse = "openalex"\nurl = "{url}"\npace = 0\n'


@dataclass(frozen=True, slots=True)
class CitationScenario:
    """A world with three new papers, and services that know what these cite."""

    workspace: Workspace
    host: ScriptedHost

    def follow(self, follows: str = f'cites = ["{CITED}"]', enricher: str = SEMANTIC_SCHOLAR) -> None:
        """Write the configuration."""
        text = enricher.format(url=self.host.url)
        self.workspace.write(
            textwrap.dedent(CONFIG).format(url=self.host.url, enricher=text, follows=follows)
        )

    def list_told_papers(self) -> list[tuple[str, list[list[str]]]]:
        """The papers of all editions, each with the fields and words for which they are told."""
        return [
            (
                item["paper"]["key"],
                [
                    [evidence["field"], *evidence["words"]]
                    for reason in item["reasons"]
                    for evidence in reason["evidence"]
                ],
            )
            for edition in self.workspace.read_editions()
            for item in edition["items"]
        ]


@pytest.fixture
def scenario(tmp_path: Path) -> Iterator[CitationScenario]:
    papers = [make_entry(f"The paper {n}", f"https://arxiv.org/abs/2606.0000{n}", NOW) for n in (1, 2, 3)]
    with ScriptedHost() as host:
        host.answers["/papers.xml"] = CannedResponse(make_rss(*papers))
        yield CitationScenario(Workspace(tmp_path), host)


# --- services -------------------------------------------------------------------------------------


def batch(references: dict[str, list[dict[str, str]]]) -> Any:
    """Semantic Scholar's answer to a batch: by what a paper is asked for, what it cites."""

    def answer(asked: HostRequest) -> CannedResponse:
        assert "references.externalIds" in asked.query["fields"]
        ids = json.loads(asked.body)["ids"]
        rows = [
            {
                "paperId": f"{number:040x}",
                "externalIds": {entry.partition(":")[0].replace("ARXIV", "ArXiv"): entry.partition(":")[2]},
                "title": f"The paper {entry}",
                "references": [{"externalIds": cited} for cited in references[entry]],
            }
            if entry in references
            else None
            for number, entry in enumerate(ids)
        ]
        if not any(rows):
            return CannedResponse(b'{"error": "No valid paper ids given"}', 400)
        return CannedResponse(json.dumps(rows).encode())

    return answer


def works(cites: dict[str, list[str]]) -> Any:
    """OpenAlex's answer: by DOI, the works that one cites; the first DOI is of W1, and so on."""

    def answer(asked: HostRequest) -> CannedResponse:
        assert "referenced_works" in asked.query["select"]
        asked_for = asked.query["filter"].removeprefix("doi:").split("|")
        results = [
            {
                "id": f"https://openalex.org/W{1000 + number}",
                "doi": f"https://doi.org/{doi}",
                "title": f"The paper {doi}",
                "referenced_works": [f"https://openalex.org/{text}" for text in cites[doi]],
            }
            for number, doi in enumerate(cites)
            if doi in asked_for
        ]
        return CannedResponse(json.dumps({"meta": {}, "results": results}).encode())

    return answer


# --- what is told ---------------------------------------------------------------------------------


def test_a_paper_that_nobody_was_shown_is_told_when_it_is_found_out_that_it_cites_what_is_followed(
    scenario: CitationScenario,
) -> None:
    references = {
        "ARXIV:2606.00002": [{"DOI": "10.1000/other"}, {"DOI": "10.1000/J.9", "ArXiv": "2401.00001"}]
    }
    scenario.host.answers["/graph/v1/paper/batch"] = batch(references)
    scenario.follow()
    assert "Semantic Scholar: found 1 of 3 papers, 1 event" in scenario.workspace.run("run", now=NOW).output
    assert scenario.list_told_papers() == []

    scenario.workspace.run("run", now=NOW + timedelta(days=1))
    scenario.workspace.run("run", now=NOW + timedelta(days=9))
    assert scenario.list_told_papers() == [("arxiv:2606.00002", [["cites", f"doi:{CITED}"]])], "and once"


def test_a_paper_is_found_by_either_id_of_what_it_cites(scenario: CitationScenario) -> None:
    references = {"ARXIV:2606.00002": [{"DOI": "10.1000/J.9", "ArXiv": "2401.00001"}]}
    scenario.host.answers["/graph/v1/paper/batch"] = batch(references)
    scenario.follow('cites = ["2401.00001"]')
    scenario.workspace.run("run", now=NOW)

    assert scenario.workspace.run("try", f"cites:{CITED}", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]
    assert scenario.workspace.run("try", "cites:2401.00001", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]


def test_openalex_names_what_is_cited_by_ids_of_its_own_and_these_are_known_of_followed_papers(
    scenario: CitationScenario,
) -> None:
    cites = {CITED: [], "10.48550/arxiv.2606.00003": ["W1000", "W77"], "10.48550/arxiv.2606.00001": ["W77"]}
    scenario.host.answers["/works"] = works(cites)
    scenario.follow(enricher=OPENALEX)
    scenario.workspace.run("run", now=NOW)
    scenario.workspace.run("run", now=NOW + timedelta(days=1))

    assert scenario.list_told_papers() == [("arxiv:2606.00003", [["cites", f"doi:{CITED}"]])]
    filters = [request.query["filter"] for request in scenario.host.requests if request.path == "/works"]
    assert filters[0] == f"doi:{CITED}", "first what is cited: its id is needed to know the others"


def test_what_nobody_asks_for_tells_nothing(scenario: CitationScenario) -> None:
    cites = {f"ARXIV:2606.0000{n}": [{"DOI": f"10.1000/other.{n}"}] for n in (1, 2, 3)}
    scenario.host.answers["/graph/v1/paper/batch"] = batch(cites)
    scenario.follow(f'cites = ["{CITED}"]\nkeywords = ["paper"]')
    ran = scenario.workspace.run("run", now=NOW).output
    scenario.workspace.run("run", now=NOW + timedelta(days=1))

    assert "event" not in ran.partition("Semantic Scholar")[2]
    assert [key for key, _ in scenario.list_told_papers()] == [f"arxiv:2606.0000{n}" for n in (1, 2, 3)], (
        "once each"
    )


def test_a_follow_that_begins_later_finds_what_was_known_before_it(scenario: CitationScenario) -> None:
    scenario.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    scenario.follow('keywords = ["paper"]')
    scenario.workspace.run("run", now=NOW)
    assert scenario.list_told_papers() != []

    assert scenario.workspace.run("try", f"cites:{CITED}", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]


def test_papers_that_were_not_shown_are_asked_for_only_where_somebody_follows_citations(
    scenario: CitationScenario,
) -> None:
    scenario.host.answers["/graph/v1/paper/batch"] = batch({})
    scenario.follow('keywords = ["elephants"]')
    scenario.workspace.run("run", now=NOW)

    assert scenario.host.paths() == ["/papers.xml"]


def test_papers_of_a_library_are_asked_for(scenario: CitationScenario) -> None:
    entries = "".join(f"@article{{a{n}, title = {{T {n}}}, doi = {{10.1000/l.{n}}}}}\n" for n in (1, 2))
    (scenario.workspace.folder / "library.bib").write_text(entries)
    scenario.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00001": [{"DOI": "10.1000/L.2"}]})
    scenario.follow('library = ["library.bib"]')
    scenario.workspace.run("run", now=NOW)
    scenario.workspace.run("run", now=NOW + timedelta(days=1))

    asked = [
        json.loads(request.body)["ids"]
        for request in scenario.host.requests
        if request.path.endswith("/batch")
    ]
    assert asked[0] == ["DOI:10.1000/l.1", "DOI:10.1000/l.2"]
    assert scenario.list_told_papers() == [("arxiv:2606.00001", [["cites", "doi:10.1000/l.2"]])]


def test_what_was_shown_today_does_not_wait_for_a_library_of_thousands(scenario: CitationScenario) -> None:
    entries = "".join(f"@article{{a{n}, title = {{T {n}}}, doi = {{10.1000/l.{n}}}}}\n" for n in range(1001))
    (scenario.workspace.folder / "library.bib").write_text(entries)
    scenario.host.answers["/graph/v1/paper/batch"] = batch({})
    scenario.follow('library = ["library.bib"]\nkeywords = ["paper"]', SEMANTIC_SCHOLAR + "quota = 2\n")
    scenario.workspace.run("run", now=NOW)

    asked = [
        json.loads(request.body)["ids"]
        for request in scenario.host.requests
        if request.path.endswith("/batch")
    ]
    assert [len(ids) for ids in asked] == [200, 3]
    assert asked[1] == [f"ARXIV:2606.0000{n}" for n in (1, 2, 3)]


def test_no_more_is_asked_than_the_quota_has(scenario: CitationScenario) -> None:
    scenario.host.answers["/graph/v1/paper/batch"] = batch({})
    scenario.follow(enricher=SEMANTIC_SCHOLAR + "quota = 1\n")
    scenario.workspace.run("run", now=NOW)

    assert scenario.host.paths().count("/graph/v1/paper/batch") == 1
    assert "1 of 1 requests today, 3 waiting" in scenario.workspace.run("status", now=NOW).output


# --- what is said of it ---------------------------------------------------------------------------


def test_a_trial_says_for_how_many_papers_references_are_known(scenario: CitationScenario) -> None:
    scenario.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    scenario.follow()
    scenario.workspace.run("run", now=NOW)
    output = scenario.workspace.run("try", f"cites:{CITED}", now=NOW).output

    assert "cites: can only find papers whose references are known: 1 of 3 papers." in output
    assert scenario.workspace.run("try", f"paper -cites:{CITED}", "--json", now=NOW).json["references"] == {
        "known": 1,
        "papers": 3,
    }
    assert scenario.workspace.run("try", "paper", "--json", now=NOW).json["references"] is None


def test_who_has_nobody_who_tells_references_is_told_what_to_do(scenario: CitationScenario) -> None:
    scenario.follow(enricher="")
    scenario.workspace.run("run", now=NOW)
    advice = (
        "cites: can only find papers whose references are known: 0 of 3 papers; add an [[enricher]] with "
        'use = "semantic_scholar" or "openalex".'
    )

    output = scenario.workspace.run("try", f"cites:{CITED}", now=NOW).output
    assert "No match in 3 papers" in output
    assert advice in output
    assert f"references: ok: {advice}" in scenario.workspace.run("check").output


def test_a_check_says_for_how_many_papers_references_are_known_where_follows_ask_for_them(
    scenario: CitationScenario,
) -> None:
    scenario.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    scenario.follow('keywords = ["paper"]')
    scenario.workspace.run("run", now=NOW)
    assert "references" not in scenario.workspace.run("check").output

    scenario.follow()
    assert "references: ok: cites: can only find papers" in scenario.workspace.run("check").output
