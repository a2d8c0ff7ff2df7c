"""Building and running the image of a Containerfile where there is no container runtime: by chroot and namespaces.

The very instructions of the file are carried out, so that a test cannot differ from it. The base image, which cannot be had
without a registry, is a minimal system of Debian's packages with its Python. An instruction that is not known fails.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from tests.support.processes import kill_at_end
from tests.system.programs.installed import require_program

ROOT = Path(__file__).parents[3]
PACKAGES = "python3-venv,ca-certificates"
"""What the official image of Python has beside the essential packages, as far as our steps use it."""
SOURCES = ("/etc/apt/sources.list", "/etc/apt/sources.list.d")
"""Where this machine has the addresses of its Debian mirror."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_DEVICES = ("null", "zero", "random", "urandom")


@dataclass(frozen=True, slots=True)
class Mount:
    """A folder or file of this machine within the root of an image.

    Attributes:
        source: on this machine.
        target: within the image.
        writable: whether it can be written there.
    """

    source: Path
    target: str
    writable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """The root of a stage, and how its commands run.

    Attributes:
        root: its files, a folder of this machine.
        environment: set by ENV.
        folder: the working folder, set by WORKDIR.
        user: set by USER.
        entrypoint: set by ENTRYPOINT.
        command: set by CMD.
        healthcheck: the command of HEALTHCHECK.
        volumes: the folders that can be written.
    """

    root: Path
    environment: Mapping[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "0:0"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    healthcheck: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()

    def make_command(
        self, command: Sequence[str], mounts: Sequence[Mount] = (), *, read_only: bool = True
    ) -> list[str]:
        """Make a command that runs another one in the image, as its first process.

        Args:
            command: the command.
            mounts: what is mounted beside ``/proc``, a few devices and an empty ``/tmp``.
            read_only: whether everything else cannot be written.
        """
        root = shlex.quote(str(self.root))
        steps = [f"mount --bind {root} {root}", f"mount -t proc proc {root}/proc"]
        steps.append(f"mount -t tmpfs -o mode=755 tmpfs {root}/dev")
        for device in _DEVICES:
            steps += [f": > {root}/dev/{device}", f"mount --bind /dev/{device} {root}/dev/{device}"]
        steps.append(f"mkdir -m 1777 {root}/dev/shm")
        steps.append(f"mount -t tmpfs -o mode=1777 tmpfs {root}/tmp")
        if read_only:
            steps.append(f"mount -o remount,bind,ro {root}")
        for mount in mounts:
            source, target = shlex.quote(str(mount.source)), f"{root}{shlex.quote(mount.target)}"
            steps.append(f"mount --bind {source} {target}")
            if not mount.writable:
                steps.append(f"mount -o remount,bind,ro {target}")
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        inner_command = ["env", "-i", "-C", self.folder, *variables, *command]
        chroot = ["chroot", f"--userspec={self.user}", "--groups=", str(self.root), *inner_command]
        script = "\n".join(["set -e", *steps, f"exec {shlex.join(chroot)}"])
        unshare = require_program("unshare")
        return [unshare, "--mount", "--pid", "--fork", "--kill-child", "--", "/bin/sh", "-c", script]

    def run(
        self, command: Sequence[str], mounts: Sequence[Mount] = (), *, read_only: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the image until it ends."""
        full_command = self.make_command(command, mounts, read_only=read_only)
        return subprocess.run(
            full_command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    @contextmanager
    def start(
        self, command: Sequence[str], mounts: Sequence[Mount] = (), log: Path | None = None
    ) -> Iterator[psutil.Process]:
        """Start a service in the read-only image; yields its first process, which ends with the block at the latest."""
        with (log or Path(os.devnull)).open("w", encoding="utf-8") as output:
            process = subprocess.Popen(
                self.make_command(command, mounts),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
            )
            with kill_at_end(process):
                parent = psutil.Process(process.pid)
                while not (children := parent.children()):  # a few milliseconds
                    assert process.poll() is None
                yield children[0]
                process.wait()

    def run_beside(self, process: psutil.Process, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command where a service runs, which is its first process, as ``docker exec`` does."""
        user, group = self.user.split(":")
        enter = [require_program("nsenter"), f"--target={process.pid}", "--mount", "--pid", "--root"]
        return subprocess.run(
            [*enter, f"--setuid={user}", f"--setgid={group}", "--", *command],
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def with_environment(self, environment: Mapping[str, str]) -> Image:
        """Return the same image with more variables."""
        return replace(self, environment={**self.environment, **environment})


def read_instructions(file: Path) -> list[tuple[str, str]]:
    """Read the instructions of a Containerfile with their arguments."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    text = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (line.split()[0].upper(), line.split(maxsplit=1)[1]) for line in text.splitlines() if line.strip()
    ]


def build_image(file: Path, folder: Path) -> Image:
    """Carry out all instructions of a Containerfile; its context is this checkout.

    Args:
        file: the Containerfile.
        folder: gets the roots of its stages.
    """
    base = folder / "base"
    make_base(base)
    pip_config, pip_mounts = read_pip_config()
    (base / "etc" / "pip.conf").write_text(pip_config, encoding="utf-8")
    for mount in pip_mounts:
        _make_mount_point(base, mount)
    stages: dict[str, Image] = {}
    image = Image(root=base)
    for name, text in read_instructions(file):
        if name == "FROM":
            assert re.fullmatch(r"python:3\.\d+-slim-\w+( AS \w+)?", text), f"no substitute for {text}"
            stage = text.partition(" AS ")[2] or "final"
            image = Image(root=folder / stage)
            subprocess.run(["cp", "--archive", "--reflink=auto", base, image.root], check=True)
        elif name == "COPY":
            _copy(image, text, stages)
        elif name == "RUN":
            result = image.run(["/bin/sh", "-c", text], pip_mounts, read_only=False)
            assert result.returncode == 0, f"RUN {text}\n{result.stdout}\n{result.stderr}"
        else:
            image = _configure(image, name, text)
        stages[image.root.name] = image
    return image


def _configure(image: Image, name: str, text: str) -> Image:
    match name:
        case "WORKDIR":
            (image.root / text[1:]).mkdir(parents=True, exist_ok=True)
            return replace(image, folder=text)
        case "ENV":
            return image.with_environment(dict(part.split("=", 1) for part in shlex.split(text)))
        case "USER":
            return replace(image, user=text)
        case "ENTRYPOINT":
            return replace(image, entrypoint=tuple(json.loads(text)))
        case "CMD":
            return replace(image, command=tuple(json.loads(text)))
        case "VOLUME":
            return replace(image, volumes=tuple(json.loads(text)))
        case "HEALTHCHECK":
            return replace(image, healthcheck=tuple(json.loads(text.partition(" CMD ")[2])))
    # Ports are documentation only, and tests stop services by SIGTERM.
    assert name == "EXPOSE" or (name, text) == ("STOPSIGNAL", "SIGTERM"), f"not known: {name} {text}"
    return image


def _copy(image: Image, text: str, stages: Mapping[str, Image]) -> None:
    words = text.split()
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].root
        names, target = words[:-1], words[-1]
        for name in names:
            shutil.copytree(source / name[1:], image.root / target[1:], symlinks=True)
        return
    assert not words[0].startswith("--"), text
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listing.stdout.split("\0") if (ROOT / name).is_file() and name]
    folder = image.root / image.folder[1:] / words[-1]
    for word in words[:-1]:
        matches = [name for name in files if name == word or name.startswith(f"{word}/")]
        assert matches, f"COPY {text}: git has no {word}"
        for name in matches:
            path = folder / (Path(name).name if name == word else name.removeprefix(f"{word}/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, path)


def make_base(root: Path) -> None:
    """Make a minimal system of Debian's packages, from the mirror that this machine has."""
    assert os.getuid() == 0, "only root can make and enter another root"
    release = re.findall(r"^VERSION_CODENAME=(.*)$", Path("/etc/os-release").read_text("utf-8"), re.MULTILINE)
    sources = [
        file
        for path in map(Path, SOURCES)
        for file in (sorted(path.iterdir()) if path.is_dir() else [path])
        if file.suffix in {".list", ".sources"} and file.is_file() and "debian" in file.read_text("utf-8")
    ]
    assert sources, "apt of this machine has no Debian mirror"
    options = [f'--aptopt=Acquire::{scheme}::Proxy "{os.environ[name]}";' for scheme, name in _list_proxies()]
    subprocess.run(
        [
            require_program("mmdebstrap"),
            "--quiet",
            "--mode=root",
            "--variant=minbase",
            f"--include={PACKAGES}",
            "--dpkgopt=path-exclude=/usr/share/man/*",
            "--dpkgopt=path-exclude=/usr/share/locale/*",
            *options,
            *release,
            root,
            *sources,
        ],
        stdin=subprocess.DEVNULL,
        check=True,
    )
    for name in ("localtime", "timezone"):  # images need not have them
        (root / "etc" / name).unlink(missing_ok=True)
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    shutil.copyfile("/etc/hosts", root / "etc" / "hosts")


def _list_proxies() -> list[tuple[str, str]]:
    return [(scheme, f"{scheme}_proxy") for scheme in ("http", "https") if f"{scheme}_proxy" in os.environ]


def read_pip_config() -> tuple[str, list[Mount]]:
    """Read where pip of this machine finds packages: a ``pip.conf``, and the local files and folders that it names."""
    environment = {name: value for name, value in os.environ.items() if name != "PIP_QUIET"}
    command = [sys.executable, "-m", "pip", "config", "list"]
    listing = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    options: dict[str, str] = {}
    for line in listing.stdout.splitlines():
        key, _, value = line.partition("=")
        options[key.rpartition(".")[2]] = ast.literal_eval(value)
    lines = [f"{key} = {' '.join(value.split())}" for key, value in options.items()]
    words = [word for value in options.values() for word in value.split()]
    paths = {Path(word) for word in words if word.startswith("/")}
    # The pages of an index link to files beside it.
    paths |= {Path(word.removeprefix("file://")).parent for word in words if word.startswith("file://")}
    mounts = [Mount(path, str(path)) for path in sorted(paths) if path.exists()]
    return "\n".join(["[global]", *lines, ""]), mounts


def _make_mount_point(root: Path, mount: Mount) -> None:
    target = root / mount.target[1:]
    if mount.source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
