"""``digest mcp``: let an assistant read the database."""

from __future__ import annotations

from pathlib import Path

import click

from digest.cli.terminal.options import config_option, open_configured_app
from digest.errors import ConfigError


@click.command()
@config_option
def mcp(config: Path | None) -> int:
    """Let an assistant read the database, by the Model Context Protocol over standard input and output.

    The assistant starts the command itself and can search papers, read papers, people and days, and ask why a
    paper is in a digest. It changes nothing. It needs `pip install 'papers-digest[mcp]'`.

    \b
    In the configuration of the assistant:
      {"mcpServers": {"digest": {"command": "digest", "args": ["mcp", "--config", "/home/me/digest.toml"]}}}
    """  # noqa: D301 - \b tells click not to wrap the lines that follow
    try:
        from digest.web.api.mcp_server import make_mcp_server
    except ModuleNotFoundError as error:
        raise ConfigError("the command needs a library; run pip install 'papers-digest[mcp]'") from error
    with open_configured_app(config) as app:
        make_mcp_server(app).run(transport="stdio")
    return 0
