import { isObject } from "../../contract/is-object.ts";

export interface SettingsChange {
  /** Pairs of a dotted name and its value, in the order given. */
  set: readonly (readonly [name: string, value: unknown])[];
  unset: readonly string[];
}

type Settings = Record<string, unknown>;

/** The settings with the change applied. Names may leave out `root`, the path of the part that people can set. */
export function applySettings(settings: Settings, root: readonly string[], change: SettingsChange): Settings {
  const next = structuredClone(settings);
  const pathOf = (name: string) => {
    const path = name.split(".");
    return root.every((part, index) => path[index] === part) ? path : [...root, ...path];
  };
  for (const name of change.unset) remove(next, pathOf(name));
  for (const [name, value] of change.set) assign(next, pathOf(name), value);
  return next;
}

function assign(target: Settings, path: string[], value: unknown): void {
  const [head, ...rest] = path as [string, ...string[]];
  if (unsafe.has(head)) return;
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  if (!isObject(target[head])) target[head] = {};
  assign(target[head] as Settings, rest, value);
}

function remove(target: Settings, path: string[]): void {
  const [head, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) delete target[head];
  else if (isObject(target[head])) remove(target[head], rest);
}

const unsafe = new Set(["__proto__", "constructor", "prototype"]);
