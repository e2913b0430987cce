"""The front matter of a skill. PyYAML reads it where there is one; otherwise the part of YAML that skills use."""

import re

_NULLS = ("", "~", "null", "Null", "NULL")
_TRUE = ("yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
_FALSE = ("no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
_INT = re.compile(r"[-+]?(0|[1-9][0-9_]*)$")
_FLOAT = re.compile(r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)([eE][-+][0-9]+)?$")
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"\[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*)|$)""")


class Broken(ValueError):
    """It is no YAML, or a kind that is not read here."""


def split_front_matter(text):
    """`(front matter as a dict, the rest)`. Without one: an empty dict and the whole text."""
    end = text.find("\n---", 3) if text[:3] == "---" else -1
    if end < 0:
        return {}, text
    return _front(text[3:end].strip()), text[end + 4 :].strip()


def _front(block):
    try:
        value = _load(block)
    except Exception:
        return _simple(block)
    return _json_like(value) if isinstance(value, dict) else {}


def _load(block):
    try:
        import yaml
    except ImportError:
        return read(block)
    return yaml.safe_load(block)


def _json_like(value):
    if isinstance(value, dict):
        return {str(key): _json_like(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_like(inner) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _simple(block):
    """What Flowly does with broken front matter: its lines of the form `key: value`."""
    front = {}
    for line in block.split("\n"):
        if ":" in line:
            key, value = line.split(":", 1)
            front[key.strip()] = value.strip().strip("\"'")
    return front


def read(text):
    """A mapping, list or scalar of block and flow YAML. Raises Broken."""
    lines = []
    for raw in text.split("\n"):
        line = raw.rstrip()
        lines.append((len(line) - len(line.lstrip(" ")), line.strip(" ")))
    reader = _Lines(lines)
    value = reader.block(0)
    if reader.peek() is not None:
        raise Broken("left over")
    return value


class _Lines:
    def __init__(self, lines):
        self._lines = lines
        self._at = 0

    def peek(self):
        """The next line that says something, as `(indent, text)`."""
        while self._at < len(self._lines):
            indent, text = self._lines[self._at]
            if text and not text.startswith("#"):
                if "\t" in text[:1]:
                    raise Broken("a tab")
                return indent, text
            self._at += 1
        return None

    def block(self, least):
        line = self.peek()
        if line is None or line[0] < least:
            return None
        indent, text = line
        if text == "-" or text.startswith("- "):
            return self._sequence(indent)
        if _KEY.match(text):
            return self._mapping(indent)
        return self._value(text, indent)

    def _sequence(self, indent):
        items = []
        while True:
            line = self.peek()
            if line is None or line[0] != indent or not (line[1] == "-" or line[1].startswith("- ")):
                break
            rest = line[1][1:]
            inner = rest.lstrip(" ")
            if not inner or inner.startswith("#"):
                self._at += 1
                items.append(self.block(indent + 1))
            else:
                deeper = indent + 1 + len(rest) - len(inner)
                self._lines[self._at] = (deeper, inner)
                items.append(self.block(deeper))
        return items

    def _mapping(self, indent):
        found = {}
        while True:
            line = self.peek()
            if line is None or line[0] < indent:
                break
            match = _KEY.match(line[1]) if line[0] == indent else None
            if match is None:
                raise Broken(line[1])
            key = _scalar(match.group(1))
            rest = _bare(match.group(2) or "")
            if rest:
                found[key] = self._value(rest, indent)
            else:
                self._at += 1
                after = self.peek()
                is_list = after is not None and after[0] == indent and (after[1] == "-" or after[1].startswith("- "))
                found[key] = self.block(indent if is_list else indent + 1)
        return found

    def _value(self, text, indent):
        self._at += 1
        if text[0] in "|>":
            return self._literal(text, indent)
        if text[0] in "&*!%@`":
            raise Broken(text)
        while True:
            # Flow values, quoted and plain texts go on over lines that are deeper.
            done = not _is_open(text)
            line = self.peek()
            if line is None or line[0] <= indent:
                break
            if done and (text[0] in "\"'[{" or _KEY.match(line[1])):
                raise Broken(line[1])
            text = text + " " + _bare(line[1])
            self._at += 1
        if _is_open(text):
            raise Broken(text)
        if text[0] in "[{":
            value, end = _flow(text, 0)
            if text[end:].strip():
                raise Broken(text)
            return value
        if re.search(r":(\s|$)", text) and text[0] not in "\"'":
            raise Broken(text)
        return _scalar(text)

    def _literal(self, mark, indent):
        kept, deep = [], None
        while self._at < len(self._lines):
            at, text = self._lines[self._at]
            if text and at <= indent:
                break
            if text and deep is None:
                deep = at
            kept.append(" " * max(0, at - (deep or 0)) + text if text else "")
            self._at += 1
        while kept and not kept[-1]:
            kept.pop()
        if mark[0] == "|":
            text = "\n".join(kept)
        else:
            text = re.sub(r"(?<!\n)\n(?!\n)", " ", "\n".join(kept)).replace("\n\n", "\n")
        return text if "-" in mark or not text else text + "\n"


def _bare(text):
    """Without the comment at its end."""
    quote = ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in "\"'" and (at == 0 or text[at - 1] in " [{,:"):
            quote = char
        elif char == "#" and (at == 0 or text[at - 1] in " \t"):
            return text[:at].rstrip()
    return text


def _is_open(text):
    if text[0] in "\"'":
        return len(text) < 2 or text[-1] != text[0]
    return text[0] in "[{" and (text.count("[") > text.count("]") or text.count("{") > text.count("}"))


def _flow(text, at):
    """`(value, where it ends)` of a flow value that begins at `at`."""
    at = _skip(text, at)
    if at >= len(text):
        raise Broken(text)
    if text[at] == "[":
        items, at = [], _skip(text, at + 1)
        while text[at : at + 1] != "]":
            value, at = _flow(text, at)
            items.append(value)
            at = _after(text, at, "]")
        return items, at + 1
    if text[at] == "{":
        found, at = {}, _skip(text, at + 1)
        while text[at : at + 1] != "}":
            key, at = _flow(text, at)
            at = _skip(text, at)
            value = None
            if text[at : at + 1] == ":":
                value, at = _flow(text, at + 1)
            found[key] = value
            at = _after(text, at, "}")
        return found, at + 1
    if text[at] in "\"'":
        match = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""").match(text, at)
    else:
        match = re.compile(r"(?:[^,\[\]{}:]|:(?!\s|$|[,\[\]{}]))*").match(text, at)
    if match is None:
        raise Broken(text)
    return _scalar(match.group().strip()), match.end()


def _skip(text, at):
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _after(text, at, end):
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != end:
        raise Broken(text)
    return at


def _scalar(text):
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        import json

        return json.loads(text, strict=False)
    if text in _NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.match(text):
        return int(text.replace("_", ""))
    return float(text.replace("_", "")) if _FLOAT.match(text) else text
