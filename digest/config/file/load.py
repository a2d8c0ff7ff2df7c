"""Finding the file and reading it: TOML and environment in, frozen settings or one whole error out."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from digest.config.context import Surroundings
from digest.config.file.locations import Locator, Problem, config_error
from digest.config.file.problems import meant_table, problems_of
from digest.config.file.syntax import explain_syntax, place_of
from digest.config.file.variables import as_written, filled
from digest.config.follow_values import Wish
from digest.config.settings import (
    Destination,
    DigestSettings,
    DkimSettings,
    EnricherSettings,
    FollowSettings,
    OperatorSettings,
    RelaySettings,
    Settings,
    SiteSettings,
    SmtpSettings,
    SourceSettings,
)
from digest.config.tables import PORTS, DigestTable, File, RelayTable, SmtpTable, SourceTable
from digest.config.values import languages
from digest.core.language.ambiguous_names import keeping_nothing_out, told
from digest.core.language.parser import parse
from digest.errors import ConfigError
from digest.model import Abstracts, EventKind

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath

# --- finding it -----------------------------------------------------------------------------------


def find_config(given: Path | None, environ: Mapping[str, str]) -> Path:
    """The file to read: the given one, else ``$DIGEST_CONFIG``, ``./digest.toml``, the user's config folder.

    Raises:
        ConfigError: there is none; the message says where it was looked for.
    """
    if given is not None:
        return _there(given, "")
    if environ.get("DIGEST_CONFIG"):
        return _there(Path(environ["DIGEST_CONFIG"]), ", which $DIGEST_CONFIG names")
    from platformdirs import user_config_path

    places = (Path("digest.toml"), user_config_path("digest", appauthor=False) / "digest.toml")
    for place in places:
        if place.is_file():
            return place
    looked = " and ".join(str(place.absolute()) for place in places)
    raise ConfigError(
        f"there is no configuration at {looked}; write one with `digest init`, or name one with --config"
    )


def _there(path: Path, named: str) -> Path:
    if not path.exists():
        raise ConfigError(f"there is no file {path}{named}; write one with `digest init`")
    return path


# --- reading it -----------------------------------------------------------------------------------


def read_settings(path: Path, environ: Mapping[str, str]) -> Settings:
    """Read a configuration file.

    Args:
        path: the file; messages name it as it is given.
        environ: what ``${NAME}`` stands for, and the variables of ``ENVIRONMENT``.

    Raises:
        ConfigError: one line for each mistake, ``digest.toml:16:24: digest[0].schedule: …``.
    """
    text = _text(path)
    written = _parse(path, text)
    locator = Locator(str(path), text)
    document, problems = filled(written, environ)
    around = Surroundings(
        folder=path.absolute().parent,
        has_mail=bool({"smtp", "sendmail"} & {meant_table(key) for key in document}),
        names=_digest_names(document),
    )
    try:
        file = File.model_validate(document, context=around)
    except ValidationError as error:
        # What an unset variable makes of its key and its table follows from it.
        told = {problem.path[:length] for problem in problems for length in range(1, len(problem.path) + 1)}
        found = [one for one in problems_of(error, document) if one.path not in told or one.on_key]
        problems += [as_written(one, written, environ) for one in found]
        raise config_error(problems, locator) from None
    problems += _unknown_languages(file)
    if problems:
        raise config_error(problems, locator)
    libraries = tuple(about for about, _ in around.libraries.values())
    settings = _settings(path.absolute(), file, locator)
    warnings = (
        *_warnings(path, written),
        *_open_keys(settings.dkim),
        *_half_names(file, locator),
    )
    return replace(settings, libraries=libraries, warnings=warnings)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise ConfigError(f"{path}: this is UTF-16, as some editors write it; save the file as UTF-8")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: this is not UTF-8; save the file in that encoding") from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{path}: brackets are nested too deep") from None
    except ValueError as error:
        told = re.fullmatch(
            r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL
        )
        if not told:
            raise ConfigError(f"{path}: this is not TOML: {error}") from None
        line, column = int(told[2] or text.count("\n") + 1), int(told[3] or len(text) - text.rfind("\n"))
        at = sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1
        if (begin := place_of(text, at, told[1])) != at:
            line, column = text.count("\n", 0, begin) + 1, begin - text.rfind("\n", 0, begin)
        raise ConfigError(f"{path}:{line}:{column}: {explain_syntax(text, begin, told[1])}") from None


# --- what is made of it ---------------------------------------------------------------------------


def _digest_names(document: Mapping[str, Any]) -> Counter[str]:
    tables = document.get("digest")
    names = [one.get("name") for one in tables if isinstance(one, dict)] if isinstance(tables, list) else []
    return Counter(name.lower() for name in names if isinstance(name, str))


def _settings(path: Path, file: File, locator: Locator) -> Settings:
    folder = path.parent
    language = file.site.language or "en"
    output = folder / Path(file.output.folder).expanduser()
    templates = file.output.templates
    return Settings(
        path=path,
        site=SiteSettings(
            title=file.site.title,
            url=file.site.url,
            contact=file.site.contact,
            listen=file.site.listen,
            language=language,
            public_feeds=file.site.public_feeds,
        ),
        store=_absolute_store(file.store.url, folder),
        keep=file.store.keep,
        output=output,
        templates=None if templates is None else Path(templates),
        sources=tuple(_source(number, table, locator) for number, table in enumerate(file.source)),
        enrichers=tuple(
            EnricherSettings(
                use=table.use, options=table.model_extra or {}, where=_place(locator, "enricher", number)
            )
            for number, table in enumerate(file.enricher)
        ),
        smtp=_smtp(file.smtp) if file.smtp else None,
        sendmail=file.sendmail.settings() if file.sendmail else None,
        operator=_operator(file.operator.settings(), output),
        delivery=file.delivery.settings(),
        bounces=file.bounces.settings(
            lambda key: locator.where(Problem(path=("bounces", *_key_path(key)), told=""))
        ),
        dkim=file.dkim.settings(_sender_domain(file)) if file.dkim else None,
        digests=tuple(
            _digest(table, output, language, _place(locator, "digest", number))
            for number, table in enumerate(file.digest)
        ),
        public_feeds=tuple(table.settings() for table in file.public_feed),
    )


def _unknown_languages(file: File) -> Iterator[Problem]:
    """Languages that no catalogue has."""
    templates = file.output.templates
    known = languages(None if templates is None else Path(templates))
    named: list[tuple[KeyPath, str]] = [(("site", "language"), file.site.language)]
    named += [(("digest", place, "language"), table.language) for place, table in enumerate(file.digest)]
    for path, language in named:
        if language and language not in known:
            near = [one for one in known if one[:2].lower() == language[:2].lower()]
            meant = f"did you mean {near[0]!r}? " if near else ""
            yield Problem(
                path=path,
                told=(
                    f"there is no language {language!r} yet; {meant}write one of {', '.join(known)}, "
                    "or add it: docs/howto/translate.md says how"
                ),
            )


def _absolute_store(url: str, folder: Path) -> str:
    """A file's URL as seen from a folder: three slashes and a relative path become absolute."""
    scheme, separator, rest = url.partition(":///")
    if not scheme.startswith("sqlite"):
        return url
    file, mark, query = rest.partition("?")
    return f"{scheme}{separator}{folder / Path(file).expanduser()}{mark}{query}"


