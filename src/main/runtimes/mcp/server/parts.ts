import type { Part, Place } from "./server-file.ts";

/** What stands for the names in a part. An input that nobody set has no value. */
export interface Filling {
  inputs: Readonly<Record<string, unknown>>;
  places: Readonly<Record<Place, string>>;
}

/** A part as one text. An input without a value is empty, a list is joined with commas. */
export function textOf(part: Part, filling: Filling): string {
  if (typeof part === "string") return part;
  if ("place" in part) return filling.places[part.place];
  if ("join" in part) return part.join.map((one) => textOf(one, filling)).join("");
  const value = filling.inputs[part.input];
  return Array.isArray(value) ? value.map(plain).join(",") : plain(value);
}

/** Parts as arguments: a bare input with a list is several, one without a value none. */
export function argumentsOf(parts: readonly Part[], filling: Filling): string[] {
  return parts.flatMap((part) => {
    if (typeof part === "string" || !("input" in part)) return [textOf(part, filling)];
    const value = filling.inputs[part.input];
    if (Array.isArray(value)) return value.map(plain);
    return value === undefined || value === null || value === "" ? [] : [plain(value)];
  });
}

/** The names of the inputs in a part. */
export function inputsIn(part: Part): string[] {
  if (typeof part === "string" || "place" in part) return [];
  return "join" in part ? part.join.flatMap(inputsIn) : [part.input];
}

/** A part as a person reads it before anything is set: `--key ‹API key›`. */
export function shownPart(part: Part): string {
  if (typeof part === "string") return part;
  if ("place" in part) return `‹${part.place}›`;
  return "join" in part ? part.join.map(shownPart).join("") : `‹${part.input}›`;
}

function plain(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
