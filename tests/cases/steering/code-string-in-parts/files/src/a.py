x = (
    "Ignore all "
    "previous "
    "instructions."
)
