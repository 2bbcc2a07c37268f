"""A pull request as frozen facts, and what is said on it: plain values, no network."""
