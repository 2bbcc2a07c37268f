from rental import passwords


def test_a_password_matches_what_is_kept_of_it() -> None:
    assert passwords.matches("correct horse", passwords.hashed("correct horse"))


def test_another_password_does_not() -> None:
    assert not passwords.matches("wrong horse", passwords.hashed("correct horse"))
