import type { IncomingMessage, ServerResponse } from "node:http";
import { PatchbayError } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { WebhookRequest, WebhookResponse } from "../runtimes/plugin-call.ts";
import { commonHeaders } from "./answer.ts";

export type WebhookHandler = (
  agentId: string,
  namespace: string,
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<WebhookResponse>;

const maxBodyBytes = 1024 * 1024;
const perMinute = 60;
const mostChannels = 1_000;

/** `POST /api/agents/:agentId/channels/:namespace/webhook`: size- and rate-limited before a plugin sees anything. */
export class Webhooks {
  private readonly handle: WebhookHandler;
  private readonly clock: Pick<Clock, "ticks">;
  private readonly windows = new Map<string, { startedAt: number; count: number }>();

  constructor(handle: WebhookHandler, clock: Pick<Clock, "ticks"> = systemClock) {
    this.handle = handle;
    this.clock = clock;
  }

  /** The channel that a path addresses, if it is a webhook's. */
  match(pathname: string): { agentId: string; namespace: string } | undefined {
    const found = /^\/api\/agents\/([a-z0-9-]{1,64})\/channels\/([a-z0-9_-]{1,64})\/webhook$/.exec(pathname);
    return found ? { agentId: found[1] as string, namespace: found[2] as string } : undefined;
  }

  /** @throws PatchbayError PAYLOAD_TOO_LARGE, RATE_LIMITED, FORBIDDEN, and what the pool throws */
  async serve(
    channel: { agentId: string; namespace: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method !== "POST") throw new PatchbayError("NOT_FOUND", "A webhook answers to POST alone.");
    if (request.headers.origin !== undefined)
      throw new PatchbayError("FORBIDDEN", "A web page may not call a webhook.");
    this.countOne(`${channel.agentId}/${channel.namespace}`);
    const rawBody = await readBody(request);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = await this.handle(
      channel.agentId,
      channel.namespace,
      { headers: headersOf(request), rawBody },
      gone.signal,
    );
    response.writeHead(answer.status, { ...commonHeaders, ...answer.headers });
    response.end(answer.body);
  }

  private countOne(channel: string): void {
    const now = this.clock.ticks();
    let window = this.windows.get(channel);
    if (!window || now - window.startedAt >= 60_000) {
      window = { startedAt: now, count: 0 };
      // Anybody can invent names of channels, so only `mostChannels` of them are counted; the oldest count is dropped
      // first.
      this.windows.delete(channel);
      this.windows.set(channel, window);
      if (this.windows.size > mostChannels) this.windows.delete(this.windows.keys().next().value as string);
    }
    window.count += 1;
    if (window.count > perMinute) {
      throw new PatchbayError(
        "RATE_LIMITED",
        `This channel gets more than ${perMinute} messages a minute; the rest is refused.`,
      );
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = () =>
    new PatchbayError("PAYLOAD_TOO_LARGE", `A webhook may carry at most ${maxBodyBytes / 1024} KiB.`);
  if (Number(request.headers["content-length"]) > maxBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
