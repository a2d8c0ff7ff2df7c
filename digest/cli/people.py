"""The commands about persons: who is who, and what somebody who knows better says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from digest.cli.terminal.groups import CommandGroup
from digest.cli.terminal.options import config_option, json_option, opened, print_json
from digest.core.papers.identity.person_ids import EXAMPLES, SCHEMES, person_id
from digest.errors import ConfigError

if TYPE_CHECKING:
    from digest.app import App
    from digest.jobs.people.profiles import Found, Known, Profile, Word

F = TypeVar("F", bound=Callable[..., Any])

_MOST_OF_A_NAME = 5
"""Persons that are listed of a name that is followed; `digest people find` lists more."""
_GIVERS = {
    "orcid": "ORCID iD",
    "openalex": "OpenAlex author id",
    "s2": "Semantic Scholar author id",
    "dblp": "DBLP pid",
    "arxiv": "arXiv author id",
    "hf": "Hugging Face user name",
}


def _undo_option(command: F) -> F:
    return click.option("--undo", is_flag=True, help="Take it back; who had said it stays known.")(command)


def _id_options(command: F) -> F:
    for scheme in reversed(SCHEMES):
        about = f"The person's {_GIVERS[scheme]}, as {EXAMPLES[scheme]}."
        command = click.option(f"--{scheme}", multiple=True, metavar="ID", help=about)(command)
    return command


@click.group(cls=CommandGroup, default="list")
def people() -> None:
    """Who is who among authors of one name, and what is wrong with it put right.

    Persons are worked out of all bylines in the store: by ids, co-authors, affiliations and categories. A PERSON
    is named by any paper of theirs and their place among its authors, from 1: PAPER#POSITION.

    \b
    Examples:
      digest people                                    those whom your digests follow
      digest people find "Wei Wang"                    everybody of that name
      digest people show 2605.06472#3                  one of them, with papers
      digest people merge 2605.06472#3 2604.00012#1    these two are one person
      digest people split 2605.06472#3 2601.00007      this paper is a namesake's
      digest people confirm 2605.06472#3 --orcid 0000-0002-1825-0097
      digest people confirm 2605.06472#3 --digest systems --not
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are


@people.command("list")
@config_option
@json_option
def list_(config: Path | None, *, as_json: bool) -> int:
    """List whom the digests follow by name, each with the persons who have it; `digest people` alone does the same."""
    from digest.jobs.people.profiles import find as found_persons

    with opened(config) as app:
        found = {name: found_persons(app.store, name, _MOST_OF_A_NAME) for name in _followed_names(app)}
    if as_json:
        print_json([{"name": name, **_found_json(one)} for name, one in found.items()])
        return 0
    for name, one in found.items():
        click.secho(f"{name} (followed)", underline=True)
        _print_found(name, one)
    if not found:
        click.echo(
            'No digest follows anybody by name. `digest people find "Given Family"` lists who has a name.'
        )
    return 0


def _followed_names(app: App) -> list[str]:
    """The names that digests of the file follow, each once, in the order of the file."""
    from digest.core.language import query
    from digest.core.language.parser import parse

    follows = (follow for digest in app.settings.digests for follow in digest.follows if not follow.exclude)
    people = (person for follow in follows for person in query.people_in(parse(follow.query)))
    return list(dict.fromkeys(person.name for person in people if person.name))


@people.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="How many to list.", show_default=True)
@config_option
@json_option
def find(name: str, limit: int, config: Path | None, *, as_json: bool) -> int:
    """List the persons of a name, those with the most papers first.

    NAME is written in any way: "Wencong Xiao", "Xiao, Wencong", "W. Xiao", "Xiao". Each person stands with the
    PAPER#POSITION to be used with the other commands.
    """
    from digest.jobs.people.profiles import find as found_persons

    with opened(config) as app:
        found = found_persons(app.store, name, limit)
    if as_json:
        print_json(_found_json(found))
    else:
        _print_found(name, found)
    return int(not found.profiles)


@people.command()
@click.argument("person")
@config_option
@json_option
def show(person: str, config: Path | None, *, as_json: bool) -> int:
    """All that is known of PERSON: papers, ids, and who said what.

    PERSON is any paper of theirs and their place among its authors, from 1: 2605.06472#3.
    """
    from digest.jobs.people.profiles import known

    with opened(config) as app:
        found = known(app.store, person)
    if as_json:
        print_json(_known_json(found))
    else:
        _print_known(found)
    return 0


