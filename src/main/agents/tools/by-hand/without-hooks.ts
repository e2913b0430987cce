import { PatchbayError } from "../../../../contract/index.ts";
import type { CallBus, ToolRequest } from "../tool-call.ts";

const nobody: CallBus = {
  has: () => false,
  hooksOf: () => [],
  veto: async (_event, payload) => ({ allowed: true, payload, changedBy: [], isChanged: false }),
  transform: async (_event, payload) => ({ payload, dropped: null, changedBy: [], isChanged: false }),
  emit: async () => {},
};

/**
 * Stands where the bus would for a call of which no hook shall know. Only the owner may leave hooks out, and only for a call
 * of their own: never a model, a chat or a plugin.
 * @throws PatchbayError TOOL_DENIED
 */
export function withoutHooks({ caller, turnId, tool }: ToolRequest): CallBus {
  if (caller.kind === "owner" && turnId === null) return nobody;
  throw new PatchbayError("TOOL_DENIED", `Only the owner may call ${tool} without its hooks, by hand.`);
}
