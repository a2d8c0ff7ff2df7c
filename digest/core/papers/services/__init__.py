"""Records of services that are asked for what is new and for what they know of a paper: read in one place."""
