import type { Clock } from "../../base/clock.ts";

/** Gathers streamed text and hands it on at most ten times a second, in order. */
export class DeltaThrottle {
  private gathered = "";
  private readonly clock: Clock;
  private cancel: (() => void) | undefined;
  private sent: Promise<void> = Promise.resolve();
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
    await this.sent;
  }

  private hand(): void {
    this.cancel?.();
    this.cancel = undefined;
    const text = this.gathered;
    this.gathered = "";
    if (text) this.sent = this.sent.then(() => this.send(text)).catch(() => undefined);
  }
}
