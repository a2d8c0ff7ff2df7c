"""The follow language: what readers type is parsed, and queries with the same meaning get one canonical form."""
