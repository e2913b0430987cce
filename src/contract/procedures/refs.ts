import { z } from "zod";
import { agentIdSchema } from "../agent.ts";
import { pluginKeySchema } from "../plugin.ts";

export const agentRef = z.object({ agentId: agentIdSchema });
export const pluginRef = z.object({ key: pluginKeySchema });
export const agentPluginRef = agentRef.extend(pluginRef.shape);
export const sessionRef = agentRef.extend({ sessionId: z.string() });
export const idRef = z.object({ id: z.string() });
export const done = z.object({ ok: z.literal(true) });
export const reportRef = idRef.extend({ leaveOut: z.array(z.string()).default([]) });
/** Names of secrets that were stored, and names that kept the value that they had. */
export const broughtIn = z.object({ stored: z.array(z.string()), kept: z.array(z.string()) });
