"""Calls of tools, by the rules and with the exact words of Flowly."""

from time import monotonic

from .failures import Aborted, Refused, result_text, traceback_of
from .output import during, given_up
from .schemas import missing_of
from .settling import settle

CACHED_S = 30
LAST_GOOD_S = 60
MOST_TEXT = 32 * 1024 * 1024


class Checks:
    """Answers of `check_fn`: kept half a minute, and one that raises lives on its last good answer for a whole."""

    def __init__(self, clock=monotonic):
        self.clock = clock
        self._kept = {}
        """By name and platform: `(tool, answer, when it was given)`."""

    def ask(self, tool):
        """Asks anew. Raises what `check_fn` raises."""
        return bool(tool.check())

    def offered(self, tool):
        """Whether the tool is offered now. A check that raises says no."""
        if tool.check is None:
            return True
        try:
            return self.ask(tool)
        except Aborted:
            raise
        except BaseException:
            return False

    def available(self, tool, platform):
        """Whether the tool is there for calls from this platform, by an answer that may be half a minute old."""
        if tool.check is None:
            return True
        key = (tool.name, platform)
        kept, answer, since = self._kept.get(key, (None, False, 0))
        # A tool that was registered anew has a check of its own.
        age = self.clock() - since if kept is tool else None
        if age is not None and age < CACHED_S:
            return answer
        try:
            answer = self.ask(tool)
        except Aborted:
            raise
        except BaseException:
            return answer if age is not None and age < LAST_GOOD_S else False
        self._kept[key] = (tool, answer, self.clock())
        return answer


def unwrapped(params):
    """The arguments inside of `{"raw": "<JSON object>"}`, which some models send."""
    if len(params) == 1 and isinstance(params.get("raw"), str):
        import json

        try:
            inner = json.loads(params["raw"])
        except (ValueError, RecursionError):
            return params
        if isinstance(inner, dict):
            return inner
    return params


class Failed(Refused):
    """The handler failed. `text` is what the model reads."""


class Calls:
    """Calls of the plugin's tools."""

    def __init__(self, manager, checks):
        self._tools = manager.tools
        self._log = manager.log
        self._checks = checks

    async def run(self, name, params, platform=None, is_whole=False):
        """
        The text of one call, exactly as Flowly gives it, hooks left out.

        `is_whole`: required arguments were looked for already, before hooks changed the arguments.

        Raises Failed when the handler failed, Refused when it did not get to run.
        """
        tool = self._tools.get(name)
        if tool is None:
            raise Refused("Error: Tool '%s' not found" % name)
        if tool.check is not None and not self._checks.available(tool, platform):
            where = " for platform '%s'" % platform if platform else ""
            raise Refused("Error: Tool '%s' is unavailable%s" % (name, where))
        if not isinstance(params, dict):
            raise Refused("Error: Invalid parameters for tool '%s'" % name)
        if len(params) == 1 and not is_whole:
            params = unwrapped(params)
        if not is_whole and "required" in tool.shown:
            missing = missing_of(tool.shown, params)
            if missing:
                raise Refused("Error: Missing required parameter(s) for '%s': %s" % (name, ", ".join(missing)))
        return await self.execute(tool, params)

    async def execute(self, tool, params):
        """The text of one call of a tool whose arguments were looked at. Raises Failed, Refused."""
        name = tool.name
        if tool.check is not None:
            try:
                is_there = self._checks.ask(tool)
            except Exception as error:
                raise Refused("Error: %s availability check failed: %s" % (name, result_text(error))) from None
            if not is_there:
                raise Refused("Error: %s is unavailable (plugin check_fn returned False)" % name)
        try:
            value = tool.handler(**params)
            if value is None:
                return ""
            if type(value) is not str:
                value = await settle(value)
                if value is None:
                    return ""
                # The method of `str` gives sub-classes of it their plain text.
                value = str.__str__(str(value))
        except Aborted:
            raise
        except BaseException as error:
            if during.get() in given_up and not isinstance(error, Exception):
                raise Aborted() from None
            self._log("error", "Tool %s failed.\n%s" % (name, traceback_of(error)))
            raise Failed("Error executing %s: %s" % (name, result_text(error))) from None
        return value
