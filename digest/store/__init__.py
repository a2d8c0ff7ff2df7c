"""The tables, and the only SQL. Rows never leave: functions take and give the nouns of ``digest.model``."""
