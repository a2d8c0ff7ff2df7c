"""``digest people``: persons behind bylines, and corrections by the operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, open_configured_app, print_json
from digest.core.papers.identity.person_ids import EXAMPLES, SCHEMES, parse_person_id
from digest.errors import ConfigError

if TYPE_CHECKING:
    from digest.app import App
    from digest.core.people.profile import PersonProfile
    from digest.jobs.people.profiles import PersonDetails, PersonSearchResult, PersonStatement

F = TypeVar("F", bound=Callable[..., Any])

_MAX_PER_NAME = 5
"""Maximum number of persons that are listed for a followed name; `digest people find` lists more."""
_ID_NAMES = {
    "orcid": "ORCID iD",
    "openalex": "OpenAlex author id",
    "s2": "Semantic Scholar author id",
    "dblp": "DBLP pid",
    "arxiv": "arXiv author id",
    "hf": "Hugging Face user name",
}


def _undo_option(command: F) -> F:
    return click.option("--undo", is_flag=True, help="Take the statement back; it stays in the history.")(
        command
    )


def _id_options(command: F) -> F:
    for scheme in reversed(SCHEMES):
        about = f"The person's {_ID_NAMES[scheme]}, as {EXAMPLES[scheme]}."
        command = click.option(f"--{scheme}", multiple=True, metavar="ID", help=about)(command)
    return command


@click.group(cls=CommandGroup, default="list")
def people() -> None:
    """Show who is who among authors with the same name, and correct it.

    digest works out persons from all bylines in the database: from ids, co-authors, affiliations and
    categories. You name a PERSON by any of their papers and the position among its authors, from 1:
    PAPER#POSITION.

    \b
    Examples:
      digest people                                    the people that your digests follow
      digest people find "Wei Wang"                    everybody with that name
      digest people show 2605.06472#3                  one person, with papers
      digest people merge 2605.06472#3 2604.00012#1    these two are one person
      digest people split 2605.06472#3 2601.00007      this paper is by somebody else
      digest people confirm 2605.06472#3 --orcid 0000-0002-1825-0097
      digest people confirm 2605.06472#3 --digest systems --not
    """  # noqa: D301 - \b tells click not to wrap the lines that follow


@people.command("list")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool) -> int:
    """List the followed names.

    Each name is listed with the persons who have it, at most five. `digest people` alone does the same.
    """
    from digest.jobs.people.profiles import find_persons as found_persons

    with open_configured_app(config) as app:
        results = {name: found_persons(app.store, name, _MAX_PER_NAME) for name in _list_followed_names(app)}
    if as_json:
        print_json(
            [{"name": name, **_make_search_json(search_result)} for name, search_result in results.items()]
        )
        return 0
    for name, search_result in results.items():
        click.secho(f"{name} (followed)", underline=True)
        _print_search_result(name, search_result)
    if not results:
        click.echo(
            'No digest follows a person by name. `digest people find "Given Family"` lists the persons with a name.'
        )
    return 0


def _list_followed_names(app: App) -> list[str]:
    """List the names that the digests of the file follow, without duplicates, in the order of the file."""
    from digest.core.language import query
    from digest.core.language.parser import parse

    follows = (
        follow for digest in app.settings.declared_digests for follow in digest.follows if not follow.exclude
    )
    persons = (person for follow in follows for person in query.iter_authors(parse(follow.query)))
    return list(dict.fromkeys(person.name for person in persons if person.name))


@people.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="How many to list.", show_default=True)
@config_option
@json_option
def find(name: str, limit: int, config: Path | None, *, as_json: bool) -> int:
    """List the persons whose name is, or may be, NAME.

    Persons with the most papers come first. You can write NAME in any form: "Wencong Xiao", "Xiao, Wencong",
    "W. Xiao", "Xiao". Each person is listed with the PAPER#POSITION that the other commands need.
    """
    from digest.jobs.people.profiles import find_persons as found_persons

    with open_configured_app(config) as app:
        search_result = found_persons(app.store, name, limit)
    if as_json:
        print_json(_make_search_json(search_result))
    else:
        _print_search_result(name, search_result)
    return int(not search_result.profiles)


@people.command()
@click.argument("person")
@config_option
@json_option
def show(person: str, config: Path | None, *, as_json: bool) -> int:
    """Show everything that is known about PERSON.

    Lists papers, ids, and statements with their authors. PERSON is any of their papers and the position among
    its authors, from 1: 2605.06472#3.
    """
    from digest.jobs.people.profiles import load_person

    with open_configured_app(config) as app:
        person_record = load_person(app.store, person)
    if as_json:
        print_json(_make_person_json(person_record))
    else:
        _print_person(person_record)
    return 0


@people.command()
@click.argument("person")
@click.argument("other", metavar="PERSON")
@_undo_option
@config_option
@json_option
def merge(person: str, other: str, config: Path | None, *, undo: bool, as_json: bool) -> int:
    """State that two are one person.

    This holds whatever their papers look like, and also applies to later papers. An earlier statement that they
    are two persons is taken back. With --undo, you take back a merge of exactly these two bylines, which
    `digest people show` lists, and restore the statements that the merge had taken back.
    """
    from digest.jobs import person_edits

    with open_configured_app(config) as app:
        edit = person_edits.undo_merge if undo else person_edits.merge
        change = partial(edit, app.store, person, other, app.clock())
        statement = f"{person} and {other} are one person"
        return _change_relation(app, person, "same", change, statement, undo=undo, as_json=as_json)


@people.command()
@click.argument("person")
@click.argument("paper", nargs=-1, required=True)
@_undo_option
@config_option
@json_option
def split(person: str, paper: tuple[str, ...], config: Path | None, *, undo: bool, as_json: bool) -> int:
    """State that papers are by somebody else with that name.

    PERSON is one of the papers that remain theirs. The other papers stay separate from it whatever is found
    later. An earlier statement that they are by one person is taken back; --undo restores it.
    """
    from digest.jobs import person_edits

    with open_configured_app(config) as app:
        edit = person_edits.undo_split if undo else person_edits.split
        change = partial(edit, app.store, person, paper, app.clock())
        statement = f"{', '.join(paper)} {'are' if len(paper) > 1 else 'is'} not by {person}"
        return _change_relation(app, person, "other", change, statement, undo=undo, as_json=as_json)


@people.command()
@click.argument("person")
@_id_options
@click.option("--digest", "digest_name", metavar="NAME", help="Record an answer of this digest's reader.")
@click.option("--not", "no", is_flag=True, help="With --digest: this is not the person who is followed.")
@_undo_option
@config_option
@json_option
def confirm(
    person: str,
    digest_name: str | None,
    config: Path | None,
    *,
    no: bool,
    undo: bool,
    as_json: bool,
    **ids: Any,
) -> int:
    """State which ids belong to PERSON, or record an answer of a reader.

    Ids apply to all digests: whoever follows one of them gets all papers of the person. Each option can be
    given several times. An answer applies to one digest only: "yes, this one", or with --not "not this
    person".
    """
    from digest.jobs import person_edits

    confirmed_ids = _parse_ids(ids)
    if bool(confirmed_ids) == bool(digest_name):
        raise ConfigError(
            "say what to confirm: an id (--orcid, --openalex, …) for everybody, or --digest NAME for one reader"
        )
    if no and not digest_name:
        raise ConfigError("--not records an answer of a reader; name the digest with --digest NAME")
    with open_configured_app(config) as app:
        if digest_name is None:
            change = person_edits.withdraw_ids if undo else person_edits.add_ids
            changed = change(app.store, person, confirmed_ids, app.clock())
            statement = f"{person} is {', '.join(f'{scheme}:{value}' for scheme, value in confirmed_ids)}"
        else:
            changed = _record_answer(app, person, digest_name, no=no, undo=undo)
            statement = f"{person} is {'not ' if no else ''}the person that {digest_name} follows"
        return _report_change(app, person, changed, statement, undo=undo, as_json=as_json)


def _record_answer(app: App, person: str, name: str, *, no: bool, undo: bool) -> bool:
    from digest.jobs import person_edits

    if undo:
        return person_edits.forget_answer(app.store, name, person)
    return person_edits.record_answer(app.store, name, person, app.clock(), yes=not no)


def _parse_ids(options: dict[str, Sequence[str]]) -> list[tuple[str, str]]:
    person_ids = []
    for scheme in SCHEMES:
        for text in options[scheme]:
            value = parse_person_id(scheme, text)
            if value is None:
                raise ConfigError(
                    f"--{scheme}: {text!r} is not a valid {_ID_NAMES[scheme]}"
                    f"{' (its last character is a check digit and does not match)' if scheme == 'orcid' else ''}; "
                    f"write it as {EXAMPLES[scheme]}, or as the address of its page"
                )
            person_ids.append((scheme, value))
    return person_ids


# --- for people -----------------------------------------------------------------------------------


def _report_change(app: App, person: str, changed: bool, statement: str, *, undo: bool, as_json: bool) -> int:  # noqa: FBT001 - the result of the change
    """Report what a command changed, and the person as it is now."""
    from digest.jobs.people.profiles import load_person

    person_record = load_person(app.store, person)
    if as_json:
        print_json({"changed": changed, "person": _make_profile_json(person_record.profile)})
        return int(undo and not changed)
    if undo and not changed:
        click.echo(
            f"There is no statement that {statement}; `digest people show {person}` lists the statements."
        )
        return 1
    if undo:
        click.echo(f"Taken back: {statement}.")
    else:
        click.echo(f"Noted: {statement}." if changed else f"Already stated: {statement}.")
    _print_profile(person_record.profile)
    return 0


def _change_relation(
    app: App, person: str, kind: str, change: Callable[[], bool], statement: str, *, undo: bool, as_json: bool
) -> int:
    """Change a statement about two bylines, and report which other statements that took back or restored."""
    before = _load_statements(app, person)
    status = _report_change(app, person, change(), statement, undo=undo, as_json=as_json)
    if not as_json:
        _print_overruled(before, _load_statements(app, person), kind, undo=undo)
    return status


def _load_statements(app: App, person: str) -> tuple[PersonStatement, ...]:
    """Load the statements about a person that are in force."""
    from digest.jobs.people.profiles import load_person

    return tuple(
        statement for statement in load_person(app.store, person).statements if statement.withdrawn_at is None
    )


def _print_overruled(
    before: Sequence[PersonStatement], after: Sequence[PersonStatement], kind: str, *, undo: bool
) -> None:
    """Report contrary statements that a command took back, or that its undoing restored."""
    removed, current = (after, before) if undo else (before, after)
    for statement in removed:
        if statement.kind in _RELATION_KINDS and statement.kind != kind and statement not in current:
            click.echo(
                f"{'Restored' if undo else 'Taken back, because it contradicts this'}: {_format_statement(statement)}."
            )


_RELATION_KINDS = frozenset({"same", "other"})


def _print_search_result(name: str, search_result: PersonSearchResult) -> None:
    for profile in search_result.profiles:
        _print_profile(profile)
    if len(search_result.profiles) > 1:
        click.echo("If two of these are one person: digest people merge PERSON PERSON")
    if search_result.remaining:
        click.echo(f"… and {search_result.remaining:,} more with fewer papers; use --limit to list them.")
    if not search_result.profiles:
        click.echo(f'No author called "{name}" is in the database.')
    if search_result.similar_names:
        click.echo(
            f"Did you mean {' or '.join(repr(near_name) for near_name in search_result.similar_names)}?"
        )


def _print_profile(profile: PersonProfile) -> None:
    from digest.render.languages.english import format_count

    click.echo(f"{click.style(profile.names[0], bold=True)}  {profile.reference}")
    years = ""
    if profile.years:
        first, last = profile.years
        years = f", {first}" if first == last else f", {first} to {last}"
    _print_line("papers", f"{format_count(profile.papers, 'paper')}{years}")
    _print_line("in", ", ".join(profile.categories))
    _print_line("with", ", ".join(profile.coauthors))
    _print_line("at", "; ".join(profile.affiliations))
    _print_line("also as", ", ".join(profile.names[1:6]))
    _print_line(
        "ids",
        ", ".join(
            f"{scheme}:{value}{f' (stated by {by})' if by else ''}" for scheme, value, by in profile.ids
        ),
    )


def _print_line(label: str, text: str) -> None:
    if text:
        click.echo(f"  {label:9}{text}")


def _print_person(person_record: PersonDetails) -> None:
    _print_profile(person_record.profile)
    click.secho("Papers", bold=True)
    for byline in person_record.signed_papers:
        name = f", as {byline.name}" if byline.name != person_record.profile.names[0] else ""
        click.echo(f"  {byline.reference}  {byline.title}{f' ({byline.year})' if byline.year else ''}{name}")
    if person_record.statements:
        click.secho("Statements", bold=True)
    for statement in person_record.statements:
        click.echo(f"  {statement.at:%Y-%m-%d %H:%M}  {_format_statement(statement)}")


_STATEMENT_TEXTS = {
    "same": "{by}: {reference} and {about} are one person",
    "other": "{by}: {reference} and {about} are different persons",
    "id": "{by}: {reference} is {about}",
    "yes": "the reader of {by}: {reference} is the person that the digest follows",
    "no": "the reader of {by}: {reference} is not the person that the digest follows",
}


def _format_statement(statement: PersonStatement) -> str:
    sentence = _STATEMENT_TEXTS[statement.kind].format(
        by=statement.by, reference=statement.reference, about=statement.about
    )
    return (
        f"{sentence}; taken back {statement.withdrawn_at:%Y-%m-%d %H:%M}"
        if statement.withdrawn_at
        else sentence
    )


# --- for programs ---------------------------------------------------------------------------------


def _make_search_json(search_result: PersonSearchResult) -> dict[str, Any]:
    return {
        "persons": [_make_profile_json(profile) for profile in search_result.profiles],
        "more": search_result.remaining,
        "near": list(search_result.similar_names),
    }


def _make_profile_json(profile: PersonProfile) -> dict[str, Any]:
    return {
        "person": profile.reference,
        "names": list(profile.names),
        "papers": profile.papers,
        "first_year": profile.years[0] if profile.years else None,
        "last_year": profile.years[1] if profile.years else None,
        "categories": list(profile.categories),
        "coauthors": list(profile.coauthors),
        "affiliations": list(profile.affiliations),
        "ids": [{"scheme": scheme, "value": value, "said_by": by} for scheme, value, by in profile.ids],
    }


def _make_person_json(person_record: PersonDetails) -> dict[str, Any]:
    from digest.render.delivery.files import format_instant

    return {
        "person": _make_profile_json(person_record.profile),
        "signed": [
            {"byline": byline.reference, "name": byline.name, "title": byline.title, "year": byline.year}
            for byline in person_record.signed_papers
        ],
        "said": [
            {
                "by": statement.by,
                "at": format_instant(statement.at),
                "withdrawn_at": format_instant(statement.withdrawn_at) if statement.withdrawn_at else None,
                "what": statement.kind,
                "byline": statement.reference,
                "about": statement.about,
            }
            for statement in person_record.statements
        ],
    }
