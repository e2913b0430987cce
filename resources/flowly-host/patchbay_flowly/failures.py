"""Exceptions put into words. Their own texts may fail, and then must not take anything else with them."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))


def text_of_error(error):
    """`str(error)`; where that raises, what it raised says."""
    try:
        return str(error)
    except BaseException as other:
        try:
            return str(other)
        except BaseException:
            return "(%s, whose text cannot be read)" % type(other).__name__


def named(error):
    """The class and the text, as Flowly records a plugin that failed to load: `RuntimeError: boom`."""
    return "%s: %s" % (type(error).__name__, text_of_error(error))


def result_text(error):
    """The text behind `Error executing x: `. What is no Exception leaves the call in Flowly; here it has its class."""
    return text_of_error(error) if isinstance(error, Exception) else named(error)


def _is_ours(filename):
    return filename.startswith(HERE) or filename.startswith("<frozen importlib")


def traceback_of(error, whole=False):
    """The traceback from the plugin's code on, or the whole one, of at most 30,000 characters."""
    import traceback

    trace = error.__traceback__
    while not whole and trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    try:
        lines = traceback.format_exception(type(error), error, trace)
    except BaseException:
        return named(error)
    return "".join(lines).rstrip("\n")[-30_000:]


def name_of(callback):
    """The name of a callback as a person can find it in the code."""
    try:
        name = getattr(callback, "__qualname__", None)
        module = getattr(callback, "__module__", None)
        if not isinstance(name, str):
            name = type(callback).__qualname__
    except BaseException:
        return type(callback).__name__
    slug = module.rpartition(".")[2] if isinstance(module, str) else ""
    return "%s.%s" % (slug, name) if slug else name


class Refused(Exception):
    """A call is answered by an error of this text."""

    def __init__(self, text, code="TOOL_FAILED", details=None):
        Exception.__init__(self, text)
        self.text = text
        self.code = code
        self.details = details


class Aborted(KeyboardInterrupt):
    """Raised in plugin code whose call nobody waits for any more."""
