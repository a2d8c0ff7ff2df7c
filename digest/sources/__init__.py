"""Who announces papers: one file each, found by its name. Sources say what to ask and read the answer; they do no I/O."""
