"""Some features of menu candidates, counted node by node."""

from tests.naive.tree import Node, counted, in_link, is_anchor, own_chars, walk


def inner(node: Node) -> list[Node]:
    return [each for each in walk(node) if counted(each)]


def links(node: Node) -> list[Node]:
    return [each for each in inner(node) if is_anchor(each)]


def candidates(root: Node) -> list[Node]:
    """Elements with two hyperlinks below them."""
    return [
        node
        for node in walk(root)
        if counted(node)
        and node.name
        and len([each for each in links(node) if each is not node]) > 1
    ]


def chars(nodes: list[Node]) -> int:
    return sum(own_chars(node) for node in nodes)


def features(root: Node, node: Node) -> dict[str, float]:
    page = [each for each in walk(root) if counted(each)]
    own, anchors = inner(node), links(node)
    outside = [each for each in own if not in_link(each)]
    before = page[: page.index(node)]
    return {
        "links": len(anchors),
        "link_share": len(anchors) / len([each for each in page if is_anchor(each)]),
        "links_before": len([each for each in before if is_anchor(each)]),
        "plain_per_link": chars(outside) / len(anchors),
        "link_char_ratio": (chars(own) - chars(outside)) / max(chars(own), 1),
        "text_share": chars(own) / max(chars(page), 1),
        "chars_before": chars(before),
        "nodes_per_link": (len(own) - 1) / len(anchors),
        "nodes_before": len(before) / len(page),
        "lists": len([each for each in own if each.name in ("ul", "ol", "dl")]),
        "images": len([each for each in own if each.name == "img"]),
    }
