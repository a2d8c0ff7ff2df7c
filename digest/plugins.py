"""Find plug-ins by name and make instances of them.

A plug-in is one file, ``digest/sources/NAME.py`` with the class ``Source``, ``digest/enrichers/NAME.py`` with
the class ``Enricher``, ``digest/channels/NAME.py`` with ``Channel``, ``digest/bounces/NAME.py`` with
``Provider`` or ``digest/mailboxes/NAME.py`` with ``Mailbox``. Others are named ``package.module:Class``, or register themselves in the entry point group
``digest.sources``, and so on.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from digest import ports
from digest.errors import ConfigError, OptionError

Plugin = TypeVar("Plugin")

PORTS: Mapping[str, type] = {
    "sources": ports.Source,
    "enrichers": ports.Enricher,
    "channels": ports.Channel,
    "bounces": ports.Provider,
    "mailboxes": ports.Mailbox,
}
"""The port of each kind of plug-in; the class of a plug-in has the name of its port."""

_SCALARS = {str: "a string in quotes", bool: "true or false", int: "a whole number", float: "a number"}


# --- finding --------------------------------------------------------------------------------------


def list_names(kind: str) -> tuple[str, ...]:
    """List all names of a kind such as ``sources``: ours and those of entry points."""
    return tuple(sorted({*_list_own_names(kind), *(point.name for point in _list_entry_points(kind))}))


def load(kind: str, name: str) -> type[Any]:
    """Load the class of a plug-in.

    Args:
        kind: a key of ``PORTS``.
        name: the name of our file, ``package.module:Class``, or the name of an entry point.

    Raises:
        OptionError: for the key ``use``: the plug-in does not exist, cannot be imported, or lacks a member.
    """
    if name in _list_own_names(kind):
        return _import_class(kind, f"digest.{kind}.{name}", PORTS[kind].__name__)
    module, colon, attribute = name.partition(":")
    if colon:
        return _import_class(kind, module, attribute)
    # Last, because reading the installed packages takes several times as long as starting Python.
    for point in _list_entry_points(kind):
        if point.name == name:
            return _import_class(kind, point.module, point.attr)
    raise OptionError(f"there is no {name!r} among the {kind}{suggest_names(name, list_names(kind))}", "use")


@cache
def load_channel(name: str) -> type[ports.Channel]:
    """Load the class of a channel by the name that destinations use.

    Raises:
        OptionError: as ``load`` does.
    """
    plugin: type[ports.Channel] = load("channels", name)
    return plugin


@cache
def load_mailbox(address: str) -> type[ports.Mailbox]:
    """Load the class of a mailbox by its address.

    Raises:
        OptionError: as ``load`` does.
    """
    plugin: type[ports.Mailbox] = load("mailboxes", _get_mailbox_name(address))
    return plugin


def has_mailbox(address: str) -> bool:
    """Whether there is a plug-in for the scheme of the address of a mailbox."""
    return _get_mailbox_name(address) in list_names("mailboxes")


def _get_mailbox_name(address: str) -> str:
    """Return the scheme of an address, without the s of encrypted ones: ``imap`` for ``imaps://imap.example.org``."""
    scheme, colon, _ = address.partition(":")
    return scheme.removesuffix("s") if colon else ""


def _list_own_names(kind: str) -> tuple[str, ...]:
    package = importlib.import_module(f"digest.{kind}")
    return tuple(module.name for module in pkgutil.iter_modules(package.__path__) if module.name[0] != "_")


def _list_entry_points(kind: str) -> Iterable[EntryPoint]:
    return entry_points(group=f"digest.{kind}")


def _import_class(kind: str, module: str, attribute: str) -> type[Any]:
    try:
        plugin_class = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(
            f"{module}:{attribute} cannot be imported: {error}{_suggest_new_class(error)}", "use"
        ) from error
    port = PORTS[kind]
    if not isinstance(plugin_class, type) or port not in plugin_class.__mro__:
        raise OptionError(f"{module}:{attribute} does not inherit digest.ports.{port.__name__}", "use")
    if missing_members := _describe_missing_members(kind, plugin_class):
        raise OptionError(f"{module}:{attribute} does not define {missing_members}", "use")
    return plugin_class


