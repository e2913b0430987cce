const named = new Map([
  ["\0", "\\0"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\x1b", "\\e"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** A string of bytes in quotes, as the reader takes it. */
export function quoted(bytes: string): string {
  const escaped = bytes.replace(
    /[^ !#-[\]-~]/g,
    (char) => named.get(char) ?? `\\x${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return `"${escaped}"`;
}
