"""`skill_view`: the plugin's skills by their qualified names, with what they need and the files beside them."""

import os
import sys

from .context import Tool
from .front_matter import split_front_matter

FOLDERS = ("references", "templates", "scripts", "assets")
DOCUMENTS = (".md", ".markdown", ".txt", ".rst", ".html", ".pdf", ".csv", ".json", ".toml", ".xml", ".yaml", ".yml")
"""What is listed of `references`. Of the other folders everything is."""
MOST_LISTED = 200
MOST_FILE = 1024 * 1024
SYSTEMS = {"darwin": "macos", "win32": "windows"}
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
    """The files of a skill by folder, without hidden ones, those that Python makes, and links out of the skill."""
    linked = {}
    for name in FOLDERS:
        found = []
        for place, folders, files in os.walk(os.path.join(folder, name)):
            folders[:] = sorted(one for one in folders if one[0] != "." and one != "__pycache__")
            for file in sorted(files):
                path = os.path.join(place, file)
                is_listed = name != "references" or file.lower().endswith(DOCUMENTS)
                if is_listed and file[0] != "." and not file.endswith(".pyc") and _is_within(folder, path):
                    found.append(os.path.relpath(path, folder).replace(os.sep, "/"))
            if len(found) >= MOST_LISTED:
                break
        if found:
            linked[name] = found[:MOST_LISTED]
    return linked


def _is_within(folder, path):
    """Whether a file lies in the folder of the skill once links are followed."""
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


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
    """One linked file, of at most a megabyte of text."""
    if not isinstance(path, str) or ".." in path or path[:1] in ("/", "\\") or os.path.isabs(path):
        return _problem("Invalid file path — no traversal allowed.")
    if not path.startswith(tuple(name + "/" for name in FOLDERS)):
        return _problem("File must be under: %s" % ", ".join(FOLDERS))
    file = os.path.join(folder, path)
    if not os.path.exists(file):
        return _problem("File not found: %s" % path)
    if not _is_within(folder, file):
        return _problem("Invalid file path — no traversal allowed.")
    if not os.path.isfile(file):
        return _problem("Not a file: %s" % path)
    try:
        with open(file, "rb") as opened:
            data = opened.read(MOST_FILE + 1)
    except OSError:
        return _problem("File cannot be read: %s" % path)
    if len(data) > MOST_FILE:
        return _problem("File is larger than 1 MB — cannot display: %s" % path)
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError:
        content = "\0"
    if "\0" in content:
        return _problem("Binary file — cannot display: %s" % path)
    return {"skill": skill, "file_path": path, "content": content}


def view(manager, name, file_path=None):
    """What `skill_view` of Flowly gives, as a dict; problems are one with `error`."""
    if not name:
        return _problem("name is required for action='get'.")
    skill = manager.skills.get(name) if isinstance(name, str) else None
    folder = os.path.dirname(str(skill["path"])) if skill else ""
    try:
        if not skill:
            raise FileNotFoundError(name)
        with open(os.path.join(folder, "SKILL.md"), encoding="utf-8", errors="replace") as opened:
            text = opened.read()
    except OSError:
        return _problem("Skill '%s' not found." % name)
    if file_path:
        return _file(name, folder, file_path)
    front, content = split_front_matter(text)
    readiness, missing = _needs(front)
    linked = _linked(folder)
    shown = {
        "name": name,
        "description": str(front.get("description") or ""),
        "content": content,
        "frontmatter": front,
        "skill_dir": folder,
        "linked_files": linked,
        "readiness": readiness,
        "missing_requirements": missing,
    }
    if "scripts" in linked:
        shown["run_hint"] = "The skill's scripts are run from its folder: %s" % folder
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