@people.command()
@click.argument("person")
@click.argument("other", metavar="PERSON")
@_undo_option
@config_option
@json_option
def merge(person: str, other: str, config: Path | None, *, undo: bool, as_json: bool) -> int:
    """Say that two are one person, whatever their papers look like.

    It holds for papers to come, too; that they are two, said before, is taken back. `--undo` takes back what was
    said of just these two bylines, and what that had taken back holds again; `digest people show` tells which ones
    were said to be one person's.
    """
    from digest.jobs import person_edits

    with opened(config) as app:
        say = person_edits.unmerge if undo else person_edits.merge
        change = partial(say, app.store, person, other, app.clock())
        said = f"that {person} and {other} are one person"
        return _said_of_two(app, person, "same", change, said, undo=undo, as_json=as_json)


@people.command()
@click.argument("person")
@click.argument("paper", nargs=-1, required=True)
@_undo_option
@config_option
@json_option
def split(person: str, paper: tuple[str, ...], config: Path | None, *, undo: bool, as_json: bool) -> int:
    """Say that papers are by somebody else of that name.

    PERSON is one of the papers that stay theirs. The papers stay apart from these whatever comes later. That they
    are one person's, said before, is taken back, and holds again with `--undo`.
    """
    from digest.jobs import person_edits

    with opened(config) as app:
        say = person_edits.unsplit if undo else person_edits.split
        change = partial(say, app.store, person, paper, app.clock())
        said = f"that {', '.join(paper)} is by somebody else than {person}"
        return _said_of_two(app, person, "other", change, said, undo=undo, as_json=as_json)


@people.command()
@click.argument("person")
@_id_options
@click.option("--digest", "digest_name", metavar="NAME", help="What the reader of that digest answers.")
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
    """Say who PERSON is: by ids, or for one digest.

    An id holds for everybody: whoever follows it gets all papers of the person. Several may be given. What a digest's reader answers
    holds for that digest alone: "yes, this one", or with --not "not this person".
    """
    from digest.jobs import person_edits

    wanted = _ids(ids)
    if bool(wanted) == bool(digest_name):
        raise ConfigError(
            "say what to confirm: an id (--orcid, --openalex, …) for everybody, or --digest NAME for one reader"
        )
    if no and not digest_name:
        raise ConfigError("--not is what a reader answers: say of which digest, with --digest NAME")
    with opened(config) as app:
        if digest_name is None:
            change = person_edits.unconfirm if undo else person_edits.confirm
            changed = change(app.store, person, wanted, app.clock())
            said = f"that {person} is {', '.join(f'{scheme}:{value}' for scheme, value in wanted)}"
        else:
            changed = _answered(app, person, digest_name, no=no, undo=undo)
            said = f"that {person} is{' not' if no else ''} whom {digest_name} follows"
        return _told(app, person, changed, said, undo=undo, as_json=as_json)


def _answered(app: App, person: str, name: str, *, no: bool, undo: bool) -> bool:
    from digest.jobs import person_edits

    if undo:
        return person_edits.unanswer(app.store, name, person)
    return person_edits.answer(app.store, name, person, app.clock(), yes=not no)


def _ids(given: dict[str, Sequence[str]]) -> list[tuple[str, str]]:
    found = []
    for scheme in SCHEMES:
        for written in given[scheme]:
            value = person_id(scheme, written)
            if value is None:
                raise ConfigError(
                    f"--{scheme}: {written!r} is no {_GIVERS[scheme]}"
                    f"{' (its last sign must fit the others)' if scheme == 'orcid' else ''}; "
                    f"write it as {EXAMPLES[scheme]}, or the address of its page"
                )
            found.append((scheme, value))
    return found


# --- for people -----------------------------------------------------------------------------------


def _told(app: App, person: str, changed: bool, said: str, *, undo: bool, as_json: bool) -> int:  # noqa: FBT001 - what came of it
    """Tell what a command changed, and who the person is now."""
    from digest.jobs.people.profiles import known

    now = known(app.store, person)
    if as_json:
        print_json({"changed": changed, "person": _profile_json(now.profile)})
        return int(undo and not changed)
    if undo and not changed:
        click.echo(f"Nobody said {said}; `digest people show {person}` tells what was said.")
        return 1
    if undo:
        click.echo(f"Taken back: {said}.")
    else:
        click.echo(f"Noted: {said}." if changed else f"It is known already {said}.")
    _print_profile(now.profile)
    return 0


def _said_of_two(
    app: App, person: str, what: str, change: Callable[[], bool], said: str, *, undo: bool, as_json: bool
) -> int:
    """Change what was said of two bylines, and tell that and what it took back or brought back."""
    before = _standing(app, person)
    status = _told(app, person, change(), said, undo=undo, as_json=as_json)
    if not as_json:
        _print_overruled(before, _standing(app, person), what, undo=undo)
    return status


