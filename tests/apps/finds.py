"""The database behind every search application: finds of a museum that never was.

Each title is unlike every other; the values hold Unicode, characters special to HTML and
numbers. The word `BROAD` is in every note, so that one search can show every row.
"""

BROAD = "museum"
MATERIALS = ("Brass", "Copper", "Silver", "Cedar", "Ivory", "Marble")
THINGS = tuple(
    "sextant lantern flute abacus kettle mirror dagger lute compass chalice loom clock".split()
)
MARKS = ("", " & case", " < 9 cm", ' "worn"', " – café", " 100 % genuine", " (3 > 2 parts)")
MAKERS = ("Ana & Sons", "Tim O'Neil", "José <junior> Ñíguez", 'Anna "Nan" Ek', "Дмитро Коваль")
TOWNS = ("Łódź", "Málaga", "Köln", "Αθήνα", "Київ", "東京", "Reykjavík", "Bath")
STATES = ("unread", "deferred", "chatting", "testing", "resolved")


def find(number: int) -> dict[str, str]:
    """One row: the number decides every value."""
    material = MATERIALS[number % len(MATERIALS)]
    thing = THINGS[number // len(MATERIALS)]
    town = TOWNS[number % len(TOWNS)]
    year, price = str(1500 + 7 * number), f"{3 * number + 2},{number % 10}5 €"
    return {
        "name": f"find_{1000 + 37 * number}",
        "title": f"{material} {thing} K-{1000 + 37 * number}{MARKS[number % len(MARKS)]}",
        "maker": MAKERS[number % len(MAKERS)],
        "town": town,
        "year": year,
        "price": price,
        "state": STATES[number % len(STATES)],
        "note": f"Found near {town} in {year}, now in the {BROAD} for {price}",
    }


FINDS = tuple(find(number) for number in range(len(MATERIALS) * len(THINGS)))


def showing(*fields: str) -> list[dict[str, str]]:
    """The rows with those fields alone, as an application shows them."""
    return [{field: row[field] for field in fields} for row in FINDS]
