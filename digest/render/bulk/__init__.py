"""Mails for many readers, rendered and encoded in parts that are made once."""
