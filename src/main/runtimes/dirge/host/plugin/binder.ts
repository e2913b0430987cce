import {
  JArray,
  Table as JanetTable,
  kw,
  Native,
  sym,
  type Table,
  toBytes,
  type Value,
} from "@patchbay/janet";
import type { Binder, Run, Wait, World } from "../api/api.ts";

/** Puts the functions of the host into an environment. */
export class EnvironmentBinder implements Binder {
  readonly #environment: Table;
  readonly #world: () => World;
  readonly #variables = new Map<string, JArray>();

  /** @param world what they work with, at the moment in which one is called */
  constructor(environment: Table, world: () => World) {
    this.#environment = environment;
    this.#world = world;
  }

  bind(usage: string, doc: string, run: Run): void {
    const { name, min, max } = readUsage(usage);
    const native = new Native("function", name, min, max, (args) => run(args, this.#world()), null);
    this.#put(name, { value: native, doc: toBytes(`${usage}\n\n${doc}`) });
  }

  bindWaiting(usage: string, doc: string, run: Wait): void {
    const { name, min, max } = readUsage(usage);
    const world = this.#world;
    const native = new Native("function", name, min, max, null, function* (args) {
      const waiting = run(args, world());
      return yield {
        kind: "wait",
        begin(resolve, reject) {
          waiting.then(resolve, reject);
          return undefined;
        },
      };
    });
    this.#put(name, { value: native, doc: toBytes(`${usage}\n\n${doc}`) });
  }

  variable(name: string, doc: string): void {
    const cell = new JArray([null]);
    this.#variables.set(name, cell);
    this.#put(name, { ref: cell, doc: toBytes(doc) });
  }

  setVariable(name: string, value: Value): void {
    const cell = this.#variables.get(name);
    if (cell !== undefined) cell.items[0] = value;
  }

  #put(name: string, fields: Record<string, Value>): void {
    const binding = new JanetTable();
    for (const [field, value] of Object.entries(fields)) binding.put(kw(field), value);
    this.#environment.put(sym(name), binding);
  }
}

/** The name and the numbers of arguments that a call takes. */
function readUsage(usage: string): { name: string; min: number; max: number } {
  const [name = "", ...parameters] = usage.slice(1, -1).split(" ");
  const fixed = parameters.findIndex((parameter) => parameter.startsWith("&"));
  const min = fixed < 0 ? parameters.length : fixed;
  const isOpen = parameters.includes("&");
  const count = parameters.filter((parameter) => parameter !== "&opt").length;
  return { name, min, max: isOpen ? Number.POSITIVE_INFINITY : count };
}
