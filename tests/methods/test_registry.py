"""The registry: every option has help and bounds, wrong values are named, answers survive JSON."""

import dataclasses
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import get_args, get_type_hints

import pytest

import pagelet
from pagelet import (
    METHODS,
    ContentOptions,
    MenuOptions,
    Pagelet,
    Pagelets,
    Query,
    detect_clutter,
    detect_links,
    detect_menu,
    detect_noise,
    detect_records,
    detect_segments,
    detect_template,
    extract,
    extract_content,
    load,
    parse,
    read_forms,
    render,
)
from pagelet.api import analyse
from pagelet.errors import NotAPage, OptionError, PageletError
from pagelet.methods.clutter.options import ClutterChanges
from pagelet.methods.content.options import ContentChanges
from pagelet.methods.links.options import LinksChanges
from pagelet.methods.menu.options import MenuChanges
from pagelet.methods.noise.options import NoiseChanges
from pagelet.methods.records.options import RecordsChanges
from pagelet.methods.registry import OptionField, option_fields
from pagelet.methods.segments.options import SegmentsChanges
from pagelet.methods.template.options import TemplateChanges
from tests.cases import case
from tests.drawn import drawn
from tests.places import SITE

OTHERS = ("shop/index.html", "shop/paper-packets.html")  #: for methods that need the site
OWN = {"links", "records"}  #: methods that follow no publication
OPTIONS = [
    (method, field) for method in METHODS.values() for field in option_fields(method.options)
]
RUNS = [
    pytest.param(method.name, profile, id=f"{method.name} {profile}")
    for method in METHODS.values()
    for profile in method.profiles
]


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_method_says_what_it_is(method):
    assert "default" in method.profiles
    assert ("paper" in method.profiles) == (method.name not in OWN)
    assert method.name
    assert method.summary
    assert method.paper
    assert set(method.needs) <= {"page", "site", "boxes", "query"}
    assert METHODS[method.name] is method


def test_an_option_has_help_and_accepts_its_default():
    for method, field in OPTIONS:
        with case(method.name, field.name):
            assert len(field.help) > 10
            for profile in method.profiles.values():
                field.check(getattr(profile.options, field.name))


def wrong_values(field: OptionField) -> list[object]:
    """Values the option cannot have."""
    wrong: list[object] = [None, {}]
    wrong += [[1], ("a", None), {"a"}] if field.repeatable else [[], ()]
    if field.type is not str:
        wrong.append("no such word")
    if field.type is not bool:
        wrong.append(True)
    if field.type is int:
        wrong.append(1.5)
    if field.type is float:
        wrong += [float("nan"), float("inf"), float("-inf")]
    if field.low is not None:
        wrong.append(field.low - 1)
    if field.high is not None:
        wrong.append(field.high + 1)
    return wrong


def test_a_wrong_value_is_refused():
    for method, field in OPTIONS:
        for value in wrong_values(field):
            with case(method.name, field.name, repr(value)):
                with pytest.raises(OptionError) as error:
                    method.with_options("default", {field.name: value})
                assert isinstance(error.value, ValueError)
                assert (error.value.name, error.value.value) == (field.name, value)
                assert f"option {field.name} = {value!r}: " in str(error.value)


FIELD = OptionField("share", float, 0.5, "a share of something", 0, 1)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        pytest.param(FIELD, 2, "must be between 0 and 1", id="range"),
        pytest.param(FIELD, "x", "must be a number", id="type"),
        pytest.param(
            dataclasses.replace(FIELD, type=int), 0.5, "must be a whole number", id="whole numbers"
        ),
        pytest.param(dataclasses.replace(FIELD, type=bool), 1, "must be true or false", id="flag"),
    ],
)
def test_the_message_says_what_is_allowed(field, value, why):
    with pytest.raises(OptionError, match=why):
        field.check(value)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.25])
def test_bounds_are_inside_and_whole_numbers_are_numbers(value):
    FIELD.check(value)


def test_choices_are_listed_in_the_message():
    with pytest.raises(OptionError, match="must be linear or geometric"):
        METHODS["clutter"].with_options("default", {"decay_shape": "steep"})


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_unknown_names_are_refused(method):
    with pytest.raises(OptionError, match=f"{method.name} has no such option"):
        method.with_options("default", {"no_such": 1})
    with pytest.raises(OptionError, match=r"has the profiles? default"):
        method.profile("no such")
    with pytest.raises(OptionError, match="menu, clutter"):
        analyse(parse(""), "no such")


