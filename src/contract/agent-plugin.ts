import { z } from "zod";
import { insightSchema } from "./asks.ts";
import { promptOfCommandSchema } from "./conversation/offered.ts";
import { grantsSchema } from "./grants.ts";
import { screenOffersSchema } from "./offers/screen-offers.ts";
import { seenSchema } from "./permissions/view.ts";
import { pluginKeySchema, pluginSourceSchema, pluginViewSchema } from "./plugin.ts";
import { problemSchema } from "./problem.ts";
import { toolSwitchesSchema } from "./tools/switches.ts";
import { toolInfoSchema } from "./tools/tool-info.ts";

export const instanceStateSchema = z.enum([
  "stopped",
  "starting",
  "running",
  "needs_setup",
  "degraded",
  "failed",
  "quarantined",
  "stopping",
]);
export type InstanceState = z.infer<typeof instanceStateSchema>;

export const runtimeStateSchema = z.record(z.string(), z.unknown());
export type RuntimeState = z.infer<typeof runtimeStateSchema>;

/**
 * What a row keeps of its plugin when that is uninstalled: its name, and the source from which it can be installed
 * again.
 */
export const goneSchema = z.object({
  displayName: z.string(),
  /** Absent in rows of older versions. */
  packageName: z.string().optional(),
  packageVersion: z.string(),
  /** The beginning of its tools' names, where they had one in common. */
  namespace: z.string().optional(),
  source: pluginSourceSchema.pick({
    kind: true,
    spec: true,
    uploaded: true,
    resolved: true,
    registry: true,
  }),
});
export type GonePlugin = z.infer<typeof goneSchema>;

/** Somebody who wrote to a channel and stands in none of its settings. */
export const channelPersonSchema = z.object({
  /** The platform's id that cannot change hands. */
  userId: z.string(),
  /** What they call themselves; anybody can take any name. */
  name: z.string().nullable(),
  /**
   * `waiting`: has a code and is not answered; `user` and `owner`: let in by the person; `refused`: gets no code for a
   * day; `blocked`: never gets one.
   */
  status: z.enum(["waiting", "user", "owner", "refused", "blocked"]),
  /** The newest code, while they wait. */
  code: z.string().optional(),
  /** When that code ends. */
  expiresAt: z.iso.datetime().optional(),
  /** How many codes they have been told. */
  codes: z.number().int(),
  firstSeenAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().optional(),
  /** The owner who let them in from a chat; absent: it was done in Patchbay. */
  decidedBy: z.string().optional(),
});
export type ChannelPerson = z.infer<typeof channelPersonSchema>;

/** What happens to somebody who writes directly to a channel and is on no list. */
export const strangerRuleSchema = z.enum(["pair", "ignore", "answer"]);
export type StrangerRule = z.infer<typeof strangerRuleSchema>;

export const personDecisionSchema = z.enum(["user", "owner", "refuse", "block", "remove"]);
export type PersonDecision = z.infer<typeof personDecisionSchema>;

/** Settings with what belongs to them: the secrets that they were given, and the hosts that are not the person's. */
const wholeSettingsSchema = z.object({
  config: z.record(z.string(), z.unknown()),
  given: z.array(z.string()),
  ownHosts: z.array(z.string()).optional(),
  /** Names of stored secrets that may go when nothing refers to them any more. */
  names: z.array(z.string()),
});

/** The settings that worked, while it is not known yet whether the plugin starts with newer ones. */
export const workingSettingsSchema = wholeSettingsSchema;
export type WorkingSettings = z.infer<typeof workingSettingsSchema>;

/** Settings with which the plugin did not start, kept beside those that worked so that nothing typed is lost. */
export const refusedSettingsSchema = wholeSettingsSchema.extend({
  problem: problemSchema,
  at: z.iso.datetime(),
});
export type RefusedSettings = z.infer<typeof refusedSettingsSchema>;

