"""A workspace for tests: a folder with a configuration, and the command line run in it as anybody would."""

from __future__ import annotations

import json
import tempfile
import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from digest.cli import cli
from digest.store.database.engine import open_store
from tests.support.compiled_statements import share_compiled_statements
from tests.support.feed_worker import share_parse_process

share_compiled_statements()  # each command opens the store anew


@cache
def make_empty_database() -> bytes:
    """A SQLite file with our tables and nothing in them: to make one for each test would take most of its time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_store(f"sqlite:///{path}", datetime(2026, 1, 1, tzinfo=UTC)).close()
        return path.read_bytes()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command answered."""

    status: int
    output: str
    plain_output: str
    errors: str

    @property
    def json(self) -> Any:
        """Its one document, which is all of its standard output."""
        return json.loads(self.plain_output)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder to work in.

    Attributes:
        folder: with ``digest.toml`` in it.
    """

    folder: Path

    def write(self, config: str) -> None:
        """Write the configuration, and the empty database that the first command would make."""
        (self.folder / "digest.toml").write_text(textwrap.dedent(config), encoding="utf-8")
        database = self.folder / "digest.db"
        if "/digest.db" in config and not database.exists():
            database.write_bytes(make_empty_database())
            database.chmod(0o600)

    def run(
        self, *arguments: str, now: datetime | None = None, status: int = 0, stdin: str | None = None
    ) -> CommandResult:
        """Run a command, and make sure of its exit status."""
        share_parse_process()
        given = [*arguments, "--config", str(self.folder / "digest.toml")]
        if now is not None:
            given += ["--now", now.isoformat()]
        result = CliRunner().invoke(cli, given, prog_name="digest", input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, f"{given}: {result.exit_code}\n{result.output}"
        return CommandResult(result.exit_code, result.output, result.stdout, result.stderr)

    def get_output_path(self, path: str) -> Path:
        """A path below the output folder."""
        return self.folder / "out" / path

    def read_editions(self, digest: str = "systems") -> list[dict[str, Any]]:
        """The editions of a digest as their files have them, the first one first."""
        files = self.get_output_path(f"mail/{digest}").glob("*.json")
        results = [json.loads(file.read_text("utf-8")) for file in files]
        return sorted(results, key=lambda edition: str(edition["composed_at"]))


CONFIG = """
    [site]
    title = "Lab digest"

    [store]
    url = "{store}"

    [output]
    folder = "out"

    [[source]]
    use = "arxiv"
    routes = ["rss"]
    categories = [{categories}]
    url = "{url}/rss/"
    pace = 0

    [[digest]]
    name = "systems"
    to = [{to}]
    schedule = "{schedule}"
    timezone = "Europe/Berlin"
    keywords = ["LLM serving", "KV cache", "mixture of experts", "speculative decoding"]
    authors = ["Fangcheng Fu", "Yiying Zhang"]
    exclude = ["blockchain"]
    limit = 25
    feed = true
    {more}
"""


def make_config(
    url: str,
    *,
    categories: str = '"cs.DC", "cs.LG", "cs.CL"',
    to: str = '"files:mail"',
    schedule: str = "weekdays 07:30",
    store: str = "sqlite:///digest.db",
    more: str = "",
) -> str:
    """A configuration for a source at an address."""
    return textwrap.dedent(CONFIG).format(
        url=url, categories=categories, to=to, schedule=schedule, store=store, more=more
    )
