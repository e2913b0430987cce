import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentIdSchema, PatchbayError } from "../../contract/index.ts";

export function agentsFolder(home: string): string {
  return join(home, "agents");
}

/** @throws PatchbayError AGENT_NOT_FOUND when the id cannot be one, so that no id ever leads out of the folder */
export function agentFolder(home: string, agentId: string): string {
  if (!agentIdSchema.safeParse(agentId).success) throw agentNotFound(agentId);
  return join(agentsFolder(home), agentId);
}

/** @throws PatchbayError AGENT_NOT_FOUND when there is no such agent */
export function existingAgentFolder(home: string, agentId: string): string {
  const folder = agentFolder(home, agentId);
  if (!existsSync(folder)) throw agentNotFound(agentId);
  return folder;
}

export function agentNotFound(agentId: string): PatchbayError {
  return new PatchbayError("AGENT_NOT_FOUND", `There is no agent "${agentId}".`);
}
