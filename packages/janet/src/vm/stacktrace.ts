import type { TraceLine } from "./janet-error.ts";

/** The lines of a stack trace as Janet prints them, each with its newline. */
export function traceText(trace: readonly TraceLine[]): string {
  return trace.map(lineText).join("");
}

function lineText({ name, source, line, column, native, tail }: TraceLine): string {
  let text = `  in ${name === "" ? "<anonymous>" : name}`;
  if (source !== null) text += ` [${source}]`;
  if (tail) text += " (tail call)";
  if (!native && line > 0) text += ` on line ${line}, column ${column}`;
  return `${text}\n`;
}
