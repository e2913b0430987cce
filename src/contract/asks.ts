import { z } from "zod";
import { startsSchema } from "./found/starts.ts";
import { isObject } from "./is-object.ts";

/**
 * The permissions that a manifest or a catalogue may say a plugin needs. A field that is left out means that nothing
 * was said about it, not that it is forbidden.
 */
export const permissionsSchema = z.object({
  network: z.union([z.array(z.string()), z.literal(true)]).optional(),
  files: z.enum(["none", "workspace", "all"]).optional(),
  subprocess: z.boolean().optional(),
});
export type Permissions = z.infer<typeof permissionsSchema>;

/**
 * What of an agent's work goes through a plugin's own code, the weightiest first: all prompts and answers, what tools
 * answer, calls of tools, messages; or that it has tools which are called as the agent's own.
 */
export const insightSchema = z.enum(["prompts", "results", "calls", "messages", "builtins"]);
export type Insight = z.infer<typeof insightSchema>;
export type RiskLevel = "low" | "medium" | "high";

/** How much a plugin sees. It is an aid for a decision: code may register more than it names. */
export function riskLevelOf(insights: readonly Insight[]): RiskLevel {
  if (insights.includes("prompts") || insights.includes("results")) return "high";
  return insights.length > 0 ? "medium" : "low";
}

/**
 * What a plugin asks for, in one shape for all plugin systems. It is shown for consent; an update that asks for more
 * needs consent again.
 */
export const asksSchema = z.object({
  /** False: the plugin does not say what it accesses, so the other fields promise nothing. */
  declared: z.boolean(),
  /**
   * True: its plugin system prevents everything else. False: the plugin can do whatever the person's own account can.
   */
  enforced: z.boolean(),
  /** Host names that the plugin wants to connect to, or `any`; null: it does not say. */
  hosts: z.union([z.array(z.string()), z.literal("any")]).nullable(),
  /** `read`: the workspace, of which it changes nothing. Null: it does not say. */
  files: z.enum(["none", "read", "workspace", "all"]).nullable(),
  /** Folders of the person that it would use. A plain yes grants none of them: the person ticks each. */
  folders: z.array(z.string()).optional(),
  /** Whether the plugin wants to start other programs; null: it does not say. */
  programs: z.boolean().nullable(),
  /** Further permissions that it asks for, by the names that its plugin system gives them. */
  grants: z.array(z.string()),
  /** Commands that the plugin wants to run when it is installed or removed, as its manifest writes them. */
  scripts: z.array(z.object({ name: z.string(), command: z.string() })),
  /** Its commands, where the plugin system names them before anything runs. */
  commands: z
    .array(z.object({ name: z.string(), description: z.string(), dangerous: z.boolean() }))
    .optional(),
  /** Programs that it wants to run at certain moments, as its manifest writes them; those with `runs` false never do. */
  hooks: z.array(z.object({ name: z.string(), command: z.string(), runs: z.boolean() })).optional(),
  /** How it is started, or where it is reached. Absent: its plugin system starts it in a process of its own kind. */
  starts: startsSchema.optional(),
  /** What goes through it, as its files name it. Absent: its plugin system does not tell. */
  insights: z.array(insightSchema).optional(),
  /** True: its programs run in a sandbox of their own on every system. */
  sandboxed: z.boolean().optional(),
  /** Megabytes of files that it may keep of its own, where that is limited. */
  keepsMb: z.number().int().optional(),
});
export type Asks = z.infer<typeof asksSchema>;

/**
 * Whether the plugin's own system holds it to what it declares, also where the machine has no walls: programs of fledge in
 * WebAssembly have no way to anything else, unless they have Patchbay run commands.
 */
export function holdsItself(plugin: { runtime: string; declaration: { details?: unknown } }): boolean {
  const { details } = plugin.declaration;
  if (plugin.runtime !== "fledge" || !isObject(details) || details.runtime !== "wasm") return false;
  return !isObject(details.grants) || details.grants.exec !== true;
}

/** The shape {@link Asks} for permissions; null: none were declared. */
export function asksOf(permissions: Permissions | null): Asks {
  const network = permissions?.network;
  return {
    declared: permissions !== null,
    enforced: false,
    hosts: network === true ? "any" : (network ?? null),
    files: permissions?.files ?? null,
    programs: permissions?.subprocess ?? null,
    grants: [],
    scripts: [],
  };
}
