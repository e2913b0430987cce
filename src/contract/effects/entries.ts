import { z } from "zod";
import { pluginSaidSchema } from "./effects.ts";

/** Lines of a session file that plugins' effects add. */
export const pluginEntries = [
  /** What a plugin left here. The model is not sent it. `turnId`: null outside of turns. */
  z.object({
    type: z.literal("plugin"),
    id: z.string(),
    turnId: z.string().nullable(),
    owner: z.string(),
    said: pluginSaidSchema,
    at: z.iso.datetime(),
  }),
  /** A message of a plugin to the model in the middle of a turn. `newRun`: its run had ended, and another one began with this. */
  z.object({
    type: z.literal("steer"),
    id: z.string(),
    turnId: z.string(),
    owner: z.string(),
    text: z.string(),
    newRun: z.literal(true).optional(),
    at: z.iso.datetime(),
  }),
] as const;
