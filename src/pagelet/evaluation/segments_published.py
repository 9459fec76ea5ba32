"""What the authors of BCS printed, to stand beside our figures."""

import numpy as np

from pagelet.evaluation.table import Figures

COLUMNS = (
    "pages", "VIPS ms", "BCS ms", "BCS ARI", "VIPS ARI", "BCS F", "VIPS F",
    "BCS ARI sd", "VIPS ARI sd", "BCS F sd", "VIPS F sd",
)  # fmt: skip
PUBLISHED = (
    ("businessinsider article", 522, 20,
     0.5704, 0.7010, 0.6345, 0.7394, 0.1275, 0.1740, 0.0358, 0.0721),
    ("idnes.cz article", 723, 53,
     0.6629, 0.7240, 0.5570, 0.5720, 0.0646, 0.0766, 0.0424, 0.0794),
    ("idnes.cz index", 1079, 39,
     0.5954, 0.7926, 0.5522, 0.7259, 0.0733, 0.0078, 0.0108, 0.0070),
    ("novinky.cz article", 390, 18,
     0.7670, 0.7877, 0.6446, 0.7191, 0.1274, 0.1406, 0.0404, 0.0731),
    ("novinky.cz index", 28126, 699,
     0.5303, 0.9121, 0.4265, 0.9043, 0.0529, 0.0140, 0.0558, 0.0219),
    ("reuters article", 442, 37,
     0.6123, 0.6786, 0.5914, 0.6943, 0.1316, 0.1687, 0.0301, 0.0847),
    ("reuters index", 475, 15,
     0.5832, 0.8160, 0.5145, 0.7569, 0.0328, 0.0516, 0.0203, 0.0336),
    ("yahoo news article", 342, 21,
     0.7556, 0.5626, 0.7102, 0.5446, 0.2089, 0.1658, 0.1000, 0.0539),
)  # fmt: skip
TIMES = 20  #: how many times as long as BCS the authors say VIPS takes, about
NOTES = (
    "Published; other data: 100 pages of each kind, three volunteers. The threshold of BCS and"
    " the degree of VIPS are the best of each page, for F and ARI each by itself: compare oracle.",
)


def published_figures() -> Figures:
    """Tables 2 to 4 as printed, by kind of page, and their means."""
    means = np.mean([row[1:] for row in PUBLISHED], axis=0).tolist()
    rows = (*PUBLISHED, ("mean", *(round(value) for value in means[:2]), *means[2:]))
    return Figures("Zeleny, Burget, Zendulka, Tables 2 to 4", COLUMNS, rows, NOTES)
