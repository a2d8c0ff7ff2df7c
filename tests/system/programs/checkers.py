"""What other programs have to say of our HTML: axe of who can use it, the Nu checker of whether it is HTML."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.support.timeouts import PATIENCE
from tests.system.programs.chromium import Chromium
from tests.system.programs.installed import require_file, require_program

# The rule on the size of targets (WCAG 2.2, success criterion 2.5.8) is off by default.
_ASK_AXE = """
axe.run(document, {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then(({violations}) => violations.map(
  ({id, impact, nodes}) => [impact, `${id} (${nodes.length}): ${nodes[0].html.slice(0, 100)}`]))
"""


@cache
def _axe() -> str:
    return require_file("axe-core/axe.min.js").read_text("utf-8")


def find_accessibility_faults(browser: Chromium) -> list[str]:
    """What axe finds of the page that is open that keeps people from using it.

    Rules and impacts: https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
    """
    result = browser.run(f"{_axe()};{_ASK_AXE}")
    return sorted(f"{impact}: {value}" for impact, value in result)


def find_html_errors(pages: Mapping[str, str], folder: Path) -> list[str]:
    """What the Nu HTML checker finds wrong or advises against, by the name of the page.

    Args:
        pages: the HTML of each.
        folder: an empty one, to work in.
    """
    files = {}
    for number, (name, html) in enumerate(pages.items()):
        file = folder / f"{number}.html"
        file.write_text(html, encoding="utf-8")
        files[file.name] = name
    options = ["--format", "json", "--exit-zero-always", "--no-langdetect", "--stdout"]
    quick = ["-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    checker = require_file("vnu-jar/build/dist/vnu.jar")
    process = subprocess.run(
        [
            require_program("java"),
            *quick,
            "-jar",
            str(checker),
            *options,
            *(str(folder / name) for name in files),
        ],
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    return sorted(
        f"{files[message['url'].rpartition('/')[2]]}: {message['message']} {message.get('extract', '')!r}"
        for message in json.loads(process.stdout)["messages"]
    )
