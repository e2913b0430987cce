import { z } from "zod";
import { agentViewSchema, approvalSchema, dialogSchema, noticeSchema } from "./agent.ts";
import { agentPluginStateSchema } from "./agent-plugin.ts";
import { problemSchema } from "./errors.ts";
import { holdsSchema } from "./holds.ts";
import { jobSchema } from "./job.ts";
import { languages } from "./languages.ts";
import { pluginViewSchema, runtimeInfoSchema } from "./plugin.ts";
import { setupViewSchema } from "./setup.ts";
import { sessionSchema } from "./turn.ts";

export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]),
  /** Of the screens; `system`: the first language of the system that Patchbay speaks, else English. */
  language: z.enum(["system", ...languages]),
  /** Default npm registry; null: the one of the machine's npm configuration. */
  registry: z.url().nullable(),
  catalogUrls: z.array(z.url()),
  /** Time limits in milliseconds. */
  limits: z.object({
    inspectMs: z.number().int().min(100),
    startMs: z.number().int().min(100),
    stopMs: z.number().int().min(100),
    hookMs: z.number().int().min(10),
    toolMs: z.number().int().min(100),
    drainMs: z.number().int().min(0),
    approvalMs: z.number().int().min(1000),
    dialogMs: z.number().int().min(1000),
  }),
  /** Memory limit of a plugin's process in MiB. */
  hostMemoryMb: z.number().int().min(32),
  /** The welcome of the first start was closed for good. */
  welcomeClosed: z.boolean().default(false),
  revision: z.number().int(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const settingsPatchSchema = settingsSchema.omit({ revision: true, limits: true }).partial().extend({
  limits: settingsSchema.shape.limits.partial().optional(),
  // Without the default of the stored form: what a patch does not name stays as it is.
  welcomeClosed: z.boolean().optional(),
  revision: z.number().int().optional(),
});
export type SettingsPatch = z.infer<typeof settingsPatchSchema>;

export const vaultStatusSchema = z.object({
  /** Where the vault's key is kept, in words. */
  backend: z.string(),
  open: z.boolean(),
  /** It is closed, and a passphrase opens it. */
  canUnlock: z.boolean(),
  /** Why it is closed. */
  problem: problemSchema.nullable(),
  /** Everything that opens it. */
  keys: z.array(
    z.object({
      kind: z.enum(["keychain", "keyfile", "passphrase", "unknown"]),
      name: z.string(),
      /** Whether it does so here; null: only the person can tell. */
      opens: z.boolean().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** A keychain that is worth the name is there. */
  hasKeychain: z.boolean(),
});
export type VaultStatus = z.infer<typeof vaultStatusSchema>;

export const appInfoSchema = z.object({
  version: z.string(),
  home: z.string(),
  /** Which shell owns the core. */
  shell: z.enum(["desktop", "browser", "cli"]),
  node: z.string(),
  platform: z.string(),
  vault: vaultStatusSchema,
  /** Where packages come from when nothing else is said. */
  defaultRegistry: z.string(),
  /** What that is while no setting says otherwise: that of this computer's npm configuration. */
  machineRegistry: z.string(),
  /** The plugin systems that it runs. */
  runtimes: z.array(runtimeInfoSchema),
  startedAt: z.iso.datetime(),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

export const secretInfoSchema = z.object({
  name: z
    .string()
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      "a secret's name: letters, digits and underscores, not starting with a digit",
    ),
  /** Null: shared by all agents; else only this agent may use it. */
  agentId: z.string().nullable(),
  usedBy: z.array(z.object({ agentId: z.string(), pluginKey: z.string().nullable() })),
  updatedAt: z.iso.datetime(),
});
export type SecretInfo = z.infer<typeof secretInfoSchema>;

/** A name without a value: who needs it. */
export const missingSecretSchema = z.object({
  name: z.string(),
  neededBy: z.array(z.object({ agentId: z.string(), pluginKey: z.string().nullable() })),
});
export type MissingSecret = z.infer<typeof missingSecretSchema>;

/** Everything the first screen needs, in one answer, with the point in the event stream it is true at. */
export const snapshotSchema = z.object({
  epoch: z.string(),
  seq: z.number().int(),
  info: appInfoSchema,
  settings: settingsSchema,
  agents: z.array(agentViewSchema),
  plugins: z.array(pluginViewSchema),
  agentPlugins: z.array(agentPluginStateSchema),
  jobs: z.array(jobSchema),
  approvals: z.array(approvalSchema),
  dialogs: z.array(dialogSchema),
  notices: z.array(noticeSchema),
  holds: holdsSchema,
  /** The wizards that are open. */
  setups: z.array(setupViewSchema),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const change = z.discriminatedUnion("type", [
  z.object({ type: z.literal("settings"), settings: settingsSchema }),
  z.object({ type: z.literal("agent"), agent: agentViewSchema }),
  z.object({ type: z.literal("agent_removed"), agentId: z.string() }),
  z.object({ type: z.literal("plugin"), plugin: pluginViewSchema }),
  z.object({ type: z.literal("plugin_removed"), key: z.string() }),
  z.object({ type: z.literal("agent_plugin"), row: agentPluginStateSchema }),
  z.object({ type: z.literal("agent_plugin_removed"), agentId: z.string(), key: z.string() }),
  z.object({ type: z.literal("job"), job: jobSchema }),
  z.object({ type: z.literal("job_removed"), id: z.string() }),
  z.object({ type: z.literal("approval"), approval: approvalSchema }),
  z.object({ type: z.literal("dialog"), dialog: dialogSchema }),
  z.object({ type: z.literal("dialog_closed"), id: z.string() }),
  z.object({ type: z.literal("setup"), setup: setupViewSchema }),
  z.object({ type: z.literal("setup_closed"), agentId: z.string(), key: z.string(), id: z.string() }),
  z.object({ type: z.literal("session"), session: sessionSchema }),
  z.object({ type: z.literal("notice"), notice: noticeSchema }),
  z.object({ type: z.literal("holds"), holds: holdsSchema }),
  z.object({ type: z.literal("vault"), vault: vaultStatusSchema }),
]);
/** One change of what a screen shows. Always the whole new value, never a delta. */
export type AppChange = z.infer<typeof change>;

/**
 * What the live stream carries. After a lost connection the client asks again with the last `epoch` and `seq` it saw:
 * it gets what it missed, or `resync` when that is no longer known (fetch the snapshot again).
 */
export const appEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), epoch: z.string(), seq: z.number().int() }),
  z.object({ type: z.literal("resync"), epoch: z.string(), seq: z.number().int() }),
  z.object({
    type: z.literal("changes"),
    epoch: z.string(),
    seq: z.number().int(),
    changes: z.array(change),
  }),
]);
export type AppEvent = z.infer<typeof appEventSchema>;
