"""What plugins import for their type hints."""

from .context import PluginContext
from .manifest import PluginManifest

__all__ = ["PluginContext", "PluginManifest"]
