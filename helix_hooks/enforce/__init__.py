"""Accepted decisions as they bind the files of a repository."""
