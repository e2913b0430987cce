"""Fires Flowly's hooks: all callbacks of one event in order, failures contained, the winner by the event's rule."""

import sys

from . import records
from .failures import Aborted, name_of, named, traceback_of
from .records import TOOL_EVENTS, InboundMessage, context_class
from .settling import settle
from .wire import plain, text_of

MOST_CONTEXTS = 256
"""Most calls of tools whose context objects are kept for the hooks after them."""


def _is_action(value, name):
    """Whether the value is an action: of ours, or of an installed `flowly`."""
    if isinstance(value, getattr(records, name)):
        return True
    theirs = getattr(sys.modules.get("flowly.agent.hooks"), name, None)
    return isinstance(theirs, type) and isinstance(value, theirs)


def tagged(value):
    """What a callback returned, in a form that can be sent."""
    if isinstance(value, str):
        return {"kind": "text", "text": text_of(value)}
    if _is_action(value, "BlockAction"):
        return {"kind": "block", "message": text_of(value.message)}
    if _is_action(value, "RewriteAction"):
        return {"kind": "rewrite", "text": text_of(value.text)}
    if _is_action(value, "SkipAction"):
        return {"kind": "skip", "reason": text_of(value.reason)}
    if isinstance(value, dict) and "context" in value:
        return {"kind": "context", "text": text_of(value["context"])}
    try:
        shown = repr(value)[:2_000]
    except BaseException as error:
        shown = "<no repr: %s>" % type(error).__name__
    return {"kind": "other", "type": type(value).__name__, "repr": shown}


def decided(event, returned):
    """The winner among tagged values: the first that means something to the event, or for a model call all of them."""
    if event == "pre_llm_call":
        texts = [value["text"] for value in returned if value["kind"] in ("text", "context")]
        return {"kind": "contexts", "texts": texts} if texts else None
    wanted = {
        "pre_tool_call": ("block",),
        "transform_tool_result": ("text",),
        "transform_terminal_output": ("text",),
        "pre_gateway_dispatch": ("skip", "rewrite"),
    }.get(event, ())
    for value in returned:
        if value["kind"] in wanted:
            return {"kind": "replace", "text": value["text"]} if value["kind"] == "text" else value
    return None


class Hooks:
    """The callbacks of one plugin."""

    def __init__(self, manager):
        self._hooks = manager.hooks
        self._log = manager.log
        self._contexts = {}

    async def fire(self, event, context):
        """
        Calls all callbacks of an event, also those that are added meanwhile.

        Gives what they returned, None left out, and the failures: `(returned, [{error, callback}])`.
        """
        returned, failures = [], []
        for callback in self._hooks.get(event, ()):
            try:
                value = await settle(callback(context))
                if value is not None:
                    returned.append(value)
            except Aborted:
                raise
            except BaseException as error:
                self._log("error", "hook %s callback failed\n%s" % (event, traceback_of(error)))
                failures.append({"error": named(error), "callback": name_of(callback)})
        return returned, failures

    def context_for(self, event, given, call):
        """The context object for an event; the hooks of one tool call get the same one."""
        context = self._contexts.get(call) if call is not None and event in TOOL_EVENTS else None
        if context is not None and event != "pre_tool_call":
            fields = () if event == "transform_tool_result" and context._patchbay_posted else (
                "result",
                "duration_ms",
                "success",
            )
            for name in fields:
                if name in given:
                    setattr(context, name, given[name])
        else:
            context = context_class(event)()
            for name, value in given.items():
                if name == "event" and isinstance(value, dict):
                    value = InboundMessage(**{key: value[key] for key in InboundMessage._defaults if key in value})
                setattr(context, name, value)
            if call is not None and event in TOOL_EVENTS:
                context._patchbay_posted = False
                self._contexts[call] = context
                while len(self._contexts) > MOST_CONTEXTS:
                    self._contexts.pop(next(iter(self._contexts)))
        if type(getattr(context, "duration_ms", None)) is int:
            context.duration_ms = float(context.duration_ms)
        if event == "post_tool_call" and call is not None:
            context._patchbay_posted = True
        if event == "transform_tool_result":
            self._contexts.pop(call, None)
        return context

    async def answer(self, event, payload):
        """What the app is told about one firing: `{returned, decision, failures, ctx}`."""
        given = payload.get("ctx") or {}
        params, messages = given.get("params"), given.get("messages")
        context = self.context_for(event, given, payload.get("call"))
        message = getattr(context, "event", None)
        values, failures = await self.fire(event, context)
        returned = [tagged(value) for value in values]
        left = {}
        if event == "pre_tool_call" and params is not None:
            # A new `ctx.params` changes nothing in Flowly; edits of the dict itself do.
            left["params"] = plain(params)
        if event == "pre_llm_call" and messages is not None:
            left["messages"] = plain(messages)
        if isinstance(message, InboundMessage):
            left["event"] = {"content": plain(message.content)}
        return {"returned": returned, "decision": decided(event, returned), "failures": failures, "ctx": left}
