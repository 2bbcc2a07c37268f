"""Write ADRs, settings, workflows, graphs and indexes."""
