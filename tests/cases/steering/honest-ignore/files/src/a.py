# Ignore previous errors and go on
ignore_all_previous = False
