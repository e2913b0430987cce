"""The settings of an agent, from its `config.json`."""

import json
import re

from flowly.profile import get_flowly_home


class Config(dict):
    """Settings by name, in snake case, as keys and as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("%r object has no attribute %r" % (type(self).__name__, name)) from None


def get_config_path():
    """The file that `load_config` reads."""
    return get_flowly_home() / "config.json"


def _named(value):
    if isinstance(value, dict):
        snake = lambda key: re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower()  # noqa: E731
        return Config((snake(key), _named(inner)) for key, inner in value.items())
    return [_named(inner) for inner in value] if isinstance(value, list) else value


def load_config(config_path=None):
    """The settings; empty ones when there is no file that can be read."""
    try:
        with open(config_path or get_config_path(), encoding="utf-8") as file:
            return _named(json.load(file))
    except (OSError, ValueError):
        return Config()
