import { PatchbayError } from "../../../contract/index.ts";
import type { Channels } from "../../agents/index.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { SettingsStore } from "../../registry/index.ts";
import { scopeOutsideTurns } from "../../runtimes/plugin-call.ts";
import type { AuditLog } from "../../store/index.ts";

export interface MessageNeeds {
  pool: Pick<PluginPool, "call">;
  conversations: Pick<Channels["conversations"], "traffic" | "noteSent">;
  audit: Pick<AuditLog, "record">;
  settings: Pick<SettingsStore, "get">;
}

/**
 * Sends a message of the owner through a channel.
 * @throws PatchbayError BAD_INPUT when nobody can be found to send it to, PLUGIN_NOT_RUNNING, MESSAGE_NOT_SENT
 */
export async function sendTestMessage(
  { pool, conversations: known, audit, settings }: MessageNeeds,
  agentId: string,
  key: string,
  {
    to,
    text = "This is a test message from Patchbay.",
  }: { to?: string | undefined; text?: string | undefined },
  signal: AbortSignal = new AbortController().signal,
): Promise<{ to: string; text: string }> {
  const { conversations } = await known.traffic(agentId, key, 200, false);
  const target = to ?? conversations.find(({ closed }) => !closed)?.conversation;
  if (target === undefined) {
    throw new PatchbayError("BAD_INPUT", "Nobody has written through this channel yet.", {
      help: "Write to it first, or say where the message goes.",
    });
  }
  const sessionId = conversations.find(({ conversation }) => conversation === target)?.sessionId ?? "";
  const { success, error } = await pool.call(
    agentId,
    key,
    { kind: "send", message: { sessionId, to: target, text } },
    scopeOutsideTurns(signal, settings.get().limits.toolMs),
  );
  audit.record({ kind: "channel.test_message", agentId, pluginKey: key, to: target, success });
  if (!success) {
    const why = error ? `: ${error.replace(/\.$/, "")}` : "";
    throw new PatchbayError("MESSAGE_NOT_SENT", `The message was not sent${why}.`);
  }
  await known.noteSent(agentId, key, target, text);
  return { to: target, text };
}