def _source(number: int, table: SourceTable, locator: Locator) -> SourceSettings:
    where = _place(locator, "source", number)
    return SourceSettings(use=table.use, options=table.model_extra or {}, where=where)


def _place(locator: Locator, name: str, number: int) -> Callable[[str], str]:
    """Says where a key of one of several tables stands."""
    return lambda key: locator.where(Problem(path=(name, number, *_key_path(key)), told=""))


def _key_path(key: str) -> KeyPath:
    parts = re.findall(r"[^\[\].]+", key)
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def _smtp(table: SmtpTable) -> SmtpSettings:
    return SmtpSettings(
        from_name=table.sender.name,
        from_address=table.sender.address,
        relays=tuple(_relay(one) for one in (table, *table.relay)),
    )


def _sender_domain(file: File) -> str:
    """The domain of the From header."""
    mail = file.smtp or file.sendmail
    return mail.sender.address.rpartition("@")[2].lower() if mail else ""


def _relay(table: RelayTable) -> RelaySettings:
    return RelaySettings(
        host=table.host,
        port=table.port or PORTS[table.security],
        security=table.security,
        username=table.username,
        password=table.password.get_secret_value(),
        ca_file=table.ca_file or "",
        timeout=table.timeout,
        connections=table.connections,
        weight=table.weight,
    )


def _destination(written: Destination, output: Path) -> Destination:
    if written.channel not in {"maildir", "files"}:
        return written
    return replace(written, address=str(output / Path(written.address).expanduser()))


