"""Hugging Face: votes, comments and code of papers, whenever they were on its daily list.

    [[enricher]]
    use = "hf_daily"

https://huggingface.co/docs/hub/api: ``/api/papers/2312.07559``, a paper at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from digest import ports
from digest.core.fetching.formats.any_feed import web_address
from digest.core.fetching.formats.json_fields import answered, as_line, counted
from digest.core.fetching.options import demand_limits, demand_quota, demand_web_address
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Subject, SubjectKind
from digest.ports import Findings, Request, Response

_COUNTS = {"upvotes": "votes", "numComments": "comments", "githubStars": "stars"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enricher(ports.Enricher):
    """Hugging Face's page of a paper.

    Attributes:
        quota: requests a day.
        url: where the papers are.
        name: of this enricher in tables and messages; as that of the source, whose numbers these are, too.
        pace: seconds between two requests.
        max_bytes: the longest answer that is read.
    """

    quota: int = 2000
    url: str = "https://huggingface.co/api/papers/"
    name: str = "hf_daily"
    pace: float = 1.0
    max_bytes: int = 2_000_000

    def __post_init__(self) -> None:
        demand_web_address(self.url, "url")
        demand_limits(pace=self.pace, max_bytes=self.max_bytes)
        demand_quota(self.quota)

    @property
    def title(self) -> str:
        """The name that people know."""
        return "Hugging Face"

    @property
    def daily_for(self) -> timedelta:
        """People vote and talk in the first days."""
        return timedelta(days=7)

    def most(self, kind: SubjectKind) -> int:
        """One paper at a time."""
        return 1 if kind is SubjectKind.PAPER else 0

    def knows(self, subject: Subject) -> bool:
        """Papers of arXiv."""
        return subject.kind is SubjectKind.PAPER and "arxiv" in dict(subject.ids)

    def ask(self, subjects: Sequence[Subject]) -> Request:
        """The one."""
        address = f"{self.url.rstrip('/')}/{dict(reversed(subjects[0].ids))['arxiv']}"
        return Request(section="papers", route="enrich", url=address, accept="application/json")

    def read(
        self,
        request: Request,  # noqa: ARG002 - there is one kind
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> Findings:
        """Read an answer; most papers have no page there.

        Raises:
            SourceError: the answer says no, or is no paper.
        """
        if response.status == 404:
            return Findings()
        key = subjects[0].key
        subject = f"{self.title}'s page of {key}"
        told = answered(response, subject)
        if not isinstance(told, dict):
            raise SourceError(f"{subject} was expected, and something else came.")
        title = as_line(told.get("title"))
        code = web_address(told.get("githubRepo"))
        project = web_address(told.get("projectPage"))
        counts = {kind: told.get(name) for name, kind in _COUNTS.items()}
        record = Paper(
            key=PaperKey(key),
            title=title,
            version=0,
            url=f"https://arxiv.org/abs/{dict(reversed(subjects[0].ids))['arxiv']}",
            code_urls=(code,) if code else (),
            project_urls=(project,) if project else (),
        )
        return Findings(
            found=frozenset([key]),
            records=(record,) if title and (code or project) else (),
            signals=tuple(counted(counts, subject=key, source=self.name, day=day)),
            unread=() if title else (f"{subject} has no title.",),
        )
