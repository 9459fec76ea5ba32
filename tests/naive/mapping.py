"""Equal top-down mapping by recursion over nodes, every pair of children compared."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.naive.tree import Node, body_of, counted

Pairs = dict[Node, Node]


def kids(node: Node) -> list[Node]:
    return [child for child in node.children if counted(child)]


def attrs(node: Node) -> dict[str, str]:
    return {name: value for name, value in node.attrs.items() if name not in ("id", "class")}


def classes(node: Node) -> set[str]:
    return set(node.attrs.get("class", "").split())


def own_id(node: Node) -> str:
    return node.attrs.get("id", "").strip()


def mapped(one: Node, two: Node, match: Callable) -> Pairs:
    ours, theirs = body_of(one), body_of(two)
    pairs: Pairs = {}
    if ours is not None and theirs is not None:
        add(ours, theirs, match, pairs)
    return pairs


def add(ours: Node, theirs: Node, match: Callable, pairs: Pairs) -> None:
    pairs[ours] = theirs
    for here, there in match(kids(ours), kids(theirs)):
        add(here, there, match, pairs)


def same_label(ours: list[Node], theirs: list[Node]) -> list:
    return first_fit(ours, theirs, lambda here, there: here.name == there.name)


def same_attributes(ours: list[Node], theirs: list[Node]) -> list:
    return first_fit(
        ours,
        theirs,
        lambda here, there: (
            (here.name, own_id(here), classes(here), attrs(here))
            == (there.name, own_id(there), classes(there), attrs(there))
        ),
    )


def first_fit(ours: list[Node], theirs: list[Node], equal: Callable) -> list:
    found, free = [], list(theirs)
    for here in ours:
        fits = [there for there in free if equal(here, there)]
        if fits:
            found.append((here, fits[0]))
            free.remove(fits[0])
    return found


@dataclass
class Authors:
    weights: tuple[float, float, float, float] = (0.1, 0.4, 0.0, 0.5)
    unnamed: float = 1.0
    priorities: bool = True

    def __call__(self, ours: list[Node], theirs: list[Node]) -> list:
        free, others, found = list(range(len(ours))), list(range(len(theirs))), []
        for same in self.steps(ours, theirs):
            possible = self.possible(ours, theirs, free, others, same)
            for _, here, there in sorted(possible, key=lambda each: (-each[0], *each[1:])):
                if here in free and there in others:
                    found.append((ours[here], theirs[there]))
                    free.remove(here)
                    others.remove(there)
        return found

    def steps(self, ours: list[Node], theirs: list[Node]) -> list[Callable]:
        """What decides, one after the other: a likeness, or None where there is no match."""

        def position(here: int, there: int) -> float:
            return near(here, there, len(ours), len(theirs))

        def by_id(here: int, there: int) -> float | None:
            return 1 if own_id(ours[here]) and own_id(ours[here]) == own_id(theirs[there]) else None

        def equal(here: int, there: int) -> float | None:
            one, two = ours[here], theirs[there]
            return 1 if self.class_share(one, two) == 1 and attr_share(one, two) == 1 else None

        def equal_here(here: int, there: int) -> float | None:
            return equal(here, there) if position(here, there) == 1 else None

        def alike(here: int, there: int) -> float | None:
            one, two = ours[here], theirs[there]
            parts = (
                self.class_share(one, two),
                position(here, there),
                attr_share(one, two),
                child_share(one, two),
            )
            total = sum(weight * part for weight, part in zip(self.weights, parts, strict=True))
            return round(total, 9) if total >= 0.9 - 1e-9 else None

        return [by_id, *((equal_here, equal) if self.priorities else ()), alike]

    def possible(self, ours, theirs, free, others, same) -> list[tuple[float, int, int]]:
        found = []
        for here in free:
            for there in others:
                if ours[here].name == theirs[there].name:
                    score = same(here, there)
                    if score is not None:
                        found.append((score, here, there))
        return found

    def class_share(self, one: Node, two: Node) -> float:
        return share(classes(one), classes(two), self.unnamed)


def attr_share(one: Node, two: Node) -> float:
    return share(set(attrs(one).items()), set(attrs(two).items()), 0.75)


def share(one: set, two: set, neither: float) -> float:
    return len(one & two) / len(one | two) if one or two else neither


def child_share(one: Node, two: Node) -> float:
    few, many = sorted((len(kids(one)), len(kids(two))))
    return few / many if many else 1


def near(here: int, there: int, ours: int, theirs: int) -> float:
    low, high = (here, here + theirs - ours) if ours <= theirs else (here - (ours - theirs), here)
    low, high = max(low, 0), min(high, theirs - 1)
    steps = max(low - there, there - high, 0)
    return 1 - steps / min(ours, theirs)
