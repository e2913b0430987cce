"""What a plugin registers, and the object by which it does."""

import sys

from .schemas import parameters_of, shown_of

TOOLSETS = frozenset(
    "filesystem skills execution web delivery interactive media delegation sessions scheduling productivity memory"
    " workspace".split()
)
RESERVED = frozenset(("new", "clear", "compact", "help"))


VALID_EVENTS = frozenset(
    "pre_tool_call post_tool_call transform_tool_result transform_terminal_output pre_llm_call post_llm_call"
    " pre_api_request post_api_request on_session_start on_session_end on_session_finalize on_session_reset"
    " subagent_stop pre_gateway_dispatch".split()
)


class Tool:
    """A tool of the plugin. `parameters`: as the plugin gave them. `shown`: as a model reads them."""

    __slots__ = ("name", "handler", "check", "parameters", "shown", "description", "toolset")

    def __init__(self, name, handler, check, parameters, description, toolset):
        self.name = name
        self.handler = handler
        self.check = check
        self.parameters = parameters
        self.shown = shown_of(parameters)
        self.description = description
        self.toolset = toolset


class Registered:
    """All that one plugin has registered. `changes` counts, so that news can be told."""

    def __init__(self, log):
        self.log = log
        self.tools = {}
        self.hooks = {}
        self.commands = {}
        self.skills = {}
        self.web = {}
        self.own = set()
        """Names of tools that the host added, because something that was registered needs them."""
        self.changes = 0

    def add_own(self, tool):
        """A tool of the host, unless the plugin has one of that name."""
        if tool.name not in self.tools or tool.name in self.own:
            self.tools[tool.name] = tool
            self.own.add(tool.name)

    def theirs(self):
        """The tools that the plugin registered, by name."""
        return {name: tool for name, tool in list(self.tools.items()) if name not in self.own}

    def fail_when_unsorted(self):
        """Names of different types cannot be sorted, and such a plugin fails in Flowly. Raises TypeError."""
        for names in (self.tools, self.hooks, self.commands, self.web):
            sorted(names)


class PluginContext:
    """Given to `register(ctx)`. Methods that Flowly does not have are absent here, too."""

    __module__ = "flowly.plugins.context"

    def __init__(self, manifest, manager):
        self.manifest = manifest
        self._manager = manager

    def register_tool(
        self,
        *,
        name,
        schema,
        handler,
        check_fn=None,
        description="",
        toolset="",
        requires_env=None,
        is_async=False,
        emoji="",
    ):
        """Offers a tool. The last one of a name counts."""
        said = description or schema.get("description", "")
        parameters = parameters_of(schema)
        group = toolset.strip().lower() if isinstance(toolset, str) else ""
        group = group if group in TOOLSETS else "extensions"
        self._manager.tools[name] = Tool(name, handler, check_fn, parameters, str(said) if said else "", group)
        self._manager.own.discard(name)
        self._manager.changes += 1

    def register_hook(self, hook_name, callback):
        """Has `callback` called with the context of each such event."""
        manager = self._manager
        if hook_name not in VALID_EVENTS:
            valid = ", ".join(sorted(VALID_EVENTS))
            manager.log("warn", "plugin %s: unknown hook event %r (valid: %s)" % (self.manifest.name, hook_name, valid))
        manager.hooks.setdefault(hook_name, []).append(callback)
        manager.changes += 1

    def register_command(self, name, handler, description="", args_hint=""):
        """Answers `/name …` with what `handler` makes of the rest of the line."""
        manager = self._manager
        plugin = self.manifest.name
        clean = name.strip().lstrip("/").lower().replace(" ", "-")
        if not clean:
            manager.log("warn", "plugin %s: empty slash command name" % plugin)
            return
        if clean in RESERVED:
            manager.log("warn", "plugin %s tried to override reserved /%s — skipping" % (plugin, clean))
            return
        manager.commands[clean] = {
            "handler": handler,
            "description": description or "",
            "args_hint": (args_hint or "").strip(),
        }
        manager.changes += 1

    def register_skill(self, name, path, description=""):
        """Offers the file at `path`, a `pathlib.Path`, as the skill `<plugin>:<name>`."""
        plugin = self.manifest.name
        if ":" in name:
            raise ValueError(
                "skill name %r must not contain ':' — namespace is derived from plugin name %r automatically"
                % (name, plugin)
            )
        if not name.replace("-", "").replace("_", "").isalnum():
            raise ValueError("invalid skill name %r; must match [a-zA-Z0-9_-]+" % name)
        if not path.exists():
            raise FileNotFoundError("SKILL.md not found at %s" % path)
        self._manager.skills["%s:%s" % (plugin, name)] = {
            "path": path,
            "bare_name": name,
            "description": description,
        }
        self._manager.changes += 1

    def register_web_search_provider(self, provider):
        """Offers a way to search the web, an instance of `WebSearchProvider`."""
        module = sys.modules.get("flowly.agent.tools.web_providers")
        base = getattr(module, "WebSearchProvider", None)
        if base is None or not isinstance(provider, base):
            raise TypeError(
                "register_provider() expects a WebSearchProvider instance, got %s" % type(provider).__name__
            )
        name = provider.name
        if not isinstance(name, str) or not name.strip():
            raise ValueError("Web provider .name must be a non-empty string")
        self._manager.web[name] = provider
        self._manager.changes += 1
