"""Words for every measure of elements, by its name."""

from pagelet.methods.phrases import Phrases, flag, logarithm, measure

#: What a name or tag tells of, in words.
NAMED = {
    "header": "a header", "footer": "a footer", "navigation": "navigation",
    "main": "the main part", "side": "a side", "wrapper": "a wrapper", "item": "an item",
    "logo": "a logo or title", "search": "a form", "advert": "advertising",
    "picture": "a picture",
}  # fmt: skip
TAGGED = {
    "table": "a table or a row of one", "cell": "a cell of a table", "list": "a list",
    "section": "a section", "paragraph": "a paragraph", "heading": "a heading",
}  # fmt: skip


def _names() -> Phrases:
    phrases = {}
    for name, words in NAMED.items():
        phrases[f"is_{name}"] = flag(f"named like {words}", f"not named like {words}")
        phrases[f"has_{name}"] = flag(f"a part named like {words}", f"no part named like {words}")
        phrases[f"in_{name}"] = flag(f"inside {words} by name", f"not inside {words} by name")
    for name, words in TAGGED.items():
        phrases[f"tag_{name}"] = flag(f"it is {words}", f"it is not {words}")
    return phrases


def _gaps() -> Phrases:
    phrases = {}
    for name, words in (("across", "from top to bottom"), ("down", "from left to right")):
        phrases[f"gaps_{name}"] = logarithm(f"{{:.0f}} straight gaps {words}")
        phrases[f"gap_{name}"] = logarithm(f"the widest gap {words} has {{:.0f}} px")
        phrases[f"gap_{name}_to_mean"] = measure(f"that is {{:.1f}} times the usual gap {words}")
        phrases[f"gap_{name}_share"] = measure(f"{{:.0%}} of it are gaps {words}")
    return phrases


ELEMENT_PHRASES: Phrases = {
    "depth": measure("{:.0f} elements with several parts around it"),
    "width": logarithm("{:.0f} px wide"),
    "height": logarithm("{:.0f} px high"),
    "width_share": measure("as wide as {:.0%} of the page"),
    "height_share": measure("as high as {:.0%} of the page"),
    "area_share": measure("its boxes cover {:.0%} of what is drawn"),
    "element_share": measure("the element covers {:.0%} of what is drawn"),
    "top": logarithm("begins {:.0f} px from the top"),
    "to_bottom": logarithm("ends {:.0f} px from the bottom"),
    "top_share": measure("begins after {:.0%} of the page"),
    "bottom_share": measure("ends after {:.0%} of the page"),
    "left_share": measure("begins {:.0%} from the left"),
    "right_share": measure("ends {:.0%} from the left"),
    "page_height": logarithm("a page of {:.0f} px"),
    "page_boxes": logarithm("a page of {:.0f} boxes"),
    "boxes": logarithm("{:.0f} boxes in it"),
    "chars": logarithm("{:.0f} characters in it"),
    "boxes_share": measure("{:.0%} of the page's boxes"),
    "chars_share": measure("{:.0%} of the page's text"),
    "linked": measure("{:.0%} of its text are links"),
    "line": measure("lines of {:.0f} characters"),
    "pictures": measure("{:.0%} of it are pictures"),
    "density": measure("{:.0%} of it is filled"),
    "font_size": measure("letters of {:.0f} px"),
    "headings": logarithm("{:.0f} headings in it"),
    "parts": logarithm("{:.0f} parts"),
    "largest_part": measure("its largest part has {:.0%} of it"),
    "largest_area": measure("its largest part covers {:.0%} of it"),
    "sizable_parts": measure("{:.0f} large parts"),
    "siblings": logarithm("{:.0f} parts side by side with it, itself counted"),
    "rank": measure("{:.0f} parts before it"),
    "rank_share": measure("after {:.0%} of the parts around it"),
    "share_above": measure("{:.0%} of the text around it"),
    "area_above": measure("{:.0%} of the area around it"),
    "largest_beside": measure("the largest part around it has {:.0%}"),
    "columns": measure("{:.0%} of its parts lie side by side"),
    "part_gap": logarithm("{:.0f} px between its parts"),
    "widest_gap": logarithm("at most {:.0f} px between its parts"),
    "alike_parts": measure("{:.0%} of its parts are like the next one"),
    "same_tag": measure("{:.0%} of its parts have the tag of the next one"),
    "width_difference": measure("widths of its parts differ by {:.1f}"),
    "height_difference": measure("heights of its parts differ by {:.1f}"),
    "inline_parts": measure("{:.0%} of its parts are texts or inline"),
    **_gaps(),
    "filled": flag("a background of its own", "no background of its own"),
    "bordered": flag("a border", "no border"),
    "ground_step": measure("its background differs by {:.0f} levels from that around it"),
    "filled_parts": measure("{:.0%} of its parts have a background"),
    "bordered_parts": measure("{:.0%} of its parts have a border"),
    "part_ground_step": measure("backgrounds of its parts differ by {:.0f} levels"),
    "surfaces": logarithm("{:.0f} backgrounds in it"),
    **_names(),
}
