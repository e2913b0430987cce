"""The Flowly host with more doors: what the recorded cases do that Patchbay itself never asks of a plugin. For tests alone."""

import os
import sys
from json import dumps, loads
from time import monotonic
from urllib.parse import unquote

sys.path[0] = os.environ.pop("TRUTH_HOST")

from patchbay_flowly import host  # noqa: E402
from patchbay_flowly import answers, hooks, tools  # noqa: E402
from patchbay_flowly.failures import Refused, named  # noqa: E402
from patchbay_flowly.schemas import missing_of  # noqa: E402
from patchbay_flowly.settling import settle  # noqa: E402
from patchbay_flowly.wire import plain, text_of  # noqa: E402

OFFSET = [0]
"""Seconds by which the clock was put forward."""


def clock():
    return monotonic() + OFFSET[0]


def shown(value):
    """A value in the form of the record."""
    if value is None or type(value) is bool or isinstance(value, str):
        return value
    return {"repr": repr(value), "type": type(value).__name__}


def callback_name(callback):
    """The record's name of a callback: `plugin.qualname`, of an object its class, of what cannot be called its repr."""
    if isinstance(getattr(callback, "__qualname__", None), str):
        return hooks.name_of(callback)
    kind = type(callback)
    return "%s.%s" % (kind.__module__.rpartition(".")[2], kind.__name__) if callable(callback) else repr(callback)


class Doors:
    """One for each plugin; `answers` is the host's own object."""

    def __init__(self, answers):
        self.answers = answers
        self.manager = answers._manager
        self.kept = {}

    def is_own(self, tool):
        return not getattr(tool.handler, "__module__", "").startswith("patchbay_flowly")

    async def state(self, _ask):
        manager = self.manager
        return {
            "tools": {
                text_of(name): {
                    "description": tool.description,
                    "parameters": tool.parameters,
                    "toolset": tool.toolset,
                }
                for name, tool in manager.tools.items()
                if self.is_own(tool)
            },
            "hooks": {text_of(event): [callback_name(one) for one in found] for event, found in manager.hooks.items()},
            "commands": {
                name: {"args_hint": one["args_hint"], "description": one["description"], "handled": one["handler"] is not None}
                for name, one in manager.commands.items()
            },
            "skills": {
                name: {"bare_name": one["bare_name"], "description": one["description"], "path": str(one["path"])}
                for name, one in manager.skills.items()
            },
            "web": sorted(manager.web),
            "modules": sorted(name for name in sys.modules if name.startswith("flowly_plugins.")),
        }

    def tool(self, ask):
        return self.manager.tools.get(ask["tool"])

    def params(self, ask):
        if ask.get("kept") in self.kept:
            return self.kept[ask["kept"]]
        return eval(ask["paramsPy"], {"nan": float("nan"), "inf": float("inf")}) if "paramsPy" in ask else ask.get("params")

    async def prepare(self, ask):
        """What comes before the hooks of a call: the arguments, or why there is no call."""
        name, tool, params, platform = ask["tool"], self.tool(ask), self.params(ask), ask.get("platform")
        if not self.answers.checks.available(tool, platform):
            where = " for platform '%s'" % platform if platform else ""
            return {"refused": "Error: Tool '%s' is unavailable%s" % (name, where)}
        if not isinstance(params, dict):
            return {"refused": "Error: Invalid parameters for tool '%s'" % name}
        inner = tools.unwrapped(params)
        missing = missing_of(tool.shown, inner)
        if missing:
            return {"refused": "Error: Missing required parameter(s) for '%s': %s" % (name, ", ".join(missing))}
        self.kept[ask["call"]] = inner
        return {"params": plain(inner), "wrapped": inner is not params, "shown": repr(inner)}

    async def before(self, ask):
        """The hooks before a call whose arguments are more than JSON can say."""
        context = self.hooks().context_for("pre_tool_call", {**ask["ctx"], "params": self.kept[ask["call"]]}, ask["call"])
        values, failures = await self.hooks().fire("pre_tool_call", context)
        decision = hooks.decided("pre_tool_call", [hooks.tagged(value) for value in values])
        params = self.kept[ask["call"]]
        return {"decision": decision, "failures": failures, "ctx": {"params": plain(params)}, "shown": repr(params)}

    def hooks(self):
        if self.answers._hooks is None:
            self.answers._hooks = hooks.Hooks(self.manager)
        return self.answers._hooks

    async def execute(self, ask):
        """The handler's answer, or the text of its failure."""
        try:
            return {"text": await self.answers.calls.execute(self.tool(ask), self.params(ask))}
        except Refused as refused:
            return {"text": refused.text}

    async def available(self, _ask):
        return sorted(
            tool.name for tool in self.manager.tools.values() if self.is_own(tool) and self.there(tool)
        )

    def there(self, tool):
        return self.answers.checks.available(tool, None)

    async def defs(self, _ask):
        made = []
        for tool in self.manager.tools.values():
            if self.is_own(tool) and self.there(tool):
                function = {"name": tool.name, "description": tool.description, "parameters": tool.shown}
                made.append({"type": "function", "function": function})
        return made

    async def fire(self, ask):
        """All that the callbacks returned, as it is."""
        own = self.hooks()
        context = own.context_for(ask["event"], ask["ctx"], None)
        values, _failures = await own.fire(ask["event"], context)
        tagged = [hooks.tagged(value) for value in values]
        decision = hooks.decided(ask["event"], tagged)
        winner = None
        if decision is not None and decision["kind"] != "contexts":
            winner = next(shown(value) for value, tag in zip(values, tagged) if hooks.decided(ask["event"], [tag]))
        return {"returned": [shown(value) for value in values], "decision": decision, "winner": winner}

    async def slash(self, ask):
        handler = self.manager.commands[ask["name"]]["handler"]
        try:
            return {"result": shown(await settle(handler(ask["args"])))}
        except BaseException as error:
            return {"raised": named(error)}

    async def web_setup(self, _ask):
        return [
            [name, one.display_name, bool(one.supports_search()), bool(one.supports_extract()), plain(one.get_setup_schema())]
            for name, one in sorted(self.manager.web.items())
        ]

    async def web_preferred(self, _ask):
        return list(host.ours("web").PREFERRED)

    async def web_info(self, ask):
        info = {}
        for name, one in self.manager.web.items():
            try:
                able = one.supports_search() if ask["capability"] == "search" else one.supports_extract()
                info[name] = bool(able and one.is_available())
            except BaseException:
                info[name] = False
        return info

    async def setenv(self, ask):
        if ask.get("value") is None:
            os.environ.pop(ask["name"], None)
        else:
            os.environ[ask["name"]] = ask["value"]

    async def clock(self, ask):
        OFFSET[0] += ask["advance"]


class Answers(answers.Answers):
    def __init__(self, *given):
        super().__init__(*given)
        self.checks.clock = clock
        self._doors = Doors(self)

    def begin(self):
        """As the host does it, without asking a `check_fn` before the record did."""
        kept, self.checks.offered = self.checks.offered, lambda tool: True
        try:
            return super().begin()
        finally:
            self.checks.offered = kept

    def tell_news(self, look=False):
        """The driver asks for the state itself."""

    async def run(self, call):
        if call.get("kind") != "resource" or not call["uri"].startswith("truth:"):
            return await super().run(call)
        ask = loads(unquote(call["uri"][len("truth:") :]))
        value = await getattr(self._doors, ask["op"])(ask)
        content = {"type": "text", "text": dumps(value)}
        return {"contents": [{"uri": "truth:", "mimeType": "application/json", "content": content}]}


answers.Answers = Answers
host.main()
