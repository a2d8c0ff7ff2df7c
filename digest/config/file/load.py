"""Finding and reading the file: TOML and the environment become frozen settings, or one error with all mistakes."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from digest.config.context import ValidationContext
from digest.config.digests import BaseDigestTable, DigestTable
from digest.config.file.locations import Locator, Problem, make_config_error
from digest.config.file.problems import list_problems, match_table
from digest.config.file.syntax import explain_syntax, find_mistake
from digest.config.file.variables import fill_variables, restore_variables
from digest.config.follow_values import FollowQuery
from digest.config.paths import expand_path
from digest.config.settings import (
    Destination,
    DigestSettings,
    DkimSettings,
    EnricherSettings,
    OperatorSettings,
    RelaySettings,
    Settings,
    SmtpSettings,
    SourceSettings,
)
from digest.config.tables import (
    DEFAULT_PORTS,
    ConfigFile,
    EnricherTable,
    RelayTable,
    SmtpTable,
    SourceTable,
)
from digest.config.values import list_languages, split_store
from digest.core.language.ambiguous_names import find_ineffective_exclusions, format_exclusion_hint
from digest.core.language.parser import parse
from digest.errors import ConfigError
from digest.model import AddressKind

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath

# --- finding the file -----------------------------------------------------------------------------


def find_config(explicit_path: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the file to read: the given one, else ``$DIGEST_CONFIG``, ``./digest.toml``, the user's config folder.

    Raises:
        ConfigError: there is none; the message says where it was searched.
    """
    if explicit_path is not None:
        return _require_file(explicit_path, "")
    if environ.get("DIGEST_CONFIG"):
        return _require_file(Path(environ["DIGEST_CONFIG"]), ", named by $DIGEST_CONFIG")
    from platformdirs import user_config_path

    candidates = (Path("digest.toml"), user_config_path("digest", appauthor=False) / "digest.toml")
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    searched = " and ".join(str(candidate.absolute()) for candidate in candidates)
    raise ConfigError(
        f"there is no configuration at {searched}; create one with `digest init`, or name one with --config"
    )


def _require_file(path: Path, origin: str) -> Path:
    if not path.exists():
        raise ConfigError(f"there is no file {path}{origin}; create one with `digest init`")
    return path


# --- reading the file -----------------------------------------------------------------------------


def read_settings(path: Path, environ: Mapping[str, str]) -> Settings:
    """Read a configuration file.

    Args:
        path: the file; messages name it as given.
        environ: the values of ``${NAME}``, and the variables of ``ENVIRONMENT_KEYS``.

    Raises:
        ConfigError: one line for each mistake, ``digest.toml:16:24: digest[0].schedule: …``.
    """
    text = _read_text(path)
    raw_document = _parse_toml(path, text)
    locator = Locator(str(path), text)
    document, problems = fill_variables(raw_document, environ)
    context = ValidationContext(
        folder=path.absolute().parent,
        has_mail=bool({"smtp", "sendmail"} & {match_table(key) for key in document}),
        name_counts=_count_digest_names(document),
    )
    try:
        file = ConfigFile.model_validate(document, context=context)
    except ValidationError as error:
        # An unset variable is reported already; errors that it causes in its key and table only repeat it.
        reported_paths = {
            problem.path[:length] for problem in problems for length in range(1, len(problem.path) + 1)
        }
        further_problems = [
            further_problem
            for further_problem in list_problems(error, document)
            if further_problem.path not in reported_paths or further_problem.on_key
        ]
        problems += [
            restore_variables(further_problem, raw_document, environ) for further_problem in further_problems
        ]
        raise make_config_error(problems, locator) from None
    problems += _find_unknown_languages(file)
    if problems:
        raise make_config_error(problems, locator)
    libraries = tuple(library for library, _ in context.libraries.values())
    settings = _make_settings(path.absolute(), file, locator)
    warnings = (
        *_warn_of_readable_secrets(path, raw_document),
        *_warn_of_readable_keys(settings.dkim),
        *_warn_of_ambiguous_names(file, locator),
        *_warn_of_former_values(file, locator),
        *_warn_of_unusable_signup(settings),
        *_warn_of_unusable_operators(settings),
    )
    return replace(settings, libraries=libraries, warnings=warnings)


