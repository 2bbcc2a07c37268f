"""The web server of the queue: sign-in, pages, decisions and live updates.

It decides nothing itself. All entries and answers go through the functions of `sources.Sources`.
"""
