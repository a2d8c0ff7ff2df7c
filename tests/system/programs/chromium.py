"""One Chromium for many pages, spoken to in the DevTools protocol over its pipe.

https://chromedevtools.github.io/devtools-protocol/ says what each method is. Nothing that a page asks for leaves
the browser: it gets what the test laid at that address, and everything else is noted and refused. Only a page that
was visited gets what its own server answers.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from tests.support.timeouts import PATIENCE
from tests.system.programs.installed import require_program

AT = "https://digest.example.org/page"
"""Where a page lies."""
_QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars --disable-extensions "
    "--disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe"
)
Answer = dict[str, Any]
Site = Callable[[str], httpx.Response]
"""What answers for an address."""
_KEYS = {"Backspace": 8, "Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40}
"""Keys by name, with the codes that the protocol wants beside it."""


@dataclass(slots=True, kw_only=True)
class BrowserLog:
    """What a page did beside standing there.

    Attributes:
        requests: the addresses that it asked for, but for its own.
        dialogs: what ``alert`` and the like said.
        errors: what the console has as errors and warnings, and exceptions of scripts.
    """

    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Chromium:
    """A browser without a window; it ends with the ``with`` block."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="digest-chromium-", ignore_cleanup_errors=True)
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        command = [
            require_program("chromium"),
            *_QUIET.split(),
            f"--user-data-dir={self._folder.name}",
            "about:blank",
        ]
        # The browser reads its third file and writes its fourth.
        shell = ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "bash", *command]
        self._process = subprocess.Popen(
            shell, pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read)
        os.close(to_write)
        self._buffer = b""
        self._number = 0
        self._session = ""
        self._answers: dict[int, Answer] = {}
        self._loaded = False
        self._loaded_documents: set[str] = set()
        self._body = b""
        self._headers: list[dict[str, str]] = []
        self._document = AT
        self._server = ""
        self._site: Site | None = None
        self.log = BrowserLog()

    def __enter__(self) -> Self:
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")
        self._ask("Page.setLifecycleEventsEnabled", enabled=True)
        self._ask("Fetch.enable", patterns=[{"urlPattern": "*"}])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = ""
        self._say("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    # --- what is done with it ---------------------------------------------------------------------

    def open(
        self,
        body: str | bytes,
        *,
        width: int = 800,
        dark: bool = False,
        media_type: str = "text/html; charset=utf-8",
        headers: tuple[tuple[str, str], ...] = (),
        at: str = AT,
    ) -> BrowserLog:
        """Show a document in a window of some width, in CSS pixels, when all of it is there.

        Args:
            headers: what the server would say of it beside its type.
            at: its address.

        Returns:
            What the page did; later deeds are added to it.
        """
        self.resize(width, dark=dark)
        self._site = None
        self._ask("Emulation.setScriptExecutionDisabled", value=False)
        self._body = body.encode() if isinstance(body, str) else body
        self._headers = [
            {"name": name, "value": value} for name, value in (("Content-Type", media_type), *headers)
        ]
        self._document, self._server = at, ""
        self._navigate(at)
        return self.log

    def visit(self, server: str, path: str, *, width: int = 800, scripts: bool = True) -> BrowserLog:
        """Show a page of a real server, from which it may load more.

        Args:
            server: the address of the server.
            path: path and query of the page.
            width: that of the window, in CSS pixels.
            scripts: whether the reader's browser runs scripts.

        Returns:
            What the page did; later deeds are added to it.
        """
        self.resize(width, dark=False)
        self._ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._document, self._server, self._site = "", server, None
        self._navigate(f"{server}{path}")
        return self.log

    def click(self, selector: str) -> None:
        """Click on the middle of an element."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, text: str) -> None:
        """Type a text, one character after the other, where the focus is."""
        for character in text:
            self._ask("Input.dispatchKeyEvent", type="char", text=character)

    def wait_for(self, script: str) -> None:
        """Wait until an expression is true on the page."""
        deadline = time.monotonic() + PATIENCE
        while not self._holds(script):
            assert time.monotonic() < deadline, f"never true: {script}"
            time.sleep(0.02)

    def _holds(self, script: str) -> bool:
        """Whether an expression is true; not while the page gives way to the next one."""
        done = self._ask("Runtime.evaluate", expression=f"!!({script})", returnByValue=True)
        return "exceptionDetails" not in done and bool(done["result"].get("value"))

    def _navigate(self, address: str) -> None:
        """Open an address and wait for its own document; the one before may still say that it is loaded."""
        self._open("about:blank")  # what the page before still asks for is not in the log of this one
        self.log, self._loaded = BrowserLog(), False
        self._open(address)

    def _open(self, address: str) -> None:
        document = self._ask("Page.navigate", url=address)["loaderId"]
        self._until(lambda: document in self._loaded_documents)

    def browse(self, address: str, site: Site, *, width: int, script: bool = True) -> None:
        """Open a page of a site that answers, and follow it from then on wherever it leads within the site.

        Args:
            address: the whole address of the page.
            site: what answers for the addresses of its host.
            width: the width of the window, in CSS pixels.
            script: whether scripts of pages may run.
        """
        self.resize(width, dark=False)
        self._site, self._server, self._document = site, "", address
        self._ask("Emulation.setScriptExecutionDisabled", value=not script)
        self._navigate(address)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Wait at the end of the block until the page that it leads to is there."""
        self._loaded = False
        yield
        self._until(lambda: self._loaded)

    def press(self, key: str) -> None:
        """Press a key: one of ``Tab``, ``Enter``, the space and ``ArrowDown``."""
        fields = {"key": key, "windowsVirtualKeyCode": _KEYS[key]}
        text = {"Enter": "\r", " ": " "}.get(key, "")
        self._ask("Input.dispatchKeyEvent", type="keyDown", text=text, **fields)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **fields)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self._ask("Input.insertText", text=text)

    def resize(self, width: int, *, dark: bool, height: int = 800) -> None:
        """Give the window another width, in CSS pixels, and the reader another taste."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[wish])

    def run(self, script: str) -> Any:
        """What an expression comes to on the page, waited for where it is a promise."""
        done = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def photograph(self, picture: Path) -> None:
        """Put a PNG of the whole page somewhere."""
        shot = self._ask("Page.captureScreenshot", captureBeyondViewport=True)
        picture.write_bytes(base64.b64decode(shot["data"]))

    # --- the protocol -----------------------------------------------------------------------------

    def _ask(self, method: str, **parameters: Any) -> Answer:
        number = self._say(method, **parameters)
        self._until(lambda: number in self._answers)
        answer = self._answers.pop(number)
        assert "error" not in answer, (method, answer["error"])
        results: Answer = answer["result"]
        return results

    def _say(self, method: str, **parameters: Any) -> int:
        self._number += 1
        messages = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            messages["sessionId"] = self._session
        data = json.dumps(messages).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        return self._number

    def _until(self, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "Chromium says nothing more"
            content = os.read(self._in, 1 << 20)
            assert content, "Chromium has ended"
            *messages, self._buffer = (self._buffer + content).split(b"\0")
            for message in messages:
                self._take(json.loads(message))

    def _take(self, message: Answer) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
        else:
            self._hear(message["method"], message["params"])

    def _hear(self, event: str, fields: Answer) -> None:
        if event == "Fetch.requestPaused":
            self._serve(fields["requestId"], fields["request"]["url"])
        elif event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Page.lifecycleEvent" and fields["name"] == "load":
            self._loaded_documents.add(fields["loaderId"])
        elif event == "Page.javascriptDialogOpening":
            self.log.dialogs.append(fields["message"])
            self._say("Page.handleJavaScriptDialog", accept=False)
        elif event == "Runtime.exceptionThrown":
            self.log.errors.append(
                str(fields["exceptionDetails"].get("exception", fields["exceptionDetails"]))
            )
        elif event == "Runtime.consoleAPICalled":
            self.log.errors.append(f"console.{fields['type']}: {fields['args']}")
        elif event == "Log.entryAdded" and fields["entry"]["level"] in {"error", "warning"}:
            self.log.errors.append(fields["entry"]["text"])

    def _serve(self, request: str, url: str) -> None:
        if self._site is not None and urlsplit(url).netloc == urlsplit(self._document).netloc:
            self._pass_on(request, self._site(url))
            return
        if url == self._document and not self._loaded:
            body = base64.b64encode(self._body).decode()
            self._say(
                "Fetch.fulfillRequest",
                requestId=request,
                responseCode=200,
                responseHeaders=self._headers,
                body=body,
            )
            return
        # Every browser asks for this one by itself.
        is_icon = url.endswith("/favicon.ico")
        if self._server and url.startswith(f"{self._server}/") and not is_icon:
            self._say("Fetch.continueRequest", requestId=request)
            return
        if not is_icon:
            self.log.requests.append(url)
        self._say("Fetch.failRequest", requestId=request, errorReason="Aborted")

    def _pass_on(self, request: str, response: httpx.Response) -> None:
        """Answer a request of the page with what a site said."""
        headers = [{"name": name, "value": value} for name, value in response.headers.items()]
        self._say(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=response.status_code,
            responseHeaders=headers,
            body=base64.b64encode(response.content).decode(),
        )
