"""Classes that behave as dataclasses do, without the cost of importing `dataclasses`; the manifest is one."""


class _Fields:
    """`__dataclass_fields__`, made when somebody asks: `dataclasses.asdict`, `replace` and `fields` then work."""

    def __get__(self, _instance, owner):
        import dataclasses

        made = []
        for name, value in owner._defaults.items():
            factory = type(value) if type(value) in (dict, list) else None
            given = {} if value is REQUIRED else {"default_factory": factory} if factory else {"default": value}
            made.append((name, object, dataclasses.field(**given)))
        made = dataclasses.make_dataclass(owner.__name__, made)
        owner.__dataclass_fields__ = made.__dict__["__dataclass_fields__"]
        return owner.__dataclass_fields__


REQUIRED = object()


def _repr(self):
    shown = ", ".join("%s=%r" % (name, getattr(self, name)) for name in self._defaults)
    return "%s(%s)" % (type(self).__qualname__, shown)


def _eq(self, other):
    if other.__class__ is not self.__class__:
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self._defaults)


def record(cls):
    """Makes a class like a dataclass. `_defaults` has all fields in order; its `__init__` sets them."""
    cls.__repr__, cls.__eq__, cls.__hash__ = _repr, _eq, None
    cls.__dataclass_fields__ = _Fields()
    return cls


@record
class PluginManifest:
    """The manifest as Patchbay read it, at `ctx.manifest`."""

    __module__ = "flowly.plugins.manifest"
    _defaults = {
        "name": REQUIRED,
        "version": "",
        "description": "",
        "author": "",
        "kind": "standalone",
        "manifest_version": 1,
        "requires_env": [],
        "provides_tools": [],
        "provides_hooks": [],
        "provides_web_providers": [],
        "source": "",
        "path": None,
        "key": "",
    }

    def __init__(
        self,
        name,
        version="",
        description="",
        author="",
        kind="standalone",
        manifest_version=1,
        requires_env=None,
        provides_tools=None,
        provides_hooks=None,
        provides_web_providers=None,
        source="",
        path=None,
        key="",
    ):
        self.name = name
        self.version = version
        self.description = description
        self.author = author
        self.kind = kind
        self.manifest_version = manifest_version
        self.requires_env = [] if requires_env is None else requires_env
        self.provides_tools = [] if provides_tools is None else provides_tools
        self.provides_hooks = [] if provides_hooks is None else provides_hooks
        self.provides_web_providers = [] if provides_web_providers is None else provides_web_providers
        self.source = source
        self._path = path
        self.key = key

    @property
    def path(self):
        """The plugin's folder as a `pathlib.Path`, made when it is asked for."""
        if isinstance(self._path, str):
            from pathlib import Path

            self._path = Path(self._path)
        return self._path

    @path.setter
    def path(self, value):
        self._path = value
