"""Make the sources, enrichers, providers and mailbox that a file declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from digest import plugins
from digest.config import (
    EnricherSettings,
    ProviderSettings,
    Settings,
    SourceSettings,
    read_service_tables,
)
from digest.config.file.secret_texts import collect_secrets
from digest.errors import ConfigError, OptionError
from digest.ports import Enricher, Mailbox, Provider, Source
from digest.redaction import register_secrets


def make_sources(settings: Settings) -> dict[str, Source]:
    """Make the sources of the file, by name.

    Raises:
        ConfigError: an option is wrong, or two sources have the same name.
    """
    return _make_plugins("sources", settings.sources)


def make_enrichers(settings: Settings) -> dict[str, Enricher]:
    """Make the enrichers of the file, by name.

    Raises:
        ConfigError: an option is wrong, or two enrichers have the same name.
    """
    return _make_plugins("enrichers", settings.enrichers)


def make_services(settings: Settings) -> tuple[dict[str, Source], dict[str, Enricher]]:
    """Make the sources and enrichers of the file; all mistakes in both are reported together.

    Raises:
        ConfigError: an option is wrong, or two services of a kind have the same name.
    """
    try:
        sources = make_sources(settings)
    except ConfigError as error:
        try:
            make_enrichers(settings)
        except ConfigError as enricher_error:
            raise ConfigError(f"{error}\n{enricher_error}") from error
        raise
    return sources, make_enrichers(settings)


def find_service_mistakes(path: Path, environ: Mapping[str, str]) -> str:
    """Find mistakes in the options of sources and enrichers of a file that is invalid for other reasons.

    Args:
        path: the file.
        environ: the values for ``${NAME}``.

    Returns:
        One line for each mistake; "" if there are none.
    """
    lines: list[str] = []
    with suppress(ConfigError):  # without valid TOML, no further mistakes can be found
        sources, enrichers = read_service_tables(path, environ)
        for kind, declarations in (("sources", sources), ("enrichers", enrichers)):
            try:
                _make_plugins(kind, declarations)
            except ConfigError as error:
                lines.append(str(error))
    return "\n".join(lines)


def _make_plugins(kind: str, declarations: Iterable[SourceSettings | EnricherSettings]) -> dict[str, Any]:
    """Make the plug-ins of a kind, by name; all mistakes are reported together."""
    plugins_by_name: dict[str, Any] = {}
    problems: list[str] = []
    for declaration in declarations:
        try:
            plugin = _make_plugin(kind, declaration)
        except ConfigError as error:
            problems.append(str(error))
            continue
        if plugin.name in plugins_by_name:
            problems.append(
                f"{declaration.locate_key('use')}: two {kind} are named {plugin.name!r}; give one of them another `name`"
            )
        plugins_by_name[plugin.name] = plugin
    if problems:
        raise ConfigError("\n".join(problems))
    return plugins_by_name


def map_former_names(sources: Mapping[str, Source]) -> dict[str, str]:
    """Map the names of sources in earlier releases to their current names, unless another source has the name now."""
    return {
        former_name: name
        for name, source in sources.items()
        for former_name in source.former_names
        if former_name not in sources
    }


def require_any_source(settings: Settings) -> None:
    """Check that a file that is to be applied has sources; that of a worker or web server needs none.

    Raises:
        ConfigError: it has none.
    """
    if not settings.sources:
        raise ConfigError(
            f'{settings.path}: source: there is no source of papers; add [[source]] with use = "arxiv"'
        )


def require_sources(settings: Settings, sources: Mapping[str, Source]) -> None:
    """Check that digests wait only for declared sources.

    Raises:
        ConfigError: a digest waits for a source that is not declared.
    """
    for digest in settings.declared_digests:
        for index, name in enumerate(digest.wait_for):
            if name not in sources:
                location = digest.locate_key(f"wait_for[{index}]")
                raise ConfigError(
                    f"{location}: there is no source {name!r}{plugins.suggest_names(name, sources)}"
                )


def _make_plugin(kind: str, declaration: SourceSettings | EnricherSettings | ProviderSettings) -> Any:
    """Make a plug-in.

    Raises:
        ConfigError: it cannot be made; one line for each mistake.
    """
    try:
        plugin = plugins.load(kind, declaration.use)
    except ConfigError as error:
        raise ConfigError(f"{declaration.locate_key('use')}: {error}") from error
    try:
        return plugins.build(plugin, declaration.options)
    except OptionError as first_error:
        errors = plugins.find_option_errors(plugin, declaration.options)
        messages = [f"{declaration.locate_key(option_error.key)}: {option_error}" for option_error in errors]
        raise ConfigError("\n".join(messages)) from first_error


def make_mailbox(settings: Settings) -> Mailbox | None:
    """Make the mailbox from which bounces are read, not yet connected; None if the file has none."""
    bounces = settings.bounces
    if not bounces.mailbox:
        return None
    plugin = plugins.load_mailbox(bounces.mailbox)
    return plugin.from_address(bounces.mailbox, settings.path.parent, bounces.login)


def make_providers(settings: Settings) -> dict[str, Provider]:
    """Make the providers that report bounces, by name.

    Raises:
        ConfigError: an option is wrong, or there is no site to which they could post.
    """
    providers: dict[str, Provider] = {}
    problems: list[str] = []
    for declaration in settings.bounces.providers:
        if not settings.site.is_served:
            problems.append(
                f"{declaration.locate_key('use')}: it reports bounces to our web site, but there is none; write `url` in [site]"
            )
        try:
            providers[declaration.use] = _make_plugin("bounces", declaration)
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(problems))
    register_secrets(collect_secrets(settings, *providers.values()))
    return providers
