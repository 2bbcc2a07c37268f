"""The language server: findings, quick fixes and hover texts for an editor, on pygls.

It executes nothing of a repository.
"""
