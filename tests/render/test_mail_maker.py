"""Mails of a pass: the same bytes one by one and from parts, and nothing that outlives the pass."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

from digest.demo.publisher import Publisher
from digest.render.delivery.mail import make_mail
from digest.render.environment import make_environment
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.mail_maker import MIN_PLAIN_MAILS, MailMaker
from tests.render.samples import SITE, make_edition_of_three_parts
from tests.support.workspace import Workspace, make_config

TO: dict[str, Any] = {"delivery": 1, "recipient": "you@example.org", "message_id": "<1@example.org>"}


def make_bundle(language: str) -> LocaleBundle:
    return make_locale_bundle(language, SITE, None, None)


def test_mails_are_the_same_bytes_however_many_there_are() -> None:
    maker = MailMaker(make_bundle)

    results = {
        maker.make_mail(make_edition_of_three_parts(), **TO).content for _ in range(2 * MIN_PLAIN_MAILS)
    }

    assert results == {make_mail(make_environment(), make_edition_of_three_parts(), SITE, **TO).content}


def test_what_was_kept_of_papers_goes_with_the_pass() -> None:
    maker = MailMaker(make_bundle)
    for _ in range(MIN_PLAIN_MAILS + 1):
        maker.make_mail(make_edition_of_three_parts(), **TO)
    (cache,) = map(weakref.ref, maker._caches.values())
    del maker
    gc.collect()

    assert cache() is None


def test_one_reader_loads_nothing_that_is_for_many(tmp_path: Path, publisher: Publisher) -> None:
    workspace = Workspace(tmp_path)
    workspace.write(make_config(publisher.url, to='"maildir:box"'))
    program = (
        "import sys; from digest.cli import cli;"
        "cli(sys.argv[1:], standalone_mode=False);"
        "print(sorted(name for name in sys.modules if name.startswith('digest.render.bulk')))"
    )
    command = ["run", "--config", str(tmp_path / "digest.toml"), "--now", f"{publisher.day}T08:00:00+02:00"]

    ran = subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert ran.stdout.endswith("\n[]\n"), ran.stdout
    assert len(list((workspace.get_output_path("box") / "new").iterdir())) == 1
