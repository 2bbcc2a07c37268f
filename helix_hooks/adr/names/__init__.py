"""Names of sections, statuses and header fields in every spelling and language."""
