"""The configuration that ``digest init`` writes: short, valid, and limited to what was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import tomlkit

_REMARK_COLUMN = 39
"""Number of columns before a comment that follows a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterAnswers:
    """The answers to the questions of ``digest init``.

    Attributes:
        address: the e-mail address of the digest; mail is sent only if ``smtp_host`` is also given.
        smtp_username: "" for no login; the password comes from ``DIGEST_SMTP_PASSWORD``.
        categories: categories of arXiv.
        keywords: words and phrases to follow; if empty, everything in the categories is followed.
        timezone: an IANA name; "" for the zone of the machine.
        time_of_day: local time of the schedule, ``07:30``.
    """

    address: str = ""
    smtp_host: str = ""
    smtp_username: str = ""
    categories: tuple[str, ...] = ("cs.LG",)
    keywords: tuple[str, ...] = ()
    timezone: str = ""
    time_of_day: str = "07:30"


def write_starter_config(answers: StarterAnswers) -> str:
    """Return a valid configuration of at most 40 lines."""
    return "\n".join((*_write_head(answers), "", *_write_digest(answers), "", *_write_mail(answers), ""))


def _write_head(answers: StarterAnswers) -> Iterable[str]:
    yield "# What `digest` sends, and to whom. `digest check` validates this file. A # switches a line off."
    yield "# All keys: docs/reference/config.md; with a comment each: config/digest.example.toml"
    yield ""
    yield "[site]"
    contact = _format_line("contact", answers.address or "me@example.org")
    yield _add_remark(
        contact if answers.address else f"# {contact}", "sent to arXiv, so that they can write to you"
    )
    yield ""
    yield "[[source]]"
    yield 'use = "arxiv"'
    yield _add_remark(
        _format_line("categories", answers.categories), "listed at https://arxiv.org/category_taxonomy"
    )


def _write_digest(answers: StarterAnswers) -> Iterable[str]:
    yield "[[digest]]"
    yield 'name = "my-papers"'
    yield 'title = "My papers"'
    if answers.address and answers.smtp_host:
        yield _format_line("to", [answers.address])
    elif answers.address:
        yield _add_remark(
            _format_line("to", ["files:mail"]),
            "a folder below `out`; when you have set [smtp] below:",
        )
        yield f"# {_format_line('to', [answers.address])}"
    else:
        yield _add_remark(
            _format_line("to", ["files:mail"]), "a folder below `out`; for e-mail addresses, set [smtp] below"
        )
    yield _add_remark(
        _format_line("schedule", f"weekdays {answers.time_of_day}"),
        'or "daily 7:00", "mon,thu 18:00", "monthly 1 9:00"',
    )
    if answers.timezone:
        yield _format_line("timezone", answers.timezone)
    yield _add_remark("limit = 25", "maximum number of papers; the best are shown")
    yield "feed = true"
    if answers.keywords:
        yield _add_remark(_format_line("keywords", answers.keywords), "words and phrases, in any inflection")
    else:
        yield _add_remark(
            _format_line("categories", answers.categories),
            "everything in these categories, until you follow something below",
        )
        yield '# keywords = ["a phrase", "another"]'
    yield '# authors = ["Given Family"]'
    yield "# queries = ['(one OR other) \"a phrase\"']   # docs/reference/follows.md"
    yield _add_remark('# exclude = ["a field of others"]', "excludes a paper, whatever else matches")


def _write_mail(answers: StarterAnswers) -> Iterable[str]:
    """Yield the lines of the mail server; they are comments unless address and host are known."""
    comment_prefix = "" if answers.address and answers.smtp_host else "# "
    address = answers.address or "me@example.org"
    yield _add_remark(
        f"{comment_prefix}[smtp]", "your provider's server; docs/quickstart.md lists large providers"
    )
    yield comment_prefix + _format_line("host", answers.smtp_host or "smtp.example.org")
    if answers.smtp_username or comment_prefix:
        username = comment_prefix + _format_line("username", answers.smtp_username or address)
        yield _add_remark(username, "its password: export DIGEST_SMTP_PASSWORD=...")
    yield comment_prefix + _format_line("from", address)


def _format_line(key: str, value: str | Iterable[str]) -> str:
    """Format a key and its value as TOML, with each ``$`` doubled."""
    item = tomlkit.item(value if isinstance(value, str) else list(value))
    return f"{key} = {item.as_string()}".replace("$", "$$")


def _add_remark(line: str, remark: str) -> str:
    return f"{line:{_REMARK_COLUMN - 1}} # {remark}"
