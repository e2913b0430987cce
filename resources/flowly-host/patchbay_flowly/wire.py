"""The private line to Patchbay: JSON, one message a line, both directions over one descriptor."""

import os
import sys
from _thread import allocate_lock, get_ident

try:  # The C parts of `json` alone, because `json` itself imports `re` and takes longer than all the rest of a start.
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner
except ImportError:
    make_scanner = None

CHUNK = 1 << 16
_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}


class _Reading:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_CONSTANTS.__getitem__)
    memo = {}


def _not_json(value):
    raise TypeError("%s is no JSON" % type(value).__name__)


def _makers():
    """Returns `(loads, dumps, dumps_ascii)`, from the C parts where they do what they did so far."""
    try:
        scan = make_scanner(_Reading)

        def load(text):
            return scan(text, 0)[0]

        def writer(encode):
            make = make_encoder(None, _not_json, encode, None, ":", ",", False, False, False)
            return lambda value: "".join(make(value, 0))

        dump, plain = writer(encode_basestring), writer(encode_basestring_ascii)
        if dump({"a": [1, 1.5, None, True, "é"]}) == '{"a":[1,1.5,null,true,"é"]}' and load('{"a":1}') == {"a": 1}:
            return load, dump, plain
    except Exception:
        pass
    import json

    def dumps(ascii_only):
        return lambda value: json.dumps(
            value, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"), default=_not_json, check_circular=False
        )

    return json.JSONDecoder(strict=False).decode, dumps(False), dumps(True)


loads, dumps, dumps_ascii = _makers()


def json_text(value):
    """Text of a value as JSON. Raises TypeError, ValueError or RecursionError when it is none."""
    text = dumps(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return dumps_ascii(value)
    return text


def plain(value, depth=0):
    """The value with everything that is not JSON replaced by its text."""
    kind = type(value)
    if value is None or kind is str or kind is int or kind is bool:
        return value
    if kind is float:
        return value if value == value and abs(value) != float("inf") else str(value)
    if depth < 100:
        if isinstance(value, dict):
            return {key if type(key) is str else text_of(key): plain(inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [plain(inner, depth + 1) for inner in value]
    return text_of(value)


def text_of(value):
    """Python's `str` of a value; where that fails, a text that says so."""
    try:
        return str.__str__(str(value))
    except BaseException as error:
        return "<%s without a text: %s>" % (type(value).__name__, type(error).__name__)


class Wire:
    """Sends and reads messages. Sending is safe from any thread; reading is done by one."""

    def __init__(self, fd):
        self._fd = os.dup(fd)
        os.close(fd)
        os.set_inheritable(self._fd, False)
        self._lock = allocate_lock()
        self._main = get_ident()
        self._rest = b""
        self._forked = False
        self.sending = False
        """Whether the main thread is inside `send`: no exception may interrupt it there."""
        self.interrupted = None
        """An exception that came meanwhile and is raised at the end of `send`."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)

    def _leave(self):
        """A forked child has no part in the line."""
        self._forked = True
        try:
            os.close(self._fd)
        except OSError:
            pass

    @property
    def forked(self):
        """Whether this process is a child that plugin code has forked."""
        return self._forked

    def send(self, message):
        """Sends one message, a dict whose first keys are `t` and `id`. Raises like `json_text`."""
        self.send_text(json_text(message))

    def send_text(self, text):
        """Sends a message that is JSON text already."""
        if self._forked:
            os._exit(0)
        data = memoryview((text + "\n").encode("utf-8"))
        is_main = get_ident() == self._main
        if is_main:
            self.sending = True
        try:
            with self._lock:
                while data:
                    data = data[os.write(self._fd, data) :]
        except OSError:
            pass  # The reading thread notices that nobody listens, and ends the process.
        finally:
            if is_main:
                self.sending = False
                interrupted, self.interrupted = self.interrupted, None
                if interrupted is not None:
                    raise interrupted

    def messages(self):
        """Yields the messages that come in, until the line ends."""
        parts = []
        while True:
            try:
                data = os.read(self._fd, CHUNK)
            except InterruptedError:
                continue
            except OSError:
                return
            if not data:
                return
            *lines, rest = data.split(b"\n")
            for line in lines:
                parts.append(line)
                text = b"".join(parts)
                parts.clear()
                if text:
                    yield loads(text.decode("utf-8", "replace"))
            if rest:
                parts.append(rest)


def open_wire():
    """Opens the descriptor that Patchbay names in the environment, and hides it from what is started from here."""
    number = os.environ.pop("PATCHBAY_WIRE_FD", None)
    if number is None or not number.isdigit():
        sys.stderr.write("This program is started by Patchbay.\n")
        os._exit(2)
    return Wire(int(number))
