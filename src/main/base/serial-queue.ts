/** Runs tasks one after the other. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;
  #pending = 0;

  get busy(): boolean {
    return this.#pending > 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    const result = this.#tail.then(task).finally(() => {
      this.#pending -= 1;
    });
    this.#tail = result.catch(() => {});
    return result;
  }

  /** Like `run`, but callers that ask while the last such task has not begun share it. */
  runNext(task: () => Promise<void>): Promise<void> {
    this.#next ??= this.run(() => {
      this.#next = null;
      return task();
    });
    return this.#next;
  }

  /** Resolves when what is queued now is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
