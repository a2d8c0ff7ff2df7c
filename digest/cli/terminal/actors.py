"""Who runs a command, for the audit log."""

from __future__ import annotations

from getpass import getuser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digest.store.operations.audit import Actor


def make_shell_actor() -> Actor:
    """Make the actor of this process: the system user, without a name if the system knows none."""
    from digest.store.operations.audit import Actor, ActorKind

    return Actor(kind=ActorKind.SHELL, name=_read_user_name())


def _read_user_name() -> str:
    try:
        return getuser()
    except (KeyError, OSError, ImportError):  # a container can run as a number without a name
        return ""
