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
  turnEventSchema,
} from "./turn.ts";
import { missingSecretSchema, secretInfoSchema, vaultStatusSchema } from "./vault.ts";

const agentRef = z.object({ agentId: agentIdSchema });
const pluginRef = z.object({ key: pluginKeySchema });
const agentPluginRef = agentRef.extend(pluginRef.shape);
const sessionRef = agentRef.extend({ sessionId: z.string() });
const idRef = z.object({ id: z.string() });
const done = z.object({ ok: z.literal(true) });
const reportRef = idRef.extend({ leaveOut: z.array(z.string()).default([]) });
/** Names that were stored, and those that stayed as they were. */
const broughtIn = z.object({ stored: z.array(z.string()), kept: z.array(z.string()) });

/** The one contract between the core and whoever talks to it: screens, the command line, scripts. */
export const contract = {
  app: {
    info: oc.route({ method: "GET", path: "/app" }).output(appInfoSchema),
    /** Whether somebody answers. */
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
    /** Bytes of everything that is kept, and the part of conversations in it. */
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
          /** Which sources to ask; the registry is only asked for something. */
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
    /** What the registry knows of one package, before anything is fetched. */
    details: oc
      .route({ method: "GET", path: "/catalog/details" })
      .input(z.object({ packageName: z.string().min(1), registry: z.url().optional() }))
      .output(packageDetailsSchema),
    /** Asks one source whether it answers. Never fails: what is wrong is in the answer. */
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
    /** The person points at a file or folder in a dialog of their desktop; null when they do not. Only where there is one. */
    choose: oc
      .route({ method: "POST", path: "/places/choose" })
      .input(z.object({ kind: placeKindSchema }))
      .output(z.object({ path: z.string().nullable() })),
    /** What lies in a folder of the person's own, for screens that have no such dialog. Without a path: their home. */
    list: oc
      .route({ method: "GET", path: "/places" })
      .input(z.object({ path: z.string().max(4_096).optional() }))
      .output(placeListSchema),
  },

  models: {
    /**
     * Makes one tiny call, with the agent's stored model or one that is not saved yet. Never fails: what is wrong is in
     * the answer. `key`: a key that is not stored yet, in place of the one that the model names.
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
    /** Stops every plugin, whatever its switch says. */
    enterSafeMode: oc.route({ method: "POST", path: "/holds/safe-mode/enter" }).output(holdsSchema),
    /** Starts everything that is switched on and was held off by safe mode. */
    leaveSafeMode: oc.route({ method: "POST", path: "/holds/safe-mode/leave" }).output(holdsSchema),
    /** Begins by holding every plugin of the agent off. */
    beginSearch: oc
      .route({ method: "POST", path: "/agents/{agentId}/search" })
      .input(agentRef)
      .output(pluginSearchSchema),
    answerSearch: oc
      .route({ method: "POST", path: "/agents/{agentId}/search/answer" })
      .input(agentRef.extend({ step: z.number().int(), stillThere: z.boolean() }))
      .output(pluginSearchSchema),
    /** Lets all plugins run again that are switched on. */
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
    /** What went through a channel lately: counts and times; text when it is asked for. */
    traffic: oc
      .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/traffic" })
      .input(
        agentPluginRef.extend({
          text: z.union([z.boolean(), z.enum(["true", "false"])]).default(false),
          limit: z.coerce.number().int().min(1).max(200).default(20),
        }),
      )
      .output(channelTrafficSchema),
    /** Sends a message of the owner through a channel: to `to`, or into its newest conversation. */
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
    /** The wizard that is open, or null. */
    get: oc
      .route({ method: "GET", path: "/agents/{agentId}/plugins/{key}/setup" })
      .input(agentPluginRef)
      .output(setupViewSchema.nullable()),
    /** Opens the wizard. One that is open already is answered as it is, unless `again`: then it is cancelled first. */
    begin: oc
      .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/begin" })
      .input(
        agentPluginRef.extend({
          /** Absent: what fits the state of the plugin. */
          reason: setupReasonSchema.optional(),
          input: z.record(z.string(), z.unknown()).default({}),
          again: z.boolean().default(false),
        }),
      )
      .output(setupViewSchema),
    /** Asks the plugin now instead of at the next turn of the clock. */
    poll: oc
      .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/poll" })
      .input(agentPluginRef.extend({ sessionId: z.string() }))
      .output(setupViewSchema),
    /** Answers a step; resolves with the step that follows as soon as there is one. */
    submit: oc
      .route({ method: "POST", path: "/agents/{agentId}/plugins/{key}/setup/submit" })
      .input(agentPluginRef.extend({ sessionId: z.string(), stepId: z.string(), answer: setupAnswerSchema }))
      .output(setupViewSchema),
    /** Ends the wizard, on the plugin's side too. Done twice, nothing happens. */
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
          /** The owner allows exactly this call in advance. */
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
          /** What came out: the payload after transforms, or the veto. */
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
    /** What was decided, newest first, also before the last start: at most 500 of each agent. */
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
    /** What opens the vault, and whether it is open. */
    vault: oc.route({ method: "GET", path: "/vault" }).output(vaultStatusSchema),
    /** Opens a vault that is closed with its passphrase. */
    unlock: oc
      .route({ method: "POST", path: "/vault/unlock" })
      .input(z.object({ passphrase: z.string() }))
      .output(vaultStatusSchema),
    /** Looks at a closed vault again. */
    retry: oc.route({ method: "POST", path: "/vault/retry" }).output(vaultStatusSchema),
    /** Puts a closed vault aside, whole, and begins an empty one. */
    startOver: oc
      .route({ method: "POST", path: "/vault/start-over" })
      .output(z.object({ setAside: z.string().nullable(), vault: vaultStatusSchema })),
    /** Names that settings and models refer to and that have no value. */
    missing: oc.route({ method: "GET", path: "/secrets/missing" }).output(z.array(missingSecretSchema)),
    /**
     * Lets the stored secrets be opened with a passphrase as well, or (`askAtStart`) with nothing else; null takes that
     * away.
     */
    setPassphrase: oc
      .route({ method: "POST", path: "/secrets/passphrase" })
      .input(z.object({ passphrase: z.string().nullable(), askAtStart: z.boolean().default(false) }))
      .output(vaultStatusSchema),
    /** Every secret in one text that opens with the passphrase alone; `save`: in a file among the downloads instead. */
    backup: oc
      .route({ method: "POST", path: "/secrets/backup" })
      .input(z.object({ passphrase: z.string(), save: z.boolean().default(false) }))
      .output(z.object({ fileName: z.string(), backup: z.string(), path: z.string().nullable() })),
    restore: oc
      .route({ method: "POST", path: "/secrets/restore" })
      .input(z.object({ backup: z.string(), passphrase: z.string(), replace: z.boolean().default(false) }))
      .output(broughtIn),
    /** Stores what another program kept: lines `NAME=value`, or a JSON object. */
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
    /** Gathers what somebody who helps needs to see, redacted. The newest four reports are kept in memory. */
    gather: oc.route({ method: "POST", path: "/diagnostics" }).output(diagnosticsReportSchema),
    /** One file of a report, as it will be in the archive. */
    text: oc
      .route({ method: "GET", path: "/diagnostics/{id}/text" })
      .input(idRef.extend({ name: z.string() }))
      .output(z.object({ text: z.string() })),
    /** The report as a zip, without the files that are left out. */
    archive: oc
      .route({ method: "POST", path: "/diagnostics/{id}/archive" })
      .input(reportRef)
      .output(z.file()),
    /** Writes that zip to the downloads of the person, where this shell has such a folder. */
    save: oc
      .route({ method: "POST", path: "/diagnostics/{id}/save" })
      .input(reportRef)
      .output(z.object({ path: z.string() })),
  },
};
export type Contract = typeof contract;
