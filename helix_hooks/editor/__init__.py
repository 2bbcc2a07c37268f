"""Diagnostics, quick fixes, hover texts and completion for an editor, as values. Pure."""
