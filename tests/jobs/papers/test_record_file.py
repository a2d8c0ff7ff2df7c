"""Lines of large files: whatever packs them, from any place on, and never more than a few at once."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from digest.errors import ConfigError
from digest.jobs.papers import record_file
from digest.jobs.papers.record_file import DamagedFileError, compute_hash, open_record_file

LINES = [f"line {number} of {'many ' * (number % 40)}".encode() for number in range(20_000)]
TEXT = b"\n".join(LINES) + b"\n"


def pack_in_two(pack: Callable[[bytes], bytes]) -> bytes:
    return pack(TEXT[:100_000]) + pack(TEXT[100_000:])


FORMS = {
    "plain": TEXT,
    "gzip": gzip.compress(TEXT),
    "gzip in two": pack_in_two(gzip.compress),
    "zstd": zstandard.compress(TEXT),
    "zstd in two": pack_in_two(zstandard.compress),
}


def read(path: Path, start: int = 0) -> list[tuple[bytes | None, int]]:
    with open_record_file(path) as file:
        return [(line.content, line.end) for line in file.iter_lines(start)]


@pytest.fixture(params=FORMS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / "file"
    file.write_bytes(FORMS[request.param])
    return file


def test_a_file_has_the_same_lines_in_every_form(path: Path) -> None:
    lines = read(path)

    assert [content for content, _ in lines] == [line + b"\n" for line in LINES]
    assert lines[-1][1] == len(TEXT)


def test_reading_goes_on_behind_any_line(path: Path) -> None:
    lines = read(path)
    for number in (0, 1, 700, 19_998, 19_999):
        assert read(path, lines[number][1]) == lines[number + 1 :]


def test_how_much_is_read_is_told_in_bytes_of_the_file(path: Path) -> None:
    with open_record_file(path) as file:
        before = [file.bytes_read for _ in file.iter_lines(0)]
        assert before == sorted(before)
        assert file.bytes_read == path.stat().st_size


@pytest.mark.parametrize("form", ["gzip", "gzip in two", "zstd", "zstd in two"])
def test_a_file_that_is_cut_off_is_told_after_its_last_whole_lines(tmp_path: Path, form: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(FORMS[form][: len(FORMS[form]) * 3 // 4])
    lines: list[bytes | None] = []
    with open_record_file(file) as opened, pytest.raises(DamagedFileError, match="its end is missing"):
        lines.extend(line.content for line in opened.iter_lines(0))

    assert lines == [line + b"\n" for line in LINES[: len(lines)]]


@pytest.mark.parametrize("form", ["gzip", "zstd"])
def test_a_file_that_is_damaged_is_told(tmp_path: Path, form: str) -> None:
    file = tmp_path / "file"
    half = len(FORMS[form]) // 2
    file.write_bytes(FORMS[form][:half] + b"\xff" * 50 + FORMS[form][half + 50 :])

    with pytest.raises(DamagedFileError):
        read(file)


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_file, "MAX_LINE_LENGTH", 10)
    (tmp_path / "file").write_bytes(b"short\n" + b"x" * 35 + b"\nexactly10\nlast")

    assert read(tmp_path / "file") == [(b"short\n", 6), (None, 42), (b"exactly10\n", 52), (b"last", 56)]


def test_a_file_without_lines_does_not_fill_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\0" * (64 << 20))
    tracemalloc.start()
    try:
        assert [line.content for line in open_lines(tmp_path / "file")] == [None]
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def open_lines(path: Path) -> list[record_file.Line]:
    with open_record_file(path) as file:
        return list(file.iter_lines(0))


def test_a_zip_archive_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "archive.zip").write_bytes(b"PK\x03\x04...")

    with pytest.raises(ConfigError, match="unpack it first"):
        read(tmp_path / "archive.zip")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read(tmp_path / "none")


def test_the_hash_is_that_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    read_bytes: list[int] = []

    assert compute_hash(tmp_path / "file", read_bytes.append).startswith("ba7816bf8f01cfea414140de5dae2223")
    assert read_bytes == [3]
