import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { PatchbayError, toProblem } from "../../../contract/index.ts";
import type { TurnAnswer } from "../../agents/channels/answers.ts";
import type { LiveSession } from "../../agents/sessions/session.ts";
import { type PausableLimit, within } from "../../base/limit.ts";
import { sendJson } from "../answer.ts";
import { checkNamespace, decodePart, nothingAt } from "./address.ts";
import { attachmentOf, sendBytes, upload } from "./attachments.ts";
import { readJson } from "./body.ts";
import { ChannelEvents } from "./channel-events.ts";
import type { ChannelIdentity } from "./channel-tokens.ts";
import { channelMessageOf, type MessageBody, messageBody } from "./messages.ts";
import type { AgentApiTarget } from "./ports.ts";
import type { SessionEvents } from "./session-events.ts";
import { history, listed, sessionBody } from "./sessions.ts";
import { attachmentEvents, channelEventOf } from "./turn-events.ts";
import { VoiceApi } from "./voice.ts";

export const agentApiPrefix = "/agent-api";
const maxBodyBytes = 1024 * 1024;
/** Most bytes of a message whose attachments are in it, in base64. */
const maxMessageBytes = 48 * 1024 * 1024;

const approveBody = z.object({ toolCallId: z.string(), approved: z.boolean() });
const reviewBody = z.looseObject({ decision: z.enum(["approved", "rejected"]) });
const checkpointBody = z.looseObject({ reason: z.string().optional() });

/** One request of a channel. */
interface Exchange {
  channel: ChannelIdentity;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

/**
 * The HTTP interface for channel packages that get `agentBaseUrl` and a token instead of a typed client
 * (specs/openhermit.md, section 7.4). A channel may speak only for its own namespace: its session ids start with
 * `<namespace>:`, and `sender.channel` equals the namespace.
 * Written by hand instead of with hono: finding the route takes 3 instead of 63 µs a request and adds no start time
 * (hono: 132 ms), and slow readers are cut off through Node's own response, which hono hides.
 */
export class AgentApi {
  private readonly target: AgentApiTarget;
  private readonly events = new ChannelEvents();
  private readonly closing = new AbortController();
  private readonly voice: VoiceApi;

  constructor(target: AgentApiTarget) {
    this.target = target;
    this.voice = new VoiceApi(target, this.closing.signal);
  }

  /** @throws PatchbayError UNAUTHORIZED, FORBIDDEN, BAD_INPUT, NOT_FOUND, PAYLOAD_TOO_LARGE, RATE_LIMITED, and what the turn throws */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const found = /^\/agent-api\/([a-z0-9-]{1,64})\/(.+)$/.exec(url.pathname);
    if (!found) throw nothingAt(request, url);
    const channel = this.identify(request, found[1] as string);
    const parts = (found[2] as string).split("/").map(decodePart);
    const exchange = { channel, request, response, url };
    const [area, id, ...rest] = parts;
    if (area === "sessions" && id === undefined) return this.sessions(exchange);
    if (area === "sessions" && id !== undefined) {
      checkNamespace(channel, id);
      return this.conversation(exchange, id, rest);
    }
    if (area === "approvals" && request.method === "POST") return this.review(exchange, parts);
    if (area === "voice") return this.voice.serve(exchange, id);
    throw nothingAt(request, url);
  }

  /** Stops the turns that run for channels of this kind. */
  close(): void {
    this.closing.abort();
  }

  private identify(request: IncomingMessage, agentId: string): ChannelIdentity {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const channel = token === undefined ? undefined : this.target.tokens.identify(token);
    if (!channel || !this.target.isLive(channel.agentId, channel.pluginKey))
      throw new PatchbayError(
        "UNAUTHORIZED",
        "This address needs the token that the channel was given at its start.",
      );
    if (channel.agentId !== agentId)
      throw new PatchbayError("FORBIDDEN", `The channel ${channel.pluginKey} belongs to another agent.`);
    return channel;
  }

