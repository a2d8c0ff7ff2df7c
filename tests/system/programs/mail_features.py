"""Which features of HTML and CSS a mail uses, and which mail programs lack, by the tables of caniemail.com."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from tests.system.programs.installed import require_file

PROGRAMS = ("gmail", "outlook", "apple-mail", "yahoo", "thunderbird", "protonmail", "fastmail", "hey")
_TAGS = {
    **dict.fromkeys(("header", "main", "footer"), "html-semantics"),
    **dict.fromkeys(("h1", "h2", "h3"), "html-h1-h6"),
    **dict.fromkeys(("ul", "li"), "html-lists"),
    **{tag: f"html-{tag}" for tag in ("body", "div", "p", "small", "span", "style", "table")},
}
_SHARED_PROPERTIES = {
    **dict.fromkeys(("border-bottom", "border-color", "border-left", "border-top"), "css-border"),
    **dict.fromkeys(("font-family", "font-style"), "css-font"),
    "display": "css-display-none",
}
_ATTRIBUTES = {name: f"html-{name}" for name in ("dir", "lang", "role")}
_PATTERNS = {
    "css-selector-chaining": r"\w\.\w",
    "css-selector-class": r"\.\w",
    "css-selector-descendant": r"\w [.\w]",
    "css-selector-grouping": ",",
    "css-selector-type": r"(?:^|[ ,])\w",
    "css-selector-adjacent-sibling": r"\+",
    "css-selector-child": ">",
}
_UNITS = {"px": "css-unit-px", "pt": "css-unit-pt", "em": "css-unit-em", "%": "css-unit-percent"}


class _FeatureParser(HTMLParser):
    """Collects the names of features."""

    def __init__(self) -> None:
        super().__init__()
        self.features = {"html-doctype"}
        self._is_sheet = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_sheet = tag == "style"
        if tag in _TAGS:
            self.features.add(_TAGS[tag])
        for name, value in attrs:
            if name in _ATTRIBUTES:
                self.features.add(_ATTRIBUTES[name])
            if name == "style":
                self.features.update(_list_style_features(value or ""))
            if (value or "").startswith("mailto:"):
                self.features.add("html-mailto-links")
            if value == "color-scheme":
                self.features.add("html-meta-color-scheme")

    def handle_data(self, data: str) -> None:
        if not self._is_sheet:
            return
        for condition in re.findall(r"@media ([^{]*)\{", data):
            is_scheme = "prefers-color-scheme" in condition
            self.features.add("css-at-media-prefers-color-scheme" if is_scheme else "css-at-media")
        for selector, style in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"@media[^{]*\{", "", data)):
            self.features.update(
                name for name, pattern in _PATTERNS.items() if re.search(pattern, selector.strip())
            )
            self.features.update(_list_style_features(style))


def _list_style_features(style: str) -> Iterator[str]:
    for declaration in filter(None, style.split(";")):
        name, _, value = declaration.partition(":")
        yield _SHARED_PROPERTIES.get(name.strip(), f"css-{name.strip()}")
        if "!important" in value:
            yield "css-important"
        yield from (_UNITS[unit] for unit in re.findall(r"\d(px|pt|em|%)", value))


def list_features(html: str) -> set[str]:
    """The features that a mail uses, by their names at caniemail.com."""
    parser = _FeatureParser()
    parser.feed(html)
    return parser.features


def find_incomplete(features: set[str]) -> dict[str, tuple[str, ...]]:
    """The programs that know a feature in part or not at all, by feature.

    Of a program with several platforms one is enough. A feature without a table is known wherever it was tried.
    """
    tables = {table["slug"]: table["stats"] for table in _read_tables()}
    found = {
        feature: tuple(
            program
            for program in PROGRAMS
            if any(_is_incomplete(answers) for answers in tables[feature].get(program, {}).values())
        )
        for feature in sorted(features & tables.keys())
    }
    return {feature: programs for feature, programs in found.items() if programs}


def _is_incomplete(answers_by_version: dict[str, str]) -> bool:
    """Whether the newest version of a program answers "n" (no) or "a" (almost)."""
    return list(answers_by_version.values())[-1][0] in "na"


def _read_tables() -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = json.loads(
        require_file("caniemail/data/caniemail.json").read_text("utf-8")
    )["data"]
    return tables
