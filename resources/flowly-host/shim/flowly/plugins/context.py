"""The class of `ctx`."""

from patchbay_flowly.context import PluginContext

__all__ = ["PluginContext"]
