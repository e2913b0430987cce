import { show } from "../print/describe.ts";
import type { Value } from "../values/value.ts";
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

/** `error: …` with its trace, as the front of a Janet program prints it. */
export function errorText(value: Value, trace: readonly TraceLine[], prefix = "", status = "error"): string {
  return `${prefix}${status}: ${typeof value === "string" ? value : show(value)}\n${traceText(trace)}`;
}
