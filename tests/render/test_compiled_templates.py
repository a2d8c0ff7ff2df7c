"""What templates are compiled to is kept, and what is kept is never taken for something else."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest

from digest.render.compiled_templates import CompiledTemplates


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    file = tmp_path / "environment.py"
    file.touch()
    return file


class Counting(jinja2.Environment):
    """Counts what it compiles."""

    compiled = 0

    def _generate(self, *arguments: object, **options: object) -> str:
        self.compiled += 1
        return super()._generate(*arguments, **options)  # type: ignore[arg-type]


def filled(maker: Path, text: str, name: str = "mail/a.html") -> tuple[str, int]:
    """What a template makes in a process of its own, and how many it compiles for that."""
    environment = Counting(
        loader=jinja2.DictLoader({name: text}), bytecode_cache=CompiledTemplates(maker), autoescape=True
    )
    return environment.get_template(name).render(word="<a>"), environment.compiled


def kept(maker: Path) -> list[Path]:
    return sorted(file for file in maker.parent.rglob("*") if file.is_file() and file != maker)


def test_a_template_is_compiled_once_and_makes_the_same(maker: Path) -> None:
    assert filled(maker, "{{ word }}!") == ("&lt;a&gt;!", 1)
    assert filled(maker, "{{ word }}!") == ("&lt;a&gt;!", 0)
    (file,) = kept(maker)
    assert file.parent.name == "__pycache__"


def test_another_text_and_another_maker_compile_anew(maker: Path) -> None:
    filled(maker, "one")
    assert filled(maker, "two") == ("two", 1)
    assert filled(maker, "two", "mail/a.txt") == ("two", 1)
    maker.write_text("changed", encoding="utf-8")
    assert filled(maker, "two") == ("two", 1)


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
def test_what_is_cut_short_is_no_harm_and_is_mended(maker: Path, step: int) -> None:
    filled(maker, "one {{ word }}")
    (file,) = kept(maker)
    full_bytes = file.read_bytes()
    # Byte by byte where it says what it is, and at its end.
    for size in sorted(
        {*range(100), *range(100, len(full_bytes), step), *range(len(full_bytes) - 20, len(full_bytes))}
    ):
        file.write_bytes(full_bytes[:size])
        assert filled(maker, "one {{ word }}") == ("one &lt;a&gt;", 1), size
    assert filled(maker, "one {{ word }}") == ("one &lt;a&gt;", 0)
    assert file.read_bytes() == full_bytes


def test_where_nothing_can_be_kept_it_is_compiled(maker: Path) -> None:
    (maker.parent / "__pycache__").write_text("no folder", encoding="utf-8")
    assert filled(maker, "one") == ("one", 1)
    assert filled(maker, "one") == ("one", 1)


def test_what_cannot_be_kept_leaves_nothing_behind(maker: Path) -> None:
    filled(maker, "one")
    (file,) = kept(maker)
    file.unlink()
    file.mkdir()
    assert filled(maker, "one") == ("one", 1)
    assert kept(maker) == []


def test_who_wants_no_bytecode_gets_none(maker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert filled(maker, "one") == ("one", 1)
    assert kept(maker) == []
