"""The command that reads a library, and follows what is in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, print_json
from digest.errors import ConfigError, DigestError

if TYPE_CHECKING:
    from digest.core.subscribers.library import Entry, Library
    from digest.model import PaperKey

    Perhaps = Mapping[str, tuple[PaperKey, ...]]

_MOST = 20
"""Lines of one kind that a person is shown; the document has all."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--to", "digest", metavar="DIGEST", help="Let this digest of the configuration follow it.")
@click.option("--yes", is_flag=True, help="Do so without asking.")
@click.option(
    "--state", is_flag=True, help="FILE is a folder of `digest export --state`: begin a store of it."
)
@config_option
@json_option
def import_(
    file: Path, digest: str | None, config: Path | None, *, yes: bool, state: bool, as_json: bool
) -> int:
    """Say which papers the library FILE holds, and follow them.

    FILE is BibTeX, RIS, CSL JSON, what Zotero exports as CSV or JSON, or a list of ids, DOIs and addresses,
    one a line. To follow a library is to be told of new versions, the publication and the code of its papers,
    and of papers that cite them. The file stays where it is, and is read anew at each run.

    \b
    Example:
      digest import refs.bib --to my-papers
    """  # noqa: D301 - click knows the character, and takes the lines after it as they are
    if state:
        from digest.cli.operations.state import take_in

        return take_in(file, config, as_json=as_json)
    from digest.config.libraries import library_at

    try:
        library = library_at(file)
    except ConfigError as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    place = _config_place(config, needed=digest is not None)
    perhaps = _perhaps(place, library.without_id)
    line = _line(file, place)
    if not as_json:
        _tell(file, library, perhaps)
    changed = False
    if digest is not None:
        assert place is not None
        changed = _follow(file, place, digest, library, yes=yes, quiet=as_json)
    elif not as_json:
        click.echo(f"To follow it, write in a digest of the configuration:\n  {line}")
        click.echo(f"or let this command do it: digest import {file} --to DIGEST")
    if as_json:
        print_json(_json(file, library, perhaps) | {"write": line, "changed": changed})
    return 0


def _config_place(given: Path | None, *, needed: bool) -> Path | None:
    """The configuration; it may be missing where nothing is to be written into it."""
    from digest.config import find_config

    try:
        return find_config(given, os.environ)
    except ConfigError:
        if needed or given is not None:
            raise
        return None


def _perhaps(place: Path | None, entries: Sequence[Entry]) -> Perhaps:
    """Papers of the store that have the title of an entry without an id."""
    from digest.app import open_app
    from digest.jobs.subscribers.library import proposed

    if place is None or not entries:
        return {}
    try:
        with open_app(place, None, os.environ) as app:
            return proposed(app.store, entries)
    except DigestError as error:
        # Perhaps the very mistake that this command was called to find.
        click.echo(f"{click.style('Warning:', fg='yellow')} titles were not looked up: {error}", err=True)
        return {}


def _written(file: Path, place: Path | None) -> str:
    """The path as the configuration has it: from its folder, if the file lies below that."""
    folder = (place.absolute().parent if place else Path.cwd()).resolve()
    path = file.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _line(file: Path, place: Path | None) -> str:
    import tomlkit

    return f"library = {tomlkit.item([_written(file, place).replace('$', '$$')]).as_string()}"


# --- what is in it --------------------------------------------------------------------------------


