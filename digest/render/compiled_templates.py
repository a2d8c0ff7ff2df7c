"""A cache of our compiled Jinja2 templates, in the folder in which Python caches the bytecode of this package.

Compiling takes a tenth of the time of a run for one reader. Whoever can write there can also change our
modules, so the cache is as trustworthy as they are. If we cannot write there, templates are compiled at each
start.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path
from pickle import UnpicklingError
from tempfile import NamedTemporaryFile

import jinja2
from jinja2.bccache import Bucket


class CompiledTemplates(jinja2.BytecodeCache):
    """A cache of compiled templates; if the template or the compiler changes, they are compiled again.

    Args:
        module_path: the file of the module that configures how templates are compiled.
    """

    def __init__(self, module_path: Path) -> None:
        self._module_path = module_path
        self._compiler_version = f"{version('jinja2')} {module_path} {module_path.stat().st_mtime_ns}"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja2's signature
        """Return the path of a template's cache file."""
        return cache_from_source(str(self._module_path.with_name(f"{name.replace('/', '.')}.py")))

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of the source and the compiler; Jinja2 adds its cache format and Python's version."""
        return super().get_source_checksum(f"{self._compiler_version}\n{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the cached template if it is complete and has the right checksum."""
        with suppress(OSError, EOFError, UnpicklingError), Path(bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template to the cache atomically."""
        path = Path(bucket.key)
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=path.parent, delete=False) as file:
                temporary = Path(file.name)
                try:
                    bucket.write_bytecode(file)
                    file.close()
                    temporary.replace(path)
                except OSError:  # such as a full disk: nothing else would ever remove the file
                    temporary.unlink()
                    raise
