import { PatchbayError } from "../../../contract/index.ts";
import { scopeOutsideTurns } from "../../runtimes/plugin-call.ts";
import type { AgentPool, AuditSink, LimitSource } from "../ports.ts";
import type { Conversations } from "./conversations.ts";

export interface TestMessagesOptions {
  pool: Pick<AgentPool, "call">;
  settings: LimitSource;
  audit: AuditSink;
}

/** How many messages of a channel are looked through for somebody who can be written to. */
const LATELY = 200;

/** Messages that the owner sends through a channel to see whether it works. */
export class TestMessages {
  readonly #options: TestMessagesOptions;
  readonly #conversations: Conversations;

  constructor(options: TestMessagesOptions, conversations: Conversations) {
    this.#options = options;
    this.#conversations = conversations;
  }

  /**
   * Sends a message of the owner; without `to`, into the conversation that was used last. It is noted there.
   *
   * @throws PatchbayError BAD_INPUT when nobody can be found to send it to, PLUGIN_NOT_RUNNING, MESSAGE_NOT_SENT
   */
  async send(
    agentId: string,
    key: string,
    message: { to?: string | undefined; text?: string | undefined },
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ to: string; text: string }> {
    const { pool, settings, audit } = this.#options;
    const { text = "This is a test message from Patchbay." } = message;
    const { conversations } = await this.#conversations.traffic(agentId, key, LATELY, false);
    const to = message.to ?? conversations.find(({ closed }) => !closed)?.conversation;
    if (to === undefined) {
      throw new PatchbayError("BAD_INPUT", "Nobody has written through this channel yet.", {
        help: "Write to it first, or say where the message goes.",
      });
    }
    const sessionId = conversations.find(({ conversation }) => conversation === to)?.sessionId ?? "";
    const { success, error } = await pool.call(
      agentId,
      key,
      { kind: "send", message: { sessionId, to, text } },
      scopeOutsideTurns(signal, settings.get().limits.toolMs),
    );
    audit.record({ kind: "channel.test_message", agentId, pluginKey: key, to, success });
    if (!success) {
      const why = error ? `: ${error.replace(/\.$/, "")}` : "";
      throw new PatchbayError("MESSAGE_NOT_SENT", `The message was not sent${why}.`);
    }
    await this.#conversations.noteSent(agentId, key, to, text);
    return { to, text };
  }
}
