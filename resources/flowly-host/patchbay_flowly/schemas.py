"""Schemas of tools: where Flowly finds the parameters, and what the model is shown of them."""


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
    return [item for item in value if isinstance(item, str)] if isinstance(value, (list, tuple)) else []


def _choices(schema):
    if isinstance(schema.get("enum"), list):
        return schema["enum"]
    return [schema["const"]] if "const" in schema else None


def _merged(first, second):
    """One property from two branches: the values of both, and what the first does not say from the second."""
    if not isinstance(first, dict) or not isinstance(second, dict):
        return first
    merged = {**second, **first}
    ours, theirs = _choices(first), _choices(second)
    if ours is not None and theirs is not None:
        merged.pop("const", None)
        merged["enum"] = ours + [value for value in theirs if value not in ours]
    return merged


def _flattened(schema, unions):
    shown = {key: value for key, value in schema.items() if key not in unions}
    own = schema["properties"] if isinstance(schema.get("properties"), dict) else {}
    properties = {}
    common = None
    for union in unions:
        for branch in schema[union]:
            if not isinstance(branch, dict):
                continue
            inner = branch.get("properties")
            for name, of_branch in (inner.items() if isinstance(inner, dict) else ()):
                properties[name] = _merged(properties[name], of_branch) if name in properties else of_branch
            names = _strings(branch.get("required"))
            common = names if common is None else [name for name in common if name in names]
    shown["type"] = "object"
    # Those of the frame are shown only when no branch has any.
    shown["properties"] = properties or dict(own)
    required = _strings(schema.get("required")) or common or []
    shown.pop("required", None)
    if required:
        shown["required"] = required
    shown.setdefault("additionalProperties", True)
    return shown


def shown_of(schema):
    """The parameters as Flowly shows them to the model: no union at the top, and with a type."""
    unions = [name for name in ("anyOf", "oneOf", "allOf") if isinstance(schema.get(name), list)]
    if unions:
        return _flattened(schema, unions)
    if "type" not in schema and ("properties" in schema or "required" in schema):
        return {**schema, "type": "object"}
    return schema


def missing_of(schema, params):
    """Names of required arguments that are not there, None, or blank, sorted."""
    required = schema.get("required")
    if not isinstance(required, (list, tuple)):
        return []
    missing = []
    for name in required:
        if isinstance(name, str):
            value = params.get(name)
            if value is None or (isinstance(value, str) and not value.strip()):
                missing.append(name)
    return sorted(set(missing))
