"""The wheel works by itself: built, installed elsewhere, its source gone.

It asks the package index for the build backend and the dependencies.
"""

from __future__ import annotations

import email
import email.policy
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path, PurePosixPath

import pytest

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]
SECRETS = ("config/digest.toml", "digest/digest.db", ".venv/lib/junk.py")
"""Files that somebody may have in a checkout and that git ignores."""


def known_to_git() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def outside_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the checkout with a fresh virtual environment, ``venv``."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run([sys.executable, "-m", "venv", folder / "venv"], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(outside_folder: Path) -> Path:
    """The wheel of a checkout with secrets in it; the checkout is gone."""
    checkout = outside_folder / "checkout"
    for name in known_to_git():
        target = checkout / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    for name in SECRETS:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("password\n")
    pip = outside_folder / "venv" / "bin" / "pip"
    run([pip, "wheel", "--no-deps", "--wheel-dir", outside_folder, checkout], outside_folder)
    shutil.rmtree(checkout)
    (file,) = outside_folder.glob("*.whl")
    return file


def run(command: list[str | Path], folder: Path) -> str:
    """What a command prints, run where and how a reader would; fails with all that it said."""
    environment = {
        name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "DIGEST", "VIRTUAL"))
    }
    process = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, f"{command}\n{process.stdout}\n{process.stderr}"
    return process.stdout


def test_the_wheel_holds_what_git_knows_and_no_more(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}

    known_values = known_to_git()
    assert packed == {
        *(name for name in known_values if name.startswith("digest/")),
        *(f"digest/_data/{name}" for name in known_values if name.startswith("templates/")),
    }
    assert [name for name in packed if PurePosixPath(name).name == "digest.toml"] == [
        "digest/demo/digest.toml"
    ]


@pytest.fixture(scope="module")
def demo_folder(wheel: Path, outside_folder: Path) -> Path:
    """The folder that ``digest demo`` of the installed wheel filled."""
    programs = outside_folder / "venv" / "bin"
    run([programs / "pip", "install", "--quiet", wheel], outside_folder)

    printed = run([programs / "digest", "demo", outside_folder / "shown"], outside_folder)

    assert "shown" in printed
    return outside_folder / "shown"


def test_the_demo_of_an_installed_wheel_makes_a_mail(demo_folder: Path) -> None:
    mails = [
        email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        for file in demo_folder.rglob("*.eml")
    ]

    assert mails
    for mail in mails:
        html = mail.get_body(("html",))
        text = mail.get_body(("plain",))
        assert mail["Subject"]
        assert html is not None
        assert "arxiv.org/abs/2605." in html.get_content()
        assert text is not None
        assert "arxiv.org/abs/2605." in text.get_content()


def test_the_demo_of_an_installed_wheel_makes_three_feeds_and_an_index_page(demo_folder: Path) -> None:
    feeds = {
        form: [file.read_bytes() for file in demo_folder.rglob(f"feeds/*.{form}")]
        for form in ("rss", "atom", "json")
    }
    (index,) = demo_folder.rglob("index.html")

    assert {ET.fromstring(feed).tag for feed in feeds["rss"]} == {"rss"}
    assert {ET.fromstring(feed).tag for feed in feeds["atom"]} == {"{http://www.w3.org/2005/Atom}feed"}
    assert {json.loads(feed)["version"] for feed in feeds["json"]} == {"https://jsonfeed.org/version/1.1"}
    for file in demo_folder.rglob("feeds/*.rss"):
        assert file.name in index.read_text("utf-8")
