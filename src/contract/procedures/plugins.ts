import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import {
  agentPluginViewSchema,
  logEntrySchema,
  logLevelSchema,
  personDecisionSchema,
} from "../agent-plugin.ts";
import { channelTrafficSchema } from "../channel.ts";
import { catalogFindingsSchema } from "../found/findings.ts";
import {
  consentAnswerSchema,
  installRequestSchema,
  jobSchema,
  packageDetailsSchema,
  uploadSchema,
} from "../job.ts";
import { pluginKeySchema, pluginViewSchema } from "../plugin.ts";
import { problemSchema } from "../problem.ts";
import { setupAnswerSchema, setupReasonSchema, setupViewSchema } from "../setup.ts";
import { elsewhere } from "./elsewhere.ts";
import { iconed, pictured, reviewing, switching } from "./looked-at.ts";
import { reaching } from "./reaching.ts";
import { agentPluginRef, agentRef, done, has, idRef, oc, pluginRef } from "./refs.ts";

export const catalog = {
  search: oc
    .route({ method: "GET", path: "/catalog/search" })
    .input(
      z.object({
        query: z.string().default(""),
        registry: z.url().optional(),
        /** Which sources to ask. The registry is asked only when there is a search text. */
        scope: z.enum(["all", "catalogues", "registry"]).default("all"),
        /** `no`: a list that is fetched for the first time is not waited for; `mcpList` tells when it is there. */
        wait: z.enum(["yes", "no"]).default("yes"),
      }),
    )
    .output(catalogFindingsSchema),
  /** The registry's description and versions of one package; the package itself is not downloaded. */
  details: oc
    .route({ method: "GET", path: "/catalog/details" })
    .input(z.object({ packageName: z.string().min(1), registry: z.url().optional() }))
    .output(packageDetailsSchema),
  ...iconed,
  /** Asks one source whether it answers. Does not fail when it does not: the problem is part of the answer. */
  check: oc
    .route({ method: "POST", path: "/catalog/check" })
    .input(z.object({ kind: z.enum(["registry", "catalogue"]), url: z.url({ protocol: /^https?$/ }) }))
    .output(
      z.discriminatedUnion("ok", [
        z.object({
          ok: z.literal(true),
          ms: z.number(),
          /** How many plugins a catalogue lists; null for a registry. */
          entries: z.number().int().nullable(),
        }),
        z.object({ ok: z.literal(false), problem: problemSchema }),
      ]),
    ),
};

/** Each of these spares a question, or answers a part of one that the card then no longer shows as open. */
const answersInAdvance = (input: unknown): boolean =>
  ["yes", "look", "allowScripts", "acceptRisk"].some((field) => has(field, true)(input));

export const jobs = {
  list: oc.route({ method: "GET", path: "/jobs" }).output(z.array(jobSchema)),
  get: oc.route({ method: "GET", path: "/jobs/{id}" }).input(idRef).output(jobSchema),
  install: oc
    .route({ method: "POST", path: "/jobs" })
    .meta({ personOnly: [{ act: "install", when: answersInAdvance }] })
    .input(installRequestSchema)
    .output(jobSchema),
  /** Installs a package file whose bytes come with the call. */
  upload: oc
    .route({ method: "POST", path: "/jobs/upload" })
    .input(z.object({ file: uploadSchema }))
    .output(jobSchema),
  consent: oc
    .route({ method: "POST", path: "/jobs/{id}/consent" })
    .meta({ personOnly: [{ act: "install", when: has("accept", true) }] })
    .input(idRef.extend(consentAnswerSchema.shape))
    .output(jobSchema),
  cancel: oc.route({ method: "POST", path: "/jobs/{id}/cancel" }).input(idRef).output(jobSchema),
  /** Starts an ended job again. It asks everything anew. `key`: an installation goes under this key then. */
  retry: oc
    .route({ method: "POST", path: "/jobs/{id}/retry" })
    .input(idRef.extend({ key: pluginKeySchema.optional() }))
    .output(jobSchema),
  remove: oc.route({ method: "DELETE", path: "/jobs/{id}" }).input(idRef).output(done),
  /** Follows one job to its end; the last event has a final status. */
  watch: oc.route({ method: "GET", path: "/jobs/{id}/events" }).input(idRef).output(eventIterator(jobSchema)),
};

export const plugins = {
  list: oc.route({ method: "GET", path: "/plugins" }).output(z.array(pluginViewSchema)),
  ...elsewhere,
  get: oc.route({ method: "GET", path: "/plugins/{key}" }).input(pluginRef).output(pluginViewSchema),
  update: oc
    .route({ method: "POST", path: "/plugins/{key}/update" })
    .meta({ personOnly: [{ act: "install", when: answersInAdvance }] })
    .input(
      pluginRef.extend({
        spec: z.string().optional(),
        yes: z.boolean().default(false),
        /** As in `jobs.install`. */
        allowScripts: z.boolean().default(false),
        acceptRisk: z.boolean().default(false),
        registry: z.url().optional(),
      }),
    )
    .output(jobSchema),
  /** Goes back to the version before; asks for consent to what then runs, as an update does. */
  rollback: oc
    .route({ method: "POST", path: "/plugins/{key}/rollback" })
    .meta({ personOnly: [{ act: "install", when: answersInAdvance }] })
    .input(
      pluginRef.extend({
        yes: z.boolean().default(false),
        /** As in `jobs.install`. */
        acceptRisk: z.boolean().default(false),
      }),
    )
    .output(jobSchema),
  /**
   * Installs packages of its language for the plugin, which then starts again: `details.packages` of the problem
   * MODULE_MISSING, as they were shown to the person. Names of packages, and lines of the plugin's own list of them.
   */
  installPackages: oc
    .route({ method: "POST", path: "/plugins/{key}/packages" })
    .meta({ personOnly: [{ act: "install" }] })
    .input(pluginRef.extend({ packages: z.array(z.string().min(1).max(500)).min(1).max(250) }))
    .output(jobSchema),
  ...reviewing,
  ...pictured,
  uninstall: oc.route({ method: "DELETE", path: "/plugins/{key}" }).input(pluginRef).output(done),
};

