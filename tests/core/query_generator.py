"""Random queries made of what real papers say, for tests that hold two ways of matching equal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from digest.core.language.query import (
    And,
    ByAuthor,
    Exact,
    Fact,
    InCategory,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    Unit,
)
from digest.core.papers.document import TextField
from digest.core.text.words import iter_parts, normalize_prefix, normalize_word, tex_to_unicode
from digest.model import EventKind, Paper

_FIELDS: tuple[TextField, ...] = ("", "", "", "", "title", "abstract", "comment", "institution", "journal")


class QueryGenerator:
    """Makes queries of all kinds that the language has."""

    def __init__(self, papers: Sequence[Paper], random: Random) -> None:
        self._papers = papers
        self._random = random

    def make_query(self, depth: int = 0) -> Query:
        """A leaf, or some joined by an operator."""
        random = self._random
        if depth > 2 or random.random() < 0.55:
            return self.make_leaf()
        inner = tuple(self.make_query(depth + 1) for _ in range(random.choice((2, 2, 3))))
        kind = random.choice(("and", "and", "or", "or", "not"))
        if kind == "not":
            return And(queries=(*inner[1:], Not(query=inner[0])))
        return And(queries=inner) if kind == "and" else Or(queries=inner)

    def make_leaf(self) -> Query:
        """Something that stands in some paper, or a twist of it."""
        makers = (
            self._make_phrase,
            self._make_exact,
            self._make_prefix,
            self._make_author,
            self._make_category,
            self._make_fact,
        )
        return self._random.choices(makers, weights=(12, 2, 2, 4, 2, 2))[0]()

    def _make_phrase(self) -> Query:
        random = self._random
        field, words = self._choose_words(random.choice((1, 1, 2, 2, 3, 4, 6)))
        if random.random() < 0.1:
            random.shuffle(words)
        near = random.choice((0, 0, 0, 0, 1, 5, 20)) if len(words) > 1 else 0
        if near and random.random() < 0.7:
            words = [word for word in words if random.random() < 0.7] or words
        return Phrase(field=field, units=tuple(words), near=near if len(words) > 1 else 0)

    def _choose_words(self, size: int) -> tuple[TextField, list[Unit]]:
        """Some words in a row, hyphens kept, split, or put between them."""
        random = self._random
        field = random.choice(_FIELDS)
        word_parts = list(iter_parts(tex_to_unicode(self._choose_text(field))))
        at = random.randrange(max(1, len(word_parts) - size + 1))
        units: list[Unit] = []
        for part in word_parts[at : at + size]:
            word = normalize_word(part.printed)
            if units and (part.is_joined if random.random() < 0.8 else random.random() < 0.3):
                units[-1] += (word,)
            elif random.random() < 0.1:
                units.append((normalize_word("".join(p.printed for p in word_parts[at : at + 2])),))
            elif random.random() < 0.03 and len(word) > 5:
                units.append((word[:3], word[3:]))
            else:
                units.append((word + random.choice(("", "", "", "", "s")),))
        return field, [unit for unit in units if all(unit)] or [("model",)]

    def _choose_text(self, field: str) -> str:
        paper = self._random.choice(self._papers)
        lines = {
            "title": paper.title,
            "comment": paper.comment,
            "journal": paper.journal_ref,
            "institution": " ".join(paper.organizations),
        }
        return lines.get(field) or paper.abstract or paper.title

    def _make_exact(self) -> Query:
        field = self._random.choice(_FIELDS)
        words = tex_to_unicode(self._choose_text(field)).split()
        at = self._random.randrange(len(words))
        text = " ".join(words[at : at + self._random.choice((1, 1, 2, 3))]).strip('.,;:()"')
        return Exact(field=field, text=text) if list(iter_parts(text)) else Exact(field=field, text="RAG")

    def _make_prefix(self) -> Query:
        field, units = self._choose_words(2)
        unit = self._random.choice(units)
        begun = normalize_prefix(unit[-1])
        cut = begun[: self._random.randint(3, 6)]
        return Prefix(field=field, unit=(*unit[:-1], cut if len(cut) > 2 else "neur"))

    def _make_author(self) -> Query:
        random = self._random
        author = random.choice(random.choice(self._papers).authors)
        words = author.name.split()
        name = random.choice(
            (
                author.name,
                author.name,
                " ".join(reversed(words)),
                f"{words[-1]}, {' '.join(words[:-1])}",
                f"{words[0][0]}. {words[-1]}",
                words[-1],
            )
        )
        ids = author.ids if random.random() < 0.5 else ()
        if random.random() < 0.05:
            ids = (("orcid", f"0000-000{random.randrange(4)}"),)
        return ByAuthor(name="" if ids and random.random() < 0.3 else name, ids=ids)

    def _make_category(self) -> Query:
        random = self._random
        code = random.choice(random.choice(self._papers).categories or ("cs.LG",))
        return InCategory(
            code=random.choice((code, code, code.partition(".")[0])), primary=random.random() < 0.3
        )

    def _make_fact(self) -> Query:
        random = self._random
        paper = random.choice(self._papers)
        return random.choice(
            (
                Fact(field="kind", value=random.choice(list(EventKind)).value),
                Fact(field="source", value=random.choice(("arxiv", "hf_daily", "Blog"))),
                Fact(field="has", value="code"),
                Fact(field="id", value=paper.key),
                Fact(field="cites", value=random.choice(paper.references or (paper.key,))),
                Fact(field="institution", value=f"ror:{random.choice(paper.institutions or ('05a28rw58',))}"),
            )
        )