def _tell(file: Path, library: Library, perhaps: Perhaps) -> None:
    from digest.render.languages.english import count

    papers = [key for key, _ in library.papers]
    click.secho(f"{file}: {library.form}, {count(len(library.entries), 'paper')}", bold=True)
    kinds = [("arxiv:", "by arXiv id"), ("doi:", "by DOI"), ("url:", "by address")]
    found = [(sum(key.startswith(start) for key in papers), how) for start, how in kinds]
    if papers:
        told = ", ".join(f"{number:,} {how}" for number, how in found if number)
        click.echo(f"  {len(papers):,} can be followed: {told}")
    if library.repeated:
        click.echo(
            f"  {count(len(library.repeated), 'entry', 'entries')} more for a paper that is there already:"
        )
        _list(f"{later.place} is {first.place}, {_name(later)}" for first, later in library.repeated)
    if library.without_id:
        click.echo(
            f"  {len(library.without_id):,} without an arXiv id, a DOI or an address, so not followed:"
        )
        _list(_unknown(entry, perhaps) for entry in library.without_id)
    if library.broken:
        click.echo(f"  {count(len(library.broken), 'mistake')}:")
        _list(library.broken)


def _list(lines: Iterable[str]) -> None:
    told = list(lines)
    for line in told[:_MOST]:
        click.echo(f"    {line}")
    if len(told) > _MOST:
        click.echo(f"    and {len(told) - _MOST:,} more; --json tells all")


def _name(entry: Entry) -> str:
    return entry.title or entry.key or entry.place


def _unknown(entry: Entry, perhaps: Perhaps) -> str:
    keys = perhaps.get(entry.place, ())
    same = f"; the same title has {', '.join(keys)}: if that is it, add its id" if keys else ""
    return f"{entry.place}: {entry.title}{same}"


def _json(file: Path, library: Library, perhaps: Perhaps) -> dict[str, Any]:
    return {
        "file": str(file),
        "form": library.form,
        "papers": [{"place": entry.place, "title": entry.title, "key": key} for key, entry in library.papers],
        "repeated": [{"place": later.place, "same_as": first.place} for first, later in library.repeated],
        "without_id": [
            {"place": entry.place, "title": entry.title, "perhaps": list(perhaps.get(entry.place, ()))}
            for entry in library.without_id
        ],
        "broken": list(library.broken),
    }


# --- following it ---------------------------------------------------------------------------------


def _follow(file: Path, place: Path, digest: str, library: Library, *, yes: bool, quiet: bool) -> bool:
    """Write the library into the configuration; whether it was not there before."""
    from digest.config.file.editing import with_library

    if not any(True for _ in library.papers):
        raise ConfigError(f"{file} cannot be followed: no paper in it has an arXiv id, a DOI or an address")
    before = place.read_bytes().decode("utf-8-sig", "surrogateescape")
    after = with_library(before, digest, _written(file, place))
    if before == after:
        if not quiet:
            click.echo(f"{digest} follows it already.")
        return False
    if not quiet:
        _show(place, before, after)
    if not yes and not _agreed(place, quiet=quiet):
        return False
    _replace(place, after)
    if not quiet:
        click.echo(f"Wrote {place}. `digest run` follows it from now on.")
    return True


def _show(place: Path, before: str, after: str) -> None:
    from difflib import unified_diff

    old, new = before.splitlines(), after.splitlines()
    for line in unified_diff(old, new, str(place), str(place), n=1, lineterm=""):
        color = {"+": "green", "-": "red"}.get(line[0])
        click.secho(line, fg=color)


def _agreed(place: Path, *, quiet: bool) -> bool:
    if quiet or not sys.stdin.isatty():
        raise ConfigError(f"nothing was written to {place}; say --yes to write it without being asked")
    return click.confirm("Write this?", default=True)


def _replace(place: Path, text: str) -> None:
    """Write the file in one step, with its rights: a password may stand in it.

    Raises:
        ConfigError: what was to be written is wrong, and the old file stays.
    """
    from digest.config import read_settings

    target = place.resolve()
    fresh = target.with_name(f".{target.name}.new")
    mark = b"\xef\xbb\xbf" if target.read_bytes().startswith(b"\xef\xbb\xbf") else b""
    fresh.touch(mode=0o600)
    try:
        fresh.write_bytes(mark + text.encode("utf-8", "surrogateescape"))
        read_settings(fresh, os.environ)
        fresh.chmod(target.stat().st_mode)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
