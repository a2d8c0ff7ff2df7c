"""One edition: its view, completeness and overview."""
