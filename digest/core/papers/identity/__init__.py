"""Identity of papers and persons: parsing of IDs, and detection of records that describe the same paper."""
