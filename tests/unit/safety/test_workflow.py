"""The workflow of the gate."""

from helix_hooks.safety import workflow


def test_what_the_words_mean_elsewhere() -> None:
    from helix_hooks.publish.check_run import NAME

    assert workflow.CHECK == NAME
