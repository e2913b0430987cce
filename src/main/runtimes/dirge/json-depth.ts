/** How deep data of plugins may be nested. */
export const DEEPEST = 100;

/** Whether a JSON text is nested deeper than {@link DEEPEST}: what it stands for could not be compared or handed on. */
export function isDeepJson(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') inText = !inText;
    else if (inText) at += sign === "\\" ? 1 : 0;
    else if (sign === "[" || sign === "{") depth += 1;
    else if (sign === "]" || sign === "}") depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}
