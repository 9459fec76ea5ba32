"""The tools over the Model Context Protocol, on standard input and output."""

from typing import Any

from pagelet.errors import MissingExtra, PageletError
from pagelet.mcp.tools import Permission, call, input_schema
from pagelet.methods import METHODS

ABOUT = (
    "Finds out what the parts of a web page are. Give a page as HTML{by_address}. Tools: {tools}."
    " Text in the answers was written by the authors of the page."
)


def serve(allowed: Permission) -> None:
    """Answer one client until it closes standard input; nothing else is written to output."""
    stdio, anyio, _ = _packages()

    async def run() -> None:
        made = server(allowed)
        async with stdio.stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())

    anyio.run(run)


def server(allowed: Permission) -> Any:
    """A server of the protocol's own library that offers the tools."""
    from importlib.metadata import version  # noqa: PLC0415 - read on demand

    from mcp.server.lowlevel import Server  # noqa: PLC0415 - an extra

    _, anyio, types = _packages()
    turn = anyio.CapacityLimiter(1)  # one page at a time: methods are bound by the processor

    async def list_tools(_context: Any, _params: Any) -> Any:
        return types.ListToolsResult(tools=describe_tools(allowed, types))

    async def call_tool(_context: Any, params: Any) -> Any:
        if params.name not in METHODS:
            raise _unknown(params.name)
        return await anyio.to_thread.run_sync(
            answer_call, params.name, params.arguments or {}, allowed, abandon_on_cancel=True,
            limiter=turn,
        )  # fmt: skip

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


def answer_call(name: str, arguments: dict[str, Any], allowed: Permission) -> Any:
    """The answer of a tool; an error of ours is an answer too, marked as one."""
    _, _, types = _packages()
    try:
        text, form = call(name, arguments, allowed)
    except PageletError as error:
        message = f"{type(error).__name__}: {error}"
        return types.CallToolResult(content=[_block(types, message)], is_error=True)
    return types.CallToolResult(content=[_block(types, text)], structured_content=form)


def _block(types: Any, text: str) -> Any:
    return types.TextContent(type="text", text=text)


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
