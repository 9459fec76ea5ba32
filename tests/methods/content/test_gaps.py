"""Nothing of an article is lost: paragraphs between fields, rows of tables, the only paragraph."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import extract, parse
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import shipped_model
from pagelet.methods.content.tables import data_rows, join_rows, whole_rows
from pagelet.page.textblocks import text_blocks

PARAGRAPHS = [
    f"The council met on {day} to settle the matter of the mill. {end}"
    for day, end in (
        ("Monday", "Its wheel was stopped in the spring of that year."),
        ("Tuesday", "People still come to look at it on Sundays."),
        ("Wednesday", "Nobody has found a buyer for the building."),
        ("Thursday", "A fund was set up to repair the roof."),
        ("Friday", "The miller's granddaughter keeps the key."),
        ("Saturday", "She opens the door when visitors ask her."),
        ("Sunday", "Each stone has a number from the quarry."),
        ("Easter", "Water still runs below the floor."),
    )
]
LABEL = "A label that tells a screen reader what this control does and why it is here. " * 20


def article(between: str, where: int | None = None) -> str:
    """Eight paragraphs with something after each, or after one of them."""
    parts = [
        f"<p>{text}</p>{between if where in (None, at) else ''}"
        for at, text in enumerate(PARAGRAPHS)
    ]
    return f"<title>The mill</title><div class=post><h1>The mill</h1>{''.join(parts)}</div>"


@pytest.mark.parametrize("target", ["auto", "article", "all"])
@pytest.mark.parametrize(
    "html",
    [
        pytest.param(article("<label>Label <input></label>" * 500, 3), id="labels in the middle"),
        pytest.param(article("<button>Vote</button>" * 500, 3), id="buttons in the middle"),
        pytest.param(article("<input type=text name=q>" * 200), id="fields everywhere"),
        pytest.param(
            article(f"<p>{'<label>Label <input></label>' * 60}</p>", 3), id="a paragraph of labels"
        ),
        pytest.param(article(f"<a href=# aria-label='{LABEL}'>#</a>" * 20), id="aria labels"),
        pytest.param(article(f"<div>{'<button>Vote</button>' * 500}</div>", 3), id="a box"),
    ],
)
def test_an_article_among_fields_keeps_every_paragraph(html, target):
    text = extract(html, target=target)
    assert [paragraph for paragraph in PARAGRAPHS if paragraph not in text] == []


@pytest.mark.parametrize("target", ["auto", "article", "all"])
def test_buttons_inside_a_paragraph_do_not_cost_its_text(target):
    buttons = "<button>Vote now</button>" * 60
    inside = "".join(f"<p>{text}{buttons}</p>" for text in PARAGRAPHS)
    text = extract(f"<title>The mill</title><div class=post><h1>The mill</h1>{inside}</div>",
                   target=target)  # fmt: skip
    assert [paragraph for paragraph in PARAGRAPHS if paragraph not in text] == []


@pytest.mark.parametrize("links", [100, 10_000, 100_000])
def test_the_only_paragraph_of_a_page_of_links_is_its_content(links):
    many = " ".join(f"<a href=/{at}>link number {at}</a>" for at in range(links))
    assert extract(f"<body>{many}<p>{PARAGRAPHS[0]}</p>") == PARAGRAPHS[0]


def test_a_notice_alone_is_no_content():
    many = " ".join(f"<a href=/{at}>link number {at}</a>" for at in range(10_000))
    notice = "© 2026 Mill Trust and its members. All rights reserved."
    assert extract(f"<body>{many}<p>{notice}</p>") == ""


# -- rows of tables ---------------------------------------------------------------------------

SHOP = """<title>Pro tool kit</title><main><h1>Pro tool kit</h1>
<p>Sixty-four bits for every screw that a phone, a console or a watch has to offer.</p>
<table class=specs>{}</table></main><footer>Imprint</footer>"""
SPECS = {
    "Driver Material": "Anodized Aluminum",
    "Foam": "EVA",
    "Bit Metal": "S2 Steel",
    "Case Material": "ABS",
    "Dimensions": '8.25" x 5.6" x 2.75"',
    "Part Number": "IF145-307-4",
}


@pytest.mark.parametrize("favor", ["precision", "balanced", "recall"])
def test_a_row_of_a_table_is_whole_or_not_there(favor):
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in SPECS.items())
    text = extract(SHOP.format(rows), "https://shop.example/products/kit", favor=favor)
    for name, value in SPECS.items():
        assert (name in text) == (value in text), name


cells = st.lists(st.sampled_from(("", "one", "one two three", "<p>a b</p><p>c</p>")), max_size=4)


@given(st.lists(cells, min_size=1, max_size=4), st.sampled_from(("balanced", "precision")))
def test_no_decision_cuts_a_row(rows, favor):
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    page = parse(f"<p>{PARAGRAPHS[0]}</p><table>{table}</table>")
    found = decide(page, shipped_model(), favor, "auto")
    row = data_rows(page, found.blocks)
    for number in set() if row is None else set(row[row >= 0].tolist()):
        assert len(set(found.kept[row == number].tolist())) == 1


def test_cells_that_lay_out_the_page_are_no_data():
    page = parse(
        "<table><tr><td><p>a<p>b<p>c<p>d<p>e<td>side<tr><td><table><tr><td>x<td>y</table><td>z"
        "<tr><td>alone<tr><td>one<td>two</table>"
    )
    blocks = text_blocks(page)
    row = data_rows(page, blocks)
    texts = [text.strip() for text in blocks.texts(page)]
    assert [text for text, at in zip(texts, row.tolist(), strict=True) if at >= 0] == [
        "x", "y", "one", "two",
    ]  # fmt: skip


def test_rows_by_hand():
    row, words = np.array([7, 7, -1, 9]), np.array([1.0, 3.0, 5.0, 0.0])
    joined = join_rows(np.array([0.2, 0.6, 0.3, 0.4]), words, row)
    assert joined.tolist() == pytest.approx([0.5, 0.5, 0.3, 0.4])
    assert whole_rows(np.array([True, False, True, False]), words, row).tolist() == [
        False, False, True, False,
    ]  # fmt: skip
