import { isAgentEventName } from "@patchbay/plugin-sdk";
import type { CommandInfo, HookInfo, ToolInfo } from "../../../contract/index.ts";
import { commandNamePattern, toolNamePattern } from "../../../contract/names.ts";
import { ownCommands, ownTools } from "../../../contract/shown/look-alikes.ts";
import { brokenSchema } from "../../runtimes/broken-schema.ts";
import type { PromptInfo } from "../../runtimes/runtime.ts";
import type { Accused, Objection } from "./objections.ts";

/** Most parts of one kind, and most characters and levels of one tool's schema. */
export const most = { tools: 512, toolsets: 64, notes: 50, schema: 128 * 1024, depth: 40 };
/** Prefixes of tool names that only the plugins of one system may use. */
const RESERVED: readonly { prefix: string; runtime: string }[] = [{ prefix: "mcp__", runtime: "mcp" }];

const undeclared: Objection = { why: "the package does not declare it", wall: true };
const mistake = (why: string): Objection => ({ why, wall: false });

export function toolObjection(
  { name, parameters }: ToolInfo,
  { capabilities: { tools }, runtime, manifestKey, declaration }: Accused,
): Objection | null {
  if (!tools && !declaration?.registersMore) return undeclared;
  if (!toolNamePattern.test(name)) return mistake("no model takes such a name");
  const own = ownTools.find(name);
  if (own) return { why: `it is made to look like the built-in tool ${own.known}`, wall: true };
  const reserved = RESERVED.find(({ prefix }) => name.startsWith(prefix));
  if (reserved && reserved.runtime !== runtime) {
    const why = `names with ${reserved.prefix} belong to plugins of the system ${reserved.runtime}`;
    return { why, wall: true };
  }
  const namespace = tools ? tools.namespace : manifestKey;
  if (namespace !== undefined && !name.startsWith(`${namespace}__`)) {
    return { why: `the package declares the namespace ${namespace}`, wall: true };
  }
  if (!isModest(parameters)) return { why: "its schema is too large or too deep", wall: true };
  const broken = brokenSchema(parameters);
  return broken === null ? null : mistake(`its schema is broken: ${broken}`);
}

export function hookObjection({ event, timeoutMs, priority }: HookInfo, plugin: Accused): Objection | null {
  if (!isAgentEventName(event)) return mistake("there is no such event");
  if (!plugin.declaration?.registersMore && !plugin.capabilities.hooks?.events.includes(event))
    return undeclared;
  return Number.isFinite(timeoutMs) && Number.isFinite(priority)
    ? null
    : mistake("it has no number for its time");
}

/** A package that names no commands, but declares some, may bring any. */
export function commandObjection(
  { name }: CommandInfo,
  { capabilities: { commands }, declaration }: Accused,
): Objection | null {
  const takesAll = declaration?.registersMore || commands?.names.length === 0;
  if (!commands && !takesAll) return undeclared;
  if (!commandNamePattern.test(name)) return mistake("it cannot be typed after a slash");
  const own = ownCommands.find(name);
  if (own?.likeness === "disguised")
    return { why: `it is made to look like the built-in command /${own.known}`, wall: true };
  return takesAll || commands?.names.includes(name) ? null : undeclared;
}

/** Whether a built-in command of exactly this name is run in its place. */
export function isHidden(name: string): boolean {
  return name === "hilfe" || ownCommands.find(name)?.known === name;
}

export function promptObjection({ name }: PromptInfo): Objection | null {
  return name.length <= 128 ? null : mistake("its name is too long");
}

/** Whether a schema is of a size that a person could have written. */
function isModest(schema: Record<string, unknown>): boolean {
  let left = most.schema;
  let level: unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most.depth) return false;
    const next: unknown[] = [];
    for (const value of level) {
      left -= typeof value === "string" ? value.length : 8;
      if (typeof value === "object" && value !== null) {
        for (const [key, item] of Object.entries(value)) {
          left -= key.length;
          next.push(item);
        }
      }
      if (left < 0) return false;
    }
    level = next;
  }
  return true;
}
