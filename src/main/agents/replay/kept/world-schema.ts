import { z } from "zod";
import {
  agentSchema,
  commandInfoSchema,
  hookInfoSchema,
  type Settings,
  settingsSchema,
  toolInfoSchema,
  trustSchema,
} from "../../../../contract/index.ts";

const limitNames = Object.keys(settingsSchema.shape.limits.shape) as [keyof Settings["limits"]];
const owner = { owner: z.string() };

/** What an agent's plugins offer, in a file that others may have written. */
export const offerSchema = z.looseObject({
  live: z.looseObject({
    tools: z.array(toolInfoSchema),
    toolsets: z.array(z.looseObject({ ...owner, id: z.string(), description: z.string() })),
    hooks: z.array(hookInfoSchema.extend(owner)),
    commands: z.array(commandInfoSchema),
    skills: z.array(
      z.looseObject({
        ...owner,
        name: z.string(),
        description: z.string(),
        path: z.string(),
        file: z.string().optional(),
      }),
    ),
  }),
  required: z.array(
    z.looseObject({ ...owner, events: z.array(z.string()), unsubscribed: z.literal(true).optional() }),
  ),
  trust: z.record(z.string(), trustSchema),
});

/** What a turn depended on, in a file that others may have written: `TurnWorld`. */
export const worldSchema = offerSchema.extend({
  agent: agentSchema.omit({ model: true }).extend({ model: z.looseObject({ kind: z.string() }) }),
  modelName: z.string().optional(),
  limits: z.record(z.enum(limitNames), z.number().min(0)),
  entries: z.number().int().min(0),
  messageId: z.string().optional(),
  resumes: z.literal(true).optional(),
});
