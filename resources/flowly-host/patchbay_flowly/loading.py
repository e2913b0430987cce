"""Loads the plugin: its module under `flowly_plugins.<slug>`, then `register(ctx)`."""

import os
import sys

from .context import PluginContext
from .failures import named, traceback_of
from .finders import plugin_module
from .manifest import PluginManifest

HERMES_METHODS = frozenset(
    "plugin_id get_config set_config state llm profile_name on_unload spawn_task call_mcp has_capability"
    " inject_message dispatch_tool register_cli_command register_image_gen_provider register_context_engine"
    " register_platform register_memory_provider".split()
)
"""What plugins for Hermes, a related system, call on their context and Flowly does not have."""

HERMES_MODULES = frozenset(("hermes", "hermes_agent", "hermes_cli", "hermes_constants", "hermes_plugins"))


class LoadFailed(Exception):
    """The plugin did not load. `error`: the text that Flowly records. `details`: for the app."""

    def __init__(self, error, details):
        Exception.__init__(self, error)
        self.error = error
        self.details = details


def slug_of(key):
    """The last part of the module's name."""
    return key.replace("/", "__").replace("-", "_")


def manifest_of(given, folder):
    """The manifest that plugins see, from what Patchbay read. Unknown fields are left out."""
    known = {name: given[name] for name in PluginManifest._defaults if name in given and name != "path"}
    known.setdefault("name", os.path.basename(folder))
    known.setdefault("key", known["name"])
    return PluginManifest(**known, path=folder)


async def load(manifest, folder, key, manager, settle):
    """
    Imports the plugin and runs its `register`. Gives the name of its module.

    `settle` awaits what `register` returned where that can be awaited. Raises LoadFailed, whatever happened.
    """
    init = os.path.join(folder, "__init__.py")
    name = "flowly_plugins." + slug_of(key)
    context = PluginContext(manifest, manager)
    if not os.path.exists(init):
        raise LoadFailed("FileNotFoundError: no __init__.py in %s" % folder, {})
    try:
        parent = type(sys)("flowly_plugins")
        parent.__path__ = []
        parent.__package__ = "flowly_plugins"
        sys.modules["flowly_plugins"] = parent
        spec, module = plugin_module(name, folder)
        module.__package__ = name
        module.__path__ = [folder]
        sys.modules[name] = module
        spec.loader.exec_module(module)
        register = getattr(module, "register", None)
        if register is not None:
            await settle(register(context))
            manager.fail_when_unsorted()
    except BaseException as error:
        raise LoadFailed(named(error), details_of(error, folder)) from None
    if register is None:
        raise LoadFailed("missing register(ctx) function", {})
    return name


def details_of(error, folder):
    """What the app is told beside the text: the traceback, the module that is missing, the dialect."""
    details = {"traceback": traceback_of(error)}
    missing = missing_module(error, folder)
    if missing is not None:
        details["module"] = missing
    method = hermes_method(error)
    if method is not None:
        details["dialect"] = "hermes"
        details["method"] = method
    return details


def missing_module(error, folder):
    """The package that an import did not find; None when that is not what happened, or it is the plugin's own file."""
    if not isinstance(error, ModuleNotFoundError) or not isinstance(error.name, str):
        return None
    top = error.name.partition(".")[0]
    standard = getattr(sys, "stdlib_module_names", sys.builtin_module_names)
    if not top or top in HERMES_MODULES or top in ("flowly", "flowly_plugins") or top in standard or top in sys.modules:
        return None
    own = os.path.join(folder, top)
    return None if os.path.isdir(own) or os.path.exists(own + ".py") else top


def hermes_method(error):
    """The method or module of Hermes that the plugin wanted; None when the failure is another one."""
    text = named(error)
    if isinstance(error, ModuleNotFoundError):
        top = error.name.partition(".")[0] if isinstance(error.name, str) else ""
        return top if top in HERMES_MODULES else None
    if isinstance(error, AttributeError) and "'PluginContext' object has no attribute" in text:
        method = text.rpartition(" ")[2].strip("'")
        return method if method in HERMES_METHODS else None
    if isinstance(error, TypeError) and text.endswith("register_tool() got an unexpected keyword argument 'override'"):
        return "register_tool"
    return None
