"""Messages of commands that also run as services: for people, or in a log as JSON."""

from __future__ import annotations

import logging

import click

from digest.event_log import LogEvent, is_json_log, log_event


def print_warning(text: str) -> None:
    """Print a warning to standard error, or write it to the log."""
    if is_json_log():
        log_event(LogEvent.CONFIGURATION_WARNING, text, level=logging.WARNING)
    else:
        click.echo(f"{click.style('Warning:', fg='yellow')} {text}", err=True)


def print_waiting(text: str) -> None:
    """Print that a command waits for an upgrade of the database, or write it to the log."""
    if is_json_log():
        log_event(LogEvent.WAITING_FOR_UPGRADE, text, level=logging.WARNING)
    else:
        click.echo(text)
