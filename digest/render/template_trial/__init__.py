"""Trial of templates: each is rendered wherever it is used, with sample contents."""
