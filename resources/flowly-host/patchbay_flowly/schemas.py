"""Schemas of tools: where Flowly finds the parameters, and what the model is shown of them."""


UNIONS = ("anyOf", "oneOf", "allOf")


def parameters_of(schema):
    """The parameters inside what a plugin gave as schema; those of no arguments when there are none."""
    if "parameters" in schema and isinstance(schema["parameters"], dict):
        return schema["parameters"]
    function = schema.get("function")
    if isinstance(function, dict) and isinstance(function.get("parameters"), dict):
        return function["parameters"]
    if "properties" in schema or schema.get("type") == "object":
        return schema
    return {"type": "object", "properties": {}}


def _strings(value):
    return [item for item in value if isinstance(item, str)]


def _values(schema):
    """The values that a property is limited to, in its unions as well; an empty list when it is not."""
    if not isinstance(schema, dict):
        return []
    if isinstance(schema.get("enum"), list):
        return schema["enum"]
    if "const" in schema:
        return [schema["const"]]
    union = next((schema[name] for name in UNIONS if isinstance(schema.get(name), list)), [])
    return [value for branch in union for value in _values(branch)]


def _joined(first, second):
    """One property of two branches. Limited values are put together, otherwise the first one stays as it is."""
    values = []
    shown = set()
    for value in _values(first) + _values(second):
        if repr(value) not in shown:
            shown.add(repr(value))
            values.append(value)
    if not values:
        return second if first is None else first
    words = {}
    for branch in (second, first):
        if isinstance(branch, dict):
            words.update((name, branch[name]) for name in ("title", "description", "default") if name in branch)
    return {**words, "enum": values}


def _flattened(schema, branches):
    """One object in place of a union: a property of any branch, required when all branches require it."""
    branches = [one for one in branches if isinstance(one, dict) and isinstance(one.get("properties"), dict)]
    properties = {}
    for branch in branches:
        for name, inner in branch["properties"].items():
            properties[name] = _joined(properties[name], inner) if name in properties else inner
    required = schema.get("required")
    if isinstance(required, list):
        required = _strings(required)
    else:
        asked = [_strings(one["required"]) if isinstance(one.get("required"), list) else [] for one in branches]
        required = [name for name in (asked or [[]])[0] if all(name in names for names in asked)]
    shown = {
        "type": "object",
        # The frame's own properties count only where the branches have none.
        "properties": properties or schema.get("properties", {}),
        "additionalProperties": schema.get("additionalProperties", True),
    }
    shown.update((name, schema[name]) for name in ("title", "description") if isinstance(schema.get(name), str))
    if required:
        shown["required"] = required
    return shown


def shown_of(schema):
    """The parameters as Flowly shows them to the model: no union at the top, and with a type."""
    unions = [schema[name] for name in UNIONS if isinstance(schema.get(name), list)]
    if unions:
        return _flattened(schema, [branch for union in unions for branch in union])
    if "type" not in schema and (
        isinstance(schema.get("properties"), dict) or isinstance(schema.get("required"), list)
    ):
        return {**schema, "type": "object"}
    return schema


def missing_of(schema, params):
    """Names of required arguments that are not there, None, or blank, sorted."""
    required = schema.get("required")
    if not isinstance(required, list):
        return []
    missing = []
    for name in required:
        if isinstance(name, str):
            value = params.get(name)
            if value is None or (isinstance(value, str) and not value.strip()):
                missing.append(name)
    return sorted(set(missing))
