"""The rules on the gate itself: comments, counts and settings that suppress findings."""
