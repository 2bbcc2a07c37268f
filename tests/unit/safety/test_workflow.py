"""The workflow of the gate."""

from helix_hooks.config.workflows import CHECK


def test_what_the_words_mean_elsewhere() -> None:
    from helix_hooks.publish.check_run import NAME

    assert CHECK == NAME
