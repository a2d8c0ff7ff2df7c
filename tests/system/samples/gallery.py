"""Pictures of everything that a reader may look at, for people to look at.

python -m tests.system.samples.gallery FOLDER [WORD]

Each view in three widths, by day and by night, side by side on one page: FOLDER/index.html. With a word, only the
views in whose name it is.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tests.system.programs.chromium import Chromium
from tests.system.samples import views
from tests.system.samples.views import View

WIDTHS = (320, 600, 1200)
_HEAD = """<!doctype html>
<meta charset="utf-8">
<title>What readers see</title>
<style>body{font:14px sans-serif;background:#888}img{vertical-align:top;margin:4px;max-height:1600px}</style>
"""


def iter_views() -> Iterator[tuple[str, View]]:
    """Mails, pages, and the files of ``digest demo``, by name."""
    groups = {
        "mail": views.render_mails,
        "page": views.render_pages,
        "site": views.render_reader_pages,
        "folder": views.render_static_pages,
    }
    for kind, make in groups.items():
        yield from ((f"{kind}, {name}", view) for name, view in make().items())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "digest", "demo", f"{folder}/demo"], check=True, capture_output=True
        )
        yield from ((f"demo, {name}", view) for name, view in views.read_views(Path(folder)).items())


def write_gallery(folder: Path, word: str = "") -> int:
    """Make the pictures and the page that shows them.

    Returns:
        How many views there are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[str] = []
    with Chromium() as browser:
        for name, view in iter_views():
            if word not in name:
                continue
            browser.open(view.html, headers=view.headers)
            pictures = []
            for width in WIDTHS:
                for scheme in ("light", "dark"):
                    browser.resize(width, dark=scheme == "dark")
                    picture = folder / re.sub(r"\W+", "-", f"{name} {width} {scheme}.png").replace(
                        "-png", ".png"
                    )
                    browser.photograph(picture)
                    pictures.append(f'<a href="{picture.name}"><img src="{picture.name}" alt=""></a>')
            rows.append(f"<h2>{escape(name)}</h2>{''.join(pictures)}")
    (folder / "index.html").write_text(_HEAD + "\n".join(rows), encoding="utf-8")
    return len(rows)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    print(f"{write_gallery(where, *sys.argv[2:3])} views in {where}/index.html")  # noqa: T201 - a command
