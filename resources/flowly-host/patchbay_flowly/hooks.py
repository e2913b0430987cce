"""Fires Flowly's hooks: all callbacks of one event in order, failures contained, the winner by the event's rule."""

import sys

from . import records
from .failures import Aborted, name_of, named, traceback_of
from .records import TOOL_EVENTS, InboundMessage, context_class
from .schemas import missing_of
from .settling import settle
from .tools import unwrapped
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


def _as_theirs(name, value):
    """The value of a field as Flowly has it."""
    if name == "event" and isinstance(value, dict):
        return InboundMessage(**{key: value[key] for key in InboundMessage._defaults if key in value})
    return float(value) if name == "duration_ms" and type(value) is int else value


class Kept:
    """The context of a tool call, for the hooks after the first one."""

    __slots__ = ("context", "is_posted", "is_whole")

    def __init__(self, context):
        self.context = context
        self.is_posted = False
        self.is_whole = False


class Hooks:
    """The callbacks of one plugin."""

    def __init__(self, manager):
        self._hooks = manager.hooks
        self._tools = manager.tools
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
        is_of_tool = call is not None and event in TOOL_EVENTS
        known = self._contexts.get(call) if is_of_tool and event != "pre_tool_call" else None
        if known is None:
            context = context_class(event)()
            for name, value in given.items():
                setattr(context, name, _as_theirs(name, value))
            if is_of_tool:
                known = self._contexts[call] = Kept(context)
                while len(self._contexts) > MOST_CONTEXTS:
                    self._contexts.pop(next(iter(self._contexts)))
        else:
            context = known.context
            # What `post_tool_call` callbacks left in the context is what the last hook of the call reads.
            for name in () if known.is_posted else ("result", "duration_ms", "success"):
                if name in given:
                    setattr(context, name, _as_theirs(name, given[name]))
        if event == "post_tool_call" and known is not None:
            known.is_posted = True
        if event == "transform_tool_result":
            self._contexts.pop(call, None)
        return context

    def is_whole(self, call):
        """Whether the arguments of this call were whole before hooks changed them: they are not looked at again."""
        known = self._contexts.get(call)
        return known is not None and known.is_whole

    def _own_params(self, given, call):
        """Arguments of a tool of this plugin as its hooks get them: out of their envelope."""
        params, tool = given.get("params"), self._tools.get(given.get("tool_name"))
        if tool is None or not isinstance(params, dict):
            return given, False
        params = unwrapped(params)
        return {**given, "params": params}, call is not None and not missing_of(tool.shown, params)

    async def answer(self, event, payload):
        """What the app is told about one firing: `{returned, decision, failures, ctx}`."""
        given, call = payload.get("ctx") or {}, payload.get("call")
        is_whole = False
        if event == "pre_tool_call":
            given, is_whole = self._own_params(given, call)
        params, messages = given.get("params"), given.get("messages")
        context = self.context_for(event, given, call)
        if is_whole:
            self._contexts[call].is_whole = True
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
