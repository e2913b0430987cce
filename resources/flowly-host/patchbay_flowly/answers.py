"""Answers the app's calls into the plugin."""

from .failures import Aborted, Refused, named, result_text, traceback_of
from .host import ours
from .offers import Offers, state_text
from .settling import settle
from .tools import MOST_TEXT, Calls, Checks, Failed

TOO_LARGE = "The plugin's answer is larger than 32 MB; it was thrown away."


def text_answer(text, details=None):
    """What a tool answers."""
    if len(text) > MOST_TEXT:
        raise Refused(TOO_LARGE)
    answer = {"content": [{"type": "text", "text": text}]}
    if details is not None:
        answer["details"] = details
    return answer


class Answers:
    """One loaded plugin."""

    def __init__(self, wire, manager, manifest, module):
        self._wire = wire
        self._manager = manager
        self._manifest = manifest
        self._module = module
        self.checks = Checks()
        self.offers = Offers(manager, self.checks)
        self.calls = Calls(manager, self.checks)
        self._hooks = None
        self._told = 0

    def begin(self):
        """All that is offered, for `started`."""
        self._add_own()
        self._told = self._manager.changes
        return self.offers.all()

    def _add_own(self):
        """Tools of Flowly itself that what was registered needs."""
        manager = self._manager
        if manager.skills:
            ours("skills").add_tool(manager)
        if manager.web:
            ours("web").add_tools(manager)

    def has_checks(self):
        """Whether what is offered can change by itself."""
        return any(tool.check is not None for tool in list(self._manager.tools.values()))

    def tell_news(self, look=False):
        """Tells the app when something else is offered than before. `look`: ask each `check_fn`."""
        if self._manager.changes != self._told:
            self._add_own()
            self._told = self._manager.changes
            changed = self.offers.all()
            for name in ("namespace", "toolsets", "channel"):
                changed.pop(name)
            self._wire.send({"t": "contributions", "changed": changed})
        elif look:
            before = self.offers.offered
            tools = self.offers.tools()
            if self.offers.offered != before:
                self._wire.send({"t": "contributions", "changed": {"tools": tools}})

    async def run(self, call):
        """The value of one call. Raises Refused, or whatever happened."""
        kind = call.get("kind")
        if kind == "tool":
            return await self._tool(call)
        if kind == "hook":
            if self._hooks is None:
                self._hooks = ours("hooks").Hooks(self._manager)
            payload = call.get("payload")
            return await self._hooks.answer(call["hookId"], payload if isinstance(payload, dict) else {})
        if kind == "command":
            return await self._command(call["name"], call.get("args") or "")
        if kind == "resource":
            return self._resource(call["uri"])
        raise Refused("The plugin has no such calls.", "CALL_UNSUPPORTED")

    async def _tool(self, call):
        name = call["tool"]
        caller = call.get("caller") or {}
        platform = caller.get("channel") if caller.get("kind") == "channel" else None
        try:
            is_whole = self._hooks is not None and self._hooks.is_whole(call.get("toolCallId"))
            text = await self.calls.run(name, call.get("input"), platform, is_whole)
        except Failed:
            raise
        except Refused as refused:
            if refused.code != "TOOL_FAILED":
                raise
            self._notice(name)
            return text_answer(refused.text, {"failed": True, "error": refused.text})
        return text_answer(text)

    def _notice(self, name):
        """A tool was refused: when that is because its check says no, the app should no longer offer it."""
        tool = self._manager.tools.get(name)
        if tool is not None and tool.check is not None and name in self.offers.offered:
            self.tell_news(look=True)

    async def _command(self, name, args):
        command = name.lstrip("/").lower()
        entry = self._manager.commands.get(command)
        if entry is None or entry["handler"] is None:
            return ""
        try:
            value = await settle(entry["handler"](args))
            if not value:
                return ""
            text = str.__str__(str(value))
        except Aborted:
            raise
        except BaseException as error:
            self._manager.log("error", "plugin slash /%s raised\n%s" % (command, traceback_of(error)))
            return "⚠️  /%s failed: %s" % (command, result_text(error))
        if len(text) > MOST_TEXT:
            raise Refused(TOO_LARGE)
        return text

    def _resource(self, uri):
        if uri == "flowly:state":
            text = state_text(self._manager, self._manifest, self._module, self.checks)
        elif uri.startswith("flowly:skill/"):
            text = ours("skills").resource(self._manager, uri[len("flowly:skill/") :])
        else:
            raise Refused("The plugin has no such resource.", "NOT_FOUND")
        content = {"type": "text", "text": text}
        return {"contents": [{"uri": uri, "mimeType": "application/json", "content": content}]}

    @staticmethod
    def problem_of(error):
        """What happened in a call, as a problem."""
        if isinstance(error, Refused):
            problem = {"code": error.code, "message": error.text}
            if error.details:
                problem["details"] = error.details
            return problem
        if isinstance(error, Aborted):
            return {"code": "ABORTED", "message": "The call was ended, because nobody waits for it any more."}
        return {"code": "INTERNAL", "message": named(error)[:2_000]}
