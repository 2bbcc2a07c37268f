"""How often a judge is right: cases, runs and rates."""
