import { z } from "zod";
import { removedSchema, restoredSchema } from "../removed/removed.ts";
import { done, idRef, oc } from "./refs.ts";

export const removed = {
  /** What was removed and is kept, newest first. */
  list: oc.route({ method: "GET", path: "/removed" }).output(z.array(removedSchema)),
  /**
   * Brings it back. Nothing that is there by now is overwritten. A program has the person confirm a plugin, whose code
   * runs then, and an agent, whose rules hold then.
   */
  restore: oc.route({ method: "POST", path: "/removed/{id}/restore" }).input(idRef).output(restoredSchema),
  /** The text of a file that was set aside, without stored secrets; `fileName` to save it under. */
  text: oc
    .route({ method: "GET", path: "/removed/{id}/text" })
    .input(idRef)
    .output(z.object({ fileName: z.string(), text: z.string() })),
  /** Deletes it for good, with what is kept of it: its files, settings, secrets, conversations. */
  delete: oc.route({ method: "DELETE", path: "/removed/{id}" }).input(idRef).output(done),
};
