"""Hugging Face: votes, comments and code of papers, even if they were never on its daily list.

    [[enricher]]
    use = "hf_daily"

https://huggingface.co/docs/hub/api: ``/api/papers/2312.07559``, one paper at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from digest import ports
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import make_signals, parse_answer, to_line
from digest.core.fetching.options import EnricherOptions
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response

_SIGNAL_KINDS = {"upvotes": "votes", "numComments": "comments", "githubStars": "stars"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(EnricherOptions, ports.Enricher):
    """Hugging Face's pages of papers.

    Attributes:
        url: the address of the papers.
        name: its name in tables and messages; that of the source, because their numbers are the same.
    """

    quota: int = 2000
    url: str = "https://huggingface.co/api/papers/"
    name: str = "hf_daily"
    max_bytes: int = 2_000_000

    @property
    def title(self) -> str:
        """The name for readers."""
        return "Hugging Face"

    @property
    def has_votes(self) -> bool:
        """Return True: each paper has its number of votes."""
        return True

    @property
    def daily_period(self) -> timedelta:
        """The first days of a paper, in which most votes and comments are added."""
        return timedelta(days=7)

    def get_batch_size(self, kind: SubjectKind) -> int:
        """Return 1 for papers, and 0 for persons."""
        return 1 if kind is SubjectKind.PAPER else 0

    def is_supported(self, subject: Subject) -> bool:
        """Return True for papers of arXiv."""
        return subject.kind is SubjectKind.PAPER and "arxiv" in dict(subject.ids)

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """Return the request for the single paper."""
        address = f"{self.url.rstrip('/')}/{dict(reversed(subjects[0].ids))['arxiv']}"
        return Request(section="papers", route="enrich", url=address, accept="application/json")

    def read(
        self,
        request: Request,  # noqa: ARG002 - there is only one kind of request
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> EnricherPage:
        """Parse a response; most papers have no page.

        Raises:
            SourceError: the request was refused, or the response is not a paper.
        """
        if response.status == 404:
            return EnricherPage()
        key = subjects[0].key
        answer_name = f"{self.title}'s page of {key}"
        answer = parse_answer(response, answer_name)
        if not isinstance(answer, dict):
            raise SourceError(f"{answer_name} was expected, but something else arrived.")
        title = to_line(answer.get("title"))
        code = resolve_web_address(answer.get("githubRepo"))
        project = resolve_web_address(answer.get("projectPage"))
        counts = {kind: answer.get(name) for name, kind in _SIGNAL_KINDS.items()}
        record = Paper(
            key=PaperKey(key),
            title=title,
            version=0,
            url=f"https://arxiv.org/abs/{dict(reversed(subjects[0].ids))['arxiv']}",
            code_urls=(code,) if code else (),
            project_urls=(project,) if project else (),
        )
        return EnricherPage(
            known_keys=frozenset([key]),
            records=(record,) if title and (code or project) else (),
            signals=tuple(make_signals(counts, subject=key, source=self.name, day=day)),
            unread=() if title else (f"{answer_name} has no title.",),
        )