  private async sessions({ channel, request, response, url }: Exchange): Promise<void> {
    const { agentId, pluginKey, namespace } = channel;
    if (request.method === "GET") {
      const sessions = await this.target.desk.conversations.list(agentId, pluginKey);
      const lastId = (conversation: string) => this.events.lastIdOf(channel, conversation);
      return sendJson(response, 200, listed(sessions, namespace, url.searchParams, lastId));
    }
    if (request.method !== "POST") throw nothingAt(request, url);
    const { sessionId, source, metadata } = await readJson(request, sessionBody, maxBodyBytes);
    checkNamespace(channel, sessionId);
    await this.target.desk.conversations.open(agentId, pluginKey, sessionId, {
      ...(metadata && { about: metadata }),
      ...(source?.type !== undefined && { group: source.type === "group" }),
    });
    return sendJson(response, 200, { sessionId });
  }

  private async conversation(exchange: Exchange, id: string, rest: string[]): Promise<void> {
    const { channel, request, response, url } = exchange;
    const [what, attachment, bytes] = rest;
    switch (`${request.method} ${what}`) {
      case "POST messages":
        return this.receive(exchange, id);
      case "GET messages":
        return sendJson(response, 200, history((await this.known(channel, id)).path));
      case "GET events": {
        const last = Number(request.headers["last-event-id"] ?? url.searchParams.get("lastEventId") ?? 0);
        return this.events.of(channel, id).follow(response, Number.isSafeInteger(last) ? last : 0);
      }
      case "POST checkpoint": {
        const { reason } = await readJson(request, checkpointBody, maxBodyBytes);
        // Everything is on disk at all times, so the other reasons for a checkpoint need nothing. A new conversation
        // ends the old one.
        if (reason === "new_session") await this.target.desk.end(channel.agentId, channel.pluginKey, id);
        return sendJson(response, 200, { checkpointed: true });
      }
      case "POST approve":
        return this.approve(exchange, id);
      case "POST attachments": {
        const session = await this.target.desk.conversations.open(channel.agentId, channel.pluginKey, id);
        return sendJson(response, 201, await upload(session, request, url));
      }
      case "GET attachments":
        if (bytes === "bytes" && attachment !== undefined)
          return sendBytes(response, await attachmentOf(await this.known(channel, id), attachment));
    }
    throw nothingAt(request, url);
  }

  private async receive(exchange: Exchange, sessionId: string): Promise<void> {
    const { channel, request, response, url } = exchange;
    const { agentId, pluginKey } = channel;
    const body = await readJson(request, messageBody, maxMessageBytes);
    const session = await this.target.desk.conversations.open(agentId, pluginKey, sessionId);
    const message = await channelMessageOf(
      body,
      session,
      sessionId,
      this.senderOf(channel, body, request, sessionId),
    );
    const isAsked = (name: string) => url.searchParams.has(name) && url.searchParams.get(name) !== "false";
    const isAppended = isAsked("append") || (body.mentioned === false && message.group);
    const inAgentsName = body.appendAs === "assistant";
    if (inAgentsName && !isAppended)
      throw new PatchbayError("BAD_INPUT", "What is written as the agent is appended, not answered.", {
        help: "Add ?append=true.",
      });
    if (isAppended) {
      const { desk } = this.target;
      await (inAgentsName
        ? desk.conversations.appendInAgentsName(agentId, pluginKey, message)
        : desk.conversations.append(agentId, pluginKey, message));
      return sendJson(response, 200, { sessionId, appended: true, triggered: false });
    }
    this.target.desk.check(agentId, pluginKey, message);
    const events = this.events.of(channel, sessionId);
    const run = () =>
      this.run(events, agentId, (onEvent, onDelta) =>
        this.target.desk.prompt(agentId, pluginKey, {
          ...message,
          onDelta,
          onEvent,
          signal: this.closing.signal,
        }),
      );
    if (isAsked("stream")) {
      events.follow(response, events.lastId, true);
      return void run().catch(() => {});
    }
    if (isAsked("wait")) {
      const { limits } = this.target;
      const watch = (limit: PausableLimit) =>
        limits.attach({ agentId, pluginKey, sessionId: session.id }, limit);
      const { text, silent } = await inTime(run(), Number(url.searchParams.get("timeout")), watch);
      return sendJson(response, 200, { sessionId, triggered: true, text, ...(silent && { silent }) });
    }
    // Whoever does not wait hears of a failure through the event stream.
    run().catch(() => {});
    const { messageId } = body;
    sendJson(response, 202, { sessionId, ...(messageId !== undefined && { messageId }), triggered: true });
  }

