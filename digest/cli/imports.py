"""``digest import``: read a library, and let a digest follow it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digest.cli.terminal.options import config_option, json_option, print_json
from digest.errors import ConfigError, DigestError

if TYPE_CHECKING:
    from digest.core.subscribers.library import Library, LibraryEntry
    from digest.model import PaperKey

    TitleMatches = Mapping[str, tuple[PaperKey, ...]]

_MAX_LINES = 20
"""Maximum number of lines of one kind on a terminal; the JSON document has all."""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "digest", metavar="DIGEST", help="Let this digest of the configuration follow the library."
)
@click.option("--yes", is_flag=True, help="Write the configuration without asking.")
@click.option(
    "--state",
    is_flag=True,
    help="FILE is a folder that `digest export` wrote: create a new database from it.",
)
@click.option("--papers", is_flag=True, help="FILE is arXiv's metadata snapshot: import its papers.")
@click.option(
    "--categories",
    multiple=True,
    metavar="LIST",
    help="With --papers: only papers in these categories and archives, separated by commas.",
)
@click.option(
    "--since",
    type=click.DateTime(formats=["%Y-%m-%d"]),
    metavar="DAY",
    help="With --papers: only papers that were first submitted on this day or later.",
)
@config_option
@json_option
def import_(
    file: Path,
    digest: str | None,
    categories: tuple[str, ...],
    since: datetime | None,
    config: Path | None,
    *,
    yes: bool,
    state: bool,
    papers: bool,
    as_json: bool,
) -> int:
    """Show which papers the library FILE contains, and let a digest follow them.

    FILE is BibTeX, RIS, CSL JSON, Zotero's CSV or JSON, or a list of ids, DOIs and addresses, one per line. A
    digest that follows a library reports new versions, the publication and the code of its papers, and papers
    that cite them. The file stays where it is, and is read on each run.

    With --papers, FILE has arXiv's papers of all years, in one file from Kaggle, plain or compressed by gzip or
    zstd. They can then be found on the site, and no digest reports them. After Ctrl-C, run the command again to
    continue.

    \b
    Examples:
      digest import refs.bib
      digest import refs.bib --to my-papers
      digest import --papers arxiv-metadata-oai-snapshot.json --categories cs,stat.ML
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    _require_compatible(digest=digest, state=state, papers=papers, has_selection=bool(categories or since))
    if state:
        from digest.cli.backups.state import import_state

        return import_state(file, config, as_json=as_json)
    if papers:
        from digest.cli.paper_import import run_import

        first_day = since.date() if since else None
        return run_import(file, config, categories=categories, since=first_day, as_json=as_json)
    return _import_library(file, digest, config, yes=yes, as_json=as_json)


def _require_compatible(*, digest: str | None, state: bool, papers: bool, has_selection: bool) -> None:
    """Reject options that have no meaning together.

    Raises:
        UsageError: two options exclude each other.
    """
    kinds = [name for name, is_given in (("--state", state), ("--papers", papers)) if is_given]
    if len(kinds) > 1 or (kinds and digest is not None):
        raise click.UsageError(
            f"{kinds[0]} cannot be combined with {kinds[1] if len(kinds) > 1 else '--to'}."
        )
    if has_selection and not papers:
        raise click.UsageError("--categories and --since need --papers.")


def _import_library(file: Path, digest: str | None, config: Path | None, *, yes: bool, as_json: bool) -> int:
    """Show the library, and let the digest follow it if there is one."""
    from digest.config.libraries import load_library

    try:
        library = load_library(file)
    except ConfigError as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    config_path = _find_config(config, is_required=digest is not None)
    title_matches = _find_title_matches(config_path, library.without_id)
    library_line = _format_library_line(file, config_path)
    if not as_json:
        _print_library(file, library, title_matches)
    changed = False
    if digest is not None:
        assert config_path is not None
        changed = _add_to_config(file, config_path, digest, library, yes=yes, quiet=as_json)
    elif not as_json:
        click.echo(
            f"To follow the library, add this line to a digest of the configuration:\n  {library_line}"
        )
        click.echo(f"Or let this command do it: digest import {file} --to DIGEST")
    if as_json:
        print_json(_make_json(file, library, title_matches) | {"write": library_line, "changed": changed})
    return 0


def _find_config(explicit_path: Path | None, *, is_required: bool) -> Path | None:
    """Find the configuration, which may be missing if nothing is to be written into it."""
    from digest.config import find_config

    try:
        return find_config(explicit_path, os.environ)
    except ConfigError:
        if is_required or explicit_path is not None:
            raise
        return None


def _find_title_matches(config_path: Path | None, entries: Sequence[LibraryEntry]) -> TitleMatches:
    """Find papers in the database with the titles of entries without an id."""
    from digest.app import open_app
    from digest.jobs.subscribers.library import find_candidates

    if config_path is None or not entries:
        return {}
    try:
        with open_app(config_path, None, os.environ) as app:
            return find_candidates(app.store, entries)
    except DigestError as error:
        # Perhaps this is the error that the user is looking for.
        click.echo(f"{click.style('Warning:', fg='yellow')} titles could not be looked up: {error}", err=True)
        return {}


