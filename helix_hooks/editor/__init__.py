"""Diagnostics, actions, hover and completion of an editor, as values. Pure."""
