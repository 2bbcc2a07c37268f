"""The audit: what was decided, as the check runs have it, beside what GitHub says today."""
