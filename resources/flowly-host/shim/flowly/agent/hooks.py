"""Actions and contexts of hooks."""

from patchbay_flowly.context import VALID_EVENTS
from patchbay_flowly.records import (
    BlockAction,
    GatewayDispatchContext,
    HookContext,
    LLMHookContext,
    RewriteAction,
    SessionHookContext,
    SkipAction,
    SubagentStopContext,
    ToolHookContext,
)

__all__ = [
    "VALID_EVENTS",
    "BlockAction",
    "GatewayDispatchContext",
    "HookContext",
    "HookRegistry",
    "LLMHookContext",
    "RewriteAction",
    "SessionHookContext",
    "SkipAction",
    "SubagentStopContext",
    "ToolHookContext",
]


class HookRegistry:
    """Callbacks by event. A plugin's own one: those of the agent are registered by `ctx.register_hook`."""

    def __init__(self):
        self._callbacks = {}

    def register(self, event, callback):
        """Adds a callback."""
        self._callbacks.setdefault(event, []).append(callback)

    def on(self, event):
        """Decorator that adds a callback."""

        def add(callback):
            self.register(event, callback)
            return callback

        return add

    def on_pre_tool(self, callback):
        """Adds a callback to `pre_tool_call`."""
        return self.on("pre_tool_call")(callback)

    def on_post_tool(self, callback):
        """Adds a callback to `post_tool_call`."""
        return self.on("post_tool_call")(callback)

    async def fire(self, event, context):
        """Calls all callbacks of an event in order, and gives what they returned, None left out."""
        from patchbay_flowly.settling import settle

        returned = []
        for callback in self._callbacks.get(event, ()):
            try:
                value = await settle(callback(context))
            except Exception:
                import logging

                logging.getLogger(__name__).exception("hook %s callback failed", event)
                continue
            if value is not None:
                returned.append(value)
        return returned
