"""The page that the how-to writes works as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from digest.app import open_app
from digest.demo.publisher import Publisher
from digest.web import site as site_module
from digest.web.answers import Responder
from digest.web.hooks import HookRoutes
from digest.web.server import listen, serve_site
from tests.support.workspace import Workspace
from tests.web.conftest import Site

HOWTO = Path(__file__).parents[2] / "docs" / "howto"
PAGE = (HOWTO / "write-a-page.md").read_text("utf-8")


@pytest.fixture
def shared_site(workspace: Workspace, source: Publisher, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site with the page: its module, its template and its line in the list of routes."""
    (template,) = re.findall(r"^```jinja\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (route_line,) = re.findall(r"^```python\n(APIRoute.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    folder = workspace.folder / "templates" / "web"
    folder.mkdir(parents=True)
    (folder / "schedule.html").write_text(template, encoding="utf-8")
    path = workspace.folder / "digest.toml"
    text = path.read_text("utf-8").replace("[output]\n", '[output]\ntemplates = "templates"\n')
    path.write_text(text, encoding="utf-8")
    names: dict[str, object] = {"APIRoute": APIRoute, "_READ_METHODS": ["GET", "HEAD"]}
    exec((HOWTO / "plugins" / "schedule_page.py").read_text("utf-8"), names)
    make_routes = site_module.make_routes

    def make_more_routes(responder: Responder, hooks: HookRoutes) -> list[BaseRoute]:
        return [*make_routes(responder, hooks), eval(route_line, names, {"responder": responder})]

    monkeypatch.setattr(site_module, "make_routes", make_more_routes)
    with ExitStack() as stack:
        app = stack.enter_context(open_app(path, None, {}))
        assert app.pages is not None
        door = stack.enter_context(listen("127.0.0.1:0"))
        stack.enter_context(serve_site(door, site_module.make_site(app, app.pages, print)))
        yield Site(app, f"http://127.0.0.1:{door.getsockname()[1]}", workspace, source)


def test_the_test_of_the_page_is_green(shared_site: Site) -> None:
    names: dict[str, object] = {"Site": Site}
    exec(re.findall(r"^```python\n(def test_.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0], names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))
    assert callable(test)

    test(shared_site)

    assert re.search(r"<li>systems: <time>.*\d:30.*</time></li>", shared_site.get("/schedule").text)
    assert shared_site.request("POST", "/schedule").status_code == 405
