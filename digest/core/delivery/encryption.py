"""Connections that need encryption."""

from __future__ import annotations

_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def needs_encryption(host: str) -> bool:
    """Whether what is sent to a host leaves this machine, so that others could read it.

    Args:
        host: a name or an address without brackets, as ``SplitResult.hostname`` returns it.
    """
    return host not in _LOCAL_HOSTS
