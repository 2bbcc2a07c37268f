"""The protocols of coding agents: payloads of their stop hooks, answers, and settings files."""
