"""`pagelet template`: a page without its template, or the template without the page."""

from dataclasses import replace
from typing import Any

from rich.markup import escape

from pagelet.cli import options as shared
from pagelet.cli.options import changes_of
from pagelet.cli.output import console, write_list
from pagelet.cli.site import (
    CacheOption,
    DelayOption,
    NoCacheOption,
    Said,
    SiteOption,
    addressed,
    opened,
    read_page,
    unknown,
)
from pagelet.methods.registry import Method
from pagelet.methods.template import TemplateOptions, find_template, learned_template, listed
from pagelet.methods.template.answer import Template
from pagelet.sources.limits import Limits
from pagelet.sources.site import SITE_POLITENESS, OpenSite


def runner(method: Method) -> Any:
    """The command."""

    def run(  # noqa: PLR0913 - what a command line takes
        page: shared.PageArgument,
        *,
        format: str = "text",
        profile: shared.ProfileOption = "default",
        site: SiteOption = None,
        delay: DelayOption = SITE_POLITENESS.delay,
        cache: CacheOption = None,
        no_cache: NoCacheOption = False,
        url: shared.UrlOption = None,
        max_bytes: shared.BytesOption = Limits().max_bytes,
        timeout: shared.TimeoutOption = Limits().timeout,
        allow_private: shared.AllowPrivateOption = None,
        **options: Any,
    ) -> None:
        chosen = method.with_options(profile, changes_of(method, options))
        if chosen.template:
            learned_template(chosen.template)  # a mistake is told before a page is read
        limits = Limits(max_bytes=max_bytes, timeout=timeout)
        own = page if "://" in page else None
        said = Said(site=site or own, url=url, limits=limits,
                    allow_private=tuple(allow_private or ()), delay=delay,
                    cache=cache, no_cache=no_cache)  # fmt: skip
        with opened(page, said) as known:
            read = read_page(page, said, known)
            inside = addressed(read, page, known)
            found = find_template(inside, chosen, profile=profile, site=known or ())
            answer(replace(found, page=read), known, format, chosen, profile)

    return run


def answer(
    found: Template, site: OpenSite | None, format: str, options: TemplateOptions, profile: str
) -> None:
    """Write the answer to standard output, and what is told about it to standard error."""
    slots = listed(found, options, profile)
    if format == "json":
        print(slots.to_json(indent=2))
    elif format == "text" and options.explain:
        write_list(slots, explain=True)
    else:
        print(found.written(format))
    console(error=True).print(escape(summary(found, site)))


def summary(found: Template, site: OpenSite | None = None) -> str:
    """One line: how much is template, and how that was found."""
    told = found.facts
    if not found.known:
        return unknown(found, site)
    share = found.share()
    parts = [f"template {share['nodes']:.0%} of nodes, {share['characters']:.0%} of characters"]
    if "fit" in told:
        return f"{parts[0]}; fit {told['fit']:.2f}"
    if told.get("guess"):
        parts.append("no page is like this one, so this is a guess by names")
    return "; ".join([*parts, f"{len(told['pages'])} pages compared, {told['loads']} loaded"])
