import { z } from "zod";
import { type Declaration, PatchbayError } from "../../../contract/index.ts";

/** What only plugins of Flowly have. It is stored in the plugin's row as `declaration.details`. */
const flowlyDetailsSchema = z.object({
  /** Flowly's own key of the plugin. */
  flowlyKey: z.string(),
  /** The manifest, as the plugin's code sees it at `ctx.manifest`. */
  manifest: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    author: z.string(),
    kind: z.enum(["standalone", "backend"]),
    manifest_version: z.number(),
    requires_env: z.array(z.unknown()),
    provides_tools: z.array(z.unknown()),
    provides_hooks: z.array(z.unknown()),
    provides_web_providers: z.array(z.unknown()),
  }),
});
export type FlowlyDetails = z.infer<typeof flowlyDetailsSchema>;

/** @throws PatchbayError MANIFEST_CHANGED when the row was not written by this runtime */
export function detailsOf({ details }: Pick<Declaration, "details">): FlowlyDetails {
  const parsed = flowlyDetailsSchema.safeParse(details);
  if (parsed.success) return parsed.data;
  throw new PatchbayError(
    "MANIFEST_CHANGED",
    "What is known of this plugin is not that of a Flowly plugin.",
    { help: "Install the plugin again.", cause: parsed.error },
  );
}
