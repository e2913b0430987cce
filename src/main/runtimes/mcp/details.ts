import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { serverFileSchema } from "./server/server-file.ts";

/** What the catalogue keeps of a server: how it is started or reached. */
export const mcpDetailsSchema = z.object({ file: serverFileSchema });
export type McpDetails = z.infer<typeof mcpDetailsSchema>;

/** @throws PatchbayError MANIFEST_INVALID when another version of Patchbay wrote them otherwise */
export function detailsOf({ details }: { details?: unknown }): McpDetails {
  const parsed = mcpDetailsSchema.safeParse(details);
  if (parsed.success) return parsed.data;
  throw new PatchbayError(
    "MANIFEST_INVALID",
    "What is known of the server cannot be read. Install it again.",
  );
}
