"""Text to AdrDocument to findings."""