  private async run(
    events: SessionEvents,
    agentId: string,
    prompt: (
      onEvent: (event: Parameters<typeof channelEventOf>[0]) => void,
      onDelta: (text: string) => void,
    ) => Promise<TurnAnswer>,
  ): Promise<TurnAnswer> {
    const approvalOf = (id: string) => this.target.desk.approvals.find(agentId, (one) => one.id === id);
    events.add({ name: "agent_start", data: {} });
    try {
      const answer = await prompt(
        (event) => {
          const told = channelEventOf(event, approvalOf);
          if (told) events.add(told);
        },
        (text) => events.add({ name: "text_delta", data: { text } }),
      );
      for (const event of attachmentEvents(answer)) events.add(event);
      // Older packages recognise a silent answer by this mark.
      events.add({ name: "text_final", data: { text: answer.silent ? "<NO_REPLY>" : answer.text } });
      return answer;
    } catch (error) {
      events.add({ name: "error", data: { message: toProblem(error).message } });
      throw error;
    } finally {
      events.add({ name: "agent_end", data: {} });
    }
  }

  private async approve({ channel, request, response }: Exchange, sessionId: string): Promise<void> {
    const { toolCallId, approved } = await readJson(request, approveBody, maxBodyBytes);
    const session = await this.known(channel, sessionId);
    const approval = this.target.desk.approvals.find(
      channel.agentId,
      (one) => one.sessionId === session.id && one.toolCallId === toolCallId,
    );
    if (!approval) throw new PatchbayError("APPROVAL_NOT_FOUND", "No such call waits in this conversation.");
    const { outcome } = await this.decide(channel, request, approval.id, approved);
    return sendJson(response, 200, { resolved: outcome === (approved ? "allowed" : "refused"), outcome });
  }

  /** `/approvals/:id/review` and `/approvals/by-short/:number/review`. */
  private async review({ channel, request, response, url }: Exchange, parts: string[]): Promise<void> {
    const [, first, second, third] = parts;
    const id = first === "by-short" ? second : first;
    const last = first === "by-short" ? third : second;
    if (id === undefined || last !== "review") throw nothingAt(request, url);
    const { decision } = await readJson(request, reviewBody, maxBodyBytes);
    const { outcome } = await this.decide(channel, request, id, decision === "approved");
    const status = { allowed: "approved", refused: "rejected", expired: "expired", cancelled: "expired" }[
      outcome
    ];
    return sendJson(response, 200, { id, status, outcome });
  }

  private decide(
    { agentId, pluginKey }: ChannelIdentity,
    request: IncomingMessage,
    id: string,
    allow: boolean,
  ) {
    const header = request.headers["x-channel-user-id"];
    const userId = typeof header === "string" ? header : "Somebody without an id";
    return this.target.desk.approvals.review(agentId, pluginKey, {
      request: id,
      decision: allow ? "allow" : "refuse",
      userId,
    });
  }

  private senderOf(
    { namespace }: ChannelIdentity,
    { sender }: MessageBody,
    request: IncomingMessage,
    sessionId: string,
  ): { userId: string; role: string | undefined } {
    if (sender && sender.channel !== namespace)
      throw new PatchbayError("FORBIDDEN", `sender.channel must be ${namespace}, the channel's own name.`);
    const header = request.headers["x-channel-user-id"];
    const userId = sender?.channelUserId ?? (typeof header === "string" && header ? header : sessionId);
    return { userId, role: sender?.role };
  }

  private async known({ agentId, pluginKey }: ChannelIdentity, conversation: string): Promise<LiveSession> {
    const session = await this.target.desk.conversations.lookUp(agentId, pluginKey, conversation);
    if (session) return session;
    throw new PatchbayError("SESSION_NOT_FOUND", `There is no conversation ${conversation}.`);
  }
}

/**
 * The answer of a turn; rejects with TURN_LIMIT after `limitMs` milliseconds, while the turn goes on. 0 or less: no
 * limit. While the turn stands still at a breakpoint, so does the time.
 */
function inTime(
  answer: Promise<TurnAnswer>,
  limitMs: number,
  watch: (limit: PausableLimit) => () => void,
): Promise<TurnAnswer> {
  const late = () =>
    new PatchbayError("TURN_LIMIT", `The answer took longer than ${limitMs} ms; the turn goes on.`);
  return within({ ms: limitMs > 0 ? limitMs : Number.POSITIVE_INFINITY, late, watch }, () => answer);
}
