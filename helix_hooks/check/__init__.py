"""Layers 1 to 3 on a repository."""
