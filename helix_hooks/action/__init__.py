"""The steps of the GitHub Action."""