def read_service_tables(
    path: Path, environ: Mapping[str, str]
) -> tuple[tuple[SourceSettings, ...], tuple[EnricherSettings, ...]]:
    """Read the sources and enrichers whose tables are valid, whatever mistakes the rest of the file has.

    Args:
        path: the file; messages name it as given.
        environ: the values of ``${NAME}``.

    Raises:
        ConfigError: the file cannot be read, or is not TOML.
    """
    text = _read_text(path)
    document, problems = fill_variables(_parse_toml(path, text), environ)
    locator = Locator(str(path), text)
    incomplete_tables = {problem.path[:2] for problem in problems}
    sources: list[SourceSettings] = []
    enrichers: list[EnricherSettings] = []
    for name, tables in document.items():
        kind = match_table(name)
        if kind not in {"source", "enricher"} or not isinstance(tables, list):
            continue
        for number, table in enumerate(tables):
            if (name, number) in incomplete_tables:
                continue
            with suppress(ValidationError):
                if kind == "source":
                    sources.append(_make_source(number, SourceTable.model_validate(table), locator, name))
                else:
                    enrichers.append(
                        _make_enricher(number, EnricherTable.model_validate(table), locator, name)
                    )
    return tuple(sources), tuple(enrichers)


def _read_text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise ConfigError(f"{path}: the file is in UTF-16; save it as UTF-8")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: the file is not in UTF-8; save it as UTF-8") from None


def _parse_toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{path}: brackets are nested too deeply") from None
    except ValueError as error:
        match = re.fullmatch(
            r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL
        )
        if not match:
            raise ConfigError(f"{path}: this is not valid TOML: {error}") from None
        line, column = int(match[2] or text.count("\n") + 1), int(match[3] or len(text) - text.rfind("\n"))
        index = sum(len(previous_line) + 1 for previous_line in text.split("\n")[: line - 1]) + column - 1
        if (mistake_index := find_mistake(text, index, match[1])) != index:
            line, column = (
                text.count("\n", 0, mistake_index) + 1,
                mistake_index - text.rfind("\n", 0, mistake_index),
            )
        raise ConfigError(
            f"{path}:{line}:{column}: {explain_syntax(text, mistake_index, match[1])}"
        ) from None


# --- settings and warnings ------------------------------------------------------------------------


