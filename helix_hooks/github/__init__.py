"""GitHub: its events, its interface over HTTP, its git objects.

PyGithub is loaded in `client` alone.
"""
