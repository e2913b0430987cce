import { Abstract } from "../values/abstract.ts";
import { Closure, Native } from "../values/functions.ts";
import { Kw, Sym } from "../values/names.ts";
import { JBuffer } from "../values/sequences.ts";
import { typeName } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { quoted } from "./escape.ts";
import { numberText } from "./numbers.ts";

/** A value as an error message shows it (`%v`, `describe`): what holds other values is only its type and address. */
export function show(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return numberText(value);
    case "string":
      return quoted(value);
  }
  if (value === null) return "nil";
  if (value instanceof Sym) return value.name;
  if (value instanceof Kw) return `:${value.name}`;
  if (value instanceof JBuffer) return `@${quoted(value.text())}`;
  if (value instanceof Closure && value.prototype.name !== "") return `<function ${value.prototype.name}>`;
  if (value instanceof Native && value.name !== "") return `<${value.kind} ${value.name}>`;
  if (value instanceof Abstract && value.type.show)
    return `<${value.type.name} ${value.type.show(value.data)}>`;
  return `<${typeName(value)} 0x${addressOf(value)}>`;
}

/** A value as `string` and `print` take it: strings, names and buffers bare, nil as nothing. */
export function textOf(value: Value): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (value instanceof Sym || value instanceof Kw) return value.name;
  if (value instanceof JBuffer) return value.text();
  if (value instanceof Abstract && value.type.show) return value.type.show(value.data);
  return show(value);
}

/** {@link textOf} of values, one after the other. */
export function textOfAll(values: readonly Value[]): string {
  if (values.length === 1) return textOf(values[0] as Value);
  let text = "";
  for (const value of values) text += textOf(value);
  return text;
}

const addresses = new WeakMap<object, string>();
let nextAddress = 0x5588_0000_0400;

/** What stands for the address of an object: unlike any other's, the same each time. */
function addressOf(value: object): string {
  let address = addresses.get(value);
  if (address === undefined) {
    address = nextAddress.toString(16).toUpperCase();
    nextAddress += 32;
    addresses.set(value, address);
  }
  return address;
}
