import { z } from "zod";
import { type Declaration, PatchbayError } from "../../../contract/index.ts";

/** What only plugins of dirge have. It is stored in the plugin's row as `declaration.details`. */
const dirgeDetailsSchema = z.object({
  /** dirge's own name of the plugin: that of its folder, or of its file without the ending. */
  id: z.string(),
  /** The source files in the order in which they are loaded. */
  files: z.array(z.string()),
  /** The parts of the engine that its source names, beyond its own memory. */
  reaches: z.array(z.enum(["readFiles", "writeFiles", "subprocess", "network", "environment"])),
});
export type DirgeDetails = z.infer<typeof dirgeDetailsSchema>;
export type Reach = DirgeDetails["reaches"][number];

/** @throws PatchbayError MANIFEST_CHANGED when the row was not written by this runtime */
export function detailsOf({ details }: Pick<Declaration, "details">): DirgeDetails {
  const parsed = dirgeDetailsSchema.safeParse(details);
  if (parsed.success) return parsed.data;
  throw new PatchbayError("MANIFEST_CHANGED", "What is known of this plugin is not that of a dirge plugin.", {
    help: "Install the plugin again.",
    cause: parsed.error,
  });
}
