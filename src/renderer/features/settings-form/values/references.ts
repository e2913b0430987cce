const whole = /^\$\{\{?([A-Za-z_][A-Za-z0-9_]*)\}?\}$/;

/** The name in a value that is nothing but `${NAME}` (or `${{NAME}}`): it stands for a stored secret. */
export function referenceName(value: unknown): string | null {
  return typeof value === "string" ? (whole.exec(value.trim())?.[1] ?? null) : null;
}

export function isReference(value: unknown): boolean {
  return referenceName(value) !== null;
}
