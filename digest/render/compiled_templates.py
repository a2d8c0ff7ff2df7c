"""Our templates as Jinja2 compiles them, kept where Python keeps what it compiles of this package.

Compiling takes a tenth of one reader's run. Who can write there can change our modules, too, so what is there is to be
trusted as they are. Where we cannot write, templates are compiled at each start.
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
    """Keeps compiled templates; made of another text, or by something else, they are compiled anew.

    Args:
        module_path: the file of the module that says how they are compiled.
    """

    def __init__(self, module_path: Path) -> None:
        self._module_path = module_path
        self._compiler_version = f"{version('jinja2')} {module_path} {module_path.stat().st_mtime_ns}"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja2's signature
        """Where a template is kept."""
        return cache_from_source(str(self._module_path.with_name(f"{name.replace('/', '.')}.py")))

    def get_source_checksum(self, source: str) -> str:
        """What it is compiled of, and by what; Jinja2 adds its format and Python's release."""
        return super().get_source_checksum(f"{self._compiler_version}\n{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is kept, if it is of this text, and whole."""
        with suppress(OSError, EOFError, UnpicklingError), Path(bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled: all of it or nothing."""
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
                except OSError:  # the disk is full, say: nobody would ever look for it again
                    temporary.unlink()
                    raise
