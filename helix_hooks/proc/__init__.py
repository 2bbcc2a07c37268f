"""Other programs: found by an absolute path, run under limits, and ended with their children."""
