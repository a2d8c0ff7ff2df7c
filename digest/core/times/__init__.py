"""Times: schedules and calendars, pauses between attempts, and times in headers."""
