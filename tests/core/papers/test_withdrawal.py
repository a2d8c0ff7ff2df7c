"""A paper that was taken back is known by what it says, and a paper about taking back is not taken for one."""

from __future__ import annotations

import io
import json
from pathlib import Path

import zstandard

from digest.core.papers.withdrawal import is_withdrawn
from tests.support.cases import for_each_case

TAKEN_BACK = [
    "Withdrawn",
    "withdrawn.",
    "Withdrawn by the author.",
    "Withdrawn by the authors; see the new version",
    "Withdrawn due to an error in Section 2",
    "Paper withdrawn",
    "Paper withdrawn because of an error in the proof",
    "This paper has been withdrawn",
    "This paper has been withdrawn by the author(s) due to a crucial sign error in equation 1",
    "This paper was withdrawn by its authors",
    "This submission has been withdrawn by arXiv administrators as it copies other works",
    "arXiv admin note: this version has been withdrawn by arXiv due to a dispute over authorship",
    "12 pages, 3 figures. This paper is temporarily withdrawn",
    "12 pages, 3 figures Withdrawn due to a mistake in Table 1",
    "12 pages. The manuscript is being withdrawn, as its main experiment cannot be repeated",
    "The data were wrong, so this version is now withdrawn",
    "The article is withdrawn from arXiv on the wish of a co-author",
    "We are withdrawing this preprint to repeat its experiments",
    "We found a mistake. We therefore request to withdraw this paper",
    "I would like to withdraw my submission",
    "The authors wish to withdraw the manuscript",
    "Please withdraw this version, it was sent by accident",
    "A proof is wrong; we request its withdrawal",
    "We apply for withdrawal of the paper",
    "8 pages. Reason for withdrawal: the proof of Lemma 3 is wrong",
    "The equations are wrong, and need to be withdrawn",
    "The authors retract this paper",
    "The paper should be retracted until the data are checked",
    "We found an error which forces us to withdraw this paper",
]

NOT_TAKEN_BACK = [
    "",
    "12 pages, 3 figures",
    "Withdrawn from ICML 2026, now under review elsewhere",
    "Submitted to CVPR, then withdrawn by the authors",
    "Accepted at A 2026 but withdrawn for its costs",
    "This paper was withdrawn from the conference",
    "We have withdrawn it from review at A",
    "Withdrawn because of the high registration fee",
    "Withdraw by ICLR and sent to NeurIPS",
    "This is a new version of arXiv:1401.00001, which is now withdrawn",
    "Replaces our paper arXiv:1401.00001, which has been withdrawn",
    "An earlier version of this paper was withdrawn; the error is corrected here",
    "The previous submission was withdrawn because of an error, now repaired",
    "This preprint will be withdrawn when the book is out",
    "This paper has not been withdrawn",
    "v3: Retracted two claims of Section 4",
    "Key words: retractions, buildings, retracts",
    "A study of water withdrawals and consumption",
    "20 pages; on opioid withdrawal",
    "Data on papers withdrawn from arXiv",
    "We thank the editors for the withdrawn manuscripts that they let us read",
]

ABSTRACTS = [
    ("This paper has been withdrawn by the author due to an error in the main theorem.", True),
    ("This article was withdrawn.", True),
    ("Withdrawn by the authors.", True),
    ("Paper withdrawn due to a mistake.", True),
    ("We show that all is well. However, this paper is now withdrawn, because it is not.", True),
    ("We study papers that have been withdrawn from arXiv, and why this happens.", False),
    ("Drugs that were withdrawn from the market are a risk. This work asks when a drug is withdrawn.", False),
    ("Withdrawn users must be forgotten by a model.", False),
    ("We let the model withdraw this answer, and request withdrawal of consent.", False),
    ("After a month this preprint will be withdrawn from arXiv.", False),
    ("The token bridge of this paper is drained, and funds are withdrawn.", False),
    ("Retracted papers are cited for years.", False),
]


@for_each_case("comment", TAKEN_BACK)
def test_a_comment_can_say_that_the_paper_was_taken_back(comment: str) -> None:
    assert is_withdrawn("A title", "An abstract.", comment)
    assert is_withdrawn("A title", "An abstract.", f"5 pages. {comment}. Comments are welcome")


@for_each_case("comment", NOT_TAKEN_BACK)
def test_a_comment_about_another_withdrawal_does_not(comment: str) -> None:
    assert not is_withdrawn("A title", "An abstract.", comment)


@for_each_case(("abstract", "withdrawn"), ABSTRACTS)
def test_an_abstract_must_say_it_of_this_paper(abstract: str, withdrawn: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_withdrawn("A title", abstract, "") is withdrawn


@for_each_case(
    ("title", "withdrawn"),
    [
        ("WITHDRAWN: On something", True),
        ("RETRACTED ARTICLE: On something", True),
        ("[Withdrawn] On something", True),
        ("Withdrawn papers: a study", False),
        ("On what was withdrawn: a study", False),
    ],
)
def test_a_title_says_it_at_its_beginning(title: str, withdrawn: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_withdrawn(title, "", "") is withdrawn


def test_the_withdrawn_papers_of_two_real_months_are_told_from_the_others(data: Path) -> None:
    """Judged by eye: all papers of these months whose comment has "withdr" or "retract" in it."""
    results = set()
    for month in ("2019-09", "2019-12"):
        with (data / "corpus" / "backlog" / f"{month}.jsonl.zst").open("rb") as packed:
            for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(packed), "utf-8"):
                message = json.loads(line)
                if is_withdrawn(message["title"], message["abstract"], message.get("comments") or ""):
                    results.add(message["id"])

    assert results == {
        *("1909.02732", "1909.05100", "1909.07019", "1909.07372", "1909.07789", "1909.07812", "1909.09537"),
        *("1909.11644", "1912.00541", "1912.06403", "1912.07106"),
    }
