import { z } from "zod";
import { changeSchemaOf, collections, snapshotShapeOf, values } from "./collections.ts";
import { runtimeInfoSchema } from "./plugin.ts";
import { vaultStatusSchema } from "./vault.ts";

export const appInfoSchema = z.object({
  version: z.string(),
  /** Where everything of Patchbay lies; an absolute path, for people to read. */
  folder: z.string(),
  /** Which shell owns the core. */
  shell: z.enum(["desktop", "browser", "cli"]),
  node: z.string(),
  platform: z.string(),
  vault: vaultStatusSchema,
  /** The npm registry that packages come from when an installation names none. */
  defaultRegistry: z.string(),
  /** The registry of this computer's npm configuration, which is the default while the setting `registry` is null. */
  machineRegistry: z.string(),
  /** The plugin systems that it runs. */
  runtimes: z.array(runtimeInfoSchema),
  startedAt: z.iso.datetime(),
});
export type AppInfo = z.infer<typeof appInfoSchema>;

/**
 * Everything that the first screen needs, in one answer. `epoch` and `seq` are the point in the event stream at which
 * it was true: later events change it.
 */
export const snapshotSchema = z.object({
  epoch: z.string(),
  seq: z.number().int(),
  info: appInfoSchema.omit({ vault: true }),
  ...snapshotShapeOf(collections, values),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const changeSchema = changeSchemaOf(collections, values);

/**
 * The events of the live stream. After a lost connection the client asks again with the last `epoch` and `seq` that it
 * saw. It then gets the events that it missed, or `resync` when the core no longer has them: fetch the snapshot again.
 */
export const appEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), epoch: z.string(), seq: z.number().int() }),
  z.object({ type: z.literal("resync"), epoch: z.string(), seq: z.number().int() }),
  z.object({
    type: z.literal("changes"),
    epoch: z.string(),
    seq: z.number().int(),
    changes: z.array(changeSchema),
  }),
]);
export type AppEvent = z.infer<typeof appEventSchema>;