def test_changes_are_made_and_nothing_else():
    changed = METHODS["clutter"].with_options("paper", {"decay": 0})
    paper = METHODS["clutter"].profiles["paper"].options
    assert changed == dataclasses.replace(paper, decay=0)
    assert paper.decay == 0.1


@pytest.mark.parametrize(("name", "profile"), RUNS)
def test_options_survive_json(name, profile):
    options = METHODS[name].profiles[profile].options
    form = json.loads(json.dumps(dataclasses.asdict(options)))
    assert METHODS[name].with_options(profile, form) == options


def numbers(reason: object, at: str = "") -> dict[str, object]:
    """A reason laid flat: every leaf by the names that lead to it."""
    if not isinstance(reason, Mapping):
        return {at: reason}
    parts = [numbers(value, f"{at}.{name}") for name, value in reason.items()]
    return {name: value for part in parts for name, value in part.items()}


#: pages with records, in place of those that have none but side bars
WITH_RECORDS = {"index.html": "shop/index.html", "ja/index.html": "search-results-bean.html"}


@pytest.mark.parametrize(("name", "profile"), RUNS)
@pytest.mark.parametrize("file", ["index.html", "news/wall-repair.html", "ja/index.html"])
def test_answers_survive_json(name, profile, file):
    file = WITH_RECORDS.get(file, file) if name == "records" else file
    page = parse((SITE / file).read_bytes(), url="https://example.org/")
    others = OTHERS if "site" in METHODS[name].needs else ()
    site = [parse((SITE / each).read_bytes(), f"https://example.org/{each}") for each in others]
    asked = drawn(page, uneven=True) if "boxes" in METHODS[name].needs else page
    found = analyse(asked, name, profile=profile, site=site)
    again = Pagelets.from_dict(page, json.loads(found.to_json()))
    assert len(again) == len(found) > 0
    for one, other in zip(found, again, strict=True):
        assert (one.rows, one.kind) == (other.rows, other.kind)
        assert other.score == pytest.approx(one.score, abs=5e-7)
        assert numbers(other.reason) == pytest.approx(numbers(one.reason), abs=5e-7)
    assert again.to_dict() == found.to_dict()


def test_an_answer_of_several_rows_survives_json():
    page = parse("<p>a<p>b")
    several = Pagelet(page, (3, 5), "segment", 1.0)
    form = Pagelets(page, "m", "p", (several,), lambda: {"more": 1}).to_dict()
    assert form["pagelets"][0]["path"] is None
    assert form["pagelets"][0]["paths"] == ["/html/body/p[1]", "/html/body/p[2]"]
    again = Pagelets.from_dict(page, form)
    assert again[0].rows == (3, 5)
    assert again.extra == {"more": 1}
    assert again[0].text == "a b"


def every_error(kind: type[PageletError]) -> list[type[PageletError]]:
    """The errors that any room may raise; a room's own never leave it."""
    below = [inner for each in kind.__subclasses__() for inner in every_error(each)]
    return [each for each in (kind, *below) if each.__module__ == "pagelet.errors"]


ARGUMENTS = {
    "PageletError": ("x",),
    "PageError": ("s", "w"),
    "NotHtml": ("s", "image/png"),
    "PageTooLarge": ("s", 5),
    "Unreachable": ("s", "w"),
    "ErrorStatus": ("s", 503, "wait"),
    "OutOfScope": ("s", "t"),
    "Disallowed": ("s", "w"),
    "BudgetSpent": ("s", "pages", 5),
    "PasswordNeeded": ("s",),
    "RenderFailed": ("s", "w"),
    "RenderTimeout": ("s", 30.0),
    "BrowserMissing": ("w",),
    "DamagedRecord": ("s", "w"),
    "OverTime": ("s", 5.0),
    "WorkerCrashed": ("s", "exit code 1"),
    "NoWorkers": ("w",),
    "UnsafeAddress": ("s", "w"),
    "NotAPage": ("w",),
    "NoSuchNode": ("/x",),
    "MissingLayout": ("segments",),
    "NoGold": ("f", "w"),
    "TooFewSites": ("f", 18, 2),
    "UnwritableOutput": ("f", "w"),
    "MissingExtra": ("e", "f"),
    "OptionError": ("n", 1, "w"),
}


