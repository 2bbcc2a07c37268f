"""Measure how often a judge is right: cases, runs and rates."""
