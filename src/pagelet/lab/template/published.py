"""Figures that the paper prints: Alarte, Insa, Silva, Tamarit, Tables 1 and 2.

They were measured on sites of the authors' own data set, so they stand beside ours and are not to
be reached: other pages, other labels. F1 of an average line is the mean of the lines' F1.
"""

from typing import NamedTuple

from pagelet.lab.figures import Figures


class PublishedSite(NamedTuple):
    """A line of Table 1: one site, with a complete subdigraph of 3 pages and 2 votes."""

    site: str
    nodes: int
    gold: int
    retrieved: int
    recall: float  #: in percent, as all rates of both tables
    precision: float
    f1: float
    ms: int


class PublishedSize(NamedTuple):
    """A line of Table 2: a size of the complete subdigraph with its best number of votes."""

    size: int
    votes: int
    recall: float
    precision: float
    f1: float
    loads: float


TABLE_1 = (
    PublishedSite("water.org", 948, 711, 668, 93.95, 100.0, 96.88, 5661),
    PublishedSite("www.jdi.org.za", 626, 305, 305, 100.0, 100.0, 100.0, 2928),
    PublishedSite("stackoverflow.com", 6450, 447, 461, 100.0, 96.96, 98.46, 18348),
    PublishedSite("www.eclipse.org", 256, 156, 160, 97.44, 95.0, 96.2, 3382),
    PublishedSite("www.history.com", 1246, 669, 593, 88.19, 99.49, 93.5, 16946),
    PublishedSite("www.landcoalition.org", 1247, 393, 433, 98.47, 89.38, 93.7, 4901),
    PublishedSite("es.fifa.com", 1324, 276, 239, 84.78, 97.91, 90.87, 8171),
    PublishedSite("cordis.europa.eu", 959, 335, 327, 97.01, 99.39, 98.19, 5115),
    PublishedSite("clothesor.se", 459, 231, 225, 97.4, 100.0, 98.68, 2176),
    PublishedSite("www.emmaclothes.com", 1080, 374, 368, 98.4, 100.0, 99.19, 8641),
    PublishedSite("www.cleanclothes.org", 1335, 266, 288, 100.0, 92.36, 96.03, 7725),
    PublishedSite("www.mediamarkt.es", 805, 337, 329, 97.63, 100.0, 98.8, 5903),
    PublishedSite("www.ikea.com", 1545, 407, 565, 99.75, 71.86, 83.54, 7326),
    PublishedSite("www.swimmingpool.com", 607, 499, 349, 69.94, 100.0, 82.31, 2514),
    PublishedSite("www.skipallars.cat", 1466, 842, 828, 98.34, 100.0, 99.16, 10042),
    PublishedSite("www.tennis.com", 1300, 463, 419, 90.5, 100.0, 95.01, 7312),
    PublishedSite("www.tennischannel.com", 661, 303, 236, 77.89, 100.0, 87.57, 3520),
    PublishedSite("www.turiparadise.com", 1057, 726, 818, 99.72, 88.51, 93.78, 6756),
    PublishedSite("riotimesonline.com", 2063, 879, 861, 97.96, 100.0, 98.97, 50528),
    PublishedSite("www.beaches.com", 1928, 1306, 1172, 89.74, 100.0, 94.59, 11201),
    PublishedSite("users.dsic.upv.es/~jsilva", 197, 163, 163, 100.0, 100.0, 100.0, 7419),
    PublishedSite("users.dsic.upv.es/~dinsa", 241, 74, 88, 100.0, 84.09, 91.36, 1457),
    PublishedSite("www.engadget.com", 1818, 768, 767, 99.09, 99.22, 99.15, 19116),
    PublishedSite("www.bbc.co.uk/news", 2991, 364, 355, 97.53, 100.0, 98.75, 13806),
    PublishedSite("www.vidaextra.com", 2331, 1137, 992, 87.25, 100.0, 93.19, 17787),
    PublishedSite("www.ox.ac.uk/staff", 948, 525, 533, 99.43, 97.94, 98.68, 59599),
    PublishedSite("clinicaltrials.gov", 543, 389, 394, 97.17, 95.94, 96.55, 4746),
    PublishedSite("en.citizendium.org", 1083, 414, 447, 100.0, 92.62, 96.17, 13414),
    PublishedSite("www.filmaffinity.com", 1333, 351, 355, 100.0, 98.87, 99.43, 5279),
    PublishedSite("edition.cnn.com", 3934, 192, 180, 93.75, 100.0, 96.77, 31076),
    PublishedSite("www.lashorasperdidas.com", 1822, 553, 536, 96.93, 100.0, 98.44, 19379),
    PublishedSite("labakeryshop.com", 1368, 218, 193, 80.73, 91.19, 85.64, 7893),
    PublishedSite("www.felicity.co.uk", 300, 232, 232, 100.0, 100.0, 100.0, 2217),
    PublishedSite("www.thelawyer.com", 3349, 1293, 1443, 93.81, 84.06, 88.67, 19998),
    PublishedSite("www.us-nails.com", 250, 184, 215, 100.0, 85.58, 92.23, 3386),
    PublishedSite("www.informatik.uni-trier.de", 3085, 64, 63, 98.44, 100.0, 99.21, 10174),
    PublishedSite("www.wayfair.co.uk", 1950, 702, 700, 99.29, 99.57, 99.43, 30990),
    PublishedSite("catalog.atsfurniture.com", 340, 301, 304, 100.0, 99.01, 99.5, 2862),
    PublishedSite("www.glassesusa.com", 1952, 1708, 1656, 96.96, 100.0, 98.45, 19462),
    PublishedSite("www.mysmokingshop.co.uk", 575, 407, 428, 100.0, 95.09, 97.49, 89887),
)
TABLE_2 = (
    PublishedSize(1, 1, 88.56, 94.89, 88.69, 2.0),
    PublishedSize(2, 1, 96.34, 90.32, 91.93, 5.6),
    PublishedSize(3, 2, 95.44, 96.35, 95.61, 10.13),
    PublishedSize(4, 3, 94.61, 96.88, 95.27, 16.52),
    PublishedSize(5, 3, 94.69, 96.96, 95.4, 18.68),
    PublishedSize(6, 3, 95.21, 96.82, 95.69, 23.68),
    PublishedSize(7, 3, 95.46, 96.31, 95.57, 30.0),
    PublishedSize(8, 4, 95.14, 96.57, 95.54, 32.08),
)
SEARCH_RUNS = 500_000  #: runs of the authors' search for their relation, at least
NOT_PRINTED = ""  #: cell of a figure that the paper does not print


def published_rows() -> list[tuple[object, ...]]:
    """Table 2 in the columns of our own table."""
    return [
        (
            f"published, n = {each.size}, v = {each.votes}",
            *(NOT_PRINTED,) * 3,
            *(round(rate / 100, 4) for rate in (each.recall, each.precision, each.f1)),
            each.loads,
            NOT_PRINTED,
            len(TABLE_1),
        )
        for each in TABLE_2
    ]


def published_table() -> Figures:
    """Table 1."""
    columns = ("site", "nodes", "gold", "retrieved", "recall", "precision", "F1", "ms")
    rows = [(*each[:4], *(round(rate / 100, 4) for rate in each[4:7]), each.ms) for each in TABLE_1]
    note = "Printed by the authors, for pages of 2015 and earlier; n = 3, v = 2."
    return Figures("site templates as published, Table 1", columns, tuple(rows), (note,))
