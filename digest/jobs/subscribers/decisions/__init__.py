"""What operators decide about readers and their digests, by commands and on their pages."""
