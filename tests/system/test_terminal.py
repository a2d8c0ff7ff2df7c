"""The text part of a mail reads well in a mail program for terminals, and has all that the HTML part has."""

from __future__ import annotations

import re
import unicodedata
from email import message_from_bytes, policy

import pytest
from bs4 import BeautifulSoup

from tests.system.programs.terminal import show_in_neomutt
from tests.system.samples.mails import PAGE, make_mails, make_notices

pytestmark = pytest.mark.system
WIDTH = 78
_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>]+")


def test_no_line_is_wider_than_a_terminal_and_no_link_is_broken() -> None:
    # A notice has what happened as a line each, for the operator's own programs to read.
    mails = {name: mail.content for name, mail in make_mails(()).items() if name not in make_notices()}

    values = show_in_neomutt(mails)

    for name, content in mails.items():
        _, _, body = values[name].partition("\n\n")
        # A word may be of any length, and a link is one; so may the digest's own title, which is the first line.
        wide = [
            line
            for line in body.split("\n")[1:]
            if width(line) > max(WIDTH, 4 + max(map(width, line.split()), default=0))
        ]
        assert (name, wide) == (name, [])
        html = message_from_bytes(content, policy=policy.default).get_body(["html"])
        assert html is not None
        page = BeautifulSoup(html.get_content(), "html.parser")
        # The text part has one link a paper; the page there leads to its PDF and its code.
        links = {str(tag["href"]) for tag in page.select("h3 a, li a, p:not(.m) a, .n a, .f a")}
        in_html = {
            link for link in links if link.startswith("http") and not re.match(rf"{re.escape(PAGE)}/\d", link)
        }
        assert (name, in_html - set(_LINK.findall(body))) == (name, set())


def test_the_papers_are_those_of_the_html_part_in_its_order() -> None:
    mails = {name: mail.content for name, mail in make_mails(()).items() if not name.startswith("hostile")}

    values = show_in_neomutt(mails)

    for name, content in mails.items():
        html = message_from_bytes(content, policy=policy.default).get_body(["html"])
        assert html is not None
        titles = [
            " ".join(tag.get_text(" ", strip=True).split())
            for tag in BeautifulSoup(html.get_content(), "html.parser").select("h3")
        ]
        body = _flat(values[name])
        places = [body.find(_flat(title)) for title in titles]
        assert -1 not in places, (name, titles[places.index(-1)])
        assert places == sorted(places)


def _flat(text: str) -> str:
    """Without what parts words, for a title may take several lines."""
    return re.sub(r"\s+", "", text)


def width(line: str) -> int:
    """Cells of a terminal."""
    return sum(
        0
        if unicodedata.category(sign) in {"Mn", "Me", "Cf"}
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in line
    )
