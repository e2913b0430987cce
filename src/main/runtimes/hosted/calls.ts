import { PatchbayError } from "../../../contract/index.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import { type AbortSource, onAbort } from "../../base/call-abort.ts";
import type { CallScope } from "../plugin-call.ts";
import { fromHostProblem, type HostLine } from "./host-line.ts";
import { answerTooLarge } from "./host-messages.ts";
import type { HostCall } from "./protocol.ts";
import { isWithin, MAX_ANSWER } from "./size.ts";

/** Most calls that were given up and are remembered. */
const MOST_GIVEN_UP = 10_000;

/** Takes what a plugin asked for beside its answer to a call, as the process sent it. */
export type EffectSink = (raw: unknown, scope: CallScope | undefined) => void;

interface Pending {
  call: HostCall["kind"];
  doing: string;
  scope: CallScope | undefined;
  onUpdate: ((text: string) => void) | undefined;
  /** Removes the listener from the abort source of the call. */
  unlink(): void;
  /** @throws when the value has not the shape that this kind of call must return */
  take(value: unknown): void;
  reject(error: unknown): void;
}

export interface CallOptions {
  /** What the plugin does in this call, in words: the heading of a question that it may ask. */
  doing: string;
  /** Ends the call early. */
  abort: AbortSource;
  scope?: CallScope;
  onUpdate?: (text: string) => void;
}

/** The calls that are under way in one host. It gives each an id and finds the call that a result belongs to. */
export class Calls {
  readonly #line: HostLine;
  readonly #pending = new Map<number, Pending>();
  /** Calls that were ended here while the host may still answer them. */
  readonly #given: Set<number> = new Set();
  #nextId = 1;
  #ended: PatchbayError | undefined;

  readonly #effects: EffectSink;

  constructor(line: HostLine, effects: EffectSink = () => {}) {
    this.#line = line;
    this.#effects = effects;
  }

  /**
   * Sends a call and resolves with what `parse` makes of its result.
   *
   * @throws PatchbayError for the plugin's failure, ABORTED when it was aborted, HOST_CRASHED when the process ended
   */
  run<T>(call: HostCall, parse: (value: unknown) => T, options: CallOptions): Promise<T> {
    const { doing, abort, scope, onUpdate } = options;
    if (this.#ended) return Promise.reject(this.#ended);
    if (abort.aborted) return Promise.reject(abortError(abort));
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      try {
        this.#line.post({ t: "call", id, call });
      } catch (cause) {
        return reject(new PatchbayError("BAD_INPUT", "The arguments are not plain data.", { cause }));
      }
      const unlink = onAbort(abort, () => {
        if (!this.#pending.has(id)) return;
        this.#line.post({ t: "abort", id });
        this.#giveUp(id);
        this.#fail(id, abortError(abort));
      });
      const take = (value: unknown) => resolve(parse(value));
      this.#pending.set(id, { call: call.kind, doing, scope, onUpdate, unlink, take, reject });
    });
  }

  result(id: number, value: unknown, effects?: unknown): void {
    const pending = this.#remove(id);
    if (!pending) {
      this.#unasked(id);
      return;
    }
    if (effects !== undefined) this.#effects(effects, pending.scope);
    try {
      pending.take(checked(value));
    } catch (error) {
      pending.reject(asNonsense(pending.call, error));
    }
  }

  error(id: number, problem: Parameters<typeof fromHostProblem>[0], effects?: unknown): void {
    const pending = this.#pending.get(id);
    if (!pending) {
      this.#unasked(id);
      return;
    }
    if (effects !== undefined) this.#effects(effects, pending.scope);
    this.#fail(id, fromHostProblem(problem));
  }

  progress(id: number, text: string): void {
    this.#pending.get(id)?.onUpdate?.(cleanText(text));
  }

  /** The call that a question belongs to. */
  during(id: number | null): { scope: CallScope | undefined; doing: string } | undefined {
    return id === null ? undefined : this.#pending.get(id);
  }

  /** Rejects all calls that are under way and all later ones. */
  end(error: PatchbayError): void {
    this.#ended = error;
    for (const id of [...this.#pending.keys()]) this.#fail(id, error);
  }

  /** An answer to no call, or a second one. The one to a call that was given up is late, and no more. */
  #unasked(id: number): void {
    if (this.#given.delete(id)) return;
    const detail =
      id > 0 && id < this.#nextId
        ? "The plugin's process answered a call for the second time; the first answer counts."
        : "The plugin's process answered a call that was never made; the answer was dropped.";
    this.#line.refuse("an answer nobody waits for", detail);
  }

  #giveUp(id: number): void {
    this.#given.add(id);
    if (this.#given.size <= MOST_GIVEN_UP) return;
    const [oldest] = this.#given;
    if (oldest !== undefined) this.#given.delete(oldest);
  }

  #fail(id: number, error: unknown): void {
    this.#remove(id)?.reject(error);
  }

  #remove(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    pending.unlink();
    return pending;
  }
}

function abortError({ reason }: AbortSource): unknown {
  return reason instanceof PatchbayError ? reason : new PatchbayError("ABORTED", "The call was stopped.");
}

function checked(value: unknown): unknown {
  if (!isWithin(value, MAX_ANSWER)) {
    throw answerTooLarge();
  }
  return value;
}

function asNonsense(kind: HostCall["kind"], error: unknown): PatchbayError {
  if (error instanceof PatchbayError) return error;
  return new PatchbayError("TOOL_FAILED", `The plugin's answer to a ${kind} call has the wrong shape.`, {
    cause: error,
  });
}
