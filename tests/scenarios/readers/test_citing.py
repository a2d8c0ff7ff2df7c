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
class Citing:
    """A world with three new papers, and services that know what these cite."""

    world: Workspace
    host: ScriptedHost

    def follow(self, follows: str = f'cites = ["{CITED}"]', enricher: str = SEMANTIC_SCHOLAR) -> None:
        """Write the configuration."""
        told = enricher.format(url=self.host.url)
        self.world.write(textwrap.dedent(CONFIG).format(url=self.host.url, enricher=told, follows=follows))

    def told(self) -> list[tuple[str, list[list[str]]]]:
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
            for edition in self.world.read_editions()
            for item in edition["items"]
        ]


@pytest.fixture
def citing(tmp_path: Path) -> Iterator[Citing]:
    papers = [make_entry(f"The paper {n}", f"https://arxiv.org/abs/2606.0000{n}", NOW) for n in (1, 2, 3)]
    with ScriptedHost() as host:
        host.answers["/papers.xml"] = CannedResponse(make_rss(*papers))
        yield Citing(Workspace(tmp_path), host)


# --- services -------------------------------------------------------------------------------------


def batch(references: dict[str, list[dict[str, str]]]) -> Any:
    """Semantic Scholar's answer to a batch: by what a paper is asked for, what it cites."""

    def answer(asked: HostRequest) -> CannedResponse:
        assert "references.externalIds" in asked.query["fields"]
        ids = json.loads(asked.body)["ids"]
        rows = [
            {
                "paperId": f"{number:040x}",
                "externalIds": {one.partition(":")[0].replace("ARXIV", "ArXiv"): one.partition(":")[2]},
                "title": f"The paper {one}",
                "references": [{"externalIds": cited} for cited in references[one]],
            }
            if one in references
            else None
            for number, one in enumerate(ids)
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
                "referenced_works": [f"https://openalex.org/{one}" for one in cites[doi]],
            }
            for number, doi in enumerate(cites)
            if doi in asked_for
        ]
        return CannedResponse(json.dumps({"meta": {}, "results": results}).encode())

    return answer


# --- what is told ---------------------------------------------------------------------------------


def test_a_paper_that_nobody_was_shown_is_told_when_it_is_found_out_that_it_cites_what_is_followed(
    citing: Citing,
) -> None:
    references = {
        "ARXIV:2606.00002": [{"DOI": "10.1000/other"}, {"DOI": "10.1000/J.9", "ArXiv": "2401.00001"}]
    }
    citing.host.answers["/graph/v1/paper/batch"] = batch(references)
    citing.follow()
    assert "Semantic Scholar: found 1 of 3 papers, 1 event" in citing.world.run("run", now=NOW).output
    assert citing.told() == []

    citing.world.run("run", now=NOW + timedelta(days=1))
    citing.world.run("run", now=NOW + timedelta(days=9))
    assert citing.told() == [("arxiv:2606.00002", [["cites", f"doi:{CITED}"]])], "and once"


def test_a_paper_is_found_by_either_id_of_what_it_cites(citing: Citing) -> None:
    references = {"ARXIV:2606.00002": [{"DOI": "10.1000/J.9", "ArXiv": "2401.00001"}]}
    citing.host.answers["/graph/v1/paper/batch"] = batch(references)
    citing.follow('cites = ["2401.00001"]')
    citing.world.run("run", now=NOW)

    assert citing.world.run("try", f"cites:{CITED}", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]
    assert citing.world.run("try", "cites:2401.00001", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]


def test_openalex_names_what_is_cited_by_ids_of_its_own_and_these_are_known_of_followed_papers(
    citing: Citing,
) -> None:
    cites = {CITED: [], "10.48550/arxiv.2606.00003": ["W1000", "W77"], "10.48550/arxiv.2606.00001": ["W77"]}
    citing.host.answers["/works"] = works(cites)
    citing.follow(enricher=OPENALEX)
    citing.world.run("run", now=NOW)
    citing.world.run("run", now=NOW + timedelta(days=1))

    assert citing.told() == [("arxiv:2606.00003", [["cites", f"doi:{CITED}"]])]
    filters = [one.query["filter"] for one in citing.host.requests if one.path == "/works"]
    assert filters[0] == f"doi:{CITED}", "first what is cited: its id is needed to know the others"


def test_what_nobody_asks_for_tells_nothing(citing: Citing) -> None:
    cites = {f"ARXIV:2606.0000{n}": [{"DOI": f"10.1000/other.{n}"}] for n in (1, 2, 3)}
    citing.host.answers["/graph/v1/paper/batch"] = batch(cites)
    citing.follow(f'cites = ["{CITED}"]\nkeywords = ["paper"]')
    ran = citing.world.run("run", now=NOW).output
    citing.world.run("run", now=NOW + timedelta(days=1))

    assert "event" not in ran.partition("Semantic Scholar")[2]
    assert [key for key, _ in citing.told()] == [f"arxiv:2606.0000{n}" for n in (1, 2, 3)], "once each"


