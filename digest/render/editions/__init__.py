"""Parts of one edition: its view, completeness and overview, schedules, and notices of undelivered editions."""
