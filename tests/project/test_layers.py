"""The walls stand: who may import whom, who may name a database, what may be slow, how long a page may be."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.support.cases import for_each_case

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "digest").rglob("*.py"))

LONGEST_FUNCTION = 40
LONGEST_MODULE = 400
MAX_MODULES = 12
"""Modules in a folder that a reader can take in at once; migrations are a numbered list."""
SLOW = {"alembic", "apscheduler", "feedparser", "httpx", "jinja2", "pydantic", "sqlalchemy", "tomlkit"}
WEB = {"fastapi", "httptools", "starlette", "uvicorn", "uvloop"}
"""What only ``digest serve`` imports, and only where it answers on the web."""
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


def name_of(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


# --- imports --------------------------------------------------------------------------------------


def test_imports_keep_the_contracts_of_the_project_file() -> None:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"

    run = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stdout + run.stderr


@for_each_case("arguments", [["--help"], ["--version"], ["run", "--help"], ["serve", "--help"]])
def test_help_costs_no_slow_import(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from digest.cli import main\n"
        f"sys.argv = ['digest', *{arguments!r}]\n"
        "try:\n    main()\n"
        "finally:\n    print('modules:', *sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    imported = set(run.stdout.rpartition("modules:")[2].split())
    assert imported & (SLOW | WEB) == set()
    assert "digest" in imported


def test_only_what_serves_imports_the_web() -> None:
    modules = [
        "digest.app",
        "digest.ticker",
        *(
            name_of(path).removesuffix(".py").replace("/", ".")
            for path in (ROOT / "digest/cli").rglob("*.py")
        ),
    ]
    script = (
        f"import importlib, sys\nfor name in {modules!r}: importlib.import_module(name)\nprint(*sys.modules)"
    )

    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert {name.partition(".")[0] for name in run.stdout.split()} & WEB == set()


# --- databases ------------------------------------------------------------------------------------

DATABASES = re.compile(r"sqlite|postgres|psycopg", re.IGNORECASE)


def databases_named(tree: ast.AST) -> Iterator[str]:
    """Where code, not prose, tells one database from another: names, imports, and strings to compare with."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=word)
                | ast.Attribute(attr=word)
                | ast.keyword(arg=str(word))
                | ast.alias(name=word)
            ):
                match = DATABASES.search(word)
            case ast.ImportFrom(module=str(word)):
                match = DATABASES.search(word)
            case ast.Constant(value=str(word)):
                match = DATABASES.match(word) if word.isidentifier() else None
            case _:
                continue
        if match:
            yield f"line {getattr(node, 'lineno', '?')}: {word}"


def test_only_the_modules_for_that_name_a_database() -> None:
    free = {
        ROOT / "digest/store/database/dialect.py",
        ROOT / "digest/store/database/sizes.py",
        ROOT / "digest/store/database/bulk.py",  # COPY
        ROOT / "digest/store/backups/backup_files.py",  # the two kinds of backups
        *(ROOT / "digest/store/database/sqlite").glob("*.py"),
        *(ROOT / "digest/store/database/postgres").glob("*.py"),
        ROOT / "digest/store/matching/posting_lists.py",  # the two kinds of posting lists
        *(ROOT / "digest/store/database/migrations/versions").glob("*.py"),  # finished, and never edited
        ROOT / "digest/worker/job_queue.py",  # Procrastinate knows no other
        *(ROOT / "digest/config").rglob("*.py"),  # judges the address that somebody wrote
    }

    named = {
        name_of(module): lines
        for module in MODULES
        if module not in free and (lines := list(databases_named(ast.parse(module.read_text("utf-8")))))
    }

    assert named == {}


def test_naming_a_database_would_be_noticed() -> None:
    code = 'import sqlite3\n"SQLite is prose"\nif engine.dialect.name == "postgresql":\n    pass\nindex(sqlite_where=1)\n'

    assert list(databases_named(ast.parse(code))) == [
        "line 1: sqlite3",
        "line 3: postgresql",
        "line 5: sqlite_where",
    ]


# --- length ---------------------------------------------------------------------------------------


