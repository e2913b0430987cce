import { z } from "zod";

/** Most characters of what an author says of a plugin at length. */
export const mostLongDescription = 20_000;

/** A page outside of Patchbay. */
export const pageSchema = z.url({ protocol: /^https$/ }).max(2_000);

/** What a plugin's author says of it besides its description. None of it was checked; it is shown as theirs. */
export const pluginAboutSchema = z.object({
  /** Markdown. */
  longDescription: z.string().max(mostLongDescription).optional(),
  documentation: pageSchema.optional(),
  support: pageSchema.optional(),
  repository: pageSchema.optional(),
  privacyPolicies: z.array(pageSchema).max(10).optional(),
  /** Files in its folder that are pictures, in their order. */
  screenshots: z.array(z.string().max(500)).max(5).optional(),
});
export type PluginAbout = z.infer<typeof pluginAboutSchema>;
