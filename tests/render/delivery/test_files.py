from __future__ import annotations

import json
from dataclasses import replace
from email import message_from_bytes, policy

import jinja2

from digest.render.delivery.files import make_edition_json, make_edition_stem, make_file_name, render_files
from digest.render.delivery.mail import render_mail
from tests.render.samples import (
    SITE,
    make_edition,
    make_edition_of_every_kind,
    make_edition_of_three_parts,
    make_item,
)
from tests.support.cases import for_each_case


def test_an_edition_is_four_files_below_its_digest(environment: jinja2.Environment) -> None:
    files = dict(render_files(environment, make_edition_of_three_parts(), SITE))
    parts = render_mail(environment, make_edition_of_three_parts(), SITE)

    stem = "llm-systems/2026-06-12T0730"
    assert list(files) == [f"{stem}.html", f"{stem}.txt", f"{stem}.json", f"{stem}.eml"]
    assert files[f"{stem}.html"].decode() == parts.html
    assert files[f"{stem}.txt"].decode() == parts.text
    assert json.loads(files[f"{stem}.json"]) == make_edition_json(make_edition_of_three_parts(), SITE)


def test_the_message_that_is_a_file_goes_to_nobody_and_is_always_the_same(
    environment: jinja2.Environment,
) -> None:
    name, content = render_files(environment, make_edition_of_three_parts(), SITE)[-1]

    message = message_from_bytes(content, policy=policy.default)
    assert name.endswith(".eml")
    assert message["To"] == "undisclosed-recipients:;"
    assert message["Message-ID"].endswith("@digest.example.org>")
    assert render_files(environment, make_edition_of_three_parts(), SITE)[-1] == (name, content)


def test_without_a_sender_there_is_no_message(environment: jinja2.Environment) -> None:
    names = [
        name for name, _ in render_files(environment, make_edition_of_three_parts(), replace(SITE, sender=""))
    ]

    assert [name.rpartition(".")[2] for name in names] == ["html", "txt", "json"]


@for_each_case(
    ("digest", "name"),
    [
        ("llm-systems", "llm-systems"),
        ("../etc/passwd", "etc-passwd"),
        ("a b/ü:c", "a-b-ü-c"),
        ("..", "digest"),
    ],
)
def test_names_stay_below_the_folder(digest: str, name: str) -> None:
    assert make_file_name(digest) == name
    assert make_edition_stem(make_edition(digest=digest)) == f"{name}/2026-06-12T0730"


def test_plain_data_say_all_that_the_edition_says() -> None:
    data = make_edition_json(make_edition_of_three_parts(), SITE)

    assert data["subject"].startswith("llm-systems, 12 Jun: 1 new, 1 maybe, ")
    assert data["account"] == {
        "summary": "complete according to the feeds",
        "lines": ["arXiv cs.DC, Friday 12 June: complete according to the feed, 212 listings."],
        "missing": [],
        "whole": True,
    }
    assert [item["part"] for item in data["items"]] == ["surely", "maybe", "versions"]
    assert data["items"][0]["reasons"] == [
        {
            "follow": "KV cache",
            "band": "surely",
            "evidence": [{"field": "abstract", "words": ["KV cache"]}],
        }
    ]
    assert data["items"][2]["event"] == {
        "kind": "version",
        "number": 3,
        "day": "2026-06-12",
        "source": "arxiv",
    }
    assert data["items"][0]["paper"]["authors"][0] == {
        "name": "Yipin Guo",
        "affiliations": [],
        "ids": [],
    }
    assert data["batches"][0]["due_at"] == "2026-06-12T04:00:00Z"
    assert data["composed_at"] == "2026-06-12T05:30:04Z"
    assert (len(data["rest"]), data["dropped"], data["excluded"]) == (1, 5, 1)


def test_plain_data_tell_what_is_known_beside_what_was_announced() -> None:
    items = make_edition_json(make_edition_of_every_kind(), SITE)["items"]

    assert [item["event"]["kind"] for item in items] == [
        *("new", "grown", "picked", "picked", "picked", "version", "published", "code"),
    ]
    assert items[3]["part"] == "picked"
    assert items[3]["paper"]["organizations"] == ["Made Up Labs"]
    assert items[5]["paper"]["withdrawn"]
    assert items[7]["paper"]["code_urls"] == ["https://github.com/who/what"]


def test_a_lone_surrogate_does_not_keep_a_file_from_being_written(environment: jinja2.Environment) -> None:
    files = render_files(environment, make_edition(make_item(title='a\ud800"\\ b\x00')), SITE)

    assert json.loads(dict(files)["llm-systems/2026-06-12T0730.json"])["items"][0]["paper"][
        "title"
    ].startswith("a")
