/** The callers that wait until a wizard shows a step that is not mere progress (it is then "settled"). */
export class Waiting {
  readonly #isSettled: () => boolean;
  #settled: (() => void)[] = [];
  /** Callers that gave an answer, by ticket; the function rejects their wait. */
  readonly #answering = new Map<number, (refused: Error) => void>();
  #tickets = 0;

  constructor(isSettled: () => boolean) {
    this.#isSettled = isSettled;
  }

  /** Resolves when the wizard is settled; at once when it is already. */
  async untilSettled(): Promise<void> {
    if (this.#isSettled()) return;
    await new Promise<void>((resolve) => this.#settled.push(resolve));
  }

  /**
   * Gives an answer under a new ticket and waits until the wizard is settled. @throws what the ticket is refused with
   */
  async forAnswer(give: (ticket: number) => void): Promise<void> {
    this.#tickets += 1;
    const ticket = this.#tickets;
    const { promise: refused, reject } = Promise.withResolvers<never>();
    this.#answering.set(ticket, reject);
    try {
      give(ticket);
      await Promise.race([refused, this.untilSettled()]);
    } finally {
      this.#answering.delete(ticket);
    }
  }

  refuse(ticket: number, why: Error): void {
    this.#answering.get(ticket)?.(why);
  }

  /** To be called whenever the step may have changed. */
  settle(): void {
    if (this.#isSettled()) for (const resolve of this.#settled.splice(0)) resolve();
  }
}
