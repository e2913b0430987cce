import { z } from "zod";
import { agentIdSchema } from "../agent.ts";

/** Where the gateway speaks MCP: `/mcp/<agent id>`, with a token in `Authorization: Bearer`. */
export const mcpPath = "/mcp";

/** Another program through which the person asks. */
export const askingProgramSchema = z.object({
  /** As it names itself. */
  name: z.string().max(1_000),
  /** False: it cannot put questions to the person, so a call that would wait for an approval is refused. */
  canAsk: z.boolean(),
});
export type AskingProgram = z.infer<typeof askingProgramSchema>;

/** A program that the person let use the tools of one agent over HTTP. */
export const letInProgramSchema = z.object({
  id: z.string(),
  agentId: agentIdSchema,
  /** As the person named it. */
  name: z.string().min(1).max(80),
  createdAt: z.iso.datetime(),
  /** Null: not yet. Written down at most once an hour. */
  usedAt: z.iso.datetime().nullable(),
});
export type LetInProgram = z.infer<typeof letInProgramSchema>;

/** How a program starts Patchbay as its server. */
export const serverCommandSchema = z.object({ command: z.string(), args: z.array(z.string()) });
export type ServerCommand = z.infer<typeof serverCommandSchema>;

/** How other programs reach the tools of an agent. */
export const programAccessSchema = z.object({
  start: serverCommandSchema,
  /** The address for HTTP; null: this Patchbay answers at none. */
  url: z.string().nullable(),
  programs: z.array(letInProgramSchema),
});
export type ProgramAccess = z.infer<typeof programAccessSchema>;
