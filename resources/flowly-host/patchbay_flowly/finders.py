"""What Python asks when it finds a module nowhere else: packages of the virtual environment, and our own `flowly`."""

import os
import sys

import _frozen_importlib as bootstrap
import _frozen_importlib_external as external

from .failures import HERE

SHIM = os.path.join(os.path.dirname(HERE), "shim")


class Late:
    """The last finder. Its first miss brings in the folders with packages, which a quick start leaves out."""

    def __init__(self, site_dirs):
        self._dirs = site_dirs
        self._is_open = False

    def find_spec(self, name, path=None, target=None):
        if path is None and not self._is_open:
            self._is_open = True
            self._open()
            spec = external.PathFinder.find_spec(name)
            if spec is not None:
                return spec
        if name == "flowly" and path is None:
            return external.PathFinder.find_spec(name, [SHIM])
        return None

    def _open(self):
        import site

        for folder in self._dirs:
            site.addsitedir(folder)
        if sys.flags.no_site:
            before = list(sys.meta_path)
            site.main()
            sys.meta_path[:] = before + [finder for finder in sys.meta_path if finder not in before]

    def invalidate_caches(self):
        pass


class LoggingWatch:
    """The first finder: notices the import of `logging`, and steps back."""

    def __init__(self, imported):
        self._imported = imported

    def find_spec(self, name, path=None, target=None):
        if name != "logging" or path is not None:
            return None
        sys.meta_path.remove(self)
        spec = external.PathFinder.find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                self._imported(module)

            spec.loader.exec_module = exec_module
        return spec

    def invalidate_caches(self):
        pass


def install(site_dirs, logging_imported):
    """Puts both into `sys.meta_path`."""
    if "logging" in sys.modules:
        logging_imported(sys.modules["logging"])
    else:
        sys.meta_path.insert(0, LoggingWatch(logging_imported))
    sys.meta_path.append(Late(site_dirs))


def plugin_module(name, folder):
    """The spec and the module of the plugin's `__init__.py`. Raises ImportError."""
    file = os.path.join(folder, "__init__.py")
    spec = external.spec_from_file_location(name, file, submodule_search_locations=[folder])
    if spec is None or spec.loader is None:
        raise ImportError("cannot create module spec for %s" % file)
    return spec, bootstrap.module_from_spec(spec)
