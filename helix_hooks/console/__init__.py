"""Standard output and standard error: results, messages, progress."""
