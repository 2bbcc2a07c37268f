"""How passwords are kept and compared."""

import bcrypt

ROUNDS = 10


def hashed(password: str) -> str:
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(ROUNDS)).decode()


def matches(password: str, kept: str) -> bool:
    return bcrypt.checkpw(password.encode(), kept.encode())
