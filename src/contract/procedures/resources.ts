import { z } from "zod";
import { foundResourcesSchema, suggestionInput } from "../conversation/offered.ts";
import { agentRef, oc } from "./refs.ts";

export const resources = {
  /** What the agent's plugins can read for a message. All of these words are in what is found; without words it is everything. */
  find: oc
    .route({ method: "POST", path: "/agents/{agentId}/resources/find" })
    .input(
      agentRef.extend({
        words: z.string().max(500).default(""),
        /** How many of those that fit are passed over. */
        from: z.number().int().min(0).default(0),
      }),
    )
    .output(foundResourcesSchema),
  /** What a plugin says could stand in an argument of a prompt, or in a variable of an address; nothing where it says nothing in 5 s. */
  suggest: oc
    .route({ method: "POST", path: "/agents/{agentId}/suggestions" })
    .input(agentRef.extend(suggestionInput.shape))
    .output(z.array(z.string())),
};
