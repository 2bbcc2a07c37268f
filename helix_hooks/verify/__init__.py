"""Verify the work in a repository: evidence from git, counters and feedback in its folder."""
