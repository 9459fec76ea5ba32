"""Union-find: disjoint sets as a list of parents, each set named by its root."""


def find_root(parents: list[int], member: int) -> int:
    """Return the root of a member's set, halving the path to it on the way."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member
