"""The tools over standard input and output, in the words of the protocol."""

from typing import Any

from pagelet.errors import MissingExtra, PageletError
from pagelet.mcp.tools import Permission, call, input_schema, tools

ABOUT = (
    "Says what the parts of a web page are. Give a page as HTML{}; content is its main text,"
    " menu its main navigation, clutter its link lists and ads, template what it shares with its"
    " site, segments the parts that are seen. What the answers quote was written by the authors of"
    " the page."
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
    from importlib.metadata import version  # noqa: PLC0415 - read when asked

    from mcp.server.lowlevel import Server  # noqa: PLC0415 - an extra

    _, anyio, types = _packages()
    turn = anyio.CapacityLimiter(1)  # one page at a time: methods are bound by the processor

    async def list_tools(_context: Any, _params: Any) -> Any:
        return types.ListToolsResult(tools=described(allowed, types))

    async def call_tool(_context: Any, params: Any) -> Any:
        if params.name not in tools():
            raise _unknown(params.name)
        return await anyio.to_thread.run_sync(
            answered, params.name, params.arguments or {}, allowed, abandon_on_cancel=True,
            limiter=turn,
        )  # fmt: skip

    about = ABOUT.format(" or by its address" if allowed.fetch else "")
    return Server(
        "pagelet",
        version=version("pagelet"),
        instructions=about,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def described(allowed: Permission, types: Any) -> list[Any]:
    """Every tool with what it takes."""
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
        for name, method in tools().items()
    ]


def answered(name: str, arguments: dict[str, Any], allowed: Permission) -> Any:
    """The answer of a tool; an error of ours is an answer too, marked as one."""
    _, _, types = _packages()
    try:
        text, form = call(name, arguments, allowed)
    except PageletError as error:
        told = f"{type(error).__name__}: {error}"
        return types.CallToolResult(content=[_block(types, told)], is_error=True)
    return types.CallToolResult(content=[_block(types, text)], structured_content=form)


def _block(types: Any, text: str) -> Any:
    return types.TextContent(type="text", text=text)


def _unknown(name: str) -> Exception:
    from mcp import MCPError, types  # noqa: PLC0415 - an extra

    return MCPError(types.INVALID_PARAMS, f"no tool {name!r}; there are {', '.join(tools())}")


def _packages() -> tuple[Any, Any, Any]:
    """The protocol over standard streams, what runs it, and its words."""
    try:
        import anyio.to_thread  # noqa: PLC0415 - an extra
        from mcp import types  # noqa: PLC0415
        from mcp.server import stdio  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("mcp", "serving language-model clients") from error
    return stdio, anyio, types
