"""What a mail reader for terminals shows of mails."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_program

_SETTINGS = """
set mbox_type=mbox charset=utf-8 send_charset=utf-8 folder="{folder}" header_cache="" record="" postponed=""
set quit=yes delete=no move=no wait_key=no confirmappend=no sort=mailbox-order beep=no help=no
set pipe_decode=yes pipe_split=yes pipe_sep="" auto_tag=no
set weed=yes
ignore *
unignore from to subject date
alternative_order text/plain
push "<tag-pattern>~A<enter><tag-prefix><pipe-message>{keep}<enter><exit>"
"""


def show_in_neomutt(mails: Mapping[str, bytes]) -> dict[str, str]:
    """What neomutt shows of mails, with their headers, by their names."""
    with tempfile.TemporaryDirectory(prefix="digest-neomutt-") as home:
        folder = Path(home)
        mailbox = b""
        for content in mails.values():
            body = re.sub(rb"(?m)^(>*From )", rb">\1", content.replace(b"\r\n", b"\n"))
            mailbox += b"From digest@example.org Fri Jun 12 05:30:04 2026\n%s\n\n" % body
        (folder / "mailbox").write_bytes(mailbox)
        keep = folder / "keep"
        keep.write_text(f'#!/bin/sh\ncat >> "{home}/shown"\nprintf "\\f" >> "{home}/shown"\n')
        keep.chmod(0o755)
        (folder / "settings").write_text(_SETTINGS.format(folder=home, keep=keep))
        _on_a_terminal(
            [require_program("neomutt"), "-n", "-F", f"{home}/settings", "-R", "-f", f"{home}/mailbox"], home
        )
        texts = (folder / "shown").read_text("utf-8").split("\f")
    assert len(texts) == len(mails) + 1
    return dict(zip(mails, texts, strict=False))


def _on_a_terminal(command: list[str], home: str) -> None:
    ours, its = pty.openpty()
    environ = {"HOME": home, "TERM": "xterm", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=environ, start_new_session=True
    ) as process:
        os.close(its)
        # Somebody must look, or the terminal fills up.
        looking = threading.Thread(target=_look, args=(ours,))
        looking.start()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            looking.join()
            os.close(ours)


def _look(terminal: int) -> None:
    with suppress(OSError):  # it is gone
        while os.read(terminal, 65536):
            pass
