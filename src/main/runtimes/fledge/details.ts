import { z } from "zod";
import { type Declaration, PatchbayError } from "../../../contract/index.ts";

/**
 * The part of a declaration that only fledge plugins have. It is stored in the plugin's row as `declaration.details`.
 */
const fledgeDetailsSchema = z.object({
  runtime: z.enum(["native", "wasm"]),
  /** Its commands speak `fledge-v1`; otherwise they are plain executables. */
  protocol: z.boolean(),
  /**
   * The permissions that the plugin has: what Patchbay does for it on request. What a native program may do by itself
   * is a matter of its walls.
   */
  grants: z.object({
    exec: z.boolean(),
    store: z.boolean(),
    metadata: z.boolean(),
    network: z.boolean(),
    filesystem: z.enum(["none", "project", "plugin"]),
  }),
  /** Commands that the plugin wants to run when it is installed or removed, as its manifest writes them. */
  scripts: z.array(z.object({ name: z.enum(["build", "post_install", "post_remove"]), command: z.string() })),
  /**
   * The plugin's lifecycle hooks by fledge's names. `event`: the agent event at which Patchbay runs it; null when there
   * is none.
   */
  lifecycle: z.array(z.object({ name: z.string(), command: z.string(), event: z.string().nullable() })),
});
export type FledgeDetails = z.infer<typeof fledgeDetailsSchema>;

/** @throws PatchbayError MANIFEST_CHANGED when the row was not written by this runtime */
export function detailsOf({ details }: Pick<Declaration, "details">): FledgeDetails {
  const parsed = fledgeDetailsSchema.safeParse(details);
  if (parsed.success) return parsed.data;
  throw new PatchbayError(
    "MANIFEST_CHANGED",
    "What is known of this plugin is not that of a fledge plugin.",
    {
      help: "Install the plugin again.",
      cause: parsed.error,
    },
  );
}
