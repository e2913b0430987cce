/** What a server does instead of answering properly. `body` as an object is sent as JSON. */
export type Fault =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection stays open and no answer is sent. */
  | "hang"
  /** The connection is cut. */
  | "cut"
  /** The request is carried out, and the connection is cut before the answer. */
  | "cut-after";

/** Faults for coming requests, by the name of the request. Each fault is used for one request. */
export class Faults {
  readonly #waiting = new Map<string, Fault[]>();

  /** @param times how many requests it spoils; `Infinity` until {@link clear} */
  add(name: string, fault: Fault, times = 1): void {
    const list = this.#waiting.get(name) ?? [];
    if (times === Number.POSITIVE_INFINITY) this.#forGood.set(name, fault);
    else for (let n = 0; n < times; n += 1) list.push(fault);
    this.#waiting.set(name, list);
  }

  take(name: string): Fault | undefined {
    return this.#waiting.get(name)?.shift() ?? this.#forGood.get(name);
  }

  clear(): void {
    this.#waiting.clear();
    this.#forGood.clear();
  }

  readonly #forGood = new Map<string, Fault>();
}
