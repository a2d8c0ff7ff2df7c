"""The API that everybody can read: it satisfies its own schema, whatever it is asked."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.web.conftest import THURSDAY, Site
from tests.web.publishing.conftest import LAB

FIRST = "arxiv:1901.00000"


def get(site: Site, path: str) -> dict[str, object]:
    response = site.get(f"/api/v1/{path}").raise_for_status()
    assert response.headers["content-type"] == "application/json"
    result: dict[str, object] = response.json()
    return result


def list_keys(document: dict[str, object]) -> list[str]:
    papers = document["papers"]
    assert isinstance(papers, list)
    return [paper["key"] for paper in papers]


def test_a_paper_says_who_says_what_and_who_counts_what(search_site: Site) -> None:
    document = get(search_site, f"papers/{FIRST}")

    paper = document["paper"]
    assert isinstance(paper, dict)
    assert paper["title"] == "Xylophone acoustics 0 of marimbas"
    assert paper["authors"][0]["affiliations"] == [LAB]
    assert paper["counts"] == [{"kind": "votes", "value": 7, "source": "arxiv", "day": THURSDAY.isoformat()}]
    assert isinstance(document["cited_by"], list)
    assert len(document["cited_by"]) == 10
    assert get(search_site, "papers/1902.00001")["cites"] == [FIRST, "arxiv:0001.99999"]


def test_a_search_finds_what_its_page_finds_page_by_page(search_site: Site) -> None:
    first = get(search_site, "search?q=xylophone&order=date&limit=50")
    second = get(search_site, f"search?q=xylophone&order=date&limit=50&cursor={first['next_cursor']}")

    assert (first["total"], first["total_kind"]) == (61, "exact")
    assert len({*list_keys(first), *list_keys(second)}) == 61
    assert second["next_cursor"] == ""


def test_a_day_has_its_papers_and_the_state_of_its_sections(search_site: Site) -> None:
    document = get(search_site, f"days/{THURSDAY}?limit=3")

    assert len(list_keys(document)) == 3
    assert isinstance(document["sections"], list)
    assert {section["state"] for section in document["sections"]} == {"complete"}
    following = get(search_site, f"days/{THURSDAY}?limit=3&cursor={document['next_cursor']}")
    assert not set(list_keys(following)) & set(list_keys(document))
    assert get(search_site, "days") == {"days": [THURSDAY.isoformat()]}
    assert date.fromisoformat(str(get(search_site, "categories")["day"])) == THURSDAY


def test_people_and_categories_and_sources(search_site: Site) -> None:
    person = get(search_site, "people/arxiv:1901.00000/1")
    people = get(search_site, "people?name=Mallet+Player-Sample")

    assert person["names"] == ["Mallet Player-Sample"]
    assert person["paper_count"] == 60
    assert person["evidence"] == {"coauthor": 60}
    assert isinstance(people["persons"], list)
    assert people["persons"][0]["reference"] == person["reference"]
    assert len(list_keys(get(search_site, "categories/cs.SD"))) == 25
    assert get(search_site, "sources")["sources"]
    similar = get(search_site, f"similar/{FIRST}")["papers"]
    assert isinstance(similar, list)
    assert similar[0]["common_words"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("papers/nothing", 404),
        ("papers/arxiv:9912.99999", 404),
        ("days/2026-02-30", 404),
        ("days/1999-01-01", 404),
        (f"days/{THURSDAY}?cursor=x", 400),
        ("people/arxiv:1901.00000/99", 404),
        ("people", 400),
        ("people?name=%00", 400),
        ("search", 400),
        ("search?q=(", 400),
        ("search?q=a&cursor=forged", 400),
        ("search?q=a&limit=1000", 400),
        ("categories/cs.XX", 404),
        ("nothing", 404),
    ],
)
def test_what_cannot_be_answered_is_a_problem(search_site: Site, path: str, status: int) -> None:
    response = search_site.get(f"/api/v1/{path}")

    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    assert response.json()["status"] == status
    assert response.headers["access-control-allow-origin"] == "*"


def test_a_mistake_in_a_query_says_where_it_is(search_site: Site) -> None:
    problem = search_site.get("/api/v1/search?q=xylophone+%28bars").json()

    assert problem["position"] == len("xylophone ")


def test_documents_may_be_stored_and_read_by_scripts_of_every_site(search_site: Site) -> None:
    response = search_site.get("/api/v1/search?q=xylophone")

    assert response.headers["cache-control"] == "public, max-age=300"
    assert response.headers["access-control-allow-origin"] == "*"
    again = search_site.get("/api/v1/search?q=xylophone", if_none_match=response.headers["etag"])
    assert again.status_code == 304


def test_it_satisfies_its_own_schema_whatever_it_is_asked(search_site: Site) -> None:
    schema = schemathesis.openapi.from_url(f"{search_site.server_url}/api/v1/openapi.json")

    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        check_operation(result.ok(), f"{search_site.server_url}/api/v1")
    assert search_site.operator_messages == []


def check_operation(operation: Any, url: str) -> None:
    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(operation.as_strategy())
    def check(case: schemathesis.Case[Any]) -> None:
        # A schema cannot describe which texts are queries, names and cursors.
        case.call_and_validate(base_url=url, excluded_checks=[positive_data_acceptance])

    check()


def test_parameters_without_a_meaning_take_no_room_in_the_cache(search_site: Site) -> None:
    first = search_site.get("/api/v1/days")
    addresses = [f"/api/v1/days?x={number}{'a' * 3_000}" for number in range(3)]

    assert {search_site.get(address).headers["etag"] for address in addresses} == {first.headers["etag"]}


def test_scripts_of_other_sites_may_ask_first(search_site: Site) -> None:
    preflight = search_site.request("OPTIONS", "/api/v1/days")

    assert (preflight.status_code, preflight.headers["access-control-allow-methods"]) == (204, "GET")
    refused = search_site.request("POST", "/api/v1/days")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET")
