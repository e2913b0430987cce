/** Gathers streamed text and hands it on at most ten times a second, in order. */
export class DeltaThrottle {
  private gathered = "";
  private timer: NodeJS.Timeout | undefined;
  private sent: Promise<void> = Promise.resolve();
  private readonly send: (text: string) => Promise<void>;

  constructor(send: (text: string) => Promise<void>) {
    this.send = send;
  }

  push(text: string): void {
    this.gathered += text;
    this.timer ??= setTimeout(() => this.hand(), 100);
  }

  /** Hands on what is left, and resolves when all of it has arrived. Never rejects. */
  async flush(): Promise<void> {
    this.hand();
    await this.sent;
  }

  private hand(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.gathered;
    this.gathered = "";
    if (text) this.sent = this.sent.then(() => this.send(text)).catch(() => undefined);
  }
}