def _describe_missing_members(kind: str, plugin: type[Any]) -> str:
    old_names = {new_name: old_name for old_name, new_name in find_old_members(kind, plugin)}
    missing_constants = {name for name in _list_constants(PORTS[kind]) if not hasattr(plugin, name)}
    return "; ".join(
        f"`{name}`" + (f", the new name of `{old_names[name]}`" if name in old_names else "")
        for name in sorted({*getattr(plugin, "__abstractmethods__", ()), *missing_constants})
    )


def _list_constants(port: type) -> Iterator[str]:
    """List the constants that each plug-in of a kind must define; they are not abstract methods."""
    for name, hint in get_type_hints(port).items():
        if get_origin(hint) is ClassVar:
            yield name


def suggest_names(name: str, existing_names: Iterable[str]) -> str:
    """Return a suggestion for an unknown name, as the end of a sentence."""
    existing_names = tuple(existing_names)
    close_names = difflib.get_close_matches(name, existing_names, n=1)
    return (
        f"; did you mean `{close_names[0]}`?"
        if close_names
        else f"; there are: {', '.join(existing_names) or 'none'}"
    )


# --- names of the previous release ---------------------------------------------------------------

_NEW_MEMBERS: Mapping[str, Mapping[str, str]] = {
    "sources": {"ways": "fetch_routes", "renewed": "renew_paper", "page_of": "find_paper_page"},
    "enrichers": {
        "most": "get_batch_size",
        "knows": "is_supported",
        "ask": "make_request",
        "tells_references": "has_references",
        "daily_for": "daily_period",
    },
    "channels": {},
    "bounces": {"reports": "read_reports"},
    "mailboxes": {},
}
"""New names of members of a port by their names in the previous release, by kind. Remove it in the next release."""

_NEW_CLASSES: Mapping[str, str] = {
    "ALERT": "ALERT_PREFIX",
    "Announced": "AnnouncedDay",
    "Band": "Confidence",
    "Blame": "Fault",
    "Clues": "MatchKeys",
    "Finding": "BounceClass",
    "Findings": "EnricherPage",
    "Fit": "MatchResult",
    "Form": "MessageForm",
    "Line": "Connection",
    "Missed": "MissedEdition",
    "Part": "EditionPart",
    "PassingError": "TransientReportError",
    "Posted": "PostedRequest",
    "Signed": "PersonPapers",
    "Verdict": "DayVerdict",
}
"""The same for names of ``digest.ports``, ``digest.model`` and ``digest.errors``."""

_MISSING_CLASS = re.compile(
    r"cannot import name '(?P<imported>\w+)' from 'digest\.(?:ports|model|errors)'"
    r"|module 'digest\.(?:ports|model|errors)' has no attribute '(?P<accessed>\w+)'"
)


def find_old_members(kind: str, plugin: type[Any]) -> tuple[tuple[str, str], ...]:
    """Find members that a plug-in defines only under their previous names, so that they are never called.

    Args:
        kind: a key of ``PORTS``.
        plugin: the class of the plug-in.

    Returns:
        Pairs of the old name and the new name.
    """
    return tuple(names for names in _NEW_MEMBERS[kind].items() if _is_old_name_used(plugin, *names))


def _is_old_name_used(plugin: type[Any], old_name: str, new_name: str) -> bool:
    for base in plugin.__mro__:
        # A field without a default is only an annotation.
        members = vars(base).keys() | vars(base).get("__annotations__", {}).keys()
        if new_name in members or old_name in members:
            return new_name not in members
    return False


def _suggest_new_class(error: Exception) -> str:
    """Return the new name of a missing class, as the end of a sentence."""
    match = _MISSING_CLASS.search(str(error))
    new_name = _NEW_CLASSES.get(match["imported"] or match["accessed"]) if match else None
    return f"; it is now called `{new_name}`" if new_name else ""


# --- making ---------------------------------------------------------------------------------------


def build(plugin: type[Plugin], options: Mapping[str, object]) -> Plugin:
    """Make a plug-in from its options, which are the fields of its dataclass.

    Args:
        plugin: the class.
        options: values from TOML; a list becomes a tuple if the field is one.

    Raises:
        OptionError: an option is unknown, missing, of the wrong type, or refused by the plug-in.
    """
    fields = {field.name: field for field in dataclasses.fields(plugin) if field.init}  # type: ignore[arg-type]
    for key in options:
        if key not in fields:
            raise OptionError(f"there is no such option{suggest_names(key, fields)}", key)
    hints = get_type_hints(plugin)
    arguments = {key: _convert_value(value, hints[key], key) for key, value in options.items()}
    for key, field in fields.items():
        if key not in options and field.default is field.default_factory is dataclasses.MISSING:
            raise OptionError(f"`{key}` is missing; write {_describe_type(hints[key])}", key)
    try:
        return plugin(**arguments)
    except OptionError:
        raise
    except ConfigError as error:
        raise OptionError(str(error), "") from error


