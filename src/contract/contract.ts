import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import {
  agentIdSchema,
  agentInputSchema,
  agentPatchSchema,
  agentViewSchema,
  approvalDecisionSchema,
  approvalSchema,
  dialogAnswerSchema,
  dialogSchema,
  modelConfigSchema,
} from "./agent.ts";
import {
  agentPluginViewSchema,
  commandInfoSchema,
  hookInfoSchema,
  logEntrySchema,
  logLevelSchema,
  toolInfoSchema,
} from "./agent-plugin.ts";
import { appEventSchema, appInfoSchema, snapshotSchema } from "./app.ts";
import { channelTrafficSchema } from "./channel.ts";
import { diagnosticsReportSchema } from "./diagnostics.ts";
import { holdsSchema, pluginSearchSchema } from "./holds.ts";
import {
  catalogEntrySchema,
  installRequestSchema,
  jobSchema,
  packageDetailsSchema,
  uploadSchema,
} from "./job.ts";
import { placeKindSchema, placeListSchema } from "./place.ts";
import { pluginKeySchema, pluginViewSchema } from "./plugin.ts";
import { problemSchema } from "./problem.ts";
import { settingsPatchSchema, settingsSchema } from "./settings.ts";
import { setupAnswerSchema, setupReasonSchema, setupViewSchema } from "./setup.ts";
import {
  contentPartSchema,
  hookTraceSchema,
  sessionEntrySchema,
  sessionSchema,
  toolTraceSchema,
  traceEntrySchema,
} from "./turn.ts";
import { turnEventSchema } from "./turn-event.ts";
import { missingSecretSchema, secretInfoSchema, vaultStatusSchema } from "./vault.ts";

const agentRef = z.object({ agentId: agentIdSchema });
const pluginRef = z.object({ key: pluginKeySchema });
const agentPluginRef = agentRef.extend(pluginRef.shape);
const sessionRef = agentRef.extend({ sessionId: z.string() });
const idRef = z.object({ id: z.string() });
const done = z.object({ ok: z.literal(true) });
const reportRef = idRef.extend({ leaveOut: z.array(z.string()).default([]) });
/** Names of secrets that were stored, and names that kept the value that they had. */
const broughtIn = z.object({ stored: z.array(z.string()), kept: z.array(z.string()) });

