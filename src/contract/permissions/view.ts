import { z } from "zod";
import { grantsSchema } from "../grants.ts";
import { grantStepSchema } from "./compared.ts";
import { wallNotesSchema } from "./wall-notes.ts";

/** Which walls stand on this machine, and whether plugins may run where none does. */
export const wallReportSchema = z.object({
  /** Files, programs, network and other processes are walled off by the operating system. */
  stands: z.boolean(),
  /** What holds: `bubblewrap 0.8.0`; null when nothing does. */
  by: z.string().nullable(),
  /** Why nothing holds, as a sentence; null when it stands. */
  problem: z.string().nullable(),
  /** What the person can do about it, as a sentence; null when there is nothing. */
  help: z.string().nullable(),
  /** The command that installs what is missing; null when no command does. */
  command: z.string().nullable(),
  /** Whether they limit which programs are started: a plugin that was granted some starts any where they do not. */
  limitsPrograms: z.boolean(),
  /** What these walls leave open that others hold, each a sentence; empty where nothing stands. */
  gaps: z.array(z.string()).readonly(),
  /** Why not all that plugins try can be seen, as a sentence; null when it can. What they try is refused all the same. */
  unseen: z.string().nullable(),
  /** The same sentences by name, for screens of other languages. */
  notes: wallNotesSchema,
});
export type WallReport = z.infer<typeof wallReportSchema>;

export const wallNames = ["network", "files", "programs", "signals", "secrets"] as const;

/** How often something was reached since Patchbay started, and when last. */
export const tallySchema = z.object({ target: z.string(), count: z.number().int(), at: z.iso.datetime() });
export type Tally = z.infer<typeof tallySchema>;

export const refusedTallySchema = tallySchema.extend({
  wall: z.enum(wallNames),
  /** `process`: told by the plugin's own process, which can leave out or make up what it likes. */
  seenBy: z.enum(["wall", "process"]),
});
export type RefusedTally = z.infer<typeof refusedTallySchema>;

/** In a row: how much a plugin reached and was refused since Patchbay started. */
export const seenSchema = z.object({
  reached: z.number().int(),
  refused: z.number().int(),
  /** What was refused last; null: nothing yet. */
  lastRefused: refusedTallySchema.nullable(),
});
export type Seen = z.infer<typeof seenSchema>;

/** What one plugin may reach for one agent, what it asked for, and what it did with it. */
export const pluginPermissionsSchema = z.object({
  grants: grantsSchema,
  /** What it would get if the person had changed nothing for this agent. */
  defaults: grantsSchema,
  /** What it would get if everything were granted that it asks for. */
  asked: grantsSchema,
  /** Secrets that Patchbay puts in on the way to these hosts instead of giving them to the plugin. */
  putIn: z.array(z.object({ key: z.string(), label: z.string(), hosts: z.array(z.string()) })),
  /** Whether something on this machine holds it to the grants now; else they are its own word alone. */
  held: z.boolean(),
  seen: z.object({
    /** Hosts that it reached, the most recent first; at most 200. */
    reached: z.array(tallySchema),
    refused: z.array(refusedTallySchema),
  }),
  /** The row's revision, for a change; 0 where there is none yet. */
  revision: z.number().int(),
});
export type PluginPermissions = z.infer<typeof pluginPermissionsSchema>;

/** What of the audit log the page of a plugin shows. */
export const walledEventKinds = [
  "wall.refused",
  "agent_plugin.host_granted",
  "agent_plugin.granted",
] as const;

/** Something that a wall or a person decided about a plugin, from the audit log. */
export const walledEventSchema = z.object({
  at: z.iso.datetime(),
  kind: z.enum(walledEventKinds),
  /** Which wall refused: one of {@link wallNames}, or `authority`, `contributions`, … */
  wall: z.string().optional(),
  /** What was refused, or the host that was granted. */
  target: z.string().optional(),
  /** What the person granted and took away, as short English texts. */
  grew: z.array(z.string()).optional(),
  shrank: z.array(z.string()).optional(),
  /** The same for screens of other languages. Absent in lines of older versions. */
  steps: z.object({ grew: z.array(grantStepSchema), shrank: z.array(grantStepSchema) }).optional(),
});
export type WalledEvent = z.infer<typeof walledEventSchema>;
