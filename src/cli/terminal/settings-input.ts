import type { Capabilities } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";

export interface SettingsChange {
  /** Dotted names with their values, in order. */
  set: readonly (readonly [name: string, value: unknown])[];
  unset: readonly string[];
}

type Settings = Record<string, unknown>;

/**
 * Settings with some changed. A name may leave out the section (`tools.`, `channel.`, `hooks.`) when the plugin has one
 * capability with settings.
 */
export function applySettings(
  settings: Settings,
  capabilities: Capabilities,
  change: SettingsChange,
): Settings {
  const next = structuredClone(settings);
  const present = sections.filter((section) => capabilities[section] !== undefined);
  const pathOf = (name: string) => {
    const path = name.split(".");
    const needsSection = present.length === 1 && !sections.includes(path[0] as Section);
    return needsSection ? [present[0] as string, ...path] : path;
  };
  for (const name of change.unset) remove(next, pathOf(name));
  for (const [name, value] of change.set) assign(next, pathOf(name), value);
  return next;
}

const sections = ["tools", "channel", "hooks"] as const;
type Section = (typeof sections)[number];

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
