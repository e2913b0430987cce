import type { IncomingMessage, ServerResponse } from "node:http";
import type { ChannelAnswer } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { ChannelPrompt } from "../../runtimes/runtime.ts";
import { sendJson } from "../answer.ts";
import type { ChannelIdentity, ChannelTokens } from "./channel-tokens.ts";
import { SessionEvents } from "./session-events.ts";

/** Runs a turn for a message that came in through a channel. */
export type PromptFromChannel = (
  agentId: string,
  pluginKey: string,
  prompt: ChannelPrompt,
) => Promise<ChannelAnswer>;

export const agentApiPrefix = "/agent-api";
const maxBodyBytes = 1024 * 1024;
const maxConversations = 10_000;

const sessionBody = z.object({ sessionId: z.string().min(1).max(512) });
const messageBody = z.object({
  text: z.string().min(1).max(100_000),
  sender: z
    .object({ channel: z.string(), channelUserId: z.string().min(1), role: z.string().optional() })
    .optional(),
});

/**
 * What channels call that are given `agentBaseUrl` and a token instead of a typed client (specs/openhermit.md, section 7.4):
 * `POST /sessions`, `POST /sessions/:id/messages[?wait]`, `GET /sessions/:id/events`. A channel may speak for its own
 * namespace alone: session ids start with `<namespace>:` and `sender.channel` equals it.
 */
export class AgentApi {
  private readonly tokens: ChannelTokens;
  private readonly prompt: PromptFromChannel;
  private readonly events = new Map<string, SessionEvents>();
  private readonly closing = new AbortController();

  constructor(options: { tokens: ChannelTokens; prompt: PromptFromChannel }) {
    this.tokens = options.tokens;
    this.prompt = options.prompt;
  }

  /** @throws PatchbayError UNAUTHORIZED, FORBIDDEN, BAD_INPUT, NOT_FOUND, PAYLOAD_TOO_LARGE, and what the turn throws */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const found = /^\/agent-api\/([a-z0-9-]{1,64})\/sessions(?:\/([^/]+)\/(messages|events))?$/.exec(
      url.pathname,
    );
    if (!found) throw new PatchbayError("NOT_FOUND", `Nothing answers to ${request.method} ${url.pathname}.`);
    const channel = this.identify(request, found[1] as string);
    const action = `${request.method} ${found[3] ?? "sessions"}`;
    if (action === "POST sessions") {
      const { sessionId } = await readBody(request, sessionBody);
      checkNamespace(channel, sessionId);
      return sendJson(response, 200, { sessionId });
    }
    const sessionId = found[2] === undefined ? "" : decodeURIComponent(found[2]);
    if (action === "POST messages")
      return this.receive(channel, sessionId, url.searchParams.has("wait"), request, response);
    if (action === "GET events") {
      checkNamespace(channel, sessionId);
      const last = Number(request.headers["last-event-id"] ?? url.searchParams.get("lastEventId") ?? 0);
      return this.eventsOf(channel, sessionId).follow(response, Number.isSafeInteger(last) ? last : 0);
    }
    throw new PatchbayError("NOT_FOUND", `Nothing answers to ${request.method} ${url.pathname}.`);
  }

  /** Aborts the turns that run for channels. */
  close(): void {
    this.closing.abort();
  }

  private identify(request: IncomingMessage, agentId: string): ChannelIdentity {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const channel = token === undefined ? undefined : this.tokens.identify(token);
    if (!channel)
      throw new PatchbayError(
        "UNAUTHORIZED",
        "This address needs the token that the channel was given at its start.",
      );
    if (channel.agentId !== agentId)
      throw new PatchbayError("FORBIDDEN", `The channel ${channel.pluginKey} belongs to another agent.`);
    return channel;
  }

  private async receive(
    channel: ChannelIdentity,
    sessionId: string,
    wait: boolean,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    checkNamespace(channel, sessionId);
    const { text, sender } = await readBody(request, messageBody);
    if (sender && sender.channel !== channel.namespace)
      throw new PatchbayError(
        "FORBIDDEN",
        `sender.channel must be ${channel.namespace}, the channel's own name.`,
      );
    const header = request.headers["x-channel-user-id"];
    const userId = sender?.channelUserId ?? (typeof header === "string" ? header : sessionId);
    const turn = this.run(channel, sessionId, {
      conversation: sessionId,
      userId,
      role: sender?.role,
      text,
      signal: this.closing.signal,
    });
    if (wait) {
      const answer = await turn;
      return sendJson(response, 200, { sessionId, triggered: true, text: answer.text });
    }
    // Whoever does not wait hears of a failure through the event stream.
    turn.catch(() => {});
    return sendJson(response, 202, { sessionId, triggered: true });
  }

  private async run(
    channel: ChannelIdentity,
    sessionId: string,
    prompt: ChannelPrompt,
  ): Promise<{ text: string }> {
    const events = this.eventsOf(channel, sessionId);
    events.add("agent_start");
    try {
      const answer = await this.prompt(channel.agentId, channel.pluginKey, {
        ...prompt,
        onDelta: (text) => events.add("text_delta", { text }),
      });
      events.add("text_final", { text: answer.text });
      return answer;
    } catch (error) {
      events.add("error", { message: toProblem(error).message });
      throw error;
    } finally {
      events.add("agent_end");
    }
  }

  private eventsOf(channel: ChannelIdentity, sessionId: string): SessionEvents {
    const name = `${channel.agentId}/${channel.pluginKey}/${sessionId}`;
    let events = this.events.get(name);
    if (!events) {
      events = new SessionEvents(sessionId);
      this.events.set(name, events);
      if (this.events.size > maxConversations) this.events.delete(this.events.keys().next().value as string);
    }
    return events;
  }
}

function checkNamespace(channel: ChannelIdentity, sessionId: string): void {
  if (sessionId.startsWith(`${channel.namespace}:`)) return;
  throw new PatchbayError(
    "FORBIDDEN",
    `A conversation of this channel is named ${channel.namespace}:<id>, not ${sessionId}.`,
  );
}

async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes)
      throw new PatchbayError("PAYLOAD_TOO_LARGE", `A message may carry at most ${maxBodyBytes / 1024} KiB.`);
    chunks.push(chunk);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new PatchbayError("BAD_INPUT", "The body is not JSON.");
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new PatchbayError(
    "BAD_INPUT",
    `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "wrong shape"}.`,
  );
}
