"""Other ways to match standing queries with a day of papers, for ``match_day``: what they find is held to be the same.

They look for tokens and for rows of tokens, as search engines do, and know neither inflection nor names. So they are
given papers and queries in which each word, name and category is one token (``match_day.Plain``).
"""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import Any

import ahocorasick
import psycopg

from digest.core.language.query import And, Not, Or, Query
from tests.support.postgres import start_postgres

Rows = dict[int, int]
"""Of each query that fits anything, by number, a row of bits, one for each paper."""
BREAK = " qbreakq "
"""Between the fields of a paper, over which no phrase goes."""
Tokens = Callable[[Query], str]
"""What a leaf is called: the tokens of a phrase, parted by blanks, or the one of a person or category."""


Day = Sequence[tuple[str, str, str]]
"""A day's papers as tokens: title, abstract, and all persons and categories."""


# --- SQLite ---------------------------------------------------------------------------------------


def fts5(day: Day, queries: Mapping[int, Query], tokens: Tokens) -> Callable[[], Rows]:
    """SQLite's full-text index of the day, asked one query after the other."""
    written = {number: _fts5(query, tokens) for number, query in queries.items()}

    def ask() -> Rows:
        database = sqlite3.connect(":memory:")
        database.execute(
            "CREATE VIRTUAL TABLE day USING fts5(title, abstract, facts, content='', detail=full)"
        )
        database.executemany(
            "INSERT INTO day (rowid, title, abstract, facts) VALUES (?, ?, ?, ?)",
            ((number, *paper) for number, paper in enumerate(day)),
        )
        found = {}
        for number, text in written.items():
            if places := database.execute("SELECT rowid FROM day WHERE day MATCH ?", (text,)).fetchall():
                found[number] = sum(1 << place for (place,) in places)
        database.close()
        return found

    return ask


def _fts5(query: Query, tokens: Tokens) -> str:
    match query:
        case And():
            wanted = [part for part in query.queries if not isinstance(part, Not)]
            text = " AND ".join(_fts5(part, tokens) for part in wanted)
            for part in query.queries:
                if isinstance(part, Not):
                    text = f"({text}) NOT {_fts5(part.query, tokens)}"
            return f"({text})"
        case Or():
            return f"({' OR '.join(_fts5(part, tokens) for part in query.queries)})"
        case _:
            return f'"{tokens(query)}"'


# --- PostgreSQL -----------------------------------------------------------------------------------


class Postgres:
    """PostgreSQL's full-text index of the day, joined with a table of queries."""

    def __init__(self, stack: ExitStack) -> None:
        server = stack.enter_context(start_postgres())
        url = server.create().replace("postgresql+psycopg://", "postgresql://")
        self._connection = stack.enter_context(psycopg.connect(url, autocommit=True))
        self._execute("SET max_parallel_workers_per_gather = 0")
        self._execute("SET jit = off")

    def load(self, queries: Mapping[int, Query], tokens: Tokens) -> None:
        """Keep the queries, which is not counted."""
        self._execute("DROP TABLE IF EXISTS queries")
        self._execute("CREATE TABLE queries (id int, asked tsquery)")
        with self._connection.cursor().copy("COPY queries FROM STDIN") as copy:
            for number, query in queries.items():
                copy.write_row((number, _tsquery(query, tokens)))
        self._execute("ANALYZE queries")

    def ask(self, day: Day) -> dict[int, tuple[int, int]]:
        """How many papers each query fits, and the sum of their places."""
        self._execute("DROP TABLE IF EXISTS day")
        self._execute("CREATE TABLE day (id int, words tsvector)")
        insert = "INSERT INTO day VALUES (%s, to_tsvector('simple', %s))"
        with self._connection.cursor() as cursor:
            cursor.executemany(insert, [(place, BREAK.join(paper)) for place, paper in enumerate(day)])
        self._execute("CREATE INDEX ON day USING gin (words)")
        self._execute("ANALYZE day")
        found = self._execute(
            "SELECT queries.id, count(*), sum(day.id) FROM queries JOIN day ON day.words @@ queries.asked "
            "GROUP BY queries.id"
        ).fetchall()
        return {number: (count, int(total)) for number, count, total in found}

    def cpu(self) -> float:
        """The CPU seconds of the server's process that works for us, and of this one."""
        pid = self._connection.info.backend_pid
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        ours = os.times()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + ours.user + ours.system

    def _execute(self, statement: Any) -> psycopg.Cursor[Any]:
        return self._connection.execute(statement)


def _tsquery(query: Query, tokens: Tokens) -> str:
    match query:
        case And():
            return f"({' & '.join(_tsquery(part, tokens) for part in query.queries)})"
        case Or():
            return f"({' | '.join(_tsquery(part, tokens) for part in query.queries)})"
        case Not():
            return f"!({_tsquery(query.query, tokens)})"
        case _:
            return f"({' <-> '.join(repr(token) for token in tokens(query).split())})"


# --- Aho-Corasick ---------------------------------------------------------------------------------


class AhoCorasick:
    """One automaton of all phrases, through which the day goes; then each query is worked out of rows of bits."""

    def __init__(self, queries: Mapping[int, Query], tokens: Tokens) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._automaton = ahocorasick.Automaton()
        self._queries = {number: _program(query, tokens) for number, query in queries.items()}
        for leaf in {leaf for program in self._queries.values() for leaf in _leaves(program)}:
            self._automaton.add_word(f" {leaf} ", leaf)
        self._automaton.make_automaton()

    def ask(self, day: Day) -> Rows:
        """Scan and work out."""
        rows: dict[str, int] = {}
        for place, paper in enumerate(day):
            bit = 1 << place
            text = f" {BREAK.join(paper)} "
            for leaf in {leaf for _, leaf in self._automaton.iter(text)}:
                rows[leaf] = rows.get(leaf, 0) | bit
        every = (1 << len(day)) - 1
        found = {number: _worked_out(program, rows, every) for number, program in self._queries.items()}
        return {number: row for number, row in found.items() if row}


def _program(query: Query, tokens: Tokens) -> Any:
    match query:
        case And():
            return ("&", *(_program(part, tokens) for part in query.queries))
        case Or():
            return ("|", *(_program(part, tokens) for part in query.queries))
        case Not():
            return ("!", _program(query.query, tokens))
        case _:
            return tokens(query)


def _leaves(program: Any) -> Iterable[str]:
    if isinstance(program, str):
        yield program
    else:
        for part in program[1:]:
            yield from _leaves(part)


def _worked_out(program: Any, rows: Mapping[str, int], every: int) -> int:
    if isinstance(program, str):
        return rows.get(program, 0)
    sign, *parts = program
    found = (_worked_out(part, rows, every) for part in parts)
    if sign == "!":
        return every & ~next(found)
    return reduce(and_ if sign == "&" else or_, found)
