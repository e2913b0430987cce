import { z } from "zod";

export const placeKindSchema = z.enum(["file", "folder"]);
export type PlaceKind = z.infer<typeof placeKindSchema>;

export const placeListSchema = z.object({
  /** Of the folder; absolute. */
  path: z.string(),
  /** The folder above; null at the person's home, above which nothing is listed. */
  parent: z.string().nullable(),
  /** Folders first, by name; what is hidden is left out. */
  entries: z.array(z.object({ name: z.string(), path: z.string(), kind: placeKindSchema })),
  /** There is more in it than is listed. */
  cut: z.boolean(),
});
export type PlaceList = z.infer<typeof placeListSchema>;
