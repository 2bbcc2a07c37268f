"""The HTML pages of the queue and of a report. Pure: styles and scripts are passed in.

All texts of people and judges go through `shown`, and all markup is built by htpy, which escapes.
"""
