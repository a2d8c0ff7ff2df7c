"""Publishing: feeds, the output folder and the static site."""
