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
from digest.core.subscribers.transfer.archive_file import read_archived_text, write_archive
from digest.core.subscribers.transfer.imported import ImportContentError, ImportMistake
from digest.model import DigestOptions
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
        read_archived_text(content, DIGESTS_FILE)
    return caught.value.mistake


def test_the_same_files_are_the_same_bytes() -> None:
    files = [(DIGESTS_FILE, b"{}"), ("README.txt", b"text")]
    assert write_archive(files) == write_archive(files)
    assert read_archived_text(write_archive(files), DIGESTS_FILE) == "{}"


def test_a_bomb_is_not_unpacked() -> None:
    bomb = write_archive([(DIGESTS_FILE, b"0" * (65 << 20))])
    assert len(bomb) < 100_000
    assert find_file_mistake(bomb) is ImportMistake.TOO_MUCH
    lying = bomb.replace(struct.pack("<L", 65 << 20), struct.pack("<L", 5))
    assert lying != bomb
    with pytest.raises(ImportContentError):
        read_archived_text(lying, DIGESTS_FILE)


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
            read_archived_text(damaged, DIGESTS_FILE)
        except ImportContentError:
            continue
