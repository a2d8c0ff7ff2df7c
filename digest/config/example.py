"""A configuration to start from, and the schema that editors complete and check it with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomlkit

from digest.config.tables import File


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What somebody was asked who begins; "" and () leave what the example has.

    Attributes:
        address: an e-mail address for the digest; it needs ``smtp_host``.
        smtp_username: for a login; its password comes from ``DIGEST_SMTP_PASSWORD``.
        categories: of arXiv.
        timezone: an IANA name.
        at: the time of day, ``07:30``.
    """

    address: str = ""
    smtp_host: str = ""
    smtp_username: str = ""
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    timezone: str = ""
    at: str = ""


def example_config() -> str:
    """The commented example that the project ships: packaged in a wheel, top-level in a checkout."""
    packaged = files("digest") / "_data" / "config" / "digest.example.toml"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = Path(__file__).parents[2] / "config" / "digest.example.toml"
    return checkout.read_text(encoding="utf-8")


def filled_example(answers: Answers) -> str:
    """The example with what was answered in place; its comments stay."""
    text = example_config()
    if answers.categories:
        text = _set(text, "categories", list(answers.categories))
    if answers.keywords:
        text = _set(text, "keywords", list(answers.keywords))
        for other in ("queries", "authors", "exclude"):
            text = _set(text, other, [])
    if answers.timezone:
        text = _set(text, "timezone", answers.timezone)
    if answers.at:
        text = _set(text, "schedule", f"weekdays {answers.at}")
    if answers.address:
        text = _set(_set(text, "contact", answers.address), "to", [answers.address])
        text = text.replace("# [smtp]", "[smtp]", 1)
        text = _set(_set(text, "host", answers.smtp_host), "from", answers.address)
    if answers.smtp_username:
        text = _set(text, "username", answers.smtp_username)
    return text


def _set(text: str, key: str, value: str | list[str]) -> str:
    """Give the first key of a name this value, and switch it on; a remark behind it stays where it is."""
    written = f"{key} = {tomlkit.item(value).as_string()}".replace("$", "$$")
    line = re.compile(rf"^(?:# )?{key} = (?:.*?(?= # )|.*$)", re.MULTILINE)
    return line.sub(lambda found: written.ljust(len(found[0])), text, count=1)


def json_schema() -> Mapping[str, Any]:
    """The schema of the file, for editors."""
    return File.model_json_schema()
