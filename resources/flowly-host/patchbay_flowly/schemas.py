"""Schemas of tools: where Flowly finds the parameters, and what the model is shown of them."""


UNIONS = ("anyOf", "oneOf", "allOf")
MOST_DEPTH = 8
"""Unions within unions that are looked into; a schema may hold itself."""


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
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _values(schema):
    """The values that a property is limited to; an empty list when it is not."""
    if "const" in schema:
        return [schema["const"]]
    return schema["enum"] if isinstance(schema.get("enum"), list) else []


def _joined(first, second):
    """One property of two branches: limited values are put together, and a branch without limits takes them away."""
    if not isinstance(first, dict) or not isinstance(second, dict):
        return first
    limits = _values(first), _values(second)
    both = {**second, **first}
    if all(limits):
        both.pop("const", None)
        both["enum"] = []
        for value in limits[0] + limits[1]:
            if not any(type(value) is type(other) and value == other for other in both["enum"]):
                both["enum"].append(value)
        if first.get("type") != second.get("type"):
            both.pop("type", None)
        return both
    if not any(limits):
        return first
    free = second if limits[0] else first
    return {"description": both["description"], **free} if "description" in both else free


def _properties(schema):
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _merged(schema, branches):
    """The properties of all branches, and those outside of the union; of these, empty ones give way."""
    merged = {}
    for branch in branches:
        for name, one in _properties(branch).items():
            merged[name] = _joined(merged[name], one) if name in merged else one
    own = _properties(schema)
    if not merged:
        return own
    for name, one in own.items():
        if name in merged and isinstance(one, dict) and isinstance(merged[name], dict):
            merged[name] = {**merged[name], **one}
        elif one != {}:
            merged[name] = one
    return merged


def _needed(union, branches):
    """What a call needs whichever branch it is for; of `allOf`, what any branch requires."""
    required = [_strings(branch.get("required")) for branch in branches]
    names = list(dict.fromkeys(name for one in required for name in one))
    return names if union == "allOf" else [name for name in names if all(name in one for one in required)]


def _flattened(schema, unions, depth):
    """One object in place of the unions. What the schema itself requires counts before what branches require."""
    branches, needed = [], []
    for union in unions:
        inner = [shown_of(branch, depth + 1) for branch in schema[union] if isinstance(branch, dict)]
        branches += inner
        needed += [name for name in _needed(union, inner) if name not in needed]
    flat = {key: value for key, value in schema.items() if key not in unions and key != "required"}
    flat["properties"] = _merged(schema, branches)
    required = _strings(schema.get("required")) or needed
    if required:
        flat["required"] = required
    flat.setdefault("additionalProperties", True)
    return flat


def shown_of(schema, depth=0):
    """The parameters as Flowly shows them to the model: no union at the top, and with a type."""
    unions = [union for union in UNIONS if isinstance(schema.get(union), list)]
    if unions and depth < MOST_DEPTH:
        schema = _flattened(schema, unions, depth)
    if "type" not in schema and ("properties" in schema or "required" in schema):
        schema = {"type": "object", **schema}
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