/** The stored row for (agent, plugin): the switch, the settings, and what the plugin reported. */
export const agentPluginRowSchema = z.object({
  pluginKey: pluginKeySchema,
  enabled: z.boolean(),
  /**
   * The settings, in the form that the plugin's schema describes, with `${NAME}` in the place of each secret's value.
   */
  config: z.record(z.string(), z.unknown()),
  /** What the plugin may reach; absent: what it asked for and the person agreed to at its installation. */
  grants: grantsSchema.optional(),
  /**
   * Hosts in the settings that the plugin's own setup put there, and not the person: they allow nothing. The person makes
   * them theirs by saving the settings.
   */
  ownHosts: z.array(z.string()).optional(),
  setupState: z.record(z.string(), z.unknown()).nullable(),
  runtimeState: runtimeStateSchema.nullable(),
  lastError: problemSchema.nullable(),
  lastErrorAt: z.iso.datetime().nullable(),
  /**
   * Owners may decide waiting calls from this channel's chats. Absent in rows of versions that did not ask: there it
   * holds where the person's settings name owners.
   */
  decidesApprovals: z.boolean().optional(),
  /** People of a channel beside those of its settings: who waits to be let in, who was, and who was not. */
  people: z.array(channelPersonSchema).optional(),
  /** Names of the stored secrets that were given to this plugin for this agent. Absent in rows of older versions. */
  given: z.array(z.string()).optional(),
  /** Names of the secrets that the person refused to give to it. */
  refused: z.array(z.string()).optional(),
  /** There from the save of new settings until the plugin has started with them. */
  working: workingSettingsSchema.optional(),
  refusedSettings: refusedSettingsSchema.optional(),
  /** Which of its tools are on; absent: nobody has switched any. */
  tools: toolSwitchesSchema.optional(),
  /** Written when the plugin was last uninstalled; to be ignored while it is installed. */
  gone: goneSchema.optional(),
  revision: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type AgentPluginRow = z.infer<typeof agentPluginRowSchema>;

export const hookInfoSchema = z.object({
  id: z.string(),
  event: z.string(),
  priority: z.number(),
  timeoutMs: z.number(),
  failureMode: z.enum(["skip", "fail"]),
});
export type HookInfo = z.infer<typeof hookInfoSchema>;

export const commandInfoSchema = z.object({
  name: z.string(),
  description: z.string(),
  argsHint: z.string().optional(),
  owner: z.string().nullable(),
  /** Its text becomes a message to the agent, and a turn runs. */
  prompt: promptOfCommandSchema.optional(),
});
export type CommandInfo = z.infer<typeof commandInfoSchema>;

/** What a started instance actually registered. */
export const contributionsSchema = z.object({
  tools: z.array(toolInfoSchema),
  hooks: z.array(hookInfoSchema),
  commands: z.array(commandInfoSchema),
  skills: z.array(z.object({ name: z.string(), description: z.string(), path: z.string() })),
  /** Its prompts, as it calls them; absent: none. */
  prompts: z.array(z.object({ name: z.string(), description: z.string() })).optional(),
  /** It has something to be read by its address; absent: it has not. */
  resources: z.literal(true).optional(),
  /** How often it said since its start that what it has there is something else; absent: never. */
  resourceChanges: z.number().int().optional(),
  channel: z.object({ name: z.string() }).nullable(),
  /** What it offered and Patchbay left out, a sentence each; absent when nothing was. */
  leftOut: z.array(z.string()).optional(),
  /**
   * What its plugin system says about what it registered: otherwise than it declared, or never to be called. A sentence
   * each; absent when there is none.
   */
  notes: z.array(z.string()).optional(),
  /** What of the agent's work really goes through it. Absent: its system does not tell. */
  insights: z.array(insightSchema).optional(),
  ...screenOffersSchema.shape,
});
export type Contributions = z.infer<typeof contributionsSchema>;

/** Calls of one local day of the computer that Patchbay runs on. */
export const callDaySchema = z.object({
  day: z.iso.date(),
  count: z.number().int(),
  failed: z.number().int(),
});
export type CallDay = z.infer<typeof callDaySchema>;

/** How often a plugin was called for an agent, and how long it took. Outlasts a restart of the app. */
export const callFiguresSchema = z.object({
  /** Since `since`. */
  count: z.number().int(),
  failed: z.number().int(),
  /** Milliseconds that half of the last 200 calls did not exceed; null before the first. */
  p50Ms: z.number().nullable(),
  /** The same for 95 of 100 calls. */
  p95Ms: z.number().nullable(),
  /** When the first call was counted; null before it. */
  since: z.iso.datetime().nullable(),
  /** Those of the last seven days on which it was called, the oldest first. */
  days: z.array(callDaySchema),
});

/** A running (agent, plugin), as the pool sees it now. */
export const instanceViewSchema = z.object({
  state: instanceStateSchema,
  /** Why the instance is in a state other than running or off; null when there is nothing to explain. */
  reason: problemSchema.nullable(),
  since: z.iso.datetime(),
  generation: z.number().int(),
  /** Enabled but not started: it starts by itself when one of its tools is called. */
  startsOnUse: z.boolean(),
  /** While it starts and its program may have to be fetched first: when the wait for that ends. */
  fetchesUntil: z.iso.datetime().optional(),
  notResponding: z.boolean(),
  pid: z.number().int().nullable(),
  /** Resident set size of its process in bytes. */
  memoryBytes: z.number().nullable(),
  /** How long the last start took, in milliseconds; also one of an earlier run of the app. */
  startMs: z.number().nullable(),
  /** Restarts after crashes, those of earlier runs of the app included. */
  restarts: z.number().int(),
  nextRestartAt: z.iso.datetime().nullable(),
  calls: callFiguresSchema,
  contributions: contributionsSchema.nullable(),
});
export type InstanceView = z.infer<typeof instanceViewSchema>;

/** A stored secret that a plugin names although it was not given to it: a question to the person. */
export const secretQuestionSchema = z.object({
  name: z.string(),
  /** Who it was given to: plugins by their display names, an agent's model as "the model of …". Empty: nobody. */
  givenTo: z.array(z.string()),
  /** The person said no. */
  refused: z.boolean(),
});
export type SecretQuestion = z.infer<typeof secretQuestionSchema>;

/**
 * One plugin for one agent, without the fields that are the same for all agents: screens have those in the plugin's own
 * view.
 */
export const agentPluginStateSchema = agentPluginRowSchema.extend({
  agentId: z.string(),
  instance: instanceViewSchema,
  /** What it reached and was refused since Patchbay started; absent: nothing yet. */
  seen: seenSchema.optional(),
  /** For each declared secret: whether a value is stored. Never the value. */
  secretsSet: z.record(z.string(), z.boolean()),
  /** What its settings say of strangers; absent for what is no channel, and for channels that do not say it. */
  strangers: strangerRuleSchema.optional(),
  /** Secrets that it names and that were not given to it; absent when there are none. */
  secretQuestions: z.array(secretQuestionSchema).optional(),
});
export type AgentPluginState = z.infer<typeof agentPluginStateSchema>;

/** One plugin for one agent, together with the plugin's own view. */
export const agentPluginViewSchema = agentPluginStateSchema.extend({
  /** Null when the plugin is not installed; the row then only keeps its settings. */
  plugin: pluginViewSchema.nullable(),
});
export type AgentPluginView = z.infer<typeof agentPluginViewSchema>;

export const logLevelSchema = z.enum(["debug", "info", "warn", "error"]);
export type LogLevel = z.infer<typeof logLevelSchema>;

export const logEntrySchema = z.object({
  /** Rises by one for each entry of an instance. */
  seq: z.number().int(),
  at: z.iso.datetime(),
  level: logLevelSchema,
  /** Who wrote it: the plugin's logger, its output, or Patchbay itself. */
  origin: z.enum(["plugin", "stdout", "stderr", "patchbay"]),
  text: z.string(),
  /** Present on a line that nobody wrote: here Patchbay was started again. `text` says so in English. */
  mark: z.literal("restarted").optional(),
  /** The call during which the line was written; absent for a line written outside of an agent's turns. */
  call: z.object({ turnId: z.string(), spanId: z.string() }).optional(),
});
export type LogEntry = z.infer<typeof logEntrySchema>;
