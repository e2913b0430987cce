"""Where an agent's Flowly folder is."""

import os
from pathlib import Path


def get_flowly_home():
    """The folder of this agent: what `FLOWLY_HOME` says, or `~/.flowly`."""
    given = os.environ.get("FLOWLY_HOME")
    return Path(given).expanduser() if given else Path.home() / ".flowly"
