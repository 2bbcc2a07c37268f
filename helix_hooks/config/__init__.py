"""The configuration files of a repository as values: settings, approvals and policy, and what a
change relaxes in them.
"""
