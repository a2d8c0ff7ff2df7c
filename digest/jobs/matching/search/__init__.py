"""Search over all papers of the database, with the language of follows."""
