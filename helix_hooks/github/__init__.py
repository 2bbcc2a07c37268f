"""GitHub: its events, its API over HTTP, its git objects.

Only `client` loads PyGithub.
"""
