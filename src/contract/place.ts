import { z } from "zod";

export const placeKindSchema = z.enum(["file", "folder"]);
export type PlaceKind = z.infer<typeof placeKindSchema>;

export const placeListSchema = z.object({
  /** Absolute path of the folder. */
  path: z.string(),
  /** Path of the parent folder; null at the person's home, because nothing above it is listed. */
  parent: z.string().nullable(),
  /** Folders first, then files, each sorted by name; hidden entries are left out. */
  entries: z.array(z.object({ name: z.string(), path: z.string(), kind: placeKindSchema })),
  /** True when the folder has more entries than are listed. */
  cut: z.boolean(),
});
export type PlaceList = z.infer<typeof placeListSchema>;
