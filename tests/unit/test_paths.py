"""Links between files of a repository."""

import posixpath

from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.paths import relative

NAMES = st.lists(st.sampled_from(["a", "b", "c", "a b", "é"]), max_size=4)


@given(path=NAMES, name=st.sampled_from(["x.md", "a"]), folder=NAMES)
def test_a_link_is_what_posixpath_makes_of_it(
    path: list[str], name: str, folder: list[str]
) -> None:
    target, start = "/".join([*path, name]), "/".join(folder)
    assert relative(target, start) == posixpath.relpath(target, start or ".") or target == start
