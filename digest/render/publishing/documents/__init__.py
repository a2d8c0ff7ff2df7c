"""Documents of the public API and of the MCP server: what the public pages show, for programs."""
