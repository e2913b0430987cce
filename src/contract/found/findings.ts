import { z } from "zod";
import { catalogEntrySchema } from "../job.ts";

/** What the catalogues and registries answered to a search. */
export const catalogFindingsSchema = z.object({
  entries: z.array(catalogEntrySchema),
  /** Where no catalogue lists what was asked for: what has nearly that name. */
  near: z.array(catalogEntrySchema).optional(),
  /** Sources that could not be asked, in words. `listedAt`: what is shown of one is its list of then. */
  failures: z.array(
    z.object({ source: z.string(), message: z.string(), listedAt: z.iso.datetime().optional() }),
  ),
});
export type CatalogFindings = z.infer<typeof catalogFindingsSchema>;
