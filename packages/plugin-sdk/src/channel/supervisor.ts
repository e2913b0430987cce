import { type ChannelClock, pause, within } from "./clock.ts";
import { ChannelFailure, failureOf } from "./failure.ts";
import type { ChannelPort, ChannelTransport } from "./transport.ts";

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** After this many milliseconds without a connection, the waits between tries may become as long as LONG_WAIT_MS. */
const LONG_OUTAGE_MS = 10 * 60_000;
const LONG_WAIT_MS = 5 * 60_000;
/** Waits after a failure that mostly somebody has to mend elsewhere: from one minute to one hour. */
const FIRST_GRAVE_MS = 60_000;
const LAST_GRAVE_MS = 60 * 60_000;
const CONNECT_MS = 60_000;
/**
 * Milliseconds to wait until a connection is closed. Some libraries never report the end of a connection that was not
 * established.
 */
const CLOSE_MS = 3_000;
/** Milliseconds that a connection must last to count as a success: some servers accept one and close it at once. */
const PROVEN_MS = 10_000;
const PING_EVERY_MS = 60_000;
const PING_MS = 20_000;

export type ConnectionStatus =
  | { word: "connecting" }
  | { word: "connected"; account: string }
  | { word: "degraded"; reason: string }
  | { word: "needs-login"; reason: string }
  | { word: "stopped" };

export interface SupervisorParts {
  transport: ChannelTransport;
  port: Omit<ChannelPort, "lost" | "degraded">;
  clock: ChannelClock;
  signal: AbortSignal;
  onStatus(status: ConnectionStatus): void;
}

/**
 * Keeps the transport connected for as long as the channel runs. Waits between tries grow and have a random part; only
 * where the platform refuses the credentials, nothing is tried until the person signs in again.
 */
export class Supervisor {
  readonly #parts: SupervisorParts;
  #connected = Promise.withResolvers<void>();
  #isConnected = false;
  #lose: ((failure: ChannelFailure) => void) | undefined;
  #account = "";
  /** Start of the present time without a connection, in milliseconds. */
  #outageSince: number;
  #failures = 0;
  /** How often it failed for a reason that somebody has to mend elsewhere. */
  #grave = 0;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#outageSince = parts.clock.now();
    parts.signal.addEventListener("abort", () => this.#connected.resolve(), { once: true });
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves when there is a connection, or when the channel stops. */
  connected(): Promise<void> {
    return this.#parts.signal.aborted ? Promise.resolve() : this.#connected.promise;
  }

  /** To be called when a call failed for a reason that concerns the connection. */
  report(failure: ChannelFailure): void {
    if (failure.kind === "credentials" || failure.kind === "fatal") this.#lose?.(failure);
  }

  /**
   * Runs until the channel stops or the platform refuses the credentials. The connection is closed when the promise
   * resolves. Never rejects.
   */
  async run(): Promise<void> {
    const { clock, signal } = this.#parts;
    while (!signal.aborted) {
      this.#parts.onStatus({ word: "connecting" });
      const failure = await this.#connectAndHold();
      this.#disconnected();
      await this.#close();
      if (signal.aborted) return;
      if (failure.kind === "credentials") {
        this.#parts.onStatus({ word: "needs-login", reason: failure.message });
        return;
      }
      this.#parts.onStatus({ word: "degraded", reason: failure.message });
      await pause(clock, this.#nextWait(failure), signal);
    }
  }

  /** Closes the connection, if there is one. Never rejects. */
  async #close(): Promise<void> {
    const { transport, clock } = this.#parts;
    const late = () => new ChannelFailure("offline", "The end of the connection took too long.");
    await within(clock, CLOSE_MS, transport.close(), late).catch(() => {});
  }

  /** Connects, and resolves with the reason when connecting failed or the connection ended. */
  async #connectAndHold(): Promise<ChannelFailure> {
    const { transport, clock, signal } = this.#parts;
    const attempt = new AbortController();
    const ended = Promise.withResolvers<ChannelFailure>();
    const onStop = () => ended.resolve(new ChannelFailure("offline", "The channel stops."));
    signal.addEventListener("abort", onStop, { once: true });
    this.#lose = ended.resolve;
    let stopPings = () => {};
    try {
      const connecting = transport.connect(
        this.#port(ended.resolve),
        AbortSignal.any([signal, attempt.signal]),
      );
      const late = () =>
        new ChannelFailure("offline", "The server accepted the connection and then said nothing.");
      const first = await Promise.race([within(clock, CONNECT_MS, connecting, late), ended.promise]);
      if (first instanceof ChannelFailure) return first;
      this.#up(first.account);
      stopPings = this.#keepPinging(ended.resolve);
      const since = clock.now();
      const failure = await ended.promise;
      if (clock.now() - since >= PROVEN_MS) this.#failures = this.#grave = 0;
      return failure;
    } catch (error) {
      return failureOf(error);
    } finally {
      attempt.abort();
      stopPings();
      this.#lose = undefined;
      signal.removeEventListener("abort", onStop);
    }
  }

  #port(lose: (failure: ChannelFailure) => void): ChannelPort {
    return {
      ...this.#parts.port,
      lost: (reason) => lose(failureOf(reason)),
      degraded: (reason) => {
        if (reason === null) this.#up(this.#account);
        else {
          this.#disconnected();
          this.#parts.onStatus({ word: "degraded", reason });
        }
      },
    };
  }

  #up(account: string): void {
    this.#account = account;
    this.#isConnected = true;
    this.#connected.resolve();
    this.#parts.onStatus({ word: "connected", account });
  }

  #disconnected(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#outageSince = this.#parts.clock.now();
    this.#connected = Promise.withResolvers();
  }

  #nextWait(failure: ChannelFailure): number {
    const { clock } = this.#parts;
    const spread = 0.75 + clock.random() / 2;
    if (failure.kind === "fatal") {
      const wait = Math.min(FIRST_GRAVE_MS * 2 ** this.#grave, LAST_GRAVE_MS);
      this.#grave = Math.min(this.#grave + 1, 30);
      return wait * spread;
    }
    const long = clock.now() - this.#outageSince > LONG_OUTAGE_MS;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, long ? LONG_WAIT_MS : LAST_WAIT_MS);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(wait * spread, failure.retryAfterMs ?? 0);
  }

  #keepPinging(lose: (failure: ChannelFailure) => void): () => void {
    const { transport, clock } = this.#parts;
    if (!transport.ping) return () => {};
    const ping = () => transport.ping?.() ?? Promise.resolve();
    let callOff = () => {};
    let stopped = false;
    const next = () => {
      if (stopped) return;
      callOff = clock.after(PING_EVERY_MS, async () => {
        const late = () => new ChannelFailure("offline", "The server stopped answering.");
        try {
          // No ping while the library is reconnecting by itself, because it would disturb that.
          if (this.#isConnected) await within(clock, PING_MS, ping(), late);
        } catch (error) {
          if (this.#isConnected) return lose(failureOf(error));
        }
        next();
      });
    };
    next();
    return () => {
      stopped = true;
      callOff();
    };
  }
}
