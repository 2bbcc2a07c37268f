"""HTML pages of the queue, built from values. Pure."""