def _format_path(file: Path, config_path: Path | None) -> str:
    """Format a path for the configuration: relative to its folder if the file is below that."""
    folder = (config_path.absolute().parent if config_path else Path.cwd()).resolve()
    path = file.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _format_library_line(file: Path, config_path: Path | None) -> str:
    import tomlkit

    return f"library = {tomlkit.item([_format_path(file, config_path).replace('$', '$$')]).as_string()}"


# --- content --------------------------------------------------------------------------------------


def _print_library(file: Path, library: Library, title_matches: TitleMatches) -> None:
    from digest.render.languages.english import format_count

    papers = [key for key, _ in library.papers]
    click.secho(f"{file}: {library.format_name}, {format_count(len(library.entries), 'paper')}", bold=True)
    kinds = [("arxiv:", "by arXiv id"), ("doi:", "by DOI"), ("url:", "by address")]
    kind_counts = [(sum(key.startswith(start) for key in papers), method) for start, method in kinds]
    if papers:
        counts_text = ", ".join(f"{number:,} {method}" for number, method in kind_counts if number)
        click.echo(f"  {len(papers):,} can be followed: {counts_text}")
    if library.repeated:
        click.echo(f"  {format_count(len(library.repeated), 'duplicate entry', 'duplicate entries')}:")
        _print_lines(
            f"{later.place} is the same as {first.place}: {_get_entry_name(later)}"
            for first, later in library.repeated
        )
    if library.without_id:
        click.echo(f"  {len(library.without_id):,} not followed, without an arXiv id, a DOI or an address:")
        _print_lines(_describe_unidentified(entry, title_matches) for entry in library.without_id)
    if library.broken:
        click.echo(f"  {format_count(len(library.broken), 'error')}:")
        _print_lines(library.broken)


def _print_lines(lines: Iterable[str]) -> None:
    all_lines = list(lines)
    for line in all_lines[:_MAX_LINES]:
        click.echo(f"    {line}")
    if len(all_lines) > _MAX_LINES:
        click.echo(f"    and {len(all_lines) - _MAX_LINES:,} more; --json lists all")


def _get_entry_name(entry: LibraryEntry) -> str:
    return entry.title or entry.key or entry.place


def _describe_unidentified(entry: LibraryEntry, title_matches: TitleMatches) -> str:
    keys = title_matches.get(entry.place, ())
    hint = f"; {', '.join(keys)} has the same title: if it is this paper, add its id" if keys else ""
    return f"{entry.place}: {entry.title}{hint}"


def _make_json(file: Path, library: Library, title_matches: TitleMatches) -> dict[str, Any]:
    return {
        "file": str(file),
        "form": library.format_name,
        "papers": [{"place": entry.place, "title": entry.title, "key": key} for key, entry in library.papers],
        "repeated": [{"place": later.place, "same_as": first.place} for first, later in library.repeated],
        "without_id": [
            {"place": entry.place, "title": entry.title, "perhaps": list(title_matches.get(entry.place, ()))}
            for entry in library.without_id
        ],
        "broken": list(library.broken),
    }


# --- following ------------------------------------------------------------------------------------


def _add_to_config(
    file: Path, config_path: Path, digest: str, library: Library, *, yes: bool, quiet: bool
) -> bool:
    """Write the library into the configuration; return False if it was there already."""
    from digest.config.file.editing import add_library

    if not any(True for _ in library.papers):
        raise ConfigError(f"{file} cannot be followed: no paper in it has an arXiv id, a DOI or an address")
    before = config_path.read_bytes().decode("utf-8-sig", "surrogateescape")
    after = add_library(before, digest, _format_path(file, config_path))
    if before == after:
        if not quiet:
            click.echo(f"{digest} follows this library already.")
        return False
    if not quiet:
        _show_diff(config_path, before, after)
    if not yes and not _confirm_write(config_path, quiet=quiet):
        return False
    _replace_config(config_path, after)
    if not quiet:
        click.echo(f"Wrote {config_path}. `digest run` follows the library from now on.")
    return True


def _show_diff(config_path: Path, before: str, after: str) -> None:
    from difflib import unified_diff

    old, new = before.splitlines(), after.splitlines()
    for line in unified_diff(old, new, str(config_path), str(config_path), n=1, lineterm=""):
        color = {"+": "green", "-": "red"}.get(line[0])
        click.secho(line, fg=color)


def _confirm_write(config_path: Path, *, quiet: bool) -> bool:
    if quiet or not sys.stdin.isatty():
        raise ConfigError(f"nothing was written to {config_path}; use --yes to write it without being asked")
    return click.confirm("Write this?", default=True)


def _replace_config(config_path: Path, text: str) -> None:
    """Replace the file atomically and keep its permissions, because it may contain a password.

    Raises:
        ConfigError: the new text is invalid; the old file stays.
    """
    from digest.config import read_settings

    target = config_path.resolve()
    new_file = target.with_name(f".{target.name}.new")
    byte_order_mark = b"\xef\xbb\xbf" if target.read_bytes().startswith(b"\xef\xbb\xbf") else b""
    new_file.touch(mode=0o600)
    try:
        new_file.write_bytes(byte_order_mark + text.encode("utf-8", "surrogateescape"))
        read_settings(new_file, os.environ)
        new_file.chmod(target.stat().st_mode)
        new_file.replace(target)
    finally:
        new_file.unlink(missing_ok=True)
