"""Layer 4: the judge as a process that can read a copy of the repository and nothing else."""
