"""Counters and timings of the service, in the text format of Prometheus."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

#: upper bounds of the histogram, in seconds
BUCKET_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Metrics:
    """Counts since the start; only the event loop changes them, so no lock is needed."""

    in_flight: int = 0
    requests: Counter[tuple[str, int]] = field(
        default_factory=Counter
    )  #: count by route and status
    refused: Counter[str] = field(default_factory=Counter)  #: count by name of the error
    closed: Counter[str] = field(default_factory=Counter)  #: connections closed, by reason
    seconds: defaultdict[str, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0] * (len(BUCKET_SECONDS) + 1))
    )  #: histogram by route
    total: Counter[str] = field(default_factory=Counter)  #: microseconds by route

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests[route, status] += 1
        self.seconds[route][bisect_left(BUCKET_SECONDS, seconds)] += 1
        self.total[route] += round(seconds * 1e6)

    def write_text(self, **gauges: int) -> str:
        """Write all metrics; `gauges` are current values."""
        lines = [*self._write_counts(), *self._write_times()]
        for name, value in {"requests_in_flight": self.in_flight, **gauges}.items():
            lines += [*_write_header(name, "gauge"), f"pagelet_{name} {value}"]
        return "\n".join(lines) + "\n"

    def _write_counts(self) -> Iterator[str]:
        yield from _write_header("requests_total", "counter")
        for (route, status), count in sorted(self.requests.items()):
            yield f'pagelet_requests_total{{route="{route}",status="{status}"}} {count}'
        yield from _write_header("refused_total", "counter")
        for name, count in sorted(self.refused.items()):
            yield f'pagelet_refused_total{{error="{name}"}} {count}'
        yield from _write_header("connections_closed_total", "counter")
        for name, count in sorted(self.closed.items()):
            yield f'pagelet_connections_closed_total{{reason="{name}"}} {count}'

    def _write_times(self) -> Iterator[str]:
        name = "request_seconds"
        yield from _write_header(name, "histogram")
        for route, counts in sorted(self.seconds.items()):
            cumulated = 0
            for bound, count in zip((*map(str, BUCKET_SECONDS), "+Inf"), counts, strict=True):
                cumulated += count
                yield f'pagelet_{name}_bucket{{route="{route}",le="{bound}"}} {cumulated}'
            yield f'pagelet_{name}_sum{{route="{route}"}} {self.total[route] / 1e6:.6f}'
            yield f'pagelet_{name}_count{{route="{route}"}} {cumulated}'


HELP = {
    "requests_total": "Requests answered.",
    "refused_total": "Requests that failed, by name of the error.",
    "request_seconds": "Seconds from the first byte of a request to the last byte of its answer.",
    "requests_in_flight": "Requests being answered.",
    "requests_waiting": "Requests waiting for a worker or being processed.",
    "held_bytes": "Bytes of requests and of unread answers in memory.",
    "connections_closed_total": "Connections that the service refused or gave up, by reason.",
}


def _write_header(name: str, kind: str) -> list[str]:
    return [f"# HELP pagelet_{name} {HELP[name]}", f"# TYPE pagelet_{name} {kind}"]
