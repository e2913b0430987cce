import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { agentIdSchema } from "../agent.ts";
import { appEventSchema, appInfoSchema, snapshotSchema } from "../app.ts";
import { auditVerdictSchema, diagnosticsReportSchema, setAsideSchema } from "../diagnostics.ts";
import { holdsSchema, pluginSearchSchema } from "../holds.ts";
import { wallReportSchema } from "../permissions/view.ts";
import { placeKindSchema, placeListSchema } from "../place.ts";
import { settingsPatchSchema, settingsSchema } from "../settings.ts";
import { missingSecretSchema, secretInfoSchema, vaultStatusSchema } from "../vault.ts";
import { agentRef, broughtIn, done, has, idRef, namesProgram, oc, reportRef, sendsTraces } from "./refs.ts";

export const app = {
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
    .meta({
      personOnly: [
        { act: "risk", when: has("unwalled", true) },
        // It is started at once, to be asked what it is. One that Patchbay found itself is chosen by `pythons.choose`.
        { act: "risk", when: namesProgram },
        { act: "send", when: sendsTraces },
      ],
    })
    .input(settingsPatchSchema.strict())
    .output(settingsSchema),
  /** Looks anew which walls stand on this machine: the person may have installed what was missing. */
  lookForWalls: oc.route({ method: "POST", path: "/walls/look" }).output(wallReportSchema),
  dismissNotice: oc.route({ method: "POST", path: "/notices/{id}/dismiss" }).input(idRef).output(done),
  doctor: oc
    .route({ method: "GET", path: "/doctor" })
    .output(
      z.array(z.object({ name: z.string(), ok: z.boolean(), text: z.string(), help: z.string().optional() })),
    ),
  /** Bytes on disk of everything that Patchbay keeps, and how much of it are conversations. */
  usedSpace: oc
    .route({ method: "GET", path: "/used-space" })
    .output(z.object({ total: z.number().int(), sessions: z.number().int() })),
};

export const places = {
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
};

const pythonSchema = z.object({
  /** The real program, where a shim stands for one. */
  path: z.string(),
  /** Such as `3.11.7`; empty when it did not say. */
  version: z.string(),
  from: z.enum(["setting", "path", "pyenv", "launcher", "venv"]),
  usable: z.boolean(),
  /** Why not: `old`: older than 3.9; `silent`: it does not answer as a Python does; `missing`: nothing is there. */
  why: z.enum(["old", "silent", "missing"]).nullable(),
});

const pythonsSchema = z.object({
  all: z.array(pythonSchema),
  /** Path of the one that plugins run with; null: there is none. */
  used: z.string().nullable(),
  /** The command that installs Python here; null where no command is known. */
  install: z.string().nullable(),
});
export type PythonsView = z.infer<typeof pythonsSchema>;

export const pythons = {
  /** The Pythons of this machine. They were looked for once; `look` looks again. */
  list: oc.route({ method: "GET", path: "/pythons" }).output(pythonsSchema),
  look: oc.route({ method: "POST", path: "/pythons/look" }).output(pythonsSchema),
  /**
   * Chooses one of those that were found; null: the first one that is usable. Any other program is chosen in the settings
   * (`python`), which needs the person's word.
   */
  choose: oc
    .route({ method: "POST", path: "/pythons/choose" })
    .input(z.object({ path: z.string().min(1).max(4_096).nullable() }))
    .output(pythonsSchema),
};

export const holds = {
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
};

export const secrets = {
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
    .meta({ personOnly: [{ act: "passphrase" }] })
    .input(z.object({ passphrase: z.string().nullable(), askAtStart: z.boolean().default(false) }))
    .output(vaultStatusSchema),
  /**
   * All secrets as one text, encrypted with the passphrase alone. `save`: the text is written to a file in the
   * downloads folder instead.
   */
  backup: oc
    .route({ method: "POST", path: "/secrets/backup" })
    .meta({ personOnly: [{ act: "backup" }] })
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
};

export const diagnostics = {
  /** Makes a report for a person who helps, with secrets redacted. The newest four reports are kept in memory. */
  gather: oc.route({ method: "POST", path: "/diagnostics" }).output(diagnosticsReportSchema),
  /** The text of one file of a report, exactly as the archive will contain it. */
  text: oc
    .route({ method: "GET", path: "/diagnostics/{id}/text" })
    .input(idRef.extend({ name: z.string() }))
    .output(z.object({ text: z.string() })),
  /** The report as a zip, without the files that are left out. */
  archive: oc.route({ method: "POST", path: "/diagnostics/{id}/archive" }).input(reportRef).output(z.file()),
  /** Writes that zip to the person's downloads folder, where this shell has one. */
  save: oc
    .route({ method: "POST", path: "/diagnostics/{id}/save" })
    .input(reportRef)
    .output(z.object({ path: z.string() })),
  /** Reads the whole audit log and says whether it is as it was written. */
  verifyAudit: oc.route({ method: "GET", path: "/audit/verify" }).output(auditVerdictSchema),
  /** Rows that something other than Patchbay changed; they are not in use. */
  setAside: oc.route({ method: "GET", path: "/state/set-aside" }).output(z.array(setAsideSchema)),
  /** Uses such a row after all. */
  acceptSetAside: oc
    .route({ method: "POST", path: "/state/set-aside/{id}/accept" })
    .meta({ personOnly: [{ act: "grant" }] })
    .input(idRef)
    .output(done),
  /** Keeps what is in use, and forgets the row that was found. */
  dismissSetAside: oc
    .route({ method: "POST", path: "/state/set-aside/{id}/dismiss" })
    .input(idRef)
    .output(done),
};
