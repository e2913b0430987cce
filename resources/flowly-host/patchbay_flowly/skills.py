"""`skill_view`: the plugin's skills by their qualified names, with what they need and the files beside them."""

import os
import sys

from .context import Tool
from .front_matter import split_front_matter

FOLDERS = ("references", "templates", "scripts", "assets")
LISTED = {
    "references": (".md", ".txt", ".rst"),
    "templates": (".md", ".py", ".yaml", ".yml", ".json", ".sh", ".tex"),
    "scripts": (".py", ".sh", ".bash", ".js", ".ts", ".rb"),
    "assets": None,
}
"""Kinds of files that are listed by folder; all in the last."""
MOST_FILE = 4 * 1024 * 1024
SYSTEMS = {"darwin": "macos", "win32": "windows", "cygwin": "windows"}
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Qualified name of the skill: plugin:skill."},
        "file_path": {
            "type": "string",
            "description": "A file of the skill, under references, templates, scripts or assets.",
        },
    },
}
DESCRIPTION = "Shows a skill of this plugin, or a file of it. Skills: %s."


def _problem(text):
    return {"error": text}


def _linked(folder):
    """The files of a skill by folder, of those kinds that are listed."""
    linked = {}
    for name in FOLDERS:
        base = os.path.join(folder, name)
        found = []
        for root, folders, files in os.walk(base):
            folders.sort()
            for file in files:
                ends = LISTED[name]
                if ends is None or os.path.splitext(file)[1].lower() in ends:
                    found.append(os.path.relpath(os.path.join(root, file), folder).replace(os.sep, "/"))
        if found:
            linked[name] = sorted(found)[:500]
    return linked


def _needs(front):
    """`(readiness, [what is missing])` by the front matter."""
    flowly = _mapping(_mapping(front.get("metadata")).get("flowly"))
    systems = flowly.get("os")
    here = SYSTEMS.get(sys.platform, "linux")
    if systems and here not in _list(systems):
        return "unsupported", ["OS: requires %s, current is %s" % (systems, here)]
    requires = _mapping(flowly.get("requires"))
    missing = []
    for program in _list(requires.get("bins")):
        from shutil import which

        if which(program) is None:
            missing.append("CLI: %s" % program)
    missing += ["ENV: %s" % name for name in _list(requires.get("env")) if not os.environ.get(name)]
    return ("setup_needed" if missing else "available"), missing


def _mapping(value):
    """A mapping, also one that is written as JSON in a text; an empty one otherwise."""
    if isinstance(value, str):
        import json

        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _list(value):
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _file(skill, folder, path):
    """One linked file."""
    if ".." in path or path.startswith("/"):
        return _problem("Invalid file path — no traversal allowed.")
    parts = path.split("/")
    if len(parts) < 2 or parts[0] not in FOLDERS:
        return _problem("File must be under: %s" % ", ".join(FOLDERS))
    whole = os.path.join(folder, *parts)
    real, inside = os.path.realpath(whole), os.path.realpath(folder)
    if not os.path.exists(whole):
        return _problem("File not found: %s" % path)
    if real != inside and not real.startswith(inside + os.sep):
        return _problem("Invalid file path — no traversal allowed.")
    if not os.path.isfile(whole):
        return _problem("Not a file: %s" % path)
    try:
        if os.path.getsize(whole) > MOST_FILE:
            return _problem("File is too large: %s" % path)
        with open(whole, encoding="utf-8") as file:
            return {"skill": skill, "file_path": path, "content": file.read()}
    except UnicodeDecodeError:
        return _problem("Binary file — cannot display: %s" % path)
    except OSError:
        return _problem("File not found: %s" % path)


def view(manager, name, file_path=None):
    """What `skill_view` of Flowly gives, as a dict; problems are one with `error`."""
    if not name:
        return _problem("name is required for action='get'.")
    entry = manager.skills.get(name)
    path = None if entry is None else str(entry["path"])
    # Flowly reads the SKILL.md beside the path that was registered, whatever that is called.
    folder = None if path is None else os.path.dirname(path)
    file = None if folder is None else os.path.join(folder, "SKILL.md")
    if file is None or not os.path.exists(path) or not os.path.isfile(file):
        return _problem("Skill '%s' not found." % name)
    if file_path:
        return _file(name, folder, file_path)
    try:
        if os.path.getsize(file) > MOST_FILE:
            return _problem("Skill '%s' is too large." % name)
        with open(file, encoding="utf-8") as opened:
            front, content = split_front_matter(opened.read())
    except (OSError, UnicodeDecodeError) as error:
        return _problem("Skill '%s' cannot be read: %s" % (name, type(error).__name__))
    readiness, missing = _needs(front)
    linked = _linked(folder)
    shown = {
        "name": name,
        "description": front.get("description", ""),
        "content": content,
        "frontmatter": front,
        "skill_dir": folder,
        "linked_files": linked,
        "readiness": readiness,
        "missing_requirements": missing,
    }
    if linked:
        shown["run_hint"] = "Its files lie in %s; run scripts from there, or by their whole paths." % folder
    return shown


def _text(value):
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def resource(manager, rest):
    """What stands behind `flowly:skill/<qualified>[?file=…]`."""
    from urllib.parse import parse_qs, unquote

    name, _, query = rest.partition("?")
    return _text(view(manager, unquote(name), (parse_qs(query).get("file") or [None])[0]))


def add_tool(manager):
    """Offers `skill_view`."""
    names = ", ".join(sorted(manager.skills))

    def run(name="", file_path=None, **_more):
        return _text(view(manager, name, file_path))

    manager.add_own(Tool("skill_view", run, None, SCHEMA, DESCRIPTION % names[:2_000], "skills"))
