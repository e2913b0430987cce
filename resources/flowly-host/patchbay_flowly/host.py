"""The host: reads messages on one thread, and runs the plugin's code on the main thread, as Flowly does."""

import os
import sys
from _thread import start_new_thread

from .failures import named
from .machine import limit_memory, tell_faults
from .output import Output
from .wire import open_wire

CACHE = sys.pycache_prefix


def main():
    """Runs until Patchbay says stop or goes away. Never returns."""
    # The cache is for our own modules; those of Python lie beside their sources.
    sys.pycache_prefix = None
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:] = [path for path in sys.path if path != "" and os.path.abspath(path) != folder]
    wire = open_wire()
    output = Output(wire)
    messages = wire.messages()
    for message in messages:
        if message.get("t") == "start":
            serve(wire, output, message["start"], messages)
        if message.get("t") == "ping":
            wire.send({"t": "pong", "id": message["id"], "memoryBytes": 0})
        if message.get("t") == "stop":
            wire.send({"t": "stopped"})
    os._exit(0)


def ours(name):
    """One of our own modules, imported by way of the cache of compiled code."""
    full = __package__ + "." + name
    if full not in sys.modules:
        kept = sys.pycache_prefix, sys.dont_write_bytecode
        sys.pycache_prefix, sys.dont_write_bytecode = CACHE, CACHE is None
        try:
            __import__(full)
        finally:
            sys.pycache_prefix, sys.dont_write_bytecode = kept
    return sys.modules[full]


def prepare(start, output):
    """What has to stand before the plugin's code runs."""
    import builtins

    if isinstance(start.get("home"), str) and start["home"]:
        os.environ["FLOWLY_HOME"] = start["home"]
    if not hasattr(builtins, "exit"):
        builtins.exit = builtins.quit = sys.exit
    sys.dont_write_bytecode = True
    tell_faults()
    ours("finders").install(
        [path for path in start.get("site") or [] if isinstance(path, str)], output.capture_logging
    )
    if start.get("memoryMb"):
        limit_memory(start["memoryMb"])


def serve(wire, output, start, messages):
    """Loads the plugin and answers calls. Never returns."""
    worker = ours("worker").Worker(wire, output)
    start_new_thread(worker.read, (messages,))
    worker.begin(lambda: open_plugin(wire, output, start, worker))


async def open_plugin(wire, output, start, worker):
    """Loads the plugin, and says how that went. Gives what answers calls, or None when it did not load."""
    loading = ours("loading")
    context = ours("context")
    prepare(start, output)
    folder = start["dir"]
    manifest = loading.manifest_of(start.get("manifest") or {}, folder)
    manager = context.Registered(output.log)
    try:
        settle = ours("settling").settle
        module = await loading.load(manifest, folder, start.get("key") or manifest.key, manager, settle)
        calls = ours("answers").Answers(wire, manager, manifest, module)
        offers = calls.begin()
    except loading.LoadFailed as failed:
        output.end(None)
        traceback = failed.details.get("traceback")
        output.log("error", "failed to load plugin %s\n%s" % (manifest.key, traceback or failed.error))
        details = {"error": failed.error, **failed.details}
        problem = {"code": "START_FAILED", "message": sentence_of(failed.error), "details": details}
        wire.send({"t": "failed", "problem": problem})
        return None
    except BaseException as error:
        problem = {"code": "START_FAILED", "message": sentence_of(named(error)), "details": {"error": named(error)}}
        wire.send({"t": "failed", "problem": problem})
        return None
    output.end(None)
    wire.send({"t": "started", "contributions": offers})
    return calls


def sentence_of(error):
    """A sentence around the text that Flowly records."""
    line = error.partition("\n")[0][:500]
    return "The plugin's Python code failed: %s" % line
