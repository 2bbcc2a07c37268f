"""The HTML pages of the queue and of a report. Pure: styles and scripts are passed in.

All untrusted texts go through `shown`. All markup is built by htpy, which escapes them.
"""
