import { z } from "zod";
import { foundHereSchema, foundPluginSchema } from "../found/found.ts";
import { oc } from "./refs.ts";

/** What stands elsewhere on this computer, or was pasted, and can be installed. A part of `plugins`. */
export const elsewhere = {
  /** What other programs on this computer have. Their folders are read, and nothing of theirs runs or is changed. */
  found: oc.route({ method: "GET", path: "/found" }).output(foundHereSchema),
  /** The MCP servers that a person typed or pasted: a command line, a link, or settings in the form of any program. */
  given: oc
    .route({ method: "POST", path: "/found/given" })
    .input(z.object({ text: z.string().min(1) }))
    .output(z.array(foundPluginSchema)),
};
