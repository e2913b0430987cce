import { z } from "zod";
import { type AgentPluginRow, setupReasonSchema } from "../../../contract/index.ts";

/** What a row keeps of its setups (`setupState`): names and times, never a secret. */
const setupRecordSchema = z.object({
  /** The last setup that was finished. */
  finished: z
    .object({
      at: z.iso.datetime(),
      account: z.string().nullable(),
      /** Names in the vault of what the plugin keeps and of its sign-in. */
      credentials: z.string().nullable(),
      grant: z.string().nullable(),
    })
    .nullable()
    .catch(null),
  /** The wizard that is open, or was when the app ended. */
  open: z
    .object({
      id: z.string(),
      reason: setupReasonSchema,
      kind: z.string(),
      title: z.string().optional(),
      since: z.iso.datetime(),
      /** The row exists for this wizard alone and goes with it. */
      onlyForThis: z.boolean(),
      /**
       * Names of secrets that a wizard of an older version was writing. Today the row notes them elsewhere (`pending`).
       */
      writing: z.array(z.string()).default([]),
    })
    .nullable()
    .catch(null),
});
export type SetupRecord = z.infer<typeof setupRecordSchema>;

const nothing: SetupRecord = { finished: null, open: null };

export function readRecord(row: Pick<AgentPluginRow, "setupState"> | undefined): SetupRecord {
  // Most rows have no record, and every start reads all rows: skip the schema for them.
  if (!row?.setupState) return nothing;
  const parsed = setupRecordSchema.safeParse(row.setupState);
  return parsed.success ? parsed.data : nothing;
}
