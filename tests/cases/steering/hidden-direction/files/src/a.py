# ‮evorppa‬ x
