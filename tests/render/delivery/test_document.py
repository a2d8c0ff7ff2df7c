"""What programs are told is what its schema and its reference page say, and who checks it as the page says is right."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from digest.channels.webhook import make_signature_headers
from digest.model import Edition
from digest.render.delivery import document
from digest.render.editions.sample import make_sample_edition
from tests.render.samples import SITE, make_edition, make_edition_of_three_parts
from tests.support.cases import for_each_case

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
SCHEMA = json.loads((REFERENCE / "webhook.schema.json").read_text(encoding="utf-8"))
AT = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


def wrong(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """Where a value is not what a schema says (JSON Schema 2020-12, as much of it as ours uses); no key is unknown."""
    if "$ref" in schema:
        return wrong(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    if "oneOf" in schema:
        tried = [wrong(value, entry, place) for entry in schema["oneOf"]]
        return [] if tried.count([]) == 1 else min(tried, key=len)
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{place}: {value!r}"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(
        isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in kinds
    ):
        return [f"{place}: {value!r} is no {kinds}"]
    results: list[str] = []
    if isinstance(value, dict):
        results += [f"{place}.{key}: unknown" for key in value.keys() - schema["properties"].keys()]
        results += [f"{place}.{key}: missing" for key in set(schema["required"]) - value.keys()]
        for key in value.keys() & schema["properties"].keys():
            results += wrong(value[key], schema["properties"][key], f"{place}.{key}")
    if isinstance(value, list):
        results += [
            text
            for number, entry in enumerate(value)
            for text in wrong(entry, schema["items"], f"{place}[{number}]")
        ]
    return results


def told(edition: Edition, *, test: bool = False) -> Any:
    new_document = document.make_document(
        edition,
        SITE,
        delivery=1,
        address="a",
        message_id="<0a1b@h.example>",
        page="https://d/e",
        is_test=test,
    )
    assert new_document.idempotency_key == "0a1b"
    return json.loads(new_document.content)


@for_each_case("edition", [make_sample_edition(AT), make_edition_of_three_parts(), make_edition()])
@for_each_case("test", [False, True])
def test_an_edition_is_as_its_schema_says(edition: Edition, test: bool) -> None:  # noqa: FBT001 - a column of a table
    result = told(edition, test=test)

    assert wrong(result, SCHEMA) == []
    assert result["type"] == ("edition.test" if test else "edition.published")
    assert result["timestamp"] == result["data"]["composed_at"]


def test_a_notice_is_as_its_schema_says() -> None:
    notice_document = document.make_notice_document(
        {"run:7": "It is held."}, title="Lab", address="a", number="n", created_at=AT
    )

    assert wrong(json.loads(notice_document.content), SCHEMA) == []


def test_the_check_of_the_schema_can_fail() -> None:
    result = told(make_edition_of_three_parts())
    del result["data"]["items"][0]["paper"]["title"]
    result["data"]["dropped"] = "3"

    assert sorted(wrong(result, SCHEMA)) == [
        ".data.dropped: '3' is no ['integer']",
        ".data.items[0].paper.title: missing",
    ]


def test_the_reference_names_all_types_and_the_keys_of_an_edition() -> None:
    page = (REFERENCE / "webhook.md").read_text(encoding="utf-8")

    assert [
        kind
        for entry in SCHEMA["oneOf"]
        for kind in entry["properties"]["type"]["enum"]
        if f"`{kind}`" not in page
    ] == []
    assert [key for key in SCHEMA["$defs"]["edition"]["properties"] if f"`{key}`" not in page] == []


@pytest.mark.parametrize("secret", ["a-secret-of-24-characters", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
def test_who_checks_a_request_as_the_page_says_finds_it_right_and_a_changed_one_wrong(secret: str) -> None:
    page = (REFERENCE / "webhook.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    now = int(datetime.now(UTC).timestamp())
    headers = make_signature_headers("n1", now, b"{}", f"{secret} another-secret-of-24-letters")

    assert names["is_right"](headers, b"{}", secret)
    assert not names["is_right"](headers, b"{ }", secret)
    assert not names["is_right"](headers | {"webhook-id": "n2"}, b"{}", secret)
    assert not names["is_right"](make_signature_headers("n1", now - 301, b"{}", secret), b"{}", secret)
    assert not names["is_right"](headers, b"{}", "some-other-secret-of-letters")
