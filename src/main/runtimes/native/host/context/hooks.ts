import {
  agentEventShapes,
  type HookCall,
  isAgentEventName,
  type SubscribeOptions,
} from "@patchbay/plugin-sdk";
import type { HookInfo } from "../../../../../contract/index.ts";
import { HostError } from "../../../hosted/node/host-error.ts";

type Handler = (payload: unknown, call: HookCall) => unknown;

const MAX_SUBSCRIPTIONS = 1_000;

/** The subscriptions of one instance, limited to the events that its manifest declares. */
export class Hooks {
  readonly #declared: readonly string[];
  readonly #defaultTimeoutMs: number;
  readonly #changed: () => void;
  readonly #subscriptions = new Map<string, { info: HookInfo; handler: Handler }>();
  #nextId = 1;

  /** @param changed called after each subscribe and unsubscribe */
  constructor(declared: readonly string[], defaultTimeoutMs: number, changed: () => void) {
    this.#declared = declared;
    this.#defaultTimeoutMs = defaultTimeoutMs;
    this.#changed = changed;
  }

  /** @throws HostError EVENT_UNKNOWN when the event does not exist or is not declared in `hooks.events` */
  on(event: string, handler: unknown, options: SubscribeOptions = {}): () => void {
    if (!isAgentEventName(event)) {
      throw new HostError("EVENT_UNKNOWN", `There is no agent event named \`${event}\`.`);
    }
    if (!this.#declared.includes(event)) {
      throw new HostError(
        "EVENT_UNKNOWN",
        `The plugin subscribes to \`${event}\` but does not declare it in \`hooks.events\`.`,
      );
    }
    if (typeof handler !== "function") {
      throw new HostError("EVENT_UNKNOWN", `The handler for \`${event}\` is not a function.`);
    }
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new HostError("EVENT_UNKNOWN", `The plugin subscribes more than ${MAX_SUBSCRIPTIONS} times.`);
    }
    const id = `h${this.#nextId++}`;
    const info: HookInfo = {
      id,
      event,
      priority: finite(options.priority, 100),
      timeoutMs: Math.max(1, finite(options.timeoutMs, this.#defaultTimeoutMs)),
      failureMode: options.failureMode ?? (agentEventShapes[event] === "veto" ? "fail" : "skip"),
    };
    this.#subscriptions.set(id, { info, handler: handler as Handler });
    this.#changed();
    return () => {
      if (this.#subscriptions.delete(id)) this.#changed();
    };
  }

  list(): HookInfo[] {
    return Array.from(this.#subscriptions.values(), ({ info }) => info);
  }

  /** @throws HostError EVENT_UNKNOWN when the subscription ended in the meantime */
  run(hookId: string, payload: unknown, call: HookCall): unknown {
    const subscription = this.#subscriptions.get(hookId);
    if (!subscription) throw new HostError("EVENT_UNKNOWN", "The plugin has unsubscribed in the meantime.");
    return subscription.handler(payload, call);
  }
}

function finite(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}
