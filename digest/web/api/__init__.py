"""The public API, which has what the public pages show as JSON, and the MCP server."""
