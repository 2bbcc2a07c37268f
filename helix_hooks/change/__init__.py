"""The change under review: its trees, its settings, what it relaxes, and which files are reviewed."""
