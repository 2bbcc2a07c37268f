"""Our hook in the settings files of agents: text in, text out."""
