import { EventEmitter } from "node:events";

/** Loaded into every process that the stand-in forks: `process.parentPort` instead of Node's own channel. */
class ParentPort extends EventEmitter {
  readonly #send = process.send?.bind(process);
  #early: unknown[] | undefined = [];

  constructor() {
    super();
    process.on("message", (message) => {
      if (this.#early) this.#early.push(message);
      else this.emit("message", { data: message, ports: [] });
    });
    // Electron ends a utility process whose app is gone.
    process.on("disconnect", () => process.exit(0));
    this.on("newListener", (event) => {
      if (event === "message") queueMicrotask(() => this.#release());
    });
  }

  postMessage(message: unknown): void {
    this.#send?.(message);
  }

  #release(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const message of early) this.emit("message", { data: message, ports: [] });
  }
}

Object.defineProperty(process, "parentPort", { value: new ParentPort() });
Object.defineProperty(process, "send", { value: undefined });
