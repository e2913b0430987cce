"""The class of `ctx.manifest`."""

from patchbay_flowly.manifest import PluginManifest

__all__ = ["PluginManifest"]
