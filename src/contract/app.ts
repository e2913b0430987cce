import { z } from "zod";
import { changeSchemaOf, collections, snapshotShapeOf, values } from "./collections.ts";
import { runtimeInfoSchema } from "./plugin.ts";
import { vaultStatusSchema } from "./vault.ts";

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

/** Everything the first screen needs, in one answer, with the point in the event stream it is true at. */
export const snapshotSchema = z.object({
  epoch: z.string(),
  seq: z.number().int(),
  info: appInfoSchema.omit({ vault: true }),
  ...snapshotShapeOf(collections, values),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const changeSchema = changeSchemaOf(collections, values);

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
    changes: z.array(changeSchema),
  }),
]);
export type AppEvent = z.infer<typeof appEventSchema>;
