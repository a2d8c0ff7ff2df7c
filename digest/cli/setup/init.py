"""``digest init``: ask a few questions and write a configuration to start from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import click

from digest.cli.terminal.options import json_option, print_json

if TYPE_CHECKING:
    from digest.config.file.starter import StarterAnswers

T = TypeVar("T")


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Overwrite an existing digest.toml.")
@json_option
def init(folder: Path, *, force: bool, as_json: bool) -> int:
    """Write a short digest.toml into FOLDER (the current one by default).

    On a terminal, the command first asks a few questions; Enter accepts the value in brackets. You can change
    everything in the file later.

    \b
    Examples:
      digest init
      digest init papers
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    import sys

    from digest.config.file.starter import StarterAnswers, write_starter_config
    from digest.errors import ConfigError

    target = folder / "digest.toml"
    if target.exists() and not force:
        raise ConfigError(f"{target} exists already; edit it, or overwrite it with --force")
    answers = _ask_questions() if sys.stdin.isatty() and not as_json else StarterAnswers()
    folder.mkdir(parents=True, exist_ok=True)
    target.write_text(write_starter_config(answers), encoding="utf-8")
    if as_json:
        print_json({"wrote": str(target)})
        return 0
    config_argument = "" if folder == Path() else f" --config {target}"
    click.echo(f"Wrote {target}. Next:")
    if answers.smtp_username:
        click.echo(
            "  export DIGEST_SMTP_PASSWORD=...   set the password of the mail server, in this terminal"
        )
    elif answers.address and not answers.smtp_host:
        click.echo(
            f"  add a mail server in [smtp]; until then, editions for {answers.address} are written to files"
        )
    click.echo(f"  digest check{config_argument}   queries arXiv and reports problems")
    click.echo(f"  digest run{config_argument}     creates your first digest")
    return 0


def _ask_questions() -> StarterAnswers:
    """Ask a few questions, and repeat each until the answer is valid; Enter accepts the value in brackets."""
    from digest.config.file.starter import StarterAnswers
    from digest.config.values import read_address, read_host, read_zone

    click.echo(
        "A few questions. Enter accepts the value in brackets. You can change everything in the file later."
    )
    defaults = StarterAnswers()
    categories = _ask_for("arXiv categories, such as cs.DC, math.CO", _read_categories, defaults.categories)
    keywords = _ask_for(
        "Keywords or phrases, separated by commas",
        _read_keywords,
        defaults.keywords,
        "everything in these categories",
    )
    address = _ask_for(
        "E-mail address for the digest", _keep_typed(_read_internet_address), "", "none: write it to files"
    )
    host = username = ""
    if address:
        host = _ask_for(
            "SMTP server of your provider, such as smtp.example.org", _keep_typed(read_host), "", "not yet"
        )
    if host:
        # Logins are in ASCII, even if the address was typed with other letters.
        username = _ask_for('User name on that server, "-" for no login', str, read_address(address))
    return StarterAnswers(
        categories=categories,
        keywords=keywords,
        address=address,
        smtp_host=host,
        smtp_username="" if username == "-" else username,
        time_of_day=_ask_for("Time of day (weekdays)", _read_time, defaults.time_of_day),
        timezone=_ask_for("Time zone, such as Europe/Berlin", read_zone, "", "this machine's zone"),
    )


def _read_internet_address(text: str) -> str:
    """Read an address whose domain has a dot; without one, it is a name in a local network, or a mistake.

    Raises:
        ConfigError: it is not such an address.
    """
    from digest.config.values import read_address
    from digest.errors import ConfigError

    address = read_address(text)
    if "." not in address.rpartition("@")[2]:
        raise ConfigError(f"the domain of {text!r} has no ending such as .org; write it in full")
    return address


def _keep_typed(reader: Callable[[str], object]) -> Callable[[str], str]:
    """Check an answer but keep it as typed: the file shows ``exämple.org``, not its form in DNS."""

    def check(text: str) -> str:
        reader(text)
        return text

    return check


def _ask_for(question: str, reader: Callable[[str], T], default: T, default_label: str = "") -> T:
    """Ask until the answer is valid; an empty answer means the default."""
    from digest.errors import ConfigError

    def parse_answer(text: str) -> T:
        try:
            return reader(text.strip()) if text.strip() else default
        except ConfigError as error:
            raise click.UsageError(str(error)) from None

    default_text = default_label or (
        default if isinstance(default, str) else ", ".join(cast("tuple[str, ...]", default))
    )
    answer: T = click.prompt(
        f"{question} [{default_text}]", default="", show_default=False, value_proc=parse_answer
    )
    return answer


def _split(text: str) -> tuple[str, ...]:
    """Split at commas, without duplicates."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _read_categories(text: str) -> tuple[str, ...]:
    """Read arXiv categories.

    Raises:
        ConfigError: arXiv does not have one of them.
    """
    from digest import plugins

    categories = _split(text)
    plugins.build(plugins.load("sources", "arxiv"), {"categories": list(categories)})
    return categories


def _read_keywords(text: str) -> tuple[str, ...]:
    """Read phrases to follow; of equivalent phrases, only the first is kept.

    Raises:
        ConfigError: a phrase cannot be followed, or a comma separated a pair of brackets or quotation marks.
    """
    from digest.config.follow_values import read_follow_query
    from digest.core.language import query
    from digest.errors import ConfigError

    for keyword in _split(text):
        if keyword.count("(") != keyword.count(")") or keyword.count('"') % 2:
            raise ConfigError(f"{keyword!r} has an unmatched bracket or quotation mark; remove it")
    keywords = {
        read_follow_query(keyword, query.format_phrase(keyword)).query: keyword
        for keyword in reversed(_split(text))
    }
    return tuple(reversed(keywords.values()))


def _read_time(text: str) -> str:
    from digest.core.times.schedule import parse_schedule

    parse_schedule(f"weekdays {text}", zone="UTC", latest="")
    return text
