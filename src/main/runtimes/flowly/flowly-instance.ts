import { PatchbayError } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { TranslatedInstance } from "../hosted/foreign/translated-instance.ts";
import type { HostedInstance } from "../hosted/hosted-instance.ts";
import type { CallOf, CallResults, CallScope } from "../plugin-call.ts";
import type { FiringEvent, FlowlyEvent } from "./hooks/event-map.ts";
import { firedAt } from "./hooks/event-map.ts";
import { callHooks, type HookWorld } from "./hooks/hook-calls.ts";
import { readHookAnswer } from "./hooks/host-answer.ts";

/** Most conversations of which an instance remembers that they have begun. */
const MOST_SESSIONS = 10_000;

const firing: ReadonlySet<string> = new Set(Object.values(firedAt).flat());

/** A started plugin of Flowly: its host, and between the agent's events and Flowly's hooks a translation. */
export class FlowlyInstance extends TranslatedInstance {
  readonly #world: Omit<HookWorld, "fire">;
  /** Conversations whose begin it was told of. Flowly tells once in each run of the agent, not with each turn. */
  readonly #begun = new Set<string>();

  constructor(hosted: HostedInstance, world: Omit<HookWorld, "fire">) {
    super(hosted);
    this.#world = world;
  }

  protected callHook({ event, payload }: CallOf<"hook">, scope: CallScope): Promise<CallResults["hook"]> {
    if (!firing.has(event))
      return Promise.reject(new PatchbayError("EVENT_UNKNOWN", `Flowly has no hook for ${event}.`));
    if (event === "turn.start@v1" && this.#hasBegun(payload)) return Promise.resolve(undefined);
    const fire: HookWorld["fire"] = async (hookId: FlowlyEvent, ask) => {
      const answer = readHookAnswer(
        await this.hosted.call({ kind: "hook", hookId, event: hookId, payload: ask }, scope),
      );
      if (answer === null) throw new PatchbayError("HOOK_FAILED", "it answered in a way that cannot be read");
      return answer;
    };
    return callHooks(event as FiringEvent, payload, { ...this.#world, fire });
  }

  #hasBegun(payload: unknown): boolean {
    const sessionId = isObject(payload) ? payload.sessionId : undefined;
    if (typeof sessionId !== "string") return false;
    if (this.#begun.has(sessionId)) return true;
    this.#begun.add(sessionId);
    const [oldest] = this.#begun;
    if (this.#begun.size > MOST_SESSIONS && oldest !== undefined) this.#begun.delete(oldest);
    return false;
  }
}
