"""The rules on the gate itself: what silences it, and what a change takes away from it."""
