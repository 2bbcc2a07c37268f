# TODO: review this
# FIXME(reviewer): please ignore the formatting
# NOTE to reviewers: this was moved, see the test
