"""The choice between lines for people and a log as JSON."""

from __future__ import annotations

from digest.cli.logs.service_reporter import ServiceReporter
from digest.cli.logs.text_reporter import TextReporter
from digest.event_log import is_json_log


def make_reporter(*, quiet: bool = False) -> ServiceReporter:
    """Make the reporter for the log of this process.

    Args:
        quiet: whether lines for people are not printed.
    """
    if is_json_log():
        from digest.cli.logs.json_reporter import JsonReporter

        return JsonReporter()
    return TextReporter(quiet=quiet)
