"""Counts and times of the service, in the text form that Prometheus reads."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  #: seconds
KIND = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Metrics:
    """What has happened so far; all is changed in the event loop, so nothing is locked."""

    in_flight: int = 0
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)  #: by route and status
    refused: Counter[str] = field(default_factory=Counter)  #: by name of the error
    seconds: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0] * (len(BOUNDS) + 1))
    )  #: requests by route and range
    total: Counter[str] = field(default_factory=Counter)  #: microseconds by route

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests[route, status] += 1
        self.seconds[route][bisect_left(BOUNDS, seconds)] += 1
        self.total[route] += round(seconds * 1e6)

    def text(self, **gauges: float) -> str:
        """Everything, as it is exposed; `gauges` are values of the moment."""
        lines = [*self._counts(), *self._times()]
        for name, value in {"requests_in_flight": self.in_flight, **gauges}.items():
            lines += [*_head(name, "gauge"), f"pagelet_{name} {value:g}"]
        return "\n".join(lines) + "\n"

    def _counts(self) -> Iterator[str]:
        yield from _head("requests_total", "counter")
        for (route, status), count in sorted(self.requests.items()):
            yield f'pagelet_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _head("refused_total", "counter")
        for name, count in sorted(self.refused.items()):
            yield f'pagelet_refused_total{{error="{name}"}} {count}'

    def _times(self) -> Iterator[str]:
        name = "request_seconds"
        yield from _head(name, "histogram")
        for route, counts in sorted(self.seconds.items()):
            so_far = 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                so_far += count
                yield f'pagelet_{name}_bucket{{route="{route}",le="{bound}"}} {so_far}'
            yield f'pagelet_{name}_sum{{route="{route}"}} {self.total[route] / 1e6:.6f}'
            yield f'pagelet_{name}_count{{route="{route}"}} {so_far}'


HELP = {
    "requests_total": "Requests that were answered.",
    "refused_total": "Requests that were not done, by the name of the error.",
    "request_seconds": "Seconds from the first byte of a request to the last of its answer.",
    "requests_in_flight": "Requests that are being answered.",
    "requests_waiting": "Requests that wait for a worker or are worked on.",
    "held_bytes": "Bytes of requests in memory.",
}


def _head(name: str, kind: str) -> list[str]:
    return [f"# HELP pagelet_{name} {HELP[name]}", f"# TYPE pagelet_{name} {kind}"]
