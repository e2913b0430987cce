import { isObject } from "../../../contract/is-object.ts";
import { TranslatedInstance } from "../hosted/foreign/translated-instance.ts";
import { fromHostProblem } from "../hosted/host-line.ts";
import { notUnderstood } from "../hosted/host-messages.ts";
import type { HostedInstance } from "../hosted/hosted-instance.ts";
import type { CallOf, CallResults, CallScope } from "../plugin-call.ts";
import type { DirgeKind } from "./dirge-kind.ts";
import { type DirgeHook, type FiringEvent, firedAt, limitOf } from "./hooks/event-map.ts";
import { callHooks, type HookContext, type HookWorld } from "./hooks/hook-calls.ts";
import { type HookAnswer, readHookAnswer } from "./hooks/host-answer.ts";
import { PREPARE } from "./host/protocol.ts";

const firing: ReadonlySet<string> = new Set(Object.values(firedAt).flat());

const PREPARE_MS = 30_000;

type World = Omit<HookWorld, "fire" | "prepare" | "registered">;

/** A started plugin of dirge: its host, and between the agent's events and dirge's hooks a translation. */
export class DirgeInstance extends TranslatedInstance {
  readonly #kind: DirgeKind;
  readonly #world: World;

  constructor(hosted: HostedInstance, kind: DirgeKind, world: World) {
    super(hosted);
    this.#kind = kind;
    this.#world = world;
  }

  protected async callHook(call: CallOf<"hook">, scope: CallScope): Promise<CallResults["hook"]> {
    if (!firing.has(call.event)) return undefined;
    const event = call.event as FiringEvent;
    return callHooks(event, call.payload, {
      ...this.#world,
      registered: this.#kind.registered,
      fire: (hook, ctx) => this.#fire(hook, ctx, event, scope),
      prepare: (tool, args) => this.#prepare(tool, args, scope),
    });
  }

  async #fire(hook: DirgeHook, ctx: HookContext, event: string, scope: CallScope): Promise<HookAnswer> {
    const payload = { ctx, limitMs: limitOf(hook) };
    const answer = readHookAnswer(
      await this.hosted.call({ kind: "hook", hookId: hook, event, payload }, scope),
    );
    if (answer === null) throw fromHostProblem(notUnderstood);
    return answer;
  }

  /** The arguments of a call of a tool of its own as the tool prepares them; a failure leaves them as they are. */
  async #prepare(
    name: string,
    args: Record<string, unknown>,
    scope: CallScope,
  ): Promise<Record<string, unknown>> {
    if (!this.#kind.prepared.has(name)) return args;
    const { name: tool } = this.#kind.tool(name);
    const payload = { tool, args: JSON.stringify(args), limitMs: PREPARE_MS };
    const call = { kind: "hook", hookId: PREPARE, event: PREPARE, payload } as const;
    const answer = await this.hosted.call(call, scope);
    return isObject(answer) && isObject(answer.args) ? answer.args : args;
  }
}