/** The one contract between the core and whoever talks to it: screens, the command line, scripts. */
export const contract = {
  app: {
    info: oc.route({ method: "GET", path: "/app" }).output(appInfoSchema),
    /** Answers at once; to find out whether the core is there. */
    ping: oc.route({ method: "GET", path: "/ping" }).output(done),
    snapshot: oc.route({ method: "GET", path: "/snapshot" }).output(snapshotSchema),
    events: oc
      .route({ method: "GET", path: "/events" })
      .input(z.object({ epoch: z.string().optional(), seq: z.coerce.number().int().optional() }))
      .output(eventIterator(appEventSchema)),
    settings: oc.route({ method: "GET", path: "/settings" }).output(settingsSchema),
    updateSettings: oc
      .route({ method: "PATCH", path: "/settings" })
      .input(settingsPatchSchema)
      .output(settingsSchema),
    dismissNotice: oc.route({ method: "POST", path: "/notices/{id}/dismiss" }).input(idRef).output(done),
    doctor: oc
      .route({ method: "GET", path: "/doctor" })
      .output(
        z.array(
          z.object({ name: z.string(), ok: z.boolean(), text: z.string(), help: z.string().optional() }),
        ),
      ),
    /** Bytes on disk of everything that Patchbay keeps, and how much of it are conversations. */
    usedSpace: oc
      .route({ method: "GET", path: "/used-space" })
      .output(z.object({ total: z.number().int(), sessions: z.number().int() })),
  },

  catalog: {
    search: oc
      .route({ method: "GET", path: "/catalog/search" })
      .input(
        z.object({
          query: z.string().default(""),
          registry: z.url().optional(),
          /** Which sources to ask. The registry is asked only when there is a search text. */
          scope: z.enum(["all", "catalogues", "registry"]).default("all"),
        }),
      )
      .output(
        z.object({
          entries: z.array(catalogEntrySchema),
          /** Sources that could not be asked, in words. */
          failures: z.array(z.object({ source: z.string(), message: z.string() })),
        }),
      ),
    /** The registry's description and versions of one package; the package itself is not downloaded. */
    details: oc
      .route({ method: "GET", path: "/catalog/details" })
      .input(z.object({ packageName: z.string().min(1), registry: z.url().optional() }))
      .output(packageDetailsSchema),
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
  },

  places: {
    /**
     * Lets the person choose a file or folder in a dialog of their desktop: its path, or null when they cancel. Works
     * only where the core runs with a desktop.
     */
    choose: oc
      .route({ method: "POST", path: "/places/choose" })
      .input(z.object({ kind: placeKindSchema }))
      .output(z.object({ path: z.string().nullable() })),
    /**
     * The entries of a folder on the core's machine, for screens without such a dialog. Without a path: the person's
     * home.
     */
    list: oc
      .route({ method: "GET", path: "/places" })
      .input(z.object({ path: z.string().max(4_096).optional() }))
      .output(placeListSchema),
  },

  models: {
    /**
     * Makes one tiny call to a model: the agent's stored one, or one that is not saved yet. Does not fail when the
     * model does: the problem is part of the answer. `key`: an API key that is not stored yet, used in place of the one
     * that the model refers to.
     */
    test: oc
      .route({ method: "POST", path: "/agents/{agentId}/model/test" })
      .input(agentRef.extend({ model: modelConfigSchema.optional(), key: z.string().min(1).optional() }))
      .output(
        z.discriminatedUnion("ok", [
          z.object({ ok: z.literal(true), model: z.string(), ms: z.number() }),
          z.object({ ok: z.literal(false), problem: problemSchema }),
        ]),
      ),
  },

  holds: {
    get: oc.route({ method: "GET", path: "/holds" }).output(holdsSchema),
    /** Stops every plugin. Their switches stay as they are. */
    enterSafeMode: oc.route({ method: "POST", path: "/holds/safe-mode/enter" }).output(holdsSchema),
    /** Ends safe mode: starts every plugin that is switched on. */
    leaveSafeMode: oc.route({ method: "POST", path: "/holds/safe-mode/leave" }).output(holdsSchema),
    /** Begins the search for the plugin that causes a problem. Its first step stops every plugin of the agent. */
    beginSearch: oc
      .route({ method: "POST", path: "/agents/{agentId}/search" })
      .input(agentRef)
      .output(pluginSearchSchema),
    answerSearch: oc
      .route({ method: "POST", path: "/agents/{agentId}/search/answer" })
      .input(agentRef.extend({ step: z.number().int(), stillThere: z.boolean() }))
      .output(pluginSearchSchema),
    /** Ends the search: every plugin that is switched on runs again. */
    endSearch: oc.route({ method: "DELETE", path: "/agents/{agentId}/search" }).input(agentRef).output(done),
  },

  jobs: {
    list: oc.route({ method: "GET", path: "/jobs" }).output(z.array(jobSchema)),
    get: oc.route({ method: "GET", path: "/jobs/{id}" }).input(idRef).output(jobSchema),
    install: oc.route({ method: "POST", path: "/jobs" }).input(installRequestSchema).output(jobSchema),
    /** Installs a package file whose bytes come with the call. */
    upload: oc
      .route({ method: "POST", path: "/jobs/upload" })
      .input(z.object({ file: uploadSchema }))
      .output(jobSchema),
    consent: oc
      .route({ method: "POST", path: "/jobs/{id}/consent" })
      .input(
        idRef.extend({
          accept: z.boolean(),
          allowScripts: z.boolean().optional(),
          acceptRisk: z.boolean().optional(),
        }),
      )
      .output(jobSchema),
    cancel: oc.route({ method: "POST", path: "/jobs/{id}/cancel" }).input(idRef).output(jobSchema),
    retry: oc.route({ method: "POST", path: "/jobs/{id}/retry" }).input(idRef).output(jobSchema),
    remove: oc.route({ method: "DELETE", path: "/jobs/{id}" }).input(idRef).output(done),
    /** Follows one job to its end; the last event has a final status. */
    watch: oc
      .route({ method: "GET", path: "/jobs/{id}/events" })
      .input(idRef)
      .output(eventIterator(jobSchema)),
  },

  plugins: {
    list: oc.route({ method: "GET", path: "/plugins" }).output(z.array(pluginViewSchema)),
    get: oc.route({ method: "GET", path: "/plugins/{key}" }).input(pluginRef).output(pluginViewSchema),
    update: oc
      .route({ method: "POST", path: "/plugins/{key}/update" })
      .input(
        pluginRef.extend({
          spec: z.string().optional(),
          yes: z.boolean().default(false),
          registry: z.url().optional(),
        }),
      )
      .output(jobSchema),
    rollback: oc
      .route({ method: "POST", path: "/plugins/{key}/rollback" })
      .input(pluginRef)
      .output(jobSchema),
    uninstall: oc.route({ method: "DELETE", path: "/plugins/{key}" }).input(pluginRef).output(done),
  },

  agents: {
    list: oc.route({ method: "GET", path: "/agents" }).output(z.array(agentViewSchema)),
    get: oc.route({ method: "GET", path: "/agents/{agentId}" }).input(agentRef).output(agentViewSchema),
    create: oc.route({ method: "POST", path: "/agents" }).input(agentInputSchema).output(agentViewSchema),
    update: oc
      .route({ method: "PATCH", path: "/agents/{agentId}" })
      .input(agentRef.extend(agentPatchSchema.shape))
      .output(agentViewSchema),
    remove: oc.route({ method: "DELETE", path: "/agents/{agentId}" }).input(agentRef).output(done),
  },

  agentPlugins: {
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
      .input(
        agentPluginRef.extend({
          enabled: z.boolean().optional(),
          config: z.record(z.string(), z.unknown()).optional(),
          /** Values for declared secrets, by their key: stored in the vault, the config keeps a reference. */
          secrets: z.record(z.string(), z.string()).optional(),
          revision: z.number().int().optional(),
        }),
      )
      .output(agentPluginViewSchema),
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
  },

  setup: {
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
  },

  tools: {
    list: oc
      .route({ method: "GET", path: "/agents/{agentId}/tools" })
      .input(agentRef)
      .output(z.array(toolInfoSchema)),
    call: oc
      .route({ method: "POST", path: "/agents/{agentId}/tools/{name}/call" })
      .input(
        agentRef.extend({
          name: z.string(),
          input: z.record(z.string(), z.unknown()).default({}),
          sessionId: z.string().optional(),
          /** The owner allows exactly this call in advance, so that it does not wait for an approval. */
          yes: z.boolean().default(false),
        }),
      )
      .output(
        z.object({
          content: z.array(contentPartSchema),
          details: z.unknown().optional(),
          trace: toolTraceSchema,
        }),
      ),
  },

  hooks: {
    list: oc
      .route({ method: "GET", path: "/agents/{agentId}/hooks" })
      .input(agentRef)
      .output(
        z.array(
          hookInfoSchema.extend({
            owner: z.string(),
            calls: z.number().int(),
            failures: z.number().int(),
            p50Ms: z.number().nullable(),
          }),
        ),
      ),
    fire: oc
      .route({ method: "POST", path: "/agents/{agentId}/hooks/{event}/fire" })
      .input(agentRef.extend({ event: z.string(), input: z.record(z.string(), z.unknown()).default({}) }))
      .output(
        z.object({
          /** The payload after all transforms. */
          payload: z.unknown(),
          denied: z.object({ owner: z.string(), reason: z.string() }).nullable(),
          hooks: z.array(hookTraceSchema),
        }),
      ),
  },

  commands: {
    list: oc
      .route({ method: "GET", path: "/agents/{agentId}/commands" })
      .input(agentRef)
      .output(z.array(commandInfoSchema)),
    run: oc
      .route({ method: "POST", path: "/agents/{agentId}/commands/run" })
      .input(agentRef.extend({ text: z.string().startsWith("/"), sessionId: z.string().optional() }))
      .output(z.object({ output: z.string() })),
  },

  approvals: {
    list: oc.route({ method: "GET", path: "/approvals" }).output(z.array(approvalSchema)),
    /**
     * Approvals that were decided, the newest first, including those from before the last start; at most 500 for each
     * agent.
     */
    history: oc
      .route({ method: "GET", path: "/approvals/history" })
      .input(z.object({ agentId: agentIdSchema.optional() }))
      .output(z.array(approvalSchema)),
    decide: oc
      .route({ method: "POST", path: "/approvals/{id}/decide" })
      .input(idRef.extend({ answer: approvalDecisionSchema }))
      .output(approvalSchema),
  },

  dialogs: {
    list: oc.route({ method: "GET", path: "/dialogs" }).output(z.array(dialogSchema)),
    answer: oc
      .route({ method: "POST", path: "/dialogs/{id}/answer" })
      .input(idRef.extend({ answer: dialogAnswerSchema }))
      .output(done),
  },

  sessions: {
    list: oc
      .route({ method: "GET", path: "/agents/{agentId}/sessions" })
      .input(agentRef)
      .output(z.array(sessionSchema)),
    create: oc
      .route({ method: "POST", path: "/agents/{agentId}/sessions" })
      .input(agentRef.extend({ title: z.string().optional() }))
      .output(sessionSchema),
    entries: oc
      .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}" })
      .input(sessionRef)
      .output(z.array(sessionEntrySchema)),
    trace: oc
      .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/trace" })
      .input(sessionRef)
      .output(z.array(traceEntrySchema)),
    close: oc
      .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/close" })
      .input(sessionRef)
      .output(done),
    watch: oc
      .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/events" })
      .input(sessionRef)
      .output(eventIterator(turnEventSchema)),
    /** Runs one turn (or a slash command) and streams it; the last event is `turn_ended` or `command`. */
    prompt: oc
      .route({ method: "POST", path: "/agents/{agentId}/prompt" })
      .input(agentRef.extend({ text: z.string().min(1).max(1_000_000), sessionId: z.string().optional() }))
      .output(eventIterator(turnEventSchema)),
    abort: oc
      .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/abort" })
      .input(sessionRef)
      .output(done),
  },

  secrets: {
    list: oc.route({ method: "GET", path: "/secrets" }).output(z.array(secretInfoSchema)),
    set: oc
      .route({ method: "PUT", path: "/secrets/{name}" })
      .input(
        z.object({
          name: secretInfoSchema.shape.name,
          value: z.string().min(1),
          agentId: agentIdSchema.nullable().default(null),
        }),
      )
      .output(done),
    /** Whether the vault is open, and the ways to open it. */
    vault: oc.route({ method: "GET", path: "/vault" }).output(vaultStatusSchema),
    /** Opens a closed vault with its passphrase. */
    unlock: oc
      .route({ method: "POST", path: "/vault/unlock" })
      .input(z.object({ passphrase: z.string() }))
      .output(vaultStatusSchema),
    /** Tries again to open a closed vault. */
    retry: oc.route({ method: "POST", path: "/vault/retry" }).output(vaultStatusSchema),
    /** Moves a closed vault aside, with all its files, and begins an empty one. */
    startOver: oc
      .route({ method: "POST", path: "/vault/start-over" })
      .output(z.object({ setAside: z.string().nullable(), vault: vaultStatusSchema })),
    /** Names that settings or models refer to and under which no value is stored. */
    missing: oc.route({ method: "GET", path: "/secrets/missing" }).output(z.array(missingSecretSchema)),
    /**
     * Adds a passphrase as one more way to open the stored secrets. `askAtStart`: it becomes the only way, and is asked
     * for at each start. Null removes the passphrase.
     */
    setPassphrase: oc
      .route({ method: "POST", path: "/secrets/passphrase" })
      .input(z.object({ passphrase: z.string().nullable(), askAtStart: z.boolean().default(false) }))
      .output(vaultStatusSchema),
    /**
     * All secrets as one text, encrypted with the passphrase alone. `save`: the text is written to a file in the
     * downloads folder instead.
     */
    backup: oc
      .route({ method: "POST", path: "/secrets/backup" })
      .input(z.object({ passphrase: z.string(), save: z.boolean().default(false) }))
      .output(z.object({ fileName: z.string(), backup: z.string(), path: z.string().nullable() })),
    restore: oc
      .route({ method: "POST", path: "/secrets/restore" })
      .input(z.object({ backup: z.string(), passphrase: z.string(), replace: z.boolean().default(false) }))
      .output(broughtIn),
    /** Stores secrets exported from another program: lines `NAME=value`, or a JSON object. */
    import: oc
      .route({ method: "POST", path: "/secrets/import" })
      .input(
        z.object({
          text: z.string().min(1),
          agentId: agentIdSchema.nullable().default(null),
          replace: z.boolean().default(false),
        }),
      )
      .output(broughtIn),
    remove: oc
      .route({ method: "DELETE", path: "/secrets/{name}" })
      .input(z.object({ name: z.string(), agentId: agentIdSchema.nullable().default(null) }))
      .output(done),
  },

  diagnostics: {
    /** Makes a report for a person who helps, with secrets redacted. The newest four reports are kept in memory. */
    gather: oc.route({ method: "POST", path: "/diagnostics" }).output(diagnosticsReportSchema),
    /** The text of one file of a report, exactly as the archive will contain it. */
    text: oc
      .route({ method: "GET", path: "/diagnostics/{id}/text" })
      .input(idRef.extend({ name: z.string() }))
      .output(z.object({ text: z.string() })),
    /** The report as a zip, without the files that are left out. */
    archive: oc
      .route({ method: "POST", path: "/diagnostics/{id}/archive" })
      .input(reportRef)
      .output(z.file()),
    /** Writes that zip to the person's downloads folder, where this shell has one. */
    save: oc
      .route({ method: "POST", path: "/diagnostics/{id}/save" })
      .input(reportRef)
      .output(z.object({ path: z.string() })),
  },
};
export type Contract = typeof contract;
