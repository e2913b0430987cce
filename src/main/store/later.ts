/** A delayed change of a document: a new content, its removal (undefined), or some of its fields. */
export type Later<T> = { kind: "whole"; value: T | undefined } | { kind: "fields"; fields: Partial<T> };

/** Combines two delayed changes of the same document; the second wins. */
export function over<T>(first: Later<T> | undefined, second: Later<T> | undefined): Later<T> {
  if (!second) return first ?? { kind: "fields", fields: {} };
  if (!first || second.kind === "whole") return second;
  if (first.kind === "whole") return { kind: "whole", value: apply(first.value, second) };
  return { kind: "fields", fields: { ...first.fields, ...second.fields } };
}

/** The document after a delayed change. Fields for a document that does not exist have no effect. */
export function apply<T>(value: T | undefined, later: Later<T> | undefined): T | undefined {
  if (!later) return value;
  if (later.kind === "whole") return later.value;
  return value === undefined ? undefined : merged(value, later.fields);
}

function merged<T>(value: T, fields: Partial<T>): T {
  const result = { ...value, ...fields };
  for (const name of Object.keys(fields) as (keyof T)[]) if (fields[name] === undefined) delete result[name];
  return result;
}
