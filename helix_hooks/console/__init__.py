"""Standard output and standard error: results, errors for people, progress."""