def _standing(app: App, person: str) -> tuple[Word, ...]:
    """What was said of a person and was not taken back."""
    from digest.jobs.people.profiles import known

    return tuple(word for word in known(app.store, person).words if word.withdrawn_at is None)


def _print_overruled(before: Sequence[Word], after: Sequence[Word], what: str, *, undo: bool) -> None:
    """Tell what a command took back of what had been said to the contrary, or what its undoing brought back."""
    gone, here = (after, before) if undo else (before, after)
    for word in gone:
        if word.what in _SAID_OF_TWO and word.what != what and word not in here:
            click.echo(f"{'This holds again' if undo else 'Taken back for it'}: {_sentence(word)}.")


_SAID_OF_TWO = frozenset({"same", "other"})


def _print_found(name: str, found: Found) -> None:
    for profile in found.profiles:
        _print_profile(profile)
    if len(found.profiles) > 1:
        click.echo("If two of these are one person: digest people merge PERSON PERSON")
    if found.more:
        click.echo(f"… and {found.more:,} more, with fewer papers; --limit lists them.")
    if not found.profiles:
        click.echo(f"Nobody in this store signs as {name!r}.")
    if found.near:
        click.echo(f"Is it {' or '.join(repr(each) for each in found.near)}?")


def _print_profile(one: Profile) -> None:
    from digest.render.languages.english import count

    click.echo(f"{click.style(one.names[0], bold=True)}  {one.reference}")
    years = ""
    if one.years:
        first, last = one.years
        years = f", {first}" if first == last else f", {first} to {last}"
    _line("papers", f"{count(one.papers, 'paper')}{years}")
    _line("in", ", ".join(one.categories))
    _line("with", ", ".join(one.coauthors))
    _line("at", "; ".join(one.affiliations))
    _line("also as", ", ".join(one.names[1:6]))
    _line(
        "ids", ", ".join(f"{scheme}:{value}{f' (says {by})' if by else ''}" for scheme, value, by in one.ids)
    )


def _line(label: str, text: str) -> None:
    if text:
        click.echo(f"  {label:9}{text}")


def _print_known(found: Known) -> None:
    _print_profile(found.profile)
    click.secho("Papers", bold=True)
    for one in found.signed:
        name = f", as {one.name}" if one.name != found.profile.names[0] else ""
        click.echo(f"  {one.reference}  {one.title}{f' ({one.year})' if one.year else ''}{name}")
    if found.words:
        click.secho("Said", bold=True)
    for word in found.words:
        click.echo(f"  {word.at:%Y-%m-%d %H:%M}  {_sentence(word)}")


_SAID = {
    "same": "{by}: {reference} and {about} are one person",
    "other": "{by}: {reference} is somebody else than {about}",
    "id": "{by}: {reference} is {about}",
    "yes": "the reader of {by}: {reference} is the person who is followed",
    "no": "the reader of {by}: {reference} is not the person who is followed",
}


def _sentence(word: Word) -> str:
    said = _SAID[word.what].format(by=word.by, reference=word.reference, about=word.about)
    return f"{said}; taken back {word.withdrawn_at:%Y-%m-%d %H:%M}" if word.withdrawn_at else said


# --- for programs ---------------------------------------------------------------------------------


def _found_json(found: Found) -> dict[str, Any]:
    return {
        "persons": [_profile_json(one) for one in found.profiles],
        "more": found.more,
        "near": list(found.near),
    }


def _profile_json(one: Profile) -> dict[str, Any]:
    return {
        "person": one.reference,
        "names": list(one.names),
        "papers": one.papers,
        "first_year": one.years[0] if one.years else None,
        "last_year": one.years[1] if one.years else None,
        "categories": list(one.categories),
        "coauthors": list(one.coauthors),
        "affiliations": list(one.affiliations),
        "ids": [{"scheme": scheme, "value": value, "said_by": by} for scheme, value, by in one.ids],
    }


def _known_json(found: Known) -> dict[str, Any]:
    from digest.render.delivery.files import instant_json

    return {
        "person": _profile_json(found.profile),
        "signed": [
            {"byline": one.reference, "name": one.name, "title": one.title, "year": one.year}
            for one in found.signed
        ],
        "said": [
            {
                "by": word.by,
                "at": instant_json(word.at),
                "withdrawn_at": instant_json(word.withdrawn_at) if word.withdrawn_at else None,
                "what": word.what,
                "byline": word.reference,
                "about": word.about,
            }
            for word in found.words
        ],
    }
