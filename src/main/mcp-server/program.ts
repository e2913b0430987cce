import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AskingProgram } from "../../contract/index.ts";

const infoSchema = z.object({ name: z.string(), title: z.string().optional() });
const capabilitiesSchema = z.object({
  elicitation: z.object({ form: z.unknown(), url: z.unknown() }).partial().optional(),
});
/** What clients of 2026-07-28 send with each request. */
const envelopeSchema = z.object({
  "io.modelcontextprotocol/clientInfo": infoSchema.optional(),
  "io.modelcontextprotocol/clientCapabilities": capabilitiesSchema.optional(),
});

/** Which program asks, and whether it can put a form to the person. */
export function programOf(server: Server, ctx: ServerContext): AskingProgram {
  const envelope = envelopeSchema.safeParse(ctx.mcpReq.envelope).data;
  const info = envelope?.["io.modelcontextprotocol/clientInfo"] ?? server.getClientVersion();
  const can =
    envelope?.["io.modelcontextprotocol/clientCapabilities"] ??
    capabilitiesSchema.safeParse(server.getClientCapabilities()).data;
  const forms = can?.elicitation;
  return {
    name: (info?.title ?? info?.name ?? "").slice(0, 1_000),
    canAsk: forms !== undefined && (forms.form !== undefined || forms.url === undefined),
  };
}
