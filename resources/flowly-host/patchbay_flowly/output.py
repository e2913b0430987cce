"""What the plugin prints and logs, as log lines that know during which call they were written."""

import io
import os
import sys
from _contextvars import ContextVar

MOST = 16 * 1024
during = ContextVar("patchbay_during", default=None)
"""Id of the call that the running code belongs to; None outside of calls."""


given_up = set()
"""Ids of calls that still run although nobody waits for them."""


class Printed(io.TextIOBase):
    """Takes the place of `sys.stdout` or `sys.stderr`. Whole lines become log lines."""

    encoding = "utf-8"
    errors = "replace"
    newlines = None
    mode = "w"
    line_buffering = True
    write_through = True

    def __init__(self, wire, name, real):
        self._wire = wire
        self._output = name
        self._real = real
        self._rest = {}
        self.name = "<%s>" % name
        self.buffer = _Bytes(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        if self._wire.forked:
            os.write(self._real, text.encode("utf-8", "replace"))
            return len(text)
        call = during.get()
        *lines, line = (self._rest.pop(call, "") + text).split("\n")
        for whole in lines:
            self._say(whole, call)
        while len(line) > MOST:
            self._say(line[:MOST], call)
            line = line[MOST:]
        if line:
            self._rest[call] = line
        return len(text)

    def end(self, call):
        """Says what was printed after the last line end during a call."""
        rest = self._rest.pop(call, None)
        if rest:
            self._say(rest, call)

    def _say(self, line, call):
        if line.endswith("\r"):
            line = line[:-1]
        level = "info" if self._output == "stdout" else "error"
        for at in range(0, len(line) or 1, MOST):
            message = {"t": "log", "level": level, "text": line[at : at + MOST], "output": self._output}
            if call is not None:
                message["during"] = call
            self._wire.send(message)

    def flush(self):
        pass

    def fileno(self):
        return self._real

    def isatty(self):
        return False

    def writable(self):
        return True

    def close(self):
        pass

    def reconfigure(self, **_options):
        pass


class _Bytes(io.RawIOBase):
    """The `buffer` of a stream, for those who print bytes."""

    def __init__(self, text):
        self._text = text

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self._text.write(data.decode("utf-8", "replace"))
        return len(data)

    def flush(self):
        pass

    def fileno(self):
        return self._text.fileno()

    def close(self):
        pass


class Output:
    """All that leaves the plugin as text."""

    def __init__(self, wire):
        self._wire = wire
        self._streams = (Printed(wire, "stdout", 1), Printed(wire, "stderr", 2))
        sys.stdout, sys.stderr = self._streams

    def end(self, call):
        """A call is over: what it left unfinished is a line, too."""
        for stream in self._streams:
            stream.end(call)

    def log(self, level, text):
        """A line of the host. `level`: debug, info, warn or error."""
        call = during.get()
        for line in (text.splitlines() or [""]) if level != "error" else [text]:
            for at in range(0, len(line) or 1, MOST):
                message = {"t": "log", "level": level, "text": line[at : at + MOST]}
                if call is not None:
                    message["during"] = call
                self._wire.send(message)

    def capture_logging(self, logging):
        """Makes records of the `logging` module log lines with their level. Called when it was imported."""
        output = self

        class Lines(logging.Handler):
            def emit(self, record):
                try:
                    level = record.levelno
                    word = "error" if level >= 40 else "warn" if level >= 30 else "info" if level >= 20 else "debug"
                    output.log(word, self.format(record))
                except Exception:
                    pass

        logging.lastResort = Lines(logging.WARNING)
        logging.root.addHandler(Lines())
        logging.root.setLevel(logging.INFO)
