import type { PluginContext } from "../manifest.ts";
import type { ChannelClock } from "./clock.ts";
import type { ConnectionStatus } from "./supervisor.ts";

export interface ChannelStateParts {
  ctx: Pick<PluginContext, "reportRuntimeState" | "reportRuntimeError">;
  clock: ChannelClock;
  redact(text: string): string;
  /** The platform's name, used in sentences. */
  name: string;
  queue(): { in: number; out: number };
}

/** Reports the state of a channel for the plugin page, and a sentence when something is wrong. */
export class ChannelState {
  readonly #parts: ChannelStateParts;
  #connections = 0;
  #received = 0;
  #sent = 0;
  #connectionError: string | null = null;
  #storageError: string | null = null;
  #deliveryError: string | null = null;
  #agentError: string | null = null;
  #trouble: string | null = null;
  #credentialsRefused = false;

  constructor(parts: ChannelStateParts) {
    this.#parts = parts;
  }

  status(status: ConnectionStatus): void {
    const { ctx, clock, redact, name } = this.#parts;
    const reason = "reason" in status && status.reason !== undefined ? redact(status.reason) : null;
    if (status.word === "connected") {
      this.#connections += 1;
      this.#connectionError = null;
      ctx.reportRuntimeState({
        status: status.word,
        reason: null,
        account: status.account,
        connectedSince: timeOf(clock),
        degradedSince: null,
        reconnects: this.#connections - 1,
      });
    } else {
      ctx.reportRuntimeState({
        status: status.word,
        reason,
        connectedSince: null,
        ...(status.word === "degraded" && { degradedSince: timeOf(clock) }),
      });
      if (status.word === "degraded") this.#connectionError = said(`${name} cannot be reached`, reason);
      if (status.word === "needs-login") this.#connectionError = said(`${name} refused the sign-in`, reason);
    }
    this.#credentialsRefused = status.word === "needs-login";
    this.#report();
  }

  storage(sentence: string | null): void {
    if (sentence === this.#storageError) return;
    this.#storageError = sentence;
    this.#report();
  }

  trouble(sentence: string | null): void {
    this.#trouble = sentence === null ? null : this.#parts.redact(sentence);
    this.#report();
  }

  received(): void {
    this.#received += 1;
    this.#parts.ctx.reportRuntimeState({ received: this.#received, lastIn: timeOf(this.#parts.clock) });
  }

  sent(): void {
    this.#sent += 1;
    this.#parts.ctx.reportRuntimeState({ sent: this.#sent, lastOut: timeOf(this.#parts.clock) });
    if (this.#deliveryError !== null) {
      this.#deliveryError = null;
      this.#report();
    }
  }

  givenUp(reason: string): void {
    this.#deliveryError = `A message could not be delivered: ${this.#parts.redact(reason)}`;
    this.#report();
  }

  /** @param failure why the agent could not answer; null when it has answered */
  asked(failure: string | null): void {
    const sentence = failure && `A message could not be answered: ${this.#parts.redact(failure)}`;
    if (sentence === this.#agentError) return;
    this.#agentError = sentence;
    this.#report();
  }

  queue(): void {
    this.#parts.ctx.reportRuntimeState({ queue: this.#parts.queue() });
  }

  #report(): void {
    const sentence =
      this.#connectionError ?? this.#storageError ?? this.#deliveryError ?? this.#agentError ?? this.#trouble;
    const credentialsRefused = this.#credentialsRefused;
    this.#parts.ctx.reportRuntimeError(sentence, credentialsRefused ? { credentialsRefused } : undefined);
  }
}

/** A sentence about a problem: the reason alone when it is a whole sentence, else `what: reason`. */
function said(what: string, reason: string | null): string {
  return reason !== null && /^[A-Z].*\.$/s.test(reason) ? reason : `${what}: ${reason}`;
}

const timeOf = (clock: ChannelClock) => new Date(clock.now()).toISOString();
