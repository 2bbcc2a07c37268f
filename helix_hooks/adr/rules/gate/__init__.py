"""The rules on a change, and on comments, counts and settings that suppress findings."""
