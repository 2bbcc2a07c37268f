"""Markdown to an AdrDocument: headings, visible text, header."""
