"""Things that hang together, each group named by one of them."""


def top(above: list[int], member: int) -> int:
    """The one that stands for all that hang together with a member; the way up is halved."""
    while above[member] != member:
        above[member] = above[above[member]]
        member = above[member]
    return member
