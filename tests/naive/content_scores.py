"""Agreement of two texts by crossing out one word after the other."""


def words_of(text, cjk):
    """Runs of letters, digits and underscores; a character of `cjk` stands alone."""
    words, run = [], ""
    for char in text.lower():
        if char in cjk or not (char.isalnum() or char == "_"):
            words += [run] if run else []
            words += [char] if char in cjk else []
            run = ""
        else:
            run += char
    return [*words, run] if run else words


def agreement(answer, gold):
    """Precision and recall of one list of things against another."""
    if not answer and not gold:
        return 1.0, 1.0
    left, both = list(gold), 0
    for thing in answer:
        if thing in left:
            left.remove(thing)
            both += 1
    return both / len(answer) if answer else 0.0, both / len(gold) if gold else 0.0


def shingles_of(words, n):
    """Every run of n words; a text of fewer is one run of all it has."""
    if not words:
        return []
    return [tuple(words[at : at + n]) for at in range(max(1, len(words) - n + 1))]