def _count_digest_names(document: Mapping[str, Any]) -> Counter[str]:
    tables = document.get("digest")
    names = (
        [table.get("name") for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []
    )
    return Counter(name.lower() for name in names if isinstance(name, str))


def _make_settings(path: Path, file: ConfigFile, locator: Locator) -> Settings:
    folder = path.parent
    site = file.site.to_settings()
    output = expand_path(file.output.folder, folder)
    templates = file.output.templates
    return Settings(
        path=path,
        site=site,
        store=_resolve_store(file.store.url, folder),
        read_url=file.store.read_url,
        listen_url=file.store.listen_url,
        keep=file.store.keep,
        output=output,
        templates=None if templates is None else Path(templates),
        sources=tuple(_make_source(number, table, locator) for number, table in enumerate(file.source)),
        enrichers=tuple(_make_enricher(number, table, locator) for number, table in enumerate(file.enricher)),
        smtp=_make_smtp(file.smtp) if file.smtp else None,
        sendmail=file.sendmail.to_settings() if file.sendmail else None,
        operator=_resolve_operator(file.operator.to_settings(), output),
        delivery=file.delivery.to_settings(),
        bounces=file.bounces.to_settings(
            lambda key: locator.locate(Problem(path=("bounces", *_parse_key_path(key)), message=""))
        ),
        dkim=file.dkim.to_settings(_get_sender_domain(file)) if file.dkim else None,
        digests=tuple(
            _make_digest(table, output, site.language, _make_key_locator(locator, "digest", number))
            for number, table in enumerate(file.digest)
        ),
        public_feeds=tuple(table.to_settings() for table in file.public_feed),
        public_digests=tuple(
            table.to_settings(site.language, _make_key_locator(locator, "public_digest", number))
            for number, table in enumerate(file.public_digest)
        ),
        signup=file.signup.to_settings() if file.signup else None,
    )


def _find_unknown_languages(file: ConfigFile) -> Iterator[Problem]:
    """Yield a problem for each chosen language without a catalogue."""
    templates = file.output.templates
    available = list_languages(None if templates is None else Path(templates))
    chosen: list[tuple[KeyPath, str]] = [(("site", "language"), file.site.language)]
    chosen += [(("digest", number, "language"), table.language) for number, table in enumerate(file.digest)]
    for path, language in chosen:
        if language and language not in available:
            similar = [name for name in available if name[:2].lower() == language[:2].lower()]
            suggestion = f"did you mean {similar[0]!r}? " if similar else ""
            yield Problem(
                path=path,
                message=(
                    f"the language {language!r} is not available; {suggestion}write one of {', '.join(available)}, "
                    "or add it as described in docs/howto/translate.md"
                ),
            )


def _resolve_store(url: str, folder: Path) -> str:
    """Return the URL of a database; the path of an SQLite file becomes absolute, starting from a folder."""
    if not url.startswith("sqlite"):
        return url
    beginning, file, end = split_store(url)
    return f"{beginning}{expand_path(file, folder)}{end}"


def _make_source(number: int, table: SourceTable, locator: Locator, name: str = "source") -> SourceSettings:
    locate_key = _make_key_locator(locator, name, number)
    return SourceSettings(use=table.use, options=table.model_extra or {}, locate_key=locate_key)


def _make_enricher(
    number: int, table: EnricherTable, locator: Locator, name: str = "enricher"
) -> EnricherSettings:
    locate_key = _make_key_locator(locator, name, number)
    return EnricherSettings(use=table.use, options=table.model_extra or {}, locate_key=locate_key)


def _make_key_locator(locator: Locator, name: str, number: int) -> Callable[[str], str]:
    """Return a function that returns the place of a key in one of several tables of the same name."""
    return lambda key: locator.locate(Problem(path=(name, number, *_parse_key_path(key)), message=""))


def _parse_key_path(key: str) -> KeyPath:
    parts = re.findall(r"[^\[\].]+", key)
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def _make_smtp(table: SmtpTable) -> SmtpSettings:
    return SmtpSettings(
        from_name=table.sender.name,
        from_address=table.sender.address,
        relays=tuple(_make_relay(relay) for relay in (table, *table.relay)),
    )


def _get_sender_domain(file: ConfigFile) -> str:
    """Return the domain of the From header."""
    mail = file.smtp or file.sendmail
    return mail.sender.address.rpartition("@")[2].lower() if mail else ""


def _make_relay(table: RelayTable) -> RelaySettings:
    return RelaySettings(
        host=table.host,
        port=table.port or DEFAULT_PORTS[table.security],
        security=table.security,
        username=table.username,
        password=table.password.get_secret_value(),
        ca_file=table.ca_file or "",
        timeout=table.timeout,
        connections=table.connections,
        weight=table.weight,
    )


def _resolve_destination(destination: Destination, output: Path) -> Destination:
    if destination.kind is not AddressKind.FOLDER:
        return destination
    return replace(destination, address=str(output / destination.address))


def _resolve_operator(operator: OperatorSettings, output: Path) -> OperatorSettings:
    return replace(
        operator, notify=tuple(_resolve_destination(destination, output) for destination in operator.notify)
    )


def _make_digest(
    table: DigestTable, output: Path, language: str, locate_key: Callable[[str], str]
) -> DigestSettings:
    destinations = dict.fromkeys(_resolve_destination(entry.destination, output) for entry in table.to)
    return table.make_settings(tuple(destinations), table.language or language, locate_key)


def _warn_of_readable_secrets(path: Path, raw_document: Mapping[str, Any]) -> Iterator[str]:
    """Warn if the file contains secrets and every user of the machine can read it."""
    smtp = raw_document.get("smtp", {})
    logins = (smtp, *smtp.get("relay", ()), raw_document.get("bounces", {}))
    dkim = raw_document.get("dkim", {})
    passwords = [table.get("password", "") for table in logins]
    passwords += [table.get("key", "") for table in (dkim, dkim.get("second", {}))]
    secrets = [*passwords, *_list_destination_secrets(raw_document)]
    is_readable = os.name == "posix" and path.stat().st_mode & stat.S_IROTH
    if is_readable and any(secret and "${" not in secret for secret in secrets):
        yield (
            f"{path} contains a secret, and other users of this machine can read it; "
            f"run `chmod 600 {path}`, or put the secret into the environment"
        )


def _warn_of_readable_keys(dkim: DkimSettings | None) -> Iterator[str]:
    """Warn of DKIM keys that every user of the machine can read."""
    for file in dkim.files if dkim else ():
        if os.name == "posix" and file.stat().st_mode & stat.S_IROTH:
            yield f"other users of this machine can read the key {file}; run `chmod 600 {file}`"


def _list_destination_secrets(raw_document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of chats, which are secrets, and the signing secrets of webhooks."""
    for table, key in (
        (raw_document.get("operator", {}), "notify"),
        *((digest, "to") for digest in raw_document.get("digest", ())),
    ):
        for destination in table.get(key, ()):
            if isinstance(destination, dict):
                yield destination.get("secret", "")
            elif "://" in destination:
                yield destination


def _warn_of_ambiguous_names(file: ConfigFile, locator: Locator) -> Iterator[str]:
    """Warn of exclusions with names that are too ambiguous to exclude anybody."""
    for path, table in _iter_digest_tables(file):
        for location, follow_query, is_excluded in _find_author_queries(table):
            problem = Problem(path=(*path, *_parse_key_path(location)), message="")
            for name in find_ineffective_exclusions(parse(follow_query.query), excluded=is_excluded):
                yield f"{locator.locate(problem)}: {format_exclusion_hint(name)}"


def _warn_of_former_values(file: ConfigFile, locator: Locator) -> Iterator[str]:
    """Warn of values that have another name now; the former one works for one more release."""
    for path, table in _iter_digest_tables(file):
        if table.abstracts == "short":
            place = locator.locate(Problem(path=(*path, "abstracts"), message=""))
            yield f'{place}: abstracts = "short" is now called "first"; the former name stops working with the next release'


def _warn_of_unusable_signup(settings: Settings) -> Iterator[str]:
    """Warn if readers are to sign up and there is no site for it, or no way to send mail."""
    if not settings.public_digests and settings.signup is None:
        return
    subject = "[[public_digest]]" if settings.public_digests else "[signup]"
    if not settings.site.url:
        yield f"{subject} needs a site, where readers sign up; write its `url` in [site]"
    if settings.smtp is None and settings.sendmail is None:
        yield f"{subject} needs a server that sends mail to readers; add [smtp] or [sendmail]"


def _warn_of_unusable_operators(settings: Settings) -> Iterator[str]:
    """Warn if there are operators who cannot sign in."""
    if not settings.operator.people:
        return
    site = settings.site
    if not site.is_encrypted or not site.public:
        yield "[operator] people needs a site with public pages, whose `url` in [site] begins with https://"
    if settings.smtp is None and settings.sendmail is None:
        yield "[operator] people needs a server that sends mail, for the links to sign in; add [smtp] or [sendmail]"


def _iter_digest_tables(file: ConfigFile) -> Iterator[tuple[KeyPath, BaseDigestTable]]:
    """Yield the tables of digests and public digests, each with its path."""
    yield from ((("digest", number), table) for number, table in enumerate(file.digest))
    yield from ((("public_digest", number), table) for number, table in enumerate(file.public_digest))


def _find_author_queries(table: BaseDigestTable) -> Iterator[tuple[str, FollowQuery, bool]]:
    """Yield the queries that may exclude authors, with their places, and whether they are exclusions."""
    excluded_queries = [
        (f"exclude[{number}]", entry.follow_query) for number, entry in enumerate(table.exclude)
    ]
    for location, follow in table.iter_follows():
        excluded_queries += [
            (f"{location}.exclude[{number}]", entry.follow_query)
            for number, entry in enumerate(follow.exclude)
        ]
    followed_queries = [
        (f"queries[{number}]", entry.follow_query) for number, entry in enumerate(table.queries)
    ]
    for located_queries, is_excluded in ((followed_queries, False), (excluded_queries, True)):
        yield from (
            (location, follow_query, is_excluded)
            for location, follow_query in located_queries
            if "author:" in follow_query.query
        )
