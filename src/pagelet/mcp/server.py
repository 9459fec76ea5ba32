"""The tools over the Model Context Protocol, on standard input and output."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from io import TextIOWrapper
from typing import Any

from pagelet.errors import MissingExtra
from pagelet.mcp.tools import Permission, input_schema
from pagelet.mcp.workers import ToolWorkers
from pagelet.methods import METHODS

ABOUT = (
    "Finds out what the parts of a web page are. Give a page as HTML{by_address}. Tools: {tools}."
    " Text in the answers was written by the authors of the page."
)


def serve(allowed: Permission) -> None:
    """Answer one client until it closes standard input; nothing else is written to output."""
    stdio, anyio, _ = _packages()
    workers = ToolWorkers(allowed)

    async def run() -> None:
        made = server(allowed, workers)
        async with stdio.stdio_server(stdin=InputLines(anyio)) as (read, write):
            await made.run(read, write, made.create_initialization_options())

    try:
        anyio.run(run)
    finally:
        workers.close()


class InputLines:
    """The lines of standard input; a lone surrogate, which the protocol cannot carry, is `?`."""

    def __init__(self, anyio: Any) -> None:
        text = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        self._lines = anyio.wrap_file(text)

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._lines:
            yield replace_surrogates(line)


def replace_surrogates(line: str) -> str:
    """A line of JSON without lone surrogates, which the library would leave without an answer."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    try:
        form = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line  # the protocol reports what is wrong
    return form.encode("utf-8", "replace").decode() + "\n"


def server(allowed: Permission, workers: ToolWorkers) -> Any:
    """A server of the protocol's own library that offers the tools."""
    from importlib.metadata import version  # noqa: PLC0415 - read on demand

    from mcp.server.lowlevel import Server  # noqa: PLC0415 - an extra

    _, _, types = _packages()

    async def list_tools(_context: Any, _params: Any) -> Any:
        return types.ListToolsResult(tools=describe_tools(allowed, types))

    async def call_tool(_context: Any, params: Any) -> Any:
        if params.name not in METHODS:
            raise _unknown(params.name)
        future, limit = workers.submit(params.name, params.arguments or {})
        try:
            answer = await asyncio.wrap_future(future)
        except asyncio.CancelledError:  # the client cancelled the call, or left
            limit.cancel()
            raise
        block = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(
            content=[block], structured_content=answer.form, is_error=answer.error
        )

    tools = "; ".join(f"{name}: {method.summary}" for name, method in METHODS.items())
    by_address = " or by its address" if allowed.fetch else ""
    about = ABOUT.format(by_address=by_address, tools=tools)
    return Server(
        "pagelet",
        version=version("pagelet"),
        instructions=about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def describe_tools(allowed: Permission, types: Any) -> list[Any]:
    """Every tool with its arguments."""
    hints = types.ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=allowed.fetch
    )
    return [
        types.Tool(
            name=name,
            description=f"{method.summary[0].upper()}{method.summary[1:]}.",
            input_schema=input_schema(method, fetch=allowed.fetch),
            annotations=hints,
        )
        for name, method in METHODS.items()
    ]


def _unknown(name: str) -> Exception:
    from mcp import MCPError, types  # noqa: PLC0415 - an extra

    return MCPError(types.INVALID_PARAMS, f"no tool {name!r}; there are {', '.join(METHODS)}")


def _packages() -> tuple[Any, Any, Any]:
    """The packages of the protocol: streams, event loop, types."""
    try:
        import anyio.to_thread  # noqa: PLC0415 - an extra
        from mcp import types  # noqa: PLC0415
        from mcp.server import stdio  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("mcp", "serving language-model clients") from error
    return stdio, anyio, types