def find_option_errors(plugin: type[Plugin], options: Mapping[str, object]) -> Iterator[OptionError]:
    """Find all mistakes in options; ``build`` reports only the first.

    A plug-in reports one mistake at a time, so wrong options are removed until the rest is valid or nothing is left.
    A required option is replaced by a stand-in, so that the other checks still run; errors caused by the stand-in are not
    reported.
    """
    remaining = {
        key: _ListOption(value) if isinstance(value, list) else value for key, value in options.items()
    }
    hints = get_type_hints(plugin)
    removed_keys: set[str] = set()
    replaced_keys: set[str] = set()
    while (error := _find_first_error(plugin, remaining)) is not None:
        key, bracket, index_text = error.key.partition("[")
        value = remaining.get(key)
        if bracket and isinstance(value, _ListOption):
            yield OptionError(str(error), f"{key}[{value.remove_entry(int(index_text.partition(']')[0]))}]")
            continue
        if key not in removed_keys and not (isinstance(value, _ListOption) and value.has_removed):
            yield error
        removed_keys |= {key, *difflib.get_close_matches(key, hints, n=1)}
        if key in replaced_keys or (key not in remaining and key not in hints):
            return
        if key in remaining:
            del remaining[key]
        else:
            remaining[key] = _make_stand_in(hints[key])
            replaced_keys.add(key)


class _ListOption:
    """A list option from which entries are removed; the others keep their original index.

    Attributes:
        entries: the remaining entries.
    """

    def __init__(self, entries: list[object]) -> None:
        self.entries = list(entries)
        self._original_indices = list(range(len(entries)))
        self._original_count = len(entries)

    @property
    def has_removed(self) -> bool:
        """Whether entries were removed."""
        return len(self.entries) < self._original_count

    def remove_entry(self, index: int) -> int:
        """Remove the entry at an index; return its original index."""
        del self.entries[index]
        return self._original_indices.pop(index)


def _find_first_error(plugin: type[Plugin], options: Mapping[str, object]) -> OptionError | None:
    try:
        build(
            plugin,
            {
                key: value.entries if isinstance(value, _ListOption) else value
                for key, value in options.items()
            },
        )
    except OptionError as error:
        return error
    except Exception:  # noqa: BLE001 - a plug-in need not handle incomplete options
        return None
    return None


def _make_stand_in(hint: Any) -> object:
    """Make a value of the type of a field: an empty list, but a text that is not empty."""
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin is Literal:
        return arguments[0]
    if origin is str:
        return "x"
    return [] if origin is tuple else origin() if origin in _SCALARS else None


def _convert_value(value: object, hint: Any, key: str) -> object:
    """Convert a value from TOML to the type of a field."""
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin in {Union, UnionType} and len(arguments) == 2 and NoneType in arguments:
        return _convert_value(
            value, next(argument for argument in arguments if argument is not NoneType), key
        )
    if origin is tuple and isinstance(value, list):
        return tuple(
            _convert_value(argument, arguments[0], f"{key}[{index}]") for index, argument in enumerate(value)
        )
    if not _is_of_type(value, origin, arguments):
        raise OptionError(f"write {_describe_type(hint)}", key)
    return value


def _is_of_type(value: object, origin: Any, arguments: tuple[object, ...]) -> bool:
    if origin is Literal:
        return value in arguments
    if isinstance(value, bool):
        return origin is bool
    return isinstance(value, int | float if origin is float else origin)


def _describe_type(hint: Any) -> str:
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin is Literal:
        return "one of: " + ", ".join(map(repr, arguments))
    if origin is tuple:
        return f"a list, each entry {_describe_type(arguments[0])}"
    if NoneType in arguments:
        return _describe_type(next(argument for argument in arguments if argument is not NoneType))
    return _SCALARS.get(origin, f"a {getattr(origin, '__name__', origin)}")