export const agentPlugins = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins" })
    .input(agentRef)
    .output(z.array(agentPluginViewSchema)),
  get: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
  set: oc
    .route({ method: "PUT", path: "/agents/{agentId}/plugins/{key}" })
    .meta({ personOnly: [{ act: "deciding", when: has("decidesApprovals", true) }] })
    .input(
      agentPluginRef
        .extend({
          enabled: z.boolean().optional(),
          config: z.record(z.string(), z.unknown()).optional(),
          /** Values for declared secrets, by their key: stored in the vault, the config keeps a reference. */
          secrets: z.record(z.string(), z.string()).optional(),
          /** Whether owners may decide waiting calls from this channel's chats. */
          decidesApprovals: z.boolean().optional(),
          /** What becomes of settings that the plugin refused: they are tried once more, or dropped. */
          refused: z.enum(["retry", "drop"]).optional(),
          revision: z.number().int().optional(),
        })
        // A misspelt field would otherwise answer 200 and change nothing.
        .strict(),
    )
    .output(agentPluginViewSchema),
  /**
   * Switches an MCP server on that was brought from another program or pasted, with the settings and secrets that it had there. They are
   * read by the core and never told.
   */
  bring: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/bring" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
  /** The answer to "may it have this secret?": gives a stored secret to the plugin, or refuses it. */
  answerSecret: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/secrets/{name}" })
    .meta({ personOnly: [{ act: "grant", when: has("give", true) }] })
    .input(agentPluginRef.extend({ name: z.string(), give: z.boolean() }))
    .output(agentPluginViewSchema),
  ...reaching,
  ...switching,
  restart: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/restart" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
  /** The recent messages of a channel: counts and times, and their text when it is asked for. */
  traffic: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/traffic" })
    .input(
      agentPluginRef.extend({
        text: z.union([z.boolean(), z.enum(["true", "false"])]).default(false),
        limit: z.coerce.number().int().min(1).max(200).default(20),
      }),
    )
    .output(channelTrafficSchema),
  /**
   * Sends a message in the owner's name through a channel: to the address `to`, or into the channel's newest
   * conversation.
   */
  testMessage: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/test-message" })
    .input(
      agentPluginRef.extend({
        to: z.string().min(1).max(512).optional(),
        text: z.string().min(1).max(1_000).optional(),
      }),
    )
    .output(z.object({ to: z.string(), text: z.string() })),
  /**
   * Decides about somebody who wrote to a channel: `user` and `owner` let them in, `refuse` turns them away for a day, `block`
   * for good, `remove` forgets them. They are named by the code that they were told, or by their id.
   */
  decidePerson: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/people" })
    .meta({ personOnly: [{ act: "deciding", when: has("decision", "owner") }] })
    .input(
      agentPluginRef.extend({
        person: z.union([
          z.object({ userId: z.string().min(1).max(1_024) }).strict(),
          z.object({ code: z.string().min(1).max(40) }).strict(),
        ]),
        decision: personDecisionSchema,
      }),
    )
    .output(agentPluginViewSchema),
  clearError: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/clear-error" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
  /** Removes the row: settings, state and error history of this plugin for this agent. */
  forget: oc
    .route({ method: "DELETE", path: "/agents/{agentId}/plugins/{key}" })
    .input(agentPluginRef)
    .output(done),
  logs: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/logs" })
    .input(
      agentPluginRef.extend({
        after: z.coerce.number().int().optional(),
        level: logLevelSchema.optional(),
        limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
      }),
    )
    .output(z.array(logEntrySchema)),
  followLogs: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/logs/events" })
    .input(agentPluginRef.extend({ after: z.coerce.number().int().optional() }))
    .output(eventIterator(z.array(logEntrySchema))),
};

export const setup = {
  /** The open wizard of this plugin, or null. */
  get: oc
    .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/setup" })
    .input(agentPluginRef)
    .output(setupViewSchema.nullable()),
  /**
   * Opens the wizard. When one is open already, that one is returned; with `again` it is cancelled first and a new
   * one opened.
   */
  begin: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/begin" })
    .input(
      agentPluginRef.extend({
        /** When absent, the core derives it from the plugin's state. */
        reason: setupReasonSchema.optional(),
        input: z.record(z.string(), z.unknown()).default({}),
        again: z.boolean().default(false),
      }),
    )
    .output(setupViewSchema),
  /** Asks the plugin for the state of its setup now, instead of waiting for the next poll. */
  poll: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/poll" })
    .input(agentPluginRef.extend({ sessionId: z.string() }))
    .output(setupViewSchema),
  /** Gives the person's answer to a step. Resolves with the next step as soon as there is one. */
  submit: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/submit" })
    .input(agentPluginRef.extend({ sessionId: z.string(), stepId: z.string(), answer: setupAnswerSchema }))
    .output(setupViewSchema),
  /** Ends the wizard, also in the plugin. Does nothing when it has ended already. */
  cancel: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/cancel" })
    .input(agentPluginRef.extend({ sessionId: z.string() }))
    .output(done),
  /** Revokes the sign-in at the provider and forgets it; the plugin is switched off. */
  signOut: oc
    .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/sign-out" })
    .input(agentPluginRef)
    .output(agentPluginViewSchema),
};
