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
from digest.core.fetching.formats.any_feed import resolve_web_address
from digest.core.fetching.formats.json_fields import make_signals, parse_answer, to_line
from digest.core.fetching.options import require_limits, require_quota, require_web_address
from digest.errors import SourceError
from digest.model import Paper, PaperKey, Subject, SubjectKind
from digest.ports import EnricherPage, Request, Response

_SIGNAL_KINDS = {"upvotes": "votes", "numComments": "comments", "githubStars": "stars"}


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
        require_web_address(self.url, "url")
        require_limits(pace=self.pace, max_bytes=self.max_bytes)
        require_quota(self.quota)

    @property
    def title(self) -> str:
        """The name that people know."""
        return "Hugging Face"

    @property
    def daily_period(self) -> timedelta:
        """People vote and talk in the first days."""
        return timedelta(days=7)

    def get_batch_size(self, kind: SubjectKind) -> int:
        """One paper at a time."""
        return 1 if kind is SubjectKind.PAPER else 0

    def is_supported(self, subject: Subject) -> bool:
        """Papers of arXiv."""
        return subject.kind is SubjectKind.PAPER and "arxiv" in dict(subject.ids)

    def make_request(self, subjects: Sequence[Subject]) -> Request:
        """The one."""
        address = f"{self.url.rstrip('/')}/{dict(reversed(subjects[0].ids))['arxiv']}"
        return Request(section="papers", route="enrich", url=address, accept="application/json")

    def read(
        self,
        request: Request,  # noqa: ARG002 - there is one kind
        subjects: Sequence[Subject],
        response: Response,
        day: date,
    ) -> EnricherPage:
        """Read an answer; most papers have no page there.

        Raises:
            SourceError: the answer says no, or is no paper.
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
