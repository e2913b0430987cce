import { PatchbayError } from "../../../contract/index.ts";
import type { HostCall } from "../../host/protocol.ts";
import type { CallScope } from "../runtime.ts";
import { fromHostProblem, type HostLine } from "./host-line.ts";
import { isWithin, MAX_ANSWER } from "./host-messages.ts";

interface Pending {
  doing: string;
  scope: CallScope | undefined;
  onUpdate: ((text: string) => void) | undefined;
  settle(result: { value: unknown } | { error: unknown }): void;
}

export interface CallOptions {
  /** What the plugin does meanwhile, for the heading of a question that it asks. */
  doing: string;
  signal: AbortSignal;
  scope?: CallScope;
  onUpdate?: (text: string) => void;
}

/** The calls that are under way in one host, matched with their results. */
export class Calls {
  readonly #line: HostLine;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #ended: PatchbayError | undefined;

  constructor(line: HostLine) {
    this.#line = line;
  }

  /**
   * Sends a call and resolves with what `parse` makes of its result.
   *
   * @throws PatchbayError of the plugin's failure, ABORTED when the signal was aborted, HOST_CRASHED when the process ended
   */
  run<T>(call: HostCall, parse: (value: unknown) => T, options: CallOptions): Promise<T> {
    const { doing, signal, scope, onUpdate } = options;
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      if (signal.aborted) return reject(abortError(signal));
      const id = this.#nextId++;
      const abort = () => {
        this.#line.post({ t: "abort", id });
        this.#pending.get(id)?.settle({ error: abortError(signal) });
      };
      const settle: Pending["settle"] = (result) => {
        this.#pending.delete(id);
        signal.removeEventListener("abort", abort);
        if ("error" in result) return reject(result.error);
        try {
          resolve(parse(checked(result.value)));
        } catch (error) {
          reject(asNonsense(call.kind, error));
        }
      };
      this.#pending.set(id, { doing, scope, onUpdate, settle });
      signal.addEventListener("abort", abort, { once: true });
      try {
        this.#line.post({ t: "call", id, call });
      } catch (error) {
        settle({
          error: new PatchbayError("BAD_INPUT", "The arguments are not plain data.", { cause: error }),
        });
      }
    });
  }

  result(id: number, value: unknown): void {
    this.#pending.get(id)?.settle({ value });
  }

  error(id: number, problem: Parameters<typeof fromHostProblem>[0]): void {
    this.#pending.get(id)?.settle({ error: fromHostProblem(problem) });
  }

  progress(id: number, text: string): void {
    this.#pending.get(id)?.onUpdate?.(text);
  }

  /** The call that a question belongs to. */
  during(id: number | null): { scope: CallScope | undefined; doing: string } | undefined {
    return id === null ? undefined : this.#pending.get(id);
  }

  /** Rejects everything that is under way and whatever comes later. */
  end(error: PatchbayError): void {
    this.#ended = error;
    for (const pending of [...this.#pending.values()]) pending.settle({ error });
  }
}

function abortError(signal: AbortSignal): unknown {
  return signal.reason instanceof PatchbayError
    ? signal.reason
    : new PatchbayError("ABORTED", "The call was stopped.");
}

function checked(value: unknown): unknown {
  if (!isWithin(value, MAX_ANSWER)) {
    throw new PatchbayError("TOOL_FAILED", "The plugin's answer is larger than 32 MB; it was thrown away.");
  }
  return value;
}

function asNonsense(kind: HostCall["kind"], error: unknown): PatchbayError {
  if (error instanceof PatchbayError) return error;
  return new PatchbayError("TOOL_FAILED", `The plugin's answer to a ${kind} call has the wrong shape.`, {
    cause: error,
  });
}
