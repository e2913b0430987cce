import { type ChannelClock, ChannelFailure, within } from "@patchbay/plugin-sdk/channel";
import { LogLevel, SocketModeClient } from "@slack/socket-mode";
import { credentialsFailure, slackFailure } from "./errors.ts";

export interface Envelope {
  type: string;
  body: unknown;
  /** Tells Slack that the message is stored. Without this, Slack delivers it again. */
  acknowledge(): Promise<void>;
}

export interface SocketParts {
  appToken: string;
  slackApiUrl: string;
  clock: ChannelClock;
  onEnvelope(envelope: Envelope): void;
  onLost(reason: ChannelFailure): void;
}

/** Milliseconds until Slack must have said hello. */
const HELLO_MS = 20_000;
const REQUEST_MS = 15_000;

/** A client that asks its owner before it closes, when Slack asks it to. */
class PoliteClient extends SocketModeClient {
  onFarewell: (reason: string) => void = () => {};
  /** The reason Slack gave, when it asked the client to close before it was in use. */
  farewell: string | null = null;

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const frame = isBinary || typeof data !== "string" ? null : parse(data);
    if (frame?.type === "disconnect") this.onFarewell(String(frame.reason));
    // The library fails on payloads without an inner event, and a few have none.
    else if (frame?.type !== "events_api" || hasEvent(frame.payload)) {
      await super.onWebSocketMessage(data, isBinary);
    }
  }
}

/**
 * The connection of Socket Mode. Slack renews it every few hours: the new connection opens before the old one closes,
 * so that no message is lost. After any other end the toolkit makes a new one.
 */
export class SlackSocket {
  readonly #parts: SocketParts;
  #client: PoliteClient | null = null;
  #closed = false;

  constructor(parts: SocketParts) {
    this.#parts = parts;
  }

  /** Resolves when Slack has said hello. */
  async open(): Promise<void> {
    this.#use(await this.#greeted());
  }

  close(): void {
    this.#closed = true;
    if (this.#client) leave(this.#client);
    this.#client = null;
  }

  async #greeted(): Promise<PoliteClient> {
    const { appToken, slackApiUrl, clock, onEnvelope } = this.#parts;
    const client = new PoliteClient({
      appToken,
      autoReconnectEnabled: false,
      logger: silentLogger(),
      clientOptions: {
        slackApiUrl,
        retryConfig: { retries: 0 },
        timeout: REQUEST_MS,
        rejectRateLimitedCalls: true,
      },
    });
    client.onFarewell = (reason) => void this.#farewell(client, reason);
    client.on("slack_event", ({ type, body, ack }: { type: string; body: unknown; ack(): Promise<void> }) =>
      onEnvelope({ type, body, acknowledge: ack }),
    );
    const late = () => new ChannelFailure("offline", "Slack opened the connection and then said nothing.");
    const started = client.start();
    started.catch(() => {});
    try {
      await within(clock, HELLO_MS, started, late);
    } catch (error) {
      leave(client);
      throw error === undefined
        ? new ChannelFailure("offline", "Slack closed the connection at once.")
        : slackFailure(error);
    }
    client.on("disconnected", () => {
      if (client === this.#client && !this.#closed)
        this.#lost(new ChannelFailure("offline", "Slack closed the connection."));
    });
    return client;
  }

  #use(client: PoliteClient): void {
    if (this.#closed) {
      leave(client);
      return;
    }
    this.#client = client;
    if (client.farewell !== null) void this.#farewell(client, client.farewell);
  }

  async #farewell(old: PoliteClient, reason: string): Promise<void> {
    if (old !== this.#client || this.#closed) {
      old.farewell = reason;
      return;
    }
    if (reason === "link_disabled") {
      return this.#lost(
        new ChannelFailure(
          "fatal",
          "Socket Mode was switched off in the settings of the Slack app. Switch it on again.",
        ),
      );
    }
    try {
      this.#use(await this.#greeted());
      leave(old);
    } catch (error) {
      this.#lost(slackFailure(error));
    }
  }

  #lost(reason: ChannelFailure): void {
    this.close();
    this.#parts.onLost(reason);
  }
}

/** The tokens that an event says are no good any more; null: it says nothing of the kind. */
export function revocationIn(event: { type: string; tokens?: { bot?: string[] } }): ChannelFailure | null {
  if (event.type === "app_uninstalled") return credentialsFailure("app_uninstalled");
  return event.type === "tokens_revoked" && event.tokens?.bot?.length
    ? credentialsFailure("token_revoked")
    : null;
}

function leave(client: PoliteClient): void {
  client.onFarewell = () => {};
  client.removeAllListeners("slack_event");
  client.removeAllListeners("disconnected");
  // Not awaited, because it may take until Slack has answered.
  void client.disconnect().catch(() => {});
}

function hasEvent(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "event" in payload;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/**
 * A logger that discards everything: the library logs addresses with secret tickets in them. What matters is reported
 * through the channel.
 */
export function silentLogger() {
  return {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: () => {},
    setLevel: () => {},
    getLevel: () => LogLevel.ERROR,
    setName: () => {},
  };
}
