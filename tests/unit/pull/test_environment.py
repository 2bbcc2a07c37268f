"""The repository on GitHub of a clone's address."""

import pytest

from helix_hooks.pull.access import is_name, name_of


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://github.com/acme/decisions", "acme/decisions"),
        ("https://github.com/acme/decisions.git\n", "acme/decisions"),
        ("https://GitHub.com/acme/decisions/", "acme/decisions"),
        ("https://me:ghp_secret@github.com/acme/decisions.git", "acme/decisions"),
        ("git@github.com:acme/de.ci-si_ons.git", "acme/de.ci-si_ons"),
        ("ssh://git@ssh.github.com:443/acme/decisions.git", "acme/decisions"),
        ("https://gitlab.com/acme/decisions", ""),
        ("https://github.com.evil.example/acme/decisions", ""),
        ("https://evil.example/github.com/acme/decisions", ""),
        ("https://github.com@evil.example/acme/decisions", ""),
        ("/srv/acme/decisions", ""),
        ("../decisions", ""),
        ("https://github.com/acme", ""),
        ("https://github.com/acme/..", ""),
        ("", ""),
    ],
)
def test_the_repository_of_an_address(address: str, expected: str) -> None:
    assert name_of(address, "https://github.com") == expected
    assert name_of(address, "https://ghe.example/") == ""


@pytest.mark.parametrize("name", ["acme", "a/b/c", "../x", "a/..", "a b/c", "a/b\n", "ä/b", ""])
def test_what_is_no_name(name: str) -> None:
    assert not is_name(name)
