"""The rules: one module each, in a room per kind; `registry` lists them all."""
