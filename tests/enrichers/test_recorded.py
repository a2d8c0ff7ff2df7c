"""Every recorded answer of the services is read by its enricher, or refused with its reason."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

from digest import plugins
from digest.errors import SourceError
from digest.model import Subject, SubjectKind
from digest.ports import Enricher, Response
from tests.sources.recorded_answers import recorded_answers
from tests.tables import for_each_case

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
    request = enricher.ask([subject])
    found: Counter[str] = Counter()
    for recorded in recorded_answers(data, folder):
        try:
            findings = enricher.read(request, [subject], recorded.response, DAY)
        except SourceError as error:
            found["refused"] += 1
            found["said"] += "HTTP" in str(error) or "came" in str(error) or "expected" in str(error)
        else:
            found["read"] += 1
            found["found"] += bool(findings.found or findings.next)
    return found


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
    found = outcomes(data, folder, name, subject)

    assert found["read"] + found["refused"] == len(list(recorded_answers(data, folder)))
    assert found["said"] == found["refused"]


def test_recorded_names_of_a_person_lead_to_the_works(data: Path) -> None:
    found = outcomes(data, "orcid", "orcid", PERSON)

    assert found["found"] >= 9


def test_a_record_that_is_no_more_is_unknown_and_no_error() -> None:
    enricher: Enricher = plugins.build(plugins.load("enrichers", "orcid"), {})
    gone = Response(status=404, headers=(), body=b'{"error-code": 9016}')

    assert not enricher.read(enricher.ask([PERSON]), [PERSON], gone, DAY).found