def code_lines(source: str, tree: ast.AST) -> set[int]:
    """The lines that carry code: no blank ones, comments or docstrings."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def too_long(source: str) -> Iterator[str]:
    """What is longer than one screen, or more than one subject."""
    tree = ast.parse(source)
    functions = [
        (node.name, span)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len(span := range(node.lineno, (node.end_lineno or node.lineno) + 1)) > LONGEST_FUNCTION
    ]
    if not functions and len(source.splitlines()) <= LONGEST_MODULE:
        return  # it takes long to tell which lines are code, and there are no more of these than lines
    lines = code_lines(source, tree)
    if len(lines) > LONGEST_MODULE:
        yield f"{len(lines)} lines of code in all"
    for name, span in functions:
        if (length := len(lines & set(span))) > LONGEST_FUNCTION:
            yield f"{name}: {length} lines of code"


def test_a_function_fits_a_screen_and_a_module_has_one_subject() -> None:
    tables = {
        ROOT / "digest/store/database/migrations/versions/0001_first_tables.py"
    }  # all tables at one time

    long = {
        name_of(module): lengths
        for module in MODULES
        if module not in tables and (lengths := list(too_long(module.read_text("utf-8"))))
    }

    assert long == {}


def test_a_page_too_long_would_be_noticed() -> None:
    body = '    """Prose\n    over lines."""\n' + "\n    # why\n    x = 1\n" * LONGEST_FUNCTION

    assert list(too_long(f"def f():\n{body}")) == [f"f: {LONGEST_FUNCTION + 1} lines of code"]
    assert list(too_long("x = 1\n" * (LONGEST_MODULE + 1))) == [f"{LONGEST_MODULE + 1} lines of code in all"]


# --- docstrings -----------------------------------------------------------------------------------


def unknown_arguments(source: str) -> Iterator[str]:
    """Names below ``Args:`` that neither the function nor the ``__init__`` or the fields of the class have."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        _, _, described = (ast.get_docstring(node) or "").partition("\nArgs:\n")
        names = re.findall(r"^    \*{0,2}(\w+): ", described.partition("\n\n")[0], re.MULTILINE)
        functions = [
            node,
            *(entry for entry in getattr(node, "body", ()) if getattr(entry, "name", "") == "__init__"),
        ]
        known_values = {
            argument.arg
            for function in functions
            for argument in ast.walk(function)
            if isinstance(argument, ast.arg)
        }
        known_values |= {
            field.target.id
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        yield from (f"{node.name}: {name}" for name in names if name not in known_values)


def test_what_a_docstring_describes_is_taken() -> None:
    unknown = {
        name_of(module): names
        for module in MODULES
        if (names := list(unknown_arguments(module.read_text("utf-8"))))
    }

    assert unknown == {}


def test_a_docstring_of_what_is_not_taken_would_be_noticed() -> None:
    text = 'class A:\n    """It.\n\n    Args:\n        old: x.\n    """\n    def __init__(self, new):\n        pass\n'

    assert list(unknown_arguments(text)) == ["A: old"]
    assert list(unknown_arguments(text.replace("old:", "new:"))) == []


CONTENT_TABLES = frozenset(
    (
        *("papers", "statements", "claims", "authorships", "author_ids", "person_ids", "same_person"),
        *("signals", "events", "listings", "sections", "paper_imports", "indexed_papers"),
    )
)
"""Tables that pages of papers and persons show."""
WRITES = frozenset(
    (
        *("insert", "update", "delete", "add_missing", "insert_or_update", "insert_bulk"),
        *("insert_missing_bulk", "insert_or_update_bulk", "insert_ignoring"),
    )
)


def test_a_module_that_changes_what_pages_show_says_so_to_the_cache() -> None:
    silent = []
    for file in sorted((ROOT / "digest" / "store").rglob("*.py")):
        if "migrations" in file.parts:
            continue
        calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
        named = [(call.func.id, call) for call in calls if isinstance(call.func, ast.Name)]
        writes = any(
            name in WRITES and any(isinstance(a, ast.Name) and a.id in CONTENT_TABLES for a in call.args)
            for name, call in named
        )
        if writes and "note_content_change" not in {name for name, _ in named}:
            silent.append(file.relative_to(ROOT / "digest" / "store").as_posix())
    # Authors are stored with their paper, whose change is noted there.
    assert silent == ["papers/authorships.py"]


def test_no_folder_has_more_than_twelve_modules() -> None:
    counts = Counter(
        module.parent.relative_to(ROOT).as_posix()
        for module in MODULES
        if module.name not in {"__init__.py", "__main__.py"}
    )
    del counts["digest/store/database/migrations/versions"]

    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}
