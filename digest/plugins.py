"""From a name to a class to an instance: how sources, enrichers and channels are found and made.

A plug-in is one file, ``digest/sources/NAME.py`` with the class ``Source``, ``digest/enrichers/NAME.py`` with the class
``Enricher``, ``digest/channels/NAME.py`` with ``Channel`` or ``digest/bounces/NAME.py`` with ``Provider``. Others are named
``package.module:Class``, or register themselves in the entry point group ``digest.sources``, and so on.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from digest import ports
from digest.errors import ConfigError, OptionError

Plugin = TypeVar("Plugin")

PORTS: Mapping[str, type] = {
    "sources": ports.Source,
    "enrichers": ports.Enricher,
    "channels": ports.Channel,
    "bounces": ports.Provider,
}
"""What each kind of plug-in inherits; the name of the port is the name of its class."""

_SCALARS = {str: "a text in quotes", bool: "true or false", int: "a whole number", float: "a number"}


# --- finding --------------------------------------------------------------------------------------


def names(kind: str) -> tuple[str, ...]:
    """All names of a kind, ``sources`` say: our own and those that are registered."""
    return tuple(sorted({*_own(kind), *(point.name for point in _registered(kind))}))


def load(kind: str, name: str) -> type[Any]:
    """The class of a plug-in.

    Args:
        kind: a key of ``PORTS``.
        name: the name of our file, ``package.module:Class``, or the name of an entry point.

    Raises:
        OptionError: for the key ``use``: there is none, or it cannot be imported.
    """
    if name in _own(kind):
        return _attribute(kind, f"digest.{kind}.{name}", PORTS[kind].__name__)
    module, colon, attribute = name.partition(":")
    if colon:
        return _attribute(kind, module, attribute)
    # Asked last: reading what is installed takes several times as long as starting Python.
    for point in _registered(kind):
        if point.name == name:
            return _attribute(kind, point.module, point.attr)
    raise OptionError(f"there is no {name!r} among the {kind}{instead(name, names(kind))}", "use")


def _own(kind: str) -> tuple[str, ...]:
    package = importlib.import_module(f"digest.{kind}")
    return tuple(module.name for module in pkgutil.iter_modules(package.__path__) if module.name[0] != "_")


def _registered(kind: str) -> Iterable[EntryPoint]:
    return entry_points(group=f"digest.{kind}")


def _attribute(kind: str, module: str, attribute: str) -> type[Any]:
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise OptionError(f"{module}:{attribute} cannot be imported: {error}", "use") from error
    port = PORTS[kind]
    if not isinstance(found, type) or port not in found.__mro__:
        raise OptionError(f"{module}:{attribute} does not inherit digest.ports.{port.__name__}", "use")
    return found


def instead(name: str, known: Iterable[str]) -> str:
    """What to write in place of a name that there is not, to end a sentence with."""
    known = tuple(known)
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else f"; there are: {', '.join(known) or 'none'}"


# --- making ---------------------------------------------------------------------------------------


def build(plugin: type[Plugin], options: Mapping[str, object]) -> Plugin:
    """Make a plug-in from its options, which are the fields of its dataclass.

    Args:
        plugin: the class.
        options: as TOML has them; a list becomes a tuple where one is wanted.

    Raises:
        OptionError: an option is unknown, missing, of the wrong type, or refused by the plug-in.
    """
    fields = {field.name: field for field in dataclasses.fields(plugin) if field.init}  # type: ignore[arg-type]
    for key in options:
        if key not in fields:
            raise OptionError(f"there is no such option{instead(key, fields)}", key)
    hints = get_type_hints(plugin)
    given = {key: _fitted(value, hints[key], key) for key, value in options.items()}
    for key, field in fields.items():
        if key not in options and field.default is field.default_factory is dataclasses.MISSING:
            raise OptionError(f"`{key}` is missing; write {_wanted(hints[key])}", key)
    try:
        return plugin(**given)
    except OptionError:
        raise
    except ConfigError as error:
        raise OptionError(str(error), "") from error


def option_errors(plugin: type[Plugin], options: Mapping[str, object]) -> Iterator[OptionError]:
    """All that is wrong with options, where ``build`` tells the first mistake.

    A plug-in tells one mistake at a time, so each is taken out until the rest can be used or nothing is left to take out.
    What is missing only because of that is no mistake of its own.
    """
    rest = {key: _Entries(value) if isinstance(value, list) else value for key, value in options.items()}
    taken: set[str] = set()
    while (error := _first_error(plugin, rest)) is not None:
        key, bracket, number = error.key.partition("[")
        value = rest.get(key)
        if key in taken or (not bracket and isinstance(value, _Entries) and value.is_cut):
            return
        if bracket and isinstance(value, _Entries):
            yield OptionError(str(error), f"{key}[{value.take_out(int(number.partition(']')[0]))}]")
            continue
        yield error
        if key not in rest:
            return
        del rest[key]
        fields = [field.name for field in dataclasses.fields(plugin)]  # type: ignore[arg-type]
        taken |= {key, *difflib.get_close_matches(key, fields, n=1)}


class _Entries:
    """The entries of a list, some of which are taken out; each keeps its number.

    Attributes:
        left: those that are still there.
    """

    def __init__(self, entries: list[object]) -> None:
        self.left = list(entries)
        self._numbers = list(range(len(entries)))
        self._number = len(entries)

    @property
    def is_cut(self) -> bool:
        """Whether some were taken out."""
        return len(self.left) < self._number

    def take_out(self, place: int) -> int:
        """Take out the entry at a place; gives its number."""
        del self.left[place]
        return self._numbers.pop(place)


def _first_error(plugin: type[Plugin], options: Mapping[str, object]) -> OptionError | None:
    try:
        build(plugin, {key: one.left if isinstance(one, _Entries) else one for key, one in options.items()})
    except OptionError as error:
        return error
    return None


def _fitted(value: object, hint: Any, key: str) -> object:
    """A value from TOML as a field wants it."""
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin in {Union, UnionType} and len(arguments) == 2 and NoneType in arguments:
        return _fitted(value, next(one for one in arguments if one is not NoneType), key)
    if origin is tuple and isinstance(value, list):
        return tuple(_fitted(one, arguments[0], f"{key}[{number}]") for number, one in enumerate(value))
    if not _fits(value, origin, arguments):
        raise OptionError(f"write {_wanted(hint)}", key)
    return value


def _fits(value: object, origin: Any, arguments: tuple[object, ...]) -> bool:
    if origin is Literal:
        return value in arguments
    if isinstance(value, bool):
        return origin is bool
    return isinstance(value, int | float if origin is float else origin)


def _wanted(hint: Any) -> str:
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if origin is Literal:
        return "one of: " + ", ".join(map(repr, arguments))
    if origin is tuple:
        return f"a list, each of it {_wanted(arguments[0])}"
    if NoneType in arguments:
        return _wanted(next(one for one in arguments if one is not NoneType))
    return _SCALARS.get(origin, f"a {getattr(origin, '__name__', origin)}")
