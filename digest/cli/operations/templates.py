"""What `digest check` says of templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digest.app import App


def said_of_templates(app: App) -> Iterator[tuple[str, bool, str]]:
    """Each template of the file's own folder that is broken; one line where none is."""
    from digest.config.values import languages
    from digest.render.locale_bundle import make_tongue
    from digest.render.template_trial import tried

    own = app.settings.templates
    if own is None:  # those that ship are tried before they do
        yield "templates", True, ""
        return
    trial = tried(
        lambda language: make_tongue(language, app.masthead, own, None), languages(own), app.clock()
    )
    for text in trial.wrong:
        yield "templates", False, f"{text}; until it is mended, what ships is used in its place"
    if not trial.wrong:
        yield "templates", True, "; ".join(trial.unused)
