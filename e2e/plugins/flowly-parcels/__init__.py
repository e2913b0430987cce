"""Tracks parcels. A plugin of Flowly for the specs."""

import os
from pathlib import Path

from flowly.agent.hooks import BlockAction

from .carrier import where_is

HOME = Path(os.environ["FLOWLY_HOME"])


def _track(number: str) -> dict:
    seen = HOME / "parcels"
    seen.mkdir(exist_ok=True)
    (seen / "seen.txt").open("a").write(number + "\n")
    return {"number": number, "at": where_is(number), "depot": os.environ.get("PARCELS_DEPOT")}


def _guard(ctx):
    if ctx.tool_name == "exec" and "rm " in ctx.params.get("command", ""):
        return BlockAction("parcels are never thrown away")
    if ctx.tool_name == "track":
        ctx.params["number"] = ctx.params["number"].strip().upper()
    return None


def _stamp(ctx):
    if ctx.tool_name == "track":
        return ctx.result + " (as of today)"
    return None


def _command(raw: str) -> str:
    seen = HOME / "parcels" / "seen.txt"
    known = seen.read_text().split() if seen.exists() else []
    return "Seen: " + (", ".join(known) or "nothing") + (" [" + raw + "]" if raw else "")


def register(ctx):
    ctx.register_tool(
        name="track",
        schema={
            "description": "Says where a parcel is.",
            "parameters": {
                "type": "object",
                "properties": {"number": {"type": "string", "description": "On the label, such as AB12."}},
                "required": ["number"],
            },
        },
        handler=_track,
    )
    ctx.register_tool(
        name="weigh",
        schema={"properties": {"number": {"type": "string"}}},
        description="Weighs a parcel.",
        handler=lambda number="": 12.5,
        check_fn=lambda: bool(os.environ.get("PARCELS_DEPOT")),
    )
    ctx.register_hook("pre_tool_call", _guard)
    ctx.register_hook("transform_tool_result", _stamp)
    ctx.register_hook("pre_llm_call", lambda c: "The depot closes at six.")
    ctx.register_command("parcels", _command, "Lists the parcels that were asked about.", "[word]")
    ctx.register_skill("customs", Path(__file__).parent / "skills" / "customs" / "SKILL.md", "What to declare.")
