"""What `digest check` says of templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digest.app import App


def check_templates(app: App) -> Iterator[tuple[str, bool, str]]:
    """Each template of the file's own folder that is broken or uses old names; one line where none is broken."""
    from digest.config.values import list_languages
    from digest.render.locale_bundle import make_locale_bundle
    from digest.render.template_trial import try_templates

    folder = app.settings.templates
    if folder is None:  # those that ship are tried before they do
        yield "templates", True, ""
        return
    trial = try_templates(
        lambda language: make_locale_bundle(language, app.branding, folder, None),
        list_languages(folder),
        app.clock(),
    )
    for text in trial.errors:
        yield "templates", False, f"{text}; until it is mended, what ships is used in its place"
    for old_name in trial.old_names:
        yield "templates", True, str(old_name)
    if not trial.errors:
        yield "templates", True, "; ".join(trial.unused)
