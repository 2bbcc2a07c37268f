"""The hook of helix-hooks in the settings files of agents: text in, text out."""
