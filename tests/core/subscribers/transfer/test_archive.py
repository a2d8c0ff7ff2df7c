"""The archive of an account: what is exported is imported as it was, and an archive from outside does no harm."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.core.subscribers.own_digest import MAX_LIBRARY_PAPERS
from digest.core.subscribers.transfer.archive import (
    DIGESTS_FILE,
    FORMAT,
    ArchivedDigest,
    read_digests,
    write_digests,
)
from digest.core.subscribers.transfer.archive_file import read_archived_texts, write_archive
from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake
from digest.core.times.schedule import parse_schedule
from digest.model import DigestOptions, Schedule
from tests.core.subscribers.transfer.strategies import make_archived_digests

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "name",
                    "title",
                    "schedule",
                    "days",
                    "expression",
                    "at",
                    "options",
                    "kinds",
                    "follows",
                    "papers",
                    "text",
                    "query",
                    "id",
                    "weight",
                    "only",
                    "limit",
                    "paused_until",
                    "timezone",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


def write_document(*digests: Any, **more: Any) -> str:
    return json.dumps({"format": FORMAT, "version": 1, "digests": list(digests)} | more)


def read_one(**digest: Any) -> ArchivedDigest:
    (read,) = read_digests(write_document(digest)).digests
    return read


def find_mistake(text: str) -> ImportMistake:
    with pytest.raises(ImportContentError) as caught:
        read_digests(text)
    return caught.value.mistake


@given(make_archived_digests())
def test_what_is_written_is_read_as_it_was(digests: tuple[ArchivedDigest, ...]) -> None:
    for indent in (None, 1):
        archived = read_digests(write_digests(digests, indent=indent))
        assert archived.digests == digests
        assert archived.problems == ()
    assert write_digests(digests, indent=None).isascii(), "browsers must not change what a form contains"


@settings(max_examples=300)
@given(JSON, JSON)
def test_any_document_is_read_or_refused(digest: Any, document: Any) -> None:
    for text in (write_document(digest), json.dumps(document), write_document(digests=document)):
        try:
            archived = read_digests(text)
        except ImportContentError:
            continue
        assert read_digests(write_digests(archived.digests)).digests == archived.digests


def test_what_no_reader_could_have_chosen_is_brought_between_its_limits() -> None:
    digest = read_one(
        name="../../etc/passwd",
        title="a\u202eb",
        schedule={"days": ["mon"], "at": "* * * * *", "timezone": "Mars"},
        timezone="../../etc/passwd",
        options={
            "limit": 10**30,
            "full": -5,
            "alerts_a_day": 1_000,
            "kinds": ["everything", {}],
            "language": "x" * 500,
        },
        follows=[
            {"text": "one", "query": "one", "weight": 1e300},
            {"text": "two", "weight": "NaN"},
            {"text": "three", "query": "title:("},
            {"text": "four", "query": "four", "exclude": True, "only": "nothing"},
            {"text": "five\u0000", "query": "five"},
        ],
        papers=[{"id": "arxiv:2401.00001", "title": "A\u0007 paper"}, {"id": "2401.00002"}, {"id": 5}],
    )
    assert (digest.name, digest.title, digest.schedule) == ("imported-1", "Digest 1", None)
    options = digest.options
    assert (options.timezone, options.limit, options.full, options.alerts_a_day) == ("UTC", 200, 0, 5)
    assert options.kinds == DigestOptions().kinds
    assert [(follow.text, follow.weight) for follow in digest.follows] == [
        ("one", 1.0),
        ("two", 1.0),
        ("A paper", 1.0),
        ("2401.00002", 1.0),
    ]


def read_schedule(**schedule: Any) -> Schedule | None:
    return read_one(schedule=schedule).schedule


def test_a_schedule_of_a_file_is_written_as_files_have_it() -> None:
    expressions = {"every 2 hours": "UTC", "30 7,19 * * 1-5": "Europe/Berlin"}
    for expression, zone in expressions.items():
        schedule = parse_schedule(expression, zone="Europe/Berlin")
        digest = ArchivedDigest(name="one", title="One", schedule=schedule, options=DigestOptions())
        (entry,) = json.loads(write_digests([digest]))["digests"]
        assert entry["schedule"] == {"expression": expression, "latest": None, "timezone": zone}


@pytest.mark.parametrize(
    "expression",
    [
        "every 5 minutes",
        "every 59 minutes",
        "*/15 * * * *",
        "0,1 * * * *",
        "every " + "9" * 100_000 + " hours",
        "every 1 century",
        "0 0 30 2 *",
        "* * * *",
        "\u0000",
        "@hourly",
    ],
)
def test_a_schedule_that_fires_too_often_or_never_is_not_imported(expression: str) -> None:
    assert read_schedule(expression=expression, timezone="UTC") is None


def test_archives_of_earlier_versions_are_read() -> None:
    assert read_one(schedule=None).schedule is None
    days = read_schedule(days=["mon", "tue"], at="07:30", latest=None, timezone="UTC")
    assert days == parse_schedule("mon,tue 07:30", zone="UTC")
    assert read_schedule(expression="30 7 * * *", timezone="Mars") is None
    assert read_schedule(expression=["every 2 hours"], timezone="UTC") is None


def test_instants_that_no_page_can_show_are_left_out() -> None:
    for instant in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2027-01-01T00:00:00", "soon", 5):
        assert read_one(paused=True, paused_until=instant).paused_until is None


def test_a_digest_with_more_than_it_can_have_is_refused() -> None:
    papers = [{"id": f"arxiv:2401.{number:05}"} for number in range(MAX_LIBRARY_PAPERS + 1)]
    assert find_mistake(write_document({"papers": papers})) is ImportMistake.TOO_MUCH
    follows = [{"text": f"w{number}"} for number in range(501)]
    assert find_mistake(write_document({"follows": follows})) is ImportMistake.TOO_MUCH
    assert find_mistake(write_document(*({},) * 101)) is ImportMistake.TOO_MUCH
    assert find_mistake("[" + "1," * 2_000_001 + "1]") is ImportMistake.TOO_MUCH


def test_a_document_of_another_kind_or_a_later_version_is_refused() -> None:
    assert find_mistake("[]") is ImportMistake.NO_ARCHIVE
    assert find_mistake(write_document(format="other")) is ImportMistake.NO_ARCHIVE
    assert find_mistake(write_document(version="1")) is ImportMistake.NO_ARCHIVE
    assert find_mistake(write_document(version=2)) is ImportMistake.NEWER_ARCHIVE
    assert find_mistake("[" * 1_000_000) is ImportMistake.UNREADABLE
    assert find_mistake('{"format": ' + "9" * 100_000 + "}") is ImportMistake.UNREADABLE


# --- files ----------------------------------------------------------------------------------------


def find_file_mistake(content: bytes) -> ImportMistake:
    with pytest.raises(ImportContentError) as caught:
        read_archived_texts(content, [DIGESTS_FILE])
    return caught.value.mistake


def test_the_same_files_are_the_same_bytes() -> None:
    files = [(DIGESTS_FILE, b"{}"), ("README.txt", b"text")]
    assert write_archive(files) == write_archive(files)
    texts = read_archived_texts(write_archive(files), [DIGESTS_FILE, "README.txt", "more.json"])
    assert texts == {DIGESTS_FILE: "{}", "README.txt": "text", "more.json": ""}


def test_a_bomb_is_not_unpacked() -> None:
    bomb = write_archive([(DIGESTS_FILE, b"0" * (65 << 20))])
    assert len(bomb) < 100_000
    assert find_file_mistake(bomb) is ImportMistake.TOO_MUCH
    lying = bomb.replace(struct.pack("<L", 65 << 20), struct.pack("<L", 5))
    assert lying != bomb
    with pytest.raises(ImportContentError):
        read_archived_texts(lying, [DIGESTS_FILE])
    names = [DIGESTS_FILE, "saved.json", "opinions.json"]
    with pytest.raises(ImportContentError) as caught:
        read_archived_texts(write_archive([(name, b"0" * (22 << 20)) for name in names]), names)
    assert caught.value.mistake is ImportMistake.TOO_MUCH, "the limit is for all files together"


def test_an_archive_of_a_million_files_is_not_listed() -> None:
    many = write_archive([(f"{number}", b"") for number in range(5_000)])
    assert find_file_mistake(many) is ImportMistake.TOO_MUCH
    hidden = many[:-22] + many[-22:-10] + struct.pack("<L", 5) + many[-6:]
    assert find_file_mistake(hidden) is ImportMistake.NO_ARCHIVE


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_with_another_compression_is_refused(method: int) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        archive.writestr(DIGESTS_FILE, "{}")
    assert find_file_mistake(content.getvalue()) is ImportMistake.NO_ARCHIVE


def test_an_encrypted_archive_and_a_text_in_another_encoding_are_refused() -> None:
    content = bytearray(write_archive([(DIGESTS_FILE, b"{}")]))
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    assert find_file_mistake(bytes(content)) is ImportMistake.NO_ARCHIVE
    assert find_file_mistake(write_archive([(DIGESTS_FILE, b"\xff\xfe\x00")])) is ImportMistake.NO_ARCHIVE


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_archive_is_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(write_archive([(DIGESTS_FILE, write_digests(()).encode() * 3)]))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(content)))
    for damaged in (bytes(content), bytes(content[:end]), bytes(content[end:])):
        try:
            read_archived_texts(damaged, [DIGESTS_FILE])
        except ImportContentError:
            continue
