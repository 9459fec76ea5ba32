"""What browsers may do with an answer."""

from pagelet.server.refusals import Reply

PAGES = {"/": "index.html", "/annotate": "annotate.html", "/frame": "shared_frame.html"}
FRAME = "/frame"
#: files that the report has; pages look alike there and here
OF_REPORT = {
    "shared_look.css": "look.css",
    "shared_overlay.css": "overlay.css",
    "shared_outlines.js": "outlines.js",
}

#: nothing but files of the service; the drawing is in a frame of its own
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'none'"
)
#: the drawing: its own styles and pictures, our scripts, an origin of its own, no way out
FRAME_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline';"
    " img-src data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
DATA_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"
COMMON = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def headers_for(path: str, *, static: bool) -> dict[str, str]:
    """The headers of every answer at an address."""
    if path == FRAME:
        return COMMON | _said(FRAME_POLICY, "SAMEORIGIN", "same-origin", "no-cache")
    if static:  # scripts of the frame, whose origin is nobody's, are among them
        return COMMON | _said(PAGE_POLICY, "DENY", "cross-origin", "no-cache")
    return COMMON | _said(DATA_POLICY, "DENY", "same-origin", "no-store")


def _said(policy: str, framed: str, shared: str, cached: str) -> dict[str, str]:
    return {
        "content-security-policy": policy,
        "x-frame-options": framed,
        "cross-origin-resource-policy": shared,
        "cache-control": cached,
    }


def headers_of(reply: Reply) -> dict[str, str]:
    """The headers that an answer has of its own; HTML written from a page is a download."""
    said = {"content-type": reply.kind}
    if reply.kind.startswith("text/html"):
        said["content-disposition"] = 'attachment; filename="page.html"'
    if reply.retry:
        said["retry-after"] = str(reply.retry)
    return said
