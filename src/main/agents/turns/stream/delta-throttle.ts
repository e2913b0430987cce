import type { Clock } from "../../../base/clock.ts";
import { SerialQueue } from "../../../base/serial-queue.ts";

/** Gathers streamed text and hands it on at most ten times a second, in order. */
export class DeltaThrottle {
  private gathered = "";
  private readonly clock: Clock;
  private cancel: (() => void) | undefined;
  private readonly queue = new SerialQueue();
  private readonly send: (text: string) => Promise<void>;

  constructor(clock: Clock, send: (text: string) => Promise<void>) {
    this.clock = clock;
    this.send = send;
  }

  push(text: string): void {
    this.gathered += text;
    this.cancel ??= this.clock.after(100, () => this.hand());
  }

  /** Hands on what is left, and resolves when all of it has arrived. Never rejects. */
  async flush(): Promise<void> {
    this.hand();
    await this.queue.idle();
  }

  private hand(): void {
    this.cancel?.();
    this.cancel = undefined;
    const text = this.gathered;
    this.gathered = "";
    if (text) this.queue.run(() => this.send(text)).catch(() => undefined);
  }
}
