"""What readers find about their digests on the site, and take from there: editions, saved papers, feedback, feeds."""
