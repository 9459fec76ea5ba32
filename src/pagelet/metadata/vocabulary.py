"""Names of the meta elements that are read, by what they state; what others say is left out."""

Names = tuple[str, ...]

READ: set[str] = set()  #: all of them


def _meta_names(names: str) -> Names:
    """Names in small letters, the most trusted first."""
    READ.update(names.split())
    return tuple(names.split())


TITLE = _meta_names(
    "og:title twitter:title dc.title dcterms.title citation_title parsely-title sailthru.title"
)
AUTHOR = _meta_names(
    "author article:author dc.creator dcterms.creator citation_author parsely-author"
    " sailthru.author cxenseparse:author byl article:author_name rnews:author"
)
PUBLISHED = _meta_names(
    "article:published_time citation_publication_date citation_online_date citation_date"
    " dc.date.issued dcterms.issued dcterms.created dc.date.created datepublished publishdate"
    " pubdate publish-date publish_date published_date published-date publication_date"
    " article.published parsely-pub-date sailthru.date cxenseparse:recs:publishtime"
    " bt:pubdate og:published_time og:article:published_time rnews:datepublished"
    " article_date_original shareaholic:article_published_time dc.date dcterms.date date"
)
CHANGED = _meta_names(
    "article:modified_time og:updated_time dcterms.modified dc.date.modified last-modified"
)
LANGUAGE = _meta_names("content-language og:locale dc.language")
SITE = _meta_names("og:site_name")
PUBLISHER = _meta_names("application-name dc.publisher")
ADDRESS = _meta_names("og:url twitter:url")
OWN_ADDRESS = _meta_names("og:url")
DESCRIPTION = _meta_names(
    "og:description description twitter:description dc.description dcterms.description"
)
IMAGE = _meta_names("og:image og:image:url og:image:secure_url twitter:image twitter:image:src")
PAGE_TYPE = _meta_names("og:type")
TAG = _meta_names("article:tag")
KEYWORDS = _meta_names("news_keywords keywords parsely-tags sailthru.tags")
CATEGORY = _meta_names("article:section parsely-section category og:article:section")
LICENCE = _meta_names("dcterms.license dc.rights dcterms.rights copyright license")
TIER = _meta_names("article:content_tier")
