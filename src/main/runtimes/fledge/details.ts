import { z } from "zod";
import { type Declaration, PatchbayError } from "../../../contract/index.ts";

/** What only a fledge plugin declares; it lies in the plugin's row as `declaration.details`. */
const fledgeDetailsSchema = z.object({
  runtime: z.enum(["native", "wasm"]),
  /** Its commands speak `fledge-v1`; otherwise they are plain executables. */
  protocol: z.boolean(),
  /** Messages that it may send. They bind a wasm plugin's code; native code can do what its person can. */
  grants: z.object({
    exec: z.boolean(),
    store: z.boolean(),
    metadata: z.boolean(),
    network: z.boolean(),
    filesystem: z.enum(["none", "project", "plugin"]),
  }),
  /** Programs that want to run at installation and removal, as they are written. */
  scripts: z.array(z.object({ name: z.enum(["build", "post_install", "post_remove"]), command: z.string() })),
  /** fledge's own moments; `event` is the agent event that stands for one, or null when there is none. */
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
