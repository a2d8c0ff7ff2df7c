"""The file that `digest init` writes, and the example and the schema that have all keys."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from digest import plugins
from digest.config import Settings, read_settings
from digest.config.delivery.bounces import BouncesTable
from digest.config.delivery.destinations import OperatorTable, SendmailTable
from digest.config.delivery.dkim import DkimTable
from digest.config.delivery.rates import DeliveryTable
from digest.config.digests import DigestTable, PublicDigestTable
from digest.config.file.starter import StarterAnswers, write_starter_config
from digest.config.file.variables import ENVIRONMENT_KEYS
from digest.config.public import PublicFeedTable, SignupTable
from digest.config.tables import ConfigFile, OutputTable, SiteTable, SmtpTable, StoreTable
from tests.config.delivery.test_dkim import ED25519
from tests.support.cases import for_each_case
from tests.support.rsa_keys import encode_pem, make_rsa_key

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "config" / "digest.example.toml"
REFERENCE = ROOT / "docs" / "reference" / "config.md"
SCHEMA = ROOT / "docs" / "reference" / "digest.schema.json"
TABLES: dict[str, type[BaseModel]] = {
    "site": SiteTable,
    "store": StoreTable,
    "output": OutputTable,
    "smtp": SmtpTable,
    "delivery": DeliveryTable,
    "bounces": BouncesTable,
    "dkim": DkimTable,
    "sendmail": SendmailTable,
    "operator": OperatorTable,
    "digest": DigestTable,
    "public_feed": PublicFeedTable,
    "public_digest": PublicDigestTable,
    "signup": SignupTable,
}


def read(folder: Path, text: str, **environ: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path, environ)


def keys(table: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in table.model_fields.items()]


def test_the_example_works_as_it_is(tmp_path: Path) -> None:
    settings = read(tmp_path, EXAMPLE.read_text(encoding="utf-8"))

    assert [
        plugins.build(plugins.load("sources", source.use), source.options).name for source in settings.sources
    ] == ["arxiv"]
    assert [destination.channel for destination in settings.digests[0].destinations] == ["files"]


def test_the_example_works_with_all_that_is_switched_off_switched_on(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "refs.bib").write_text("@misc{a, title={A}, eprint={2401.00001}}", encoding="utf-8")
    (tmp_path / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")
    on = re.sub(r"(?m)^# (?=\[|\w+ = )", "", EXAMPLE.read_text(encoding="utf-8"))
    settings = read(
        tmp_path,
        on,
        DIGEST_STORE_URL="postgresql+psycopg://user@host/name",  # SQLite has no replica
        SMTP_PASSWORD="pw",
        RELAY_PASSWORD="other",
        BOUNCES_PASSWORD="back",
        HOOK_SECRET="s" * 32,
        DKIM_KEY=encode_pem(make_rsa_key()),
        DKIM_SECOND_KEY=ED25519,
    )

    assert settings.smtp is not None
    assert [relay.password for relay in settings.smtp.relays] == ["pw", "other"]
    assert settings.bounces.login is not None
    assert settings.bounces.login.password == "back"
    assert [provider.use for provider in settings.bounces.providers] == ["ses"]
    assert [destination.channel for destination in settings.operator.notify] == ["notify", "webhook"]
    assert settings.templates == tmp_path / "templates"
    assert settings.digests[0].schedule.latest == "10:00"
    assert settings.libraries[0].papers == 1


def test_the_example_has_every_key_that_most_people_need() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    rare = {"ca_file", "timeout"}

    for table in TABLES.values():
        expected = [key for key in keys(table) if key not in rare]
        assert [key for key in expected if f"{key} = " not in text and f".{key}]" not in text] == []


def test_answers_are_put_in_their_places(tmp_path: Path) -> None:
    answers = StarterAnswers(
        address="me@example.org",
        smtp_host="smtp.example.org",
        smtp_username="me",
        categories=("math.CO",),
        keywords=("graph minor", 'so-called "theorem"'),
        timezone="Asia/Tokyo",
        time_of_day="18:15",
    )
    settings = read(tmp_path, write_starter_config(answers), DIGEST_SMTP_PASSWORD="pw")
    [digest] = settings.digests

    assert settings.sources[0].options == {"categories": ["math.CO"]}
    assert [(destination.channel, destination.address) for destination in digest.destinations] == [
        ("smtp", "me@example.org")
    ]
    assert (digest.schedule.at, digest.options.timezone) == ("18:15", "Asia/Tokyo")
    assert [follow.text for follow in digest.follows] == ["graph minor", 'so-called "theorem"']
    assert settings.smtp is not None
    [relay] = settings.smtp.relays
    assert (relay.host, relay.username) == ("smtp.example.org", "me")
    assert settings.smtp.from_address == settings.site.contact == "me@example.org"


WHOLE = StarterAnswers(
    address="me@example.org",
    smtp_host="smtp.example.org",
    smtp_username="me",
    categories=("cs.DC", "cs.LG"),
    keywords=("KV cache",),
    timezone="Europe/Berlin",
    time_of_day="18:15",
)


@for_each_case(
    "answers",
    [
        StarterAnswers(),
        WHOLE,
        replace(WHOLE, smtp_host=""),
        replace(WHOLE, keywords=()),
        replace(WHOLE, smtp_username=""),
        StarterAnswers(address="me@example.org"),
    ],
)
def test_whatever_is_answered_the_file_works_has_40_lines_at_most_and_follows_nothing_else(
    answers: StarterAnswers,
) -> None:
    text = write_starter_config(answers)
    password = {"DIGEST_SMTP_PASSWORD": "pw"} if answers.smtp_username else {}
    with tempfile.TemporaryDirectory() as folder:
        [digest] = read(Path(folder), text, **password).digests

    assert len(text.splitlines()) <= 40
    followed = answers.keywords or answers.categories
    assert tuple(follow.text for follow in digest.follows) == followed
    assert "Xiao" not in text
    assert answers.address in text


def test_all_that_is_switched_off_in_it_can_be_switched_on(tmp_path: Path) -> None:
    text = write_starter_config(StarterAnswers(address="me@example.org"))
    on = re.sub(r"(?m)^# (?=\[|\w+ = )", "", text.replace('to = ["files:mail"]', "# ", 1))
    settings = read(tmp_path, on, DIGEST_SMTP_PASSWORD="pw")
    [digest] = settings.digests

    assert [destination.address for destination in digest.destinations] == ["me@example.org"]
    assert len(digest.follows) == 6
    assert settings.smtp is not None


@given(st.lists(st.text(min_size=1), min_size=1))
def test_any_keyword_can_be_answered(keywords: list[str]) -> None:
    filled = write_starter_config(StarterAnswers(keywords=tuple(keywords)))
    [digest] = tomllib.loads(filled)["digest"]

    assert [keyword.replace("$$", "$") for keyword in digest["keywords"]] == keywords


# --- the reference --------------------------------------------------------------------------------


@for_each_case("name", TABLES)
def test_the_reference_has_every_key(name: str) -> None:
    section = (
        REFERENCE.read_text(encoding="utf-8")
        .partition(f"[{name}]" + ("]`: " if name in {"digest", "public_feed", "public_digest"} else "`: "))[2]
        .partition("\n## ")[0]
    )

    assert [key for key in keys(TABLES[name]) if f"| `{key}` |" not in section] == []


def test_the_reference_has_every_variable() -> None:
    text = REFERENCE.read_text(encoding="utf-8")

    assert [name for name in (*ENVIRONMENT_KEYS, "DIGEST_CONFIG") if f"`{name}`" not in text] == []


def test_the_schema_for_editors_is_that_of_the_tables() -> None:
    fresh = json.dumps(ConfigFile.model_json_schema(), indent=1, ensure_ascii=False) + "\n"

    assert SCHEMA.read_text(encoding="utf-8") == fresh, (
        f"write File.model_json_schema() of digest.config.tables to {SCHEMA.name}"
    )
    assert set(ConfigFile.model_json_schema()["properties"]) == {
        "site",
        "store",
        "output",
        "source",
        "enricher",
        "smtp",
        "sendmail",
        "delivery",
        "dkim",
        "bounces",
        "operator",
        "digest",
        "public_feed",
        "public_digest",
        "signup",
    }
