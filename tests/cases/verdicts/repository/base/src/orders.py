"""Orders are sent by hand to whoever needs them."""


def send(order: str) -> str:
    return order
