"""What the plugin offers, in the form of Patchbay's messages, and a look inside for those who want to see all of it."""

import os

from .failures import name_of
from .wire import dumps, json_text, plain, text_of

MOST_TOOLS = 64
MOST_TEXT = 32_000


class Offers:
    """Puts together what `started` and `contributions` say. Says in the log what cannot be offered, once."""

    def __init__(self, manager, checks):
        self._manager = manager
        self._checks = checks
        self._said = set()
        self._shapes = {}
        self.offered = frozenset()
        """Names of the tools that were offered last."""

    def _warn(self, sentence):
        if sentence not in self._said:
            self._said.add(sentence)
            self._manager.log("warn", sentence)

    def _names(self, names, what, most):
        kept = []
        for name in names:
            if not isinstance(name, str):
                self._warn("A %s cannot be offered, because its name is no text: %s." % (what, text_of(name)[:200]))
            elif not name or len(name) > 128:
                self._warn("A %s cannot be offered, because its name is empty or too long." % what)
            elif len(kept) == most:
                self._warn("Of the plugin's %ss only the first %d are offered." % (what, most))
                break
            else:
                kept.append(name)
        return kept

    def tool(self, tool):
        """One tool as the app reads it."""
        shape = self._shapes.get(tool.name)
        if shape is not None and shape[0] is tool:
            return shape[1]
        parameters = tool.shown
        if "type" not in parameters:
            parameters = {"type": "object", **parameters}
        try:
            dumps(parameters)
        except Exception:
            self._warn("The schema of the tool %s is no JSON; what is not was replaced by its text." % tool.name)
            parameters = plain(parameters)
        made = {
            "name": tool.name,
            "description": tool.description[:MOST_TEXT],
            "parameters": parameters,
            "readOnly": False,
        }
        self._shapes[tool.name] = (tool, made)
        return made

    def tools(self):
        """The tools that are available now; asks each `check_fn`."""
        tools = self._manager.tools
        there = [tool for tool in list(tools.values()) if self._checks.offered(tool)]
        names = self._names([tool.name for tool in there], "tool", MOST_TOOLS)
        made = [self.tool(tools[name]) for name in names]
        self.offered = frozenset(names)
        return made

    def hooks(self):
        names = self._names([name for name, found in self._manager.hooks.items() if found], "hook", 200)
        return [
            {"id": name, "event": name, "priority": 100, "timeoutMs": 60_000, "failureMode": "skip"} for name in names
        ]

    def commands(self):
        commands = self._manager.commands
        offered = []
        for name in self._names(commands, "command", 200):
            if commands[name]["handler"] is None:
                self._warn("The command /%s cannot be offered, because it has no handler." % name)
                continue
            command = {"name": name, "description": text_of(commands[name]["description"])[:MOST_TEXT]}
            if commands[name]["args_hint"]:
                command["argsHint"] = text_of(commands[name]["args_hint"])[:1_000]
            offered.append(command)
        return offered

    def skills(self):
        skills = self._manager.skills
        return [
            {
                "name": name,
                "description": text_of(skills[name]["description"])[:MOST_TEXT],
                "path": os.path.abspath(text_of(skills[name]["path"])),
            }
            for name in self._names(skills, "skill", 200)
        ]

    def all(self):
        """Everything, as `HostContributions`."""
        return {
            "namespace": None,
            "tools": self.tools(),
            "toolsets": [],
            "hooks": self.hooks(),
            "commands": self.commands(),
            "skills": self.skills(),
            "channel": None,
        }


def state_text(manager, manifest, module, checks):
    """`flowly:state`: all that was registered, with what the manifest says against it, as JSON."""
    tools = {}
    for name, tool in manager.theirs().items():
        tools[text_of(name)] = {
            "toolset": tool.toolset,
            "description": tool.description,
            "parameters": tool.parameters,
            "available": checks.offered(tool),
            "source": manifest.name,
        }
    declared_tools = [name for name in manifest.provides_tools if isinstance(name, str)]
    declared_hooks = [name for name in manifest.provides_hooks if isinstance(name, str)]
    state = {
        "module": module,
        "tools": tools,
        "hooks": {text_of(event): [name_of(one) for one in found] for event, found in manager.hooks.items()},
        "commands": {
            name: {"description": one["description"], "args_hint": one["args_hint"]}
            for name, one in manager.commands.items()
        },
        "skills": {
            name: {"bare_name": one["bare_name"], "description": one["description"], "path": text_of(one["path"])}
            for name, one in manager.skills.items()
        },
        "web": sorted(manager.web),
        "differences": {
            "tools": _differences(declared_tools, manager.theirs()),
            "hooks": _differences(declared_hooks, manager.hooks),
            "web": _differences(manifest.provides_web_providers, manager.web),
        },
    }
    return json_text(plain(state))


def _differences(declared, registered):
    """Names only the manifest has, and names only the code registered."""
    names = {text_of(name) for name in registered}
    said = {text_of(name) for name in declared}
    return {"declared": sorted(said - names), "registered": sorted(names - said)}
