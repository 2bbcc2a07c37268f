"""The web server of the queue: sign-in, pages, decisions and live updates.

It decides nothing itself: entries and answers go through the functions of `sources.Sources`.
"""