def _operator(written: OperatorSettings, output: Path) -> OperatorSettings:
    return replace(written, notify=tuple(_destination(one, output) for one in written.notify))


def _digest(table: DigestTable, output: Path, language: str, where: Callable[[str], str]) -> DigestSettings:
    return DigestSettings(
        name=table.name,
        title=table.title or table.name,
        destinations=tuple(dict.fromkeys(_destination(one.destination, output) for one in table.to)),
        schedule=table.schedule,
        timezone=table.timezone,
        limit=table.limit,
        kinds=tuple(EventKind(kind) for kind in dict.fromkeys(table.kinds)),
        follows=tuple(_follows(table)),
        when_empty=table.when_empty,
        minimum=table.minimum,
        catch_up=table.catch_up,
        feed=table.feed,
        feed_entries=table.feed_entries,
        language=table.language or language,
        abstracts=Abstracts(table.abstracts),
        wait_for=tuple(dict.fromkeys(table.wait_for)),
        alerts_a_day=table.alerts_a_day,
        repeat_alerts=table.repeat_alerts,
        where=where,
    )


def _follows(table: DigestTable) -> Iterator[FollowSettings]:
    """What a digest follows, each query once, and what keeps papers out."""
    followed: set[str] = set()
    for _, entry in table.follows():
        for wish in entry.wishes:
            if wish.query in followed:  # several libraries can have one paper
                continue
            followed.add(wish.query)
            yield FollowSettings(text=wish.text, query=wish.query, weight=entry.weight, alert=entry.alert)
            for kept_out in entry.exclude:
                yield _kept_out(kept_out.wish, only=wish.query)
    for kept_out in table.exclude:
        yield _kept_out(kept_out.wish)


def _kept_out(wish: Wish, *, only: str = "") -> FollowSettings:
    return FollowSettings(text=wish.text, query=wish.query, exclude=True, only=only)


def _warnings(path: Path, written: Mapping[str, Any]) -> Iterator[str]:
    """Secrets that everybody on the machine may read."""
    smtp = written.get("smtp", {})
    logins = (smtp, *smtp.get("relay", ()), written.get("bounces", {}))
    signing = written.get("dkim", {})
    passwords = [one.get("password", "") for one in logins]
    passwords += [one.get("key", "") for one in (signing, signing.get("second", {}))]
    secrets = [*passwords, *_secret_ways(written)]
    readable = os.name == "posix" and path.stat().st_mode & stat.S_IROTH
    if readable and any(secret and "${" not in secret for secret in secrets):
        yield (
            f"{path} holds a secret and others on this machine may read it; "
            f"run `chmod 600 {path}`, or put it into the environment instead"
        )


def _open_keys(signing: DkimSettings | None) -> Iterator[str]:
    """Keys that everybody on the machine may read, and so sign with."""
    for file in signing.files if signing else ():
        if os.name == "posix" and file.stat().st_mode & stat.S_IROTH:
            yield f"others on this machine may read the key {file}; run `chmod 600 {file}`"


def _secret_ways(written: Mapping[str, Any]) -> Iterator[str]:
    """The addresses of chats, which are keys to them, and what webhooks are signed with."""
    for table, key in (
        (written.get("operator", {}), "notify"),
        *((one, "to") for one in written.get("digest", ())),
    ):
        for way in table.get(key, ()):
            if isinstance(way, dict):
                yield way.get("secret", "")
            elif "://" in way:
                yield way


def _half_names(file: File, locator: Locator) -> Iterator[str]:
    """Names that are to keep papers out, and say too little for that."""
    for number, table in enumerate(file.digest):
        for place, wish, is_excluded in _with_persons(table):
            path = ("digest", number, *_key_path(place))
            for name in keeping_nothing_out(parse(wish.query), excluded=is_excluded):
                yield f"{locator.where(Problem(path=path, told=''))}: {told(name)}"


def _with_persons(table: DigestTable) -> Iterator[tuple[str, Wish, bool]]:
    """What may keep persons out: its place, what it is, and whether that is what it is for."""
    excluded = [(f"exclude[{number}]", one.wish) for number, one in enumerate(table.exclude)]
    for place, entry in table.follows():
        excluded += [(f"{place}.exclude[{number}]", one.wish) for number, one in enumerate(entry.exclude)]
    followed = [(f"queries[{number}]", one.wish) for number, one in enumerate(table.queries)]
    for wishes, is_excluded in ((followed, False), (excluded, True)):
        yield from ((place, wish, is_excluded) for place, wish in wishes if "author:" in wish.query)
