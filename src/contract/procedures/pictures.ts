import { z } from "zod";
import { oc, pluginRef } from "./refs.ts";

/** A part of `plugins`. */
export const pluginPictures = {
  /** One of the pictures that show the plugin at work, by its place in `declaration.about.screenshots`, as a `data:` address. */
  screenshot: oc
    .route({ method: "GET", path: "/plugins/{key}/screenshots/{number}" })
    .input(pluginRef.extend({ number: z.coerce.number().int().min(0) }))
    .output(z.object({ picture: z.string() })),
};
