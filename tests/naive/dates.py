"""The first date in a text, every pattern tried at every place."""

from pagelet.metadata import dates


def find_date(text, order="", language=""):
    if dates.SECONDS.fullmatch(text):
        return dates.find_date(text)
    if dates.YEAR.search(text) is None:
        return first(numbers(text, order))
    years = [match.start() for match in dates.YEAR.finditer(text)]
    span = max(years[0] - dates.BEFORE_YEAR, 0), years[-1] + dates.BEHIND_YEAR
    found = [first(year_first(text, span)), named(text, span, language), plain(text, span)]
    found.append(first(numbers(text, order)))
    return min(filter(None, found), key=lambda one: one.start, default=None)


def first(found):
    return next(filter(None, found), None)


def match_date(match, value):
    return dates.DateMatch(value, match.start(), match.end()) if value else None


def year_first(text, span):
    for match in dates.YEAR_FIRST.finditer(text, *span):
        day = dates._day(match["year"], match["month"], match["day"])
        if day and (match["mark"] or len(match["month"] + match["day"]) == 4):
            yield match_date(match, dates._with_time(day, match))


def named(text, span, language):
    kinds = (dates.MONTH_DAY_GROUPS, dates.DAY_MONTH_GROUPS)
    kinds += (dates.YEAR_MONTH_DAY_GROUPS, dates.MONTH_DAY_TIME_GROUPS)
    found = (first(named_by(*kind, text, span, language)) for kind in kinds)
    return min(filter(None, found), key=lambda one: one.start, default=None)


def named_by(pattern, groups, text, span, language):
    for match in pattern.finditer(text, *span):
        year, month, day = match.group(*groups)
        number = dates.month_number(month, language)
        yield match_date(match, number and dates._day(year, number, day))


def plain(text, span):
    for pattern in (dates.HAN, dates.YEAR_SPACED):
        every = pattern.finditer(text, *span)
        if found := first(match_date(match, dates._day(*match.groups())) for match in every):
            return found
    return None


def numbers(text, order):
    for match in dates.DAY_FIRST.finditer(text):
        one, mark, other, year = match.groups()
        yield match_date(match, dates._ordered(one, other, year, mark.strip(), order))
