def register(ctx):
    ctx.register_tool(
        name="echo",
        schema={"type": "object", "properties": {"text": {"type": "string"}}},
        handler=lambda text="": text,
    )
    # A plugin with a hook starts when it is switched on, and not at its first use.
    ctx.register_hook("on_session_start", lambda ctx: None)
