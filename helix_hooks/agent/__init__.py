"""Layer 4: the independent judge, in a process that can read a copy of the repository and nothing else."""