def test_a_follow_that_begins_later_finds_what_was_known_before_it(citing: Citing) -> None:
    citing.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    citing.follow('keywords = ["paper"]')
    citing.world.run("run", now=NOW)
    assert citing.told() != []

    assert citing.world.run("try", f"cites:{CITED}", "--json", now=NOW).json["examples"] == [
        "arxiv:2606.00002"
    ]


def test_papers_that_were_not_shown_are_asked_for_only_where_somebody_follows_citations(
    citing: Citing,
) -> None:
    citing.host.answers["/graph/v1/paper/batch"] = batch({})
    citing.follow('keywords = ["elephants"]')
    citing.world.run("run", now=NOW)

    assert citing.host.paths() == ["/papers.xml"]


def test_papers_of_a_library_are_asked_for(citing: Citing) -> None:
    entries = "".join(f"@article{{a{n}, title = {{T {n}}}, doi = {{10.1000/l.{n}}}}}\n" for n in (1, 2))
    (citing.world.folder / "library.bib").write_text(entries)
    citing.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00001": [{"DOI": "10.1000/L.2"}]})
    citing.follow('library = ["library.bib"]')
    citing.world.run("run", now=NOW)
    citing.world.run("run", now=NOW + timedelta(days=1))

    asked = [json.loads(one.body)["ids"] for one in citing.host.requests if one.path.endswith("/batch")]
    assert asked[0] == ["DOI:10.1000/l.1", "DOI:10.1000/l.2"]
    assert citing.told() == [("arxiv:2606.00001", [["cites", "doi:10.1000/l.2"]])]


def test_what_was_shown_today_does_not_wait_for_a_library_of_thousands(citing: Citing) -> None:
    entries = "".join(f"@article{{a{n}, title = {{T {n}}}, doi = {{10.1000/l.{n}}}}}\n" for n in range(1001))
    (citing.world.folder / "library.bib").write_text(entries)
    citing.host.answers["/graph/v1/paper/batch"] = batch({})
    citing.follow('library = ["library.bib"]\nkeywords = ["paper"]', SEMANTIC_SCHOLAR + "quota = 2\n")
    citing.world.run("run", now=NOW)

    asked = [json.loads(one.body)["ids"] for one in citing.host.requests if one.path.endswith("/batch")]
    assert [len(ids) for ids in asked] == [200, 3]
    assert asked[1] == [f"ARXIV:2606.0000{n}" for n in (1, 2, 3)]


def test_no_more_is_asked_than_the_quota_has(citing: Citing) -> None:
    citing.host.answers["/graph/v1/paper/batch"] = batch({})
    citing.follow(enricher=SEMANTIC_SCHOLAR + "quota = 1\n")
    citing.world.run("run", now=NOW)

    assert citing.host.paths().count("/graph/v1/paper/batch") == 1
    assert "1 of 1 requests today, 3 waiting" in citing.world.run("status", now=NOW).output


# --- what is said of it ---------------------------------------------------------------------------


def test_a_trial_says_for_how_many_papers_references_are_known(citing: Citing) -> None:
    citing.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    citing.follow()
    citing.world.run("run", now=NOW)
    told = citing.world.run("try", f"cites:{CITED}", now=NOW).output

    assert "cites: can only find papers whose references are known: 1 of 3 papers." in told
    assert citing.world.run("try", f"paper -cites:{CITED}", "--json", now=NOW).json["references"] == {
        "known": 1,
        "papers": 3,
    }
    assert citing.world.run("try", "paper", "--json", now=NOW).json["references"] is None


def test_who_has_nobody_who_tells_references_is_told_what_to_do(citing: Citing) -> None:
    citing.follow(enricher="")
    citing.world.run("run", now=NOW)
    advice = (
        "cites: can only find papers whose references are known: 0 of 3 papers; add an [[enricher]] with "
        'use = "semantic_scholar" or "openalex".'
    )

    told = citing.world.run("try", f"cites:{CITED}", now=NOW).output
    assert "No match in 3 papers" in told
    assert advice in told
    assert f"references: ok: {advice}" in citing.world.run("check").output


def test_a_check_says_for_how_many_papers_references_are_known_where_follows_ask_for_them(
    citing: Citing,
) -> None:
    citing.host.answers["/graph/v1/paper/batch"] = batch({"ARXIV:2606.00002": [{"DOI": CITED}]})
    citing.follow('keywords = ["paper"]')
    citing.world.run("run", now=NOW)
    assert "references" not in citing.world.run("check").output

    citing.follow()
    assert "references: ok: cites: can only find papers" in citing.world.run("check").output