def test_errors_survive_pickling():
    for kind in every_error(PageletError):
        with case(kind):
            error = kind(*ARGUMENTS[kind.__name__])
            again = pickle.loads(pickle.dumps(error))
            assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))
            assert "\n" not in str(error)


# -- options check themselves -------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_options_check_themselves_when_they_are_made(method):
    for profile in method.profiles.values():
        for field in option_fields(method.options):
            for value in wrong_values(field):
                with pytest.raises(OptionError) as error:
                    type(profile.options)(**{field.name: value})
                assert error.value.name == field.name, (field.name, value)


def test_the_message_is_that_of_the_command_line():
    with pytest.raises(OptionError, match="option min_score = 9: must be between 0 and 1"):
        MenuOptions(min_score=9)
    with pytest.raises(OptionError, match="option favor = 'zzz': must be balanced, precision"):
        ContentOptions(favor="zzz")


CHANGES = {
    "content": ContentChanges,
    "menu": MenuChanges,
    "clutter": ClutterChanges,
    "links": LinksChanges,
    "noise": NoiseChanges,
    "records": RecordsChanges,
    "template": TemplateChanges,
    "segments": SegmentsChanges,
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_keywords_are_the_options(method):
    """A type checker knows the keywords of a function by a TypedDict."""
    fields = {field.name: field.type for field in option_fields(method.options)}
    keywords = get_type_hints(CHANGES[method.name])
    assert list(keywords) == list(fields)
    for name, kind in fields.items():
        wanted = tuple[str, ...] | list[str] if kind == tuple[str, ...] else kind
        assert keywords[name] == wanted, name


# -- one way to call it ----------------------------------------------------------------------------


def test_options_and_keywords_exclude_each_other():
    with pytest.raises(OptionError, match="options= or keywords, not both"):
        detect_menu("<p>x", options=MenuOptions(), min_score=0.5)


def test_options_of_another_profile_are_refused():
    with pytest.raises(OptionError, match="the options are of the profile default"):
        extract_content("<p>x", options=ContentOptions(links=False), profile="paper")
    paper = METHODS["content"].with_options("paper", {"links": False})
    assert extract_content("<p>x", options=paper).profile == "paper"
    assert extract_content("<p>x", options=paper, profile="paper").profile == "paper"
    with pytest.raises(OptionError, match="expected MenuOptions"):
        detect_menu("<p>x", options=ContentOptions())


FUNCTIONS = (
    detect_menu,
    detect_clutter,
    detect_links,
    detect_noise,
    detect_records,
    detect_template,
    detect_segments,
    extract_content,
    extract,
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_wrong_types_get_one_clear_line(function):
    for wrong in (None, 3, ["<p>x"]):
        with pytest.raises(TypeError, match=f"{type(wrong).__name__} is no page; give HTML as str"):
            function(wrong)
    with pytest.raises(NotAPage, match=r"is an address, not HTML; pagelet.load\(url\) fetches it"):
        function("https://example.org/")


@pytest.mark.parametrize("function", [*FUNCTIONS, parse, read_forms], ids=lambda f: f.__name__)
def test_the_name_of_a_file_is_no_html(function):
    name = str(SITE / "index.html")
    with pytest.raises(NotAPage, match=r"is the name of a file, not HTML; give Path\("):
        function(name)
    with pytest.raises(NotAPage, match="NoneType is no page"):
        function(None)


@pytest.mark.parametrize("function", [load, render], ids=lambda f: f.__name__)
def test_html_is_no_name(function):
    with pytest.raises(NotAPage, match="is HTML, not the name of a page"):
        function("<p>see http://x.example")
    with pytest.raises(NotAPage, match="int names no page; give a URL, a file or -"):
        function(3)


def test_load_takes_a_path():
    page = SITE / "index.html"
    assert load(page).source == load(str(page)).source


def test_forms_of_everything_that_is_a_page():
    html = "<form action=/s><input name=q></form>"
    forms = [read_forms(html), read_forms(html.encode()), read_forms(parse(html))]
    assert [each[0].fields[0].name for each in forms] == ["q"] * 3
    assert read_forms(html, url="https://a.example/x")[0].action == "https://a.example/s"


def test_the_address_of_a_page_is_an_input_of_every_function():
    html = "<nav><ul><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul></nav>"
    menu = detect_menu(html, url="https://a.example/x", min_score=0)
    assert menu[0].links[0].href == "https://a.example/a"
    assert analyse(html, "menu", url="https://a.example/x", min_score=0)[0].links == menu[0].links


def test_a_query_is_words_or_a_list_of_them():
    html = "<p>tomato<p>apple"
    results = [
        detect_noise(html, query=query).to_json()
        for query in ("tomato", ["tomato"], Query.of(["tomato"]))
    ]
    assert len(set(results)) == 1
    for wrong in (3, [3]):
        with pytest.raises(OptionError, match="expected words, or a list of them"):
            detect_noise(html, query=wrong)
    with pytest.raises(OptionError, match="menu takes no query"):
        analyse(html, "menu", query="tomato")


def test_a_site_is_pages_of_any_form_or_their_folder():
    page, files = SITE / "index.html", [SITE / name for name in OTHERS]
    folder = detect_template(page, site=SITE)
    paths = detect_template(page, site=files)
    texts = detect_template(page, site=[file.read_bytes() for file in files])
    assert folder.extra["template"]["known"]
    assert [item.path for item in paths] == [item.path for item in texts] != []
    for wrong in (3, "site", [None]):
        with pytest.raises((OptionError, NotAPage)):
            detect_template(page, site=wrong)


def test_wrong_inputs_are_named():
    with pytest.raises(OptionError, match="option template = 4: expected the file"):
        detect_menu("<p>", template=4)
    with pytest.raises(OptionError, match="expected a Layout"):
        pagelet.detect_segments("<p>", layout={"x": 1})


def test_a_template_need_not_be_a_file():
    pages = [pagelet.load(str(path)) for path in sorted((SITE / "news").glob("*.html"))]
    learned = pagelet.LearnedTemplate({}).with_pages(pages)
    (slot, *_) = detect_template(pages[-1], template=learned)
    assert slot.text.startswith("The west wall is up again")


def test_long_values_are_cut_in_messages():
    with pytest.raises(OptionError) as raised:
        detect_menu("<p>", template=[0] * 1000)
    assert len(str(raised.value)) < 300


def test_results_print_how_many_of_which_kind_there_are():
    result = detect_clutter(SITE / "index.html")
    assert repr(result) == f"Pagelets({len(result)} clutter; method='clutter', profile='default')"
    assert repr(detect_menu("<p>")) == "Pagelets(none; method='menu', profile='default')"


def test_a_file_works_as_a_page():
    page = SITE / "index.html"
    assert extract(page) == extract(page.read_bytes())
    assert detect_menu(page)[0].path == detect_menu(page.read_text())[0].path


#: names that the module of the functions imports for type checkers alone
NAMES = {f"{kind.__name__}": kind for kind in CHANGES.values()} | {
    method.options.__name__: method.options for method in METHODS.values()
}
NAMES["LearnedTemplate"] = pagelet.LearnedTemplate


def test_every_type_of_a_public_signature_is_exported():
    exported = {getattr(pagelet, name) for name in pagelet.__all__ if name != "METHODS"}
    for function in (*FUNCTIONS, pagelet.analyse, pagelet.load, pagelet.parse, pagelet.render):
        for kind in _types(get_type_hints(function, localns=NAMES).values()):
            assert kind in exported, f"{function.__name__}: {kind}"


def _types(hints):
    """The classes of ours in type hints, also within unions."""
    for hint in hints:
        yield from _types(get_args(hint))
        ours = isinstance(hint, type) and hint.__module__.startswith("pagelet.")
        if ours and not hint.__name__.endswith("Changes"):
            yield hint


def test_the_version_is_that_of_the_package():
    assert pagelet.__version__ == version("pagelet")
    done = subprocess.run(
        [sys.executable, "-m", "pagelet", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"pagelet {pagelet.__version__} (")


# -- rows that cannot be true -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"needs": ("page", "layout")}, "needs has layout; it may have boxes, page and site"),
        (
            {"uses": ("cookies",)},
            "uses has cookies; it may have boxes, memory, query, site and template",
        ),
        ({"formats": ("text", "pdf")}, "formats has pdf; it may have html"),
        ({"profiles": {}}, "there is no profile default"),
        ({"profiles": {"ours": METHODS["menu"].profile("default")}}, "profile ours are of profile"),
    ],
)
def test_a_row_says_what_is_wrong_with_it(changes, why):
    with pytest.raises(TypeError, match=f"the row of method menu: .*{re.escape(why)}"):
        dataclasses.replace(METHODS["menu"], **changes)
