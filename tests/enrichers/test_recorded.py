"""Every recorded answer of the services is read by its enricher, or refused with its reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from digest import plugins
from digest.errors import SourceError
from digest.model import Subject, SubjectKind
from digest.ports import Enricher, EnricherPage, Response
from tests.sources.recorded_answers import read_recorded_answers
from tests.support.cases import for_each_case

DAY = date(2026, 9, 8)
PAPER = Subject(
    kind=SubjectKind.PAPER,
    key="doi:10.1038/s42256-024-00832-8",
    ids=(("doi", "10.1038/s42256-024-00832-8"), ("arxiv", "2304.05376")),
)
PERSON = Subject(
    kind=SubjectKind.PERSON,
    key="orcid:0000-0003-1620-1408",
    ids=(("orcid", "0000-0003-1620-1408"), ("openalex", "A5070892021"), ("s2", "1723755")),
)


def outcomes(data: Path, folder: str, name: str, subject: Subject) -> Counter[str]:
    """How many answers ended how."""
    enricher: Enricher = plugins.build(plugins.load("enrichers", name), {})
    request = enricher.make_request([subject])
    results: Counter[str] = Counter()
    for recorded in read_recorded_answers(data, folder):
        try:
            findings = enricher.read(request, [subject], recorded.response, DAY)
        except SourceError as error:
            results["refused"] += 1
            results["said"] += "HTTP" in str(error) or "came" in str(error) or "expected" in str(error)
        else:
            results["read"] += 1
            results["found"] += bool(findings.known_keys or findings.next)
    return results


@for_each_case(
    ("folder", "name", "subject"),
    [
        ("openalex", "openalex", PAPER),
        ("openalex", "openalex", PERSON),
        ("s2", "semantic_scholar", PAPER),
        ("s2", "semantic_scholar", PERSON),
        ("crossref", "crossref", PAPER),
        ("orcid", "orcid", PERSON),
        ("hf", "hf_daily", PAPER),
    ],
)
def test_each_is_read_or_refused_with_its_reason(
    data: Path, folder: str, name: str, subject: Subject
) -> None:
    results = outcomes(data, folder, name, subject)

    assert results["read"] + results["refused"] == len(list(read_recorded_answers(data, folder)))
    assert results["said"] == results["refused"]


def test_recorded_names_of_a_person_lead_to_the_works(data: Path) -> None:
    results = outcomes(data, "orcid", "orcid", PERSON)

    assert results["found"] >= 9


def test_a_record_that_is_no_more_is_unknown_and_no_error() -> None:
    enricher: Enricher = plugins.build(plugins.load("enrichers", "orcid"), {})
    gone = Response(status=404, headers=(), body=b'{"error-code": 9016}')

    assert not enricher.read(enricher.make_request([PERSON]), [PERSON], gone, DAY).known_keys


# --- records that cannot be read ------------------------------------------------------------------


def paper(number: int) -> Subject:
    ids = (("doi", f"10.1000/{number}"), ("s2", f"s{number}"))
    return Subject(kind=SubjectKind.PAPER, key=f"doi:10.1000/{number}", ids=ids)


def person(number: int) -> Subject:
    ids = (("openalex", f"A500000000{number}"), ("s2", str(number)))
    return Subject(kind=SubjectKind.PERSON, key=f"s2:{number}", ids=ids)


WORKS = [
    {"id": f"https://openalex.org/W100{n}", "doi": f"https://doi.org/10.1000/{n}", "title": "T"}
    for n in (1, 2)
]
RECORDS = [{"paperId": f"s{n}", "externalIds": {"DOI": f"10.1000/{n}"}, "title": "T"} for n in (1, 2)]
ITEMS = [{"DOI": f"10.1000/{n}", "title": ["T"]} for n in (1, 2)]


def read_two(name: str, subject: Callable[[int], Subject], body: object) -> EnricherPage:
    """Read an answer about two subjects."""
    enricher: Enricher = plugins.build(plugins.load("enrichers", name), {})
    subjects = [subject(1), subject(2)]
    response = Response(status=200, headers=(), body=json.dumps(body).encode())
    return enricher.read(enricher.make_request(subjects), subjects, response, DAY)


@for_each_case(
    ("name", "subject", "body", "message"),
    [
        ("openalex", paper, {"results": [WORKS[0], WORKS[1] | {"title": None}]}, "no title: W1002"),
        ("openalex", paper, {"results": [WORKS[0], None]}, "neither id nor DOI"),
        ("openalex", person, {"results": [{"id": "https://openalex.org/A5000000001"}, {"id": 7}]}, "no id"),
        ("semantic_scholar", paper, [RECORDS[0], RECORDS[1] | {"title": 7}], "no title: s2"),
        ("semantic_scholar", paper, [RECORDS[0], "s2"], "no id"),
        ("semantic_scholar", person, [{"hIndex": 1}, [2]], "of s2:2"),
        ("crossref", paper, {"message": {"items": [ITEMS[0], ITEMS[1] | {"title": []}]}}, "'10.1000/2'"),
        ("crossref", paper, {"message": {"items": [ITEMS[0], 7]}}, "no DOI"),
    ],
)
def test_a_record_that_cannot_be_read_is_said_and_the_others_are_read(
    name: str, subject: Callable[[int], Subject], body: object, message: str
) -> None:
    findings = read_two(name, subject, body)

    assert findings.known_keys == {subject(1).key}
    assert len(findings.unread) == 1
    assert message in findings.unread[0]


@for_each_case(
    ("name", "subject", "body"),
    [
        ("openalex", paper, {"results": [WORKS[0], WORKS[1] | {"doi": "https://doi.org/10.1000/9"}]}),
        ("semantic_scholar", paper, [RECORDS[0], None]),
        ("crossref", paper, {"message": {"items": [ITEMS[0], ITEMS[1] | {"DOI": "10.1000/9"}]}}),
    ],
)
def test_a_record_that_nobody_asked_for_is_no_trouble(
    name: str, subject: Callable[[int], Subject], body: object
) -> None:
    findings = read_two(name, subject, body)

    assert findings.known_keys == {subject(1).key}
    assert findings.unread == ()


def test_what_is_no_work_in_a_persons_record_costs_itself() -> None:
    enricher: Enricher = plugins.build(plugins.load("enrichers", "orcid"), {})
    own = {"external-id-type": "doi", "external-id-value": "10.1000/1", "external-id-relationship": "self"}
    works = {"group": [{"external-ids": {"external-id": [own]}}, "work", {}]}
    request = replace(enricher.make_request([PERSON]), section="works", cursor="Ada Lovelace")
    response = Response(status=200, headers=(), body=json.dumps(works).encode())
    findings = enricher.read(request, [PERSON], response, DAY)

    assert findings.person_papers[0].papers == ("doi:10.1000/1",)
    assert [signal.value for signal in findings.signals] == [2.0]
    assert len(findings.unread) == 1


def test_a_page_of_hugging_face_that_is_none_is_an_error_and_one_without_a_title_is_said() -> None:
    enricher: Enricher = plugins.build(plugins.load("enrichers", "hf_daily"), {})
    body = b'{"id": "2304.05376", "upvotes": 7}'
    findings = enricher.read(
        enricher.make_request([PAPER]), [PAPER], Response(status=200, headers=(), body=body), DAY
    )
    assert [signal.value for signal in findings.signals] == [7.0]
    assert findings.unread == ("Hugging Face's page of doi:10.1038/s42256-024-00832-8 has no title.",)

    with pytest.raises(SourceError, match="something else arrived"):
        enricher.read(
            enricher.make_request([PAPER]), [PAPER], Response(status=200, headers=(), body=b"[]"), DAY
        )
